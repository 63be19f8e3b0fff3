"""Makes the valid inputs that `fuzz_commands` damages: small files of every kind that a verb reads."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

Run = Callable[[Sequence[str]], int]
STEP = {"position": [1.5, 0.25, -3.0], "heading": 0.5, "stop": False}


def make_corpus(folder: Path, vlnscope: Run) -> None:
    """Write all inputs to a folder; `vlnscope` runs a command line in it."""
    sample = Path(str(resources.files("vlnscope") / "sample"))
    shutil.copy(sample / "predictions" / "walker.json", folder / "preds.json")
    walks = json.loads((folder / "preds.json").read_text())
    _predictions(folder, walks)
    _data(folder, sample)
    _others(folder)
    for command in (
        "run random --data sample/demo --limit 12 --out run",
        "run noisy --data sample/demo --limit 12 --out run2",
        "run random --data sample/demo --shard 1/2 --out shard1",
        "run random --data sample/demo --shard 2/2 --out shard2",
        "build outcomes --data sample/demo --most 6 --out cases",
        "run random --cases cases --out caserun",
        "houses generate --split val_unseen --count 1 --out houses",
        "build errors --data houses/val_unseen@1 --limit 3 --out errors",
        "report run run2 --out report",
        "score preds.json --data sample/demo --per-episode scores.jsonl",
        "compare preds.json run --data sample/demo --partial --out table.json",
    ):
        if vlnscope(command.split()):
            raise SystemExit(f"the corpus cannot be made: vlnscope {command}")
    shutil.copy(folder / "houses" / "plans" / "house-40000.json", folder / "plan.json")
    for name in ("run", "run2", "shard1", "shard2", "caserun"):
        _steady(folder / name / "evidence.jsonl")
        _steady(folder / name / "run.json")


def _steady(path: Path) -> None:
    """Let a file say the same whenever it is made."""
    text = re.sub(r'"seconds":[0-9.e-]+', '"seconds":0.25', path.read_text())
    text = re.sub(r'("started"|"finished"): "[^"]+"', r'\1: "2026-01-01T00:00:00+00:00"', text)
    path.write_text(re.sub(r'"(host|revision)": [^,\n]+', r'"\1": "x"', text))


def _put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def _predictions(folder: Path, walks: list[dict[str, Any]]) -> None:
    paths = {walk["instr_id"]: [step[0] for step in walk["trajectory"]] for walk in walks}
    _put(folder / "flat.json", [{"instr_id": name, "trajectory": path} for name, path in paths.items()])
    _put(folder / "by_id.json", paths)
    _put(
        folder / "pieces.json", [{"instr_id": n, "trajectory": [[p] for p in ps]} for n, ps in paths.items()]
    )
    _put(folder / "reverie.json", [{**walk, "predObjId": 4} for walk in walks])
    _put(folder / "rxr.json", [{"instruction_id": i, "path": p} for i, p in enumerate(paths.values())])
    _put(folder / "rxrce.json", [{"instruction_id": i, "path": [[0.5, 1, 2.5]] * 3} for i in range(3)])
    _put(folder / "vlnce.json", {"1": [STEP, {**STEP, "stop": True}], "2": [STEP]})
    entry = {"position": [1.5, 0.25, -3.0], "phase": "agent", "episode_id": "1"}
    _put(folder / "log.json", {"0": [entry, {**entry, "phase": "oracle_goal"}], "1": [entry]})


def _data(folder: Path, sample: Path) -> None:
    shutil.copytree(sample / "connectivity", folder / "root" / "connectivity")
    (folder / "root" / "r2r").mkdir()
    for split in ("val_unseen", "train"):
        shutil.copy(sample / "r2r" / "R2R_demo.json", folder / "root" / "r2r" / f"R2R_{split}.json")
    shutil.copy(sample / "r2r" / "R2R_demo.json", folder / "data.json")
    records = json.loads((folder / "data.json").read_text())
    by_scan: dict[str, list[list[str]]] = {}
    for record in records:
        by_scan.setdefault(record["scan"], [[]])[0].append(f"{record['path_id']}_0")
    _put(folder / "tours.json", {"val_unseen": by_scan})
    episode = {
        "episode_id": 1,
        "trajectory_id": 7,
        "scene_id": "mp3d/s/s.glb",
        "start_position": [0.0, 0.0, 0.0],
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "info": {"geodesic_distance": 5.0},
        "goals": [{"position": [1.0, 0.0, 4.0], "radius": 3.0}],
        "instruction": {"instruction_text": "Walk on.", "instruction_tokens": [1, 2, 0]},
        "reference_path": [[0.0, 0.0, 0.0], [1.0, 0.0, 4.0]],
    }
    vocabulary = {"word_list": ["walk", "on"], "word2idx_dict": {"walk": 1, "on": 2}, "num_vocab": 2}
    both = {"instruction_vocab": vocabulary, "episodes": [episode, {**episode, "episode_id": 2}]}
    _put(folder / "data_ce.json", both)
    captions = {r["scan"]: {v: ["a\nb\nc"] * 8 for v in r["path"]} for r in records}
    _put(folder / "root" / "navgpt_text" / "observations_list_raw_captions.json", captions)
    rows = base64.b64encode(np.ones((36, 8), dtype="<f4").tobytes()).decode()
    lines = [f"{r['scan']}\t{v}\t640\t480\t60\t{rows}\n" for r in records for v in r["path"]]
    (folder / "features.tsv").write_text("".join(dict.fromkeys(lines)))


def _others(folder: Path) -> None:
    experiment = resources.files("vlnscope.training") / "experiments" / "r4r-cloning.toml"
    (folder / "experiment.toml").write_text(experiment.read_text())
    (folder / "words.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nwalk\non\n")
    _put(folder / "answers.json", [{"instr_id": "1_0", "candidates": ["a"], "final_logits": [0.5, 0.5]}])
    (folder / "verdicts.jsonl").write_text('{"case_id": "a", "verdict": "reject"}\n')
    (folder / "decisions.jsonl").write_text('{"production": "S -> A", "accept": true, "unlocks": 1}\n')
    (folder / "plug.py").write_text("raise RuntimeError('no')\n")
