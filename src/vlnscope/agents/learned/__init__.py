"""Learned models, one module each; they need torch (``pip install 'vlnscope[learn]'``)."""
