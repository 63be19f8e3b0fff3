"""Floor maps as SVG."""
