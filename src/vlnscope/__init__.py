"""vlnscope scores, probes and diagnoses vision-and-language navigation agents."""

from vlnscope._version import __version__

__all__ = ["__version__"]
