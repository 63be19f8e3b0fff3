"""Metrics: numbers that say how an agent walked, and whose conventions they follow.

==============  ==========================================================================================
``measures``    one module per metric, called like it: SPL is computed in ``measures/spl.py``
``metric``      what a metric is, and the decorator that registers one
``profiles``    named settings of the switches (``profile.toml``), one switch per disagreement of papers
``encoding``    episodes and predictions as arrays (``pairs``, ``point_pairs``); metrics get a ``batch``
``kernels``     compiled loops and ragged arrays that metrics share
``evaluate``    computes the metrics of a profile on a batch
``example``     a tiny building to try a metric in
``lint``        feeds metrics adversarial paths and names the axioms that they break
==============  ==========================================================================================
"""
