"""Tables and reports as Markdown and LaTeX."""
