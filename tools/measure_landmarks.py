"""Measures which kinds of objects of REVERIE stand on the floor and are tall enough to be landmarks.

Run: ``python tools/measure_landmarks.py --root DATA``. It writes ``standing.json`` of the nuances
    builder: for each name of the lexicon that three placed objects or more answer to, how many there are,
    the medians of where they begin above the floor and of their height, and which share begins at most
    0.4 m above the floor and is 0.5 m tall or more.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from statistics import median

from vlnscope.benchmarks.nuances.build.placing import MeasuredBox, lexicon_name, measured_boxes, stands
from vlnscope.benchmarks.nuances.build.standing import TABLE
from vlnscope.language.lexicon import lexicon
from vlnscope.worlds.matterport.scans import MatterportScenes

FEWEST = 3


def measure(root: Path) -> dict[str, dict[str, float]]:
    """Return the facts by name, sorted."""
    scenes = MatterportScenes(root)
    found: dict[str, list[MeasuredBox]] = defaultdict(list)
    for scan in scenes.scans():
        scene = scenes.scene(scan)
        if scene.has("objects") and scene.has("heights"):
            names = {thing.object_id: thing.name for seen in scene.objects.seen.values() for thing in seen}
            for key, box in measured_boxes(scene).items():
                found[lexicon_name(names[key])].append(box)
    return {
        name: {
            "objects": len(boxes),
            "bottom": round(median(box.bottom for box in boxes), 2),
            "height": round(median(box.height for box in boxes), 2),
            "standing": round(sum(map(stands, boxes)) / len(boxes), 2),
        }
        for name, boxes in sorted(found.items())
        if len(boxes) >= FEWEST and name in lexicon().objects
    }


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="folder with the public data")
    facts = measure(parser.parse_args().root)
    lines = [f"  {json.dumps(name)}: {json.dumps(values)}" for name, values in facts.items()]
    source = (
        "Objects of REVERIE in 90 Matterport3D scans that lines of sight place: medians in metres, shares"
    )
    TABLE.write_text(
        "{\n" + f'"source": {json.dumps(source)},\n"facts": {{\n' + ",\n".join(lines) + "\n}\n}\n"
    )


if __name__ == "__main__":
    main()
