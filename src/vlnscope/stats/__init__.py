"""Statistics: how sure a number is, and whether two numbers really differ.

====================  ====================================================================================
``nesting``           rows inside instructions, paths and scenes: which units are independent
``estimate``          means with intervals over scenes, the ones that reports print
``interval``          what an interval is, and the test that belongs to it
``bootstrap``         intervals by resampling scenes, as papers do
``paired``            the difference of two results over the same episodes; ``several``: of many agents
``runs``              several runs of one agent
``mixed``             nested mixed models as lme4 fits them; ``term_tests`` says whether a covariate matters
``multiplicity``      p-values corrected for the number of tests
``power``             how small a difference could be seen, and how much data a smaller one needs
====================  ====================================================================================
"""
