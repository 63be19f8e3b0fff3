"""The sections of a page, each registered under its name; `page.content` puts them together.

=================  ==================================================  ==========================
module             sections                                            templates
=================  ==================================================  ==========================
``overview``       tables that stand before everything else            ``overview.html.j2``
``summary``        abilities by agent (the first table), agent cards   ``summary.html.j2``
``chapters``       one chapter per benchmark: sentences, figures,      ``chapter.html.j2``
                   tables
``back_matter``    left out, how to read, definitions, card, files,    ``back_matter/``
                   citations
=================  ==================================================  ==========================
"""
