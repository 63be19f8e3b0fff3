"""Measure the real navigation graphs and write the table of facts that generated houses are held against.

Usage: ``python tools/measure_graphs.py --root ../shared/data``. The table holds numbers only.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene_stats import graph_statistics

TABLE = Path(__file__).parent.parent / "src/vlnscope/worlds/houses/facts/real_graphs.json"


def main() -> None:
    """Measure all scans under the data root."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--root", required=True, type=Path)
    scenes = MatterportScenes(parser.parse_args().root)
    statistics = graph_statistics(scenes.scene(scan) for scan in scenes.scans())
    table = {
        "source": "90 Matterport3D navigation graphs (Matterport3DSimulator) with their room labels",
        "facts": msgspec.to_builtins(statistics),
    }
    TABLE.write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")


if __name__ == "__main__":
    main()
