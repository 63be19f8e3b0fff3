"""How property tests draw their examples: the same for everyone, or new ones while fuzzing.

Hypothesis also draws constants that it finds in whatever modules happen to be imported, so what a test draws
would depend on the tests before it and on which of several processes runs it. Here the constants are fixed
when all tests are collected: none for everyone, those of the whole package while fuzzing, so that a seed is
enough to see a failure again.
"""

from __future__ import annotations

import importlib
import pkgutil

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

import vlnscope

EVERYONE, FUZZ = "everyone", "fuzz"


def register_profiles() -> None:
    """Make the profiles known and load the one that draws the same for everyone.

    Machines may be slow or busy: no test may fail for the time it takes.
    """
    patient = [HealthCheck.too_slow]
    settings.register_profile(
        EVERYONE, derandomize=True, database=None, deadline=None, suppress_health_check=patient
    )
    settings.register_profile(FUZZ, settings.get_profile(EVERYONE), derandomize=False, print_blob=True)
    settings.load_profile(EVERYONE)


def fix_constants() -> None:
    """Let what has been imported so far, or will be, change no example."""
    if settings.get_current_profile_name() == FUZZ:
        for module in pkgutil.walk_packages(vlnscope.__path__, "vlnscope."):
            importlib.import_module(module.name)
        providers._get_local_constants()
    constants = providers._local_constants
    providers._get_local_constants = lambda: constants
