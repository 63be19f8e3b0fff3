"""Whose conventions predictions are scored by: the profile that is named, or that of their data set."""

from __future__ import annotations

from vlnscope.episodes.datasets.dataset import Dataset, spec_of_dataset
from vlnscope.metrics.profiles.profile import Profile, get_profile

DEFAULT = "default"
"""What `--profile` is unless a user names another: the data set's own conventions, where it has some."""


def profile_for(profile: str | Profile, dataset: Dataset | None) -> Profile:
    """Return the profile that predictions for a data set are scored by.

    ``default`` stands for the data set's own profile (REVERIE has one, since success there is to see an
    object); most data sets have none, and are scored by the profile called so.
    """
    if isinstance(profile, Profile):
        return profile
    return get_profile(dataset.profile if dataset is not None and profile == DEFAULT else profile)


def profile_name(profile: str, data: str) -> str:
    """Return the name of the profile that a data set is scored by, without opening it.

    Example:
        >>> profile_name("default", "reverie/val_unseen"), profile_name("hamt", "reverie/val_unseen")
        ('reverie', 'hamt')
        >>> profile_name("default", "r2r/val_unseen")
        'default'
    """
    spec = spec_of_dataset(data)
    return spec.profile if profile == DEFAULT and spec is not None else profile
