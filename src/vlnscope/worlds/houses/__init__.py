"""Houses that vlnscope builds itself, from a seed to a scene.

`splits` names houses and keeps them in a cache, `house` makes them: ``layout`` draws a floor plan (``plan``),
``furnish`` puts furniture into its rooms, ``graph`` finds viewpoints and what they see, ``mesh`` and
``parts`` build walls and objects. ``edit`` changes a house, `export` writes it to files, and `checks` says
what must hold of it. Numbers measured in real buildings are in ``facts``.
"""
