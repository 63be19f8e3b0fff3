"""The numbers of the NavNuances paper that figures and tables show beside ours: facts, not measured here."""

from __future__ import annotations

from collections.abc import Mapping

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
        found: float = getattr(self, category)
        return found


def _row(name: str, vision: str, rates: str, r2r: str = "") -> PublishedRates:
    dc, nu, lr, rr, vm = map(float, rates.split())
    sr, ndtw, spl = map(float, r2r.split()) if r2r else (0.0, 0.0, 0.0)
    return PublishedRates(
        name=name, vision=vision, DC=dc, NU=nu, LR=lr, RR=rr, VM=vm, r2r=(sr, ndtw, spl) if r2r else None
    )


TABLE_2: tuple[PublishedRates, ...] = (
    _row("Random", "none", "36.79 7.69 30.22 57.45 11.76", "15.88 24.21 14.04"),
    _row("Seq2Seq", "front view", "75.30 21.79 22.04 53.09 25.88", "21.46 25.04 18.50"),
    _row("CLIP-ViL", "front view", "77.20 29.49 36.78 74.18 69.41", "52.15 47.75 47.64"),
    _row("VLN-BERT", "panorama", "72.02 29.49 36.05 80.36 75.29", "62.75 65.49 56.89"),
    _row("HAMT", "panorama", "79.62 28.21 36.05 77.81 68.82", "63.22 66.37 57.70"),
    _row("DUET", "panorama", "64.76 26.92 35.76 77.45 76.47", "71.52 67.02 60.41"),
    _row("BEVBERT", "panorama", "63.21 24.35 30.22 80.36 84.12", "75.18 69.40 63.68"),
    _row("ScaleVLN", "panorama", "72.88 26.92 29.92 84.73 84.71", "80.97 74.76 70.33"),
    _row("NavGPT3.5", "captions", "81.87 20.51 58.54 39.63 7.06", "12.67 40.82 11.45"),
    _row("NavGPT4", "captions", "91.87 34.78 54.83 67.61 11.36", "34.78 47.53 31.64"),
    _row("NavGPT4v", "panorama", "92.68 39.13 62.87 56.25 13.64", "41.30 54.78 36.84"),
    _row("Human", "front view", "95.83 89.13 89.44 89.89 94.42"),
)
"""Success rates of Table 2; R2R val unseen as SR, nDTW, SPL. NavGPT4 and NavGPT4v: about 130 items."""
HUMAN = TABLE_2[-1]
AGENT_1, AGENT_2 = 32.06, 41.03
"""Success rates that the paper gives for the two random agents of Figure 4."""
COUNTS: Mapping[str, Mapping[str, int]] = {
    "DC": {"right": 192, "left": 192, "around": 195},
    "VM": {"up": 87, "down": 83},
    "NU": {"first": 31, "second": 24, "third": 13, "fourth": 6, "fifth": 2, "sixth": 2},
    "LR": {"towards": 353, "past": 332},
    "RR": {"into": 105, "exit": 170},
}
"""How many instances of each subset the paper's data has (Table 1 and Appendix D)."""
