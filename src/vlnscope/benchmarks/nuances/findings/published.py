"""The numbers of the NavNuances paper that figures and tables show beside ours: facts, not measured here."""

from __future__ import annotations

from importlib import resources

import msgspec

PAPER = "Wang et al. 2024, Navigating the Nuances: A Fine-grained Evaluation of Vision-Language Navigation"


class PublishedRates(msgspec.Struct, frozen=True, kw_only=True):
    """A row of Table 2: success rates in percent by category, and R2R val unseen."""

    name: str
    vision: str
    DC: float
    NU: float
    LR: float
    RR: float
    VM: float
    r2r: tuple[float, float, float] | None = None

    def rate(self, category: str) -> float:
        """Return the success rate in a category."""
        rate: float = getattr(self, category)
        return rate


class _File(msgspec.Struct, frozen=True):
    table_2: tuple[PublishedRates, ...]
    counts: dict[str, dict[str, int]]


_FILE = msgspec.json.decode((resources.files(__package__) / "published.json").read_bytes(), type=_File)
TABLE_2 = _FILE.table_2
"""Success rates of Table 2; R2R val unseen as SR, nDTW, SPL. NavGPT4 and NavGPT4v: about 130 items."""
HUMAN = TABLE_2[-1]
AGENT_1, AGENT_2 = 32.06, 41.03
"""Success rates that the paper gives for the two random agents of Figure 4."""
COUNTS = _FILE.counts
"""How many instances of each subset the paper's data has (Table 1 and Appendix D)."""
