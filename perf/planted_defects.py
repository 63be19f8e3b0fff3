"""Does a diagnosis find defects that were planted, and does it leave sound agents alone?

Diagnoses agents with one known defect each (``planted_agents.py``) at the quick size, on houses that
nothing was fitted to, and prints the first three verdicts of each. A defect counts as found if a verdict on
its ability is among them and says that it is missing or not whole. Of sound agents it prints what they are
said to lack. Takes some minutes for each agent.

    python perf/planted_defects.py [--data houses/val_unseen@8+20] [--out DIR] [--only IgnoresLeft …]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from vlnscope.benchmarks.kit.benchmark import diagnosed_names
from vlnscope.evaluate.diagnose.diagnose import diagnose
from vlnscope.reporting.report_data import Report
from vlnscope.reporting.sentences import sentence
from vlnscope.reporting.verdicts import Verdict, headline

SUPPORT = Path(__file__).resolve().parents[1] / "tests" / "support"
FIRST = 3
DEFECTS = {
    "IgnoresLeft": ("IgnoresLeft", "left"),
    "IgnoresRight": ("IgnoresRight", "right"),
    "TakesLeftForRight": ("TakesLeftForRight", "left"),
    "AvoidsLeft": ("AvoidsLeft", "left"),
    "HalfIgnoresLeft": ("IgnoresLeft:share=0.5", "left"),
    "IgnoresStairs": ("IgnoresStairs", "stairs"),
    "IgnoresRooms": ("IgnoresRooms", "rooms"),
    "BlursRooms": ("BlursRooms", "rooms"),
    "IgnoresThings": ("IgnoresThings", "things"),
    "BlursThings": ("BlursThings", "things"),
    "IgnoresCounts": ("IgnoresCounts", "counting"),
    "ReadsNothing": ("ReadsNothing", "reading"),
    "NeverStops": ("NeverStops", "stopping"),
    "NeverStopsAtGoal": ("NeverStops:base=shortest", "stopping"),
    "StopsAfterOne": ("StopsAfter:steps=1", "stopping"),
    "StopsAfterTwo": ("StopsAfter:steps=2", "stopping"),
    "StopsOneEarly": ("StopsEarly:steps=1", "stopping"),
    "StopsTwoEarly": ("StopsEarly:base=noisy,steps=2", "stopping"),
    "Hasty": ("Hasty", "stopping"),
    "Forgets": ("Forgets", "memory"),
}
"""By name: the agent in ``planted_agents``, and the ability that it lacks."""
SOUND = {"follower": "follower", "noisy": "noisy", "shortest": "shortest", "random": "random"}


def main() -> int:
    """Print what is found; 1 if a defect is not."""
    options = _options()
    sys.path.insert(0, str(SUPPORT))
    chosen = options.only or [*SOUND, *DEFECTS]
    with tempfile.TemporaryDirectory() as folder:
        report = diagnose(
            [f"{name}={_agent(name)}" for name in chosen],
            options.data,
            out=options.out or Path(folder) / "diagnosis",
            size="quick",
            parts=options.parts,
            workers=options.workers,
            resume=options.out is not None and options.out.exists(),
        ).report
    missed = [name for name in chosen if not _shown(report, name)]
    print(f"missed: {', '.join(missed) or 'none'}")
    return bool(missed)


def _agent(name: str) -> str:
    return SOUND[name] if name in SOUND else f"planted_agents:{DEFECTS[name][0]}"


def _shown(report: Report, name: str) -> bool:
    """Print the first verdicts on an agent; say whether its defect is among them."""
    mine = [verdict for verdict in report.verdicts if verdict.agent == name]
    print(f"\n{name} ({_agent(name)})")
    if name in SOUND:
        for line in _lines([one for one in mine if one.grade == "cannot" and not one.because]):
            print(line)
        return True
    topic = DEFECTS[name][1]
    found = any(one.topic == topic and one.grade in ("cannot", "partly") for one in mine[:FIRST])
    for line in _lines(mine[:FIRST]):
        print(line)
    print("  found" if found else f"  NOT FOUND: {topic}")
    return found


def _lines(verdicts: list[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        yield f"  [{verdict.grade}] {headline(verdict)} | {verdict.benchmark}: {sentence(verdict.statement)}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="houses/val_unseen@8+20")
    parser.add_argument("--out", type=Path, help="keep the diagnosis here; go on with it if it exists")
    parser.add_argument("--only", nargs="+", choices=[*SOUND, *DEFECTS])
    parser.add_argument("--parts", nargs="+", choices=diagnosed_names())
    parser.add_argument("--workers", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
