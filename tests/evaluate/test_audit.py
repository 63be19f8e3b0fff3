"""Auditing data sets: rules on planted problems, the detector's ranking, the page, the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flat_scene import PATH, RIGHT, flat
from vlnscope.cli.main import app
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Line
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.audit.audit import audit
from vlnscope.evaluate.audit.detect import detect
from vlnscope.evaluate.audit.page import save_page
from vlnscope.evaluate.audit.rules import check_leaks, check_paths
from vlnscope.types import Episode
from vlnscope.worlds.scene import Scene


class _Flat:
    """The scenes of a data set with one scene."""

    def scans(self) -> tuple[str, ...]:
        return ("flat",)

    def scene(self, scan: str) -> Scene:
        return flat()


def _episode(number: int, text: str = "", path: Sequence[str] = PATH, **more: object) -> Episode:
    said = text or f"{RIGHT} Wait {number} minutes."
    made = {"episode_id": f"{number}_0", "path_id": str(number), "scan": "flat", "heading": 0.0} | more
    return Episode(instruction=said, path=tuple(path), **made)  # type: ignore[arg-type]


def _dataset(*episodes: Episode, split: str = "val_unseen") -> Dataset:
    return Dataset(
        name=f"mine/{split}",
        split=split,
        format="",
        files=(),
        load=lambda on_problem: iter(episodes),
        load_scenes=_Flat,
    )


def _codes(*episodes: Episode) -> dict[str, int]:
    return audit(_dataset(*episodes), detector=None).counts


def test_a_sound_data_set_has_no_findings() -> None:
    found = audit(_dataset(_episode(1), _episode(2)), detector=None)
    assert found.ok
    assert found.counts == {}


def test_paths() -> None:
    detour = ("bed", "hall", "east", "hall", "west", "far", "kitchen")
    assert _codes(_episode(1, path=detour)) == {"non-shortest": 1}
    assert _codes(_episode(1, path=("bed", "west"))) == {"no-edge": 1}
    assert _codes(_episode(1, path=("bed", "attic"))) == {"unknown-viewpoint": 1}
    three = [_episode(1, path=detour, episode_id=f"1_{k}", text=f"{RIGHT} {k}") for k in range(3)]
    (finding,) = audit(_dataset(*three), detector=None).findings
    assert (finding.episode_id, finding.others) == ("1_0", ("1_1", "1_2"))


def test_ids() -> None:
    same = _codes(_episode(1), _episode(1, text=f"{RIGHT} Again."))
    assert same == {"episode-id-collision": 1}
    other = _codes(_episode(1), _episode(1, episode_id="1_1", path=PATH[:4]))
    assert other["path-id-collision"] == 1
    four = [_episode(1, episode_id=f"1_{k}", text=f"{RIGHT} {k}") for k in range(4)]
    found = audit(_dataset(*four), detector=None)
    assert [(f.code, f.episode_id) for f in found.findings] == [("fourth-instruction", "1_3")]
    assert found.ok


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Turn left and walk down the", True),
        ("Turn left, then walk to the door and", True),
        ("Turn left and then,", True),
        ("Go left.", True),
        ("", True),
        ("Find the door and walk right in.", False),
        ("Walk down the hallway and wait", False),
    ],
)
def test_texts_that_are_cut_off(text: str, cut: bool) -> None:
    assert ("truncated" in _codes(_episode(1, text=text or " "))) is cut


def test_texts_that_are_used_twice() -> None:
    assert (
        _codes(_episode(1, text=RIGHT), _episode(2, text=RIGHT.upper(), path=PATH[:4]))["duplicate-text"] == 1
    )
    both = _codes(_episode(1, text=RIGHT), _episode(1, episode_id="1_1", text=RIGHT))
    assert both == {"repeated-text": 1}


def test_rooms_that_are_never_passed() -> None:
    found = audit(_dataset(_episode(1, text=RIGHT.replace("kitchen", "garage"))), detector=None)
    (finding,) = found.findings
    assert finding.code == "room-never-passed"
    assert "garage" in finding.what


def test_leaks_between_splits() -> None:
    mine = [_episode(1), _episode(2, path=PATH[:4])]
    theirs = _dataset(_episode(7), _episode(8, text=mine[1].instruction, path=PATH[1:]), split="train")
    codes = sorted(finding.code for finding in check_leaks(_dataset(*mine), mine, [theirs]))
    assert codes == ["path-leak", "scene-leak", "text-leak"]
    seen = _dataset(*mine, split="val_seen")
    codes = sorted(finding.code for finding in check_leaks(seen, mine, [theirs]))
    assert codes == ["path-leak", "text-leak"]


def test_the_wrong_instruction_comes_first(tmp_path: Path) -> None:
    wrong = _episode(3, text=RIGHT.replace("left", "right"))
    found = audit(_dataset(_episode(1, text=RIGHT), wrong))
    assert found.suspicions[0].episode.episode_id == "3_0"
    assert "right" in found.suspicions[0].reasons[0]
    page = save_page(found, tmp_path / "audit.html").read_text()
    assert page.count("<svg") == 2
    assert "turn right" in page
    assert "<script" not in page
    assert """http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'none';""" in page
    assert found.to_arrow().num_rows == 2
    assert json.loads(found.save(tmp_path / "audit.json").read_text())["episodes"] == 2


def test_an_audit_of_a_part_says_so(tmp_path: Path) -> None:
    episodes = [_episode(number, text=f"{RIGHT} Wait {number} minutes.") for number in range(1, 6)]
    found = audit(_dataset(*episodes), limit=2)
    assert (found.read, found.episodes) == (2, 5)
    assert found.to_dict()["read"] == 2
    told = "\n".join(block.text for block in found.display() if isinstance(block, Line))
    assert "grounding read 2 of the 5 instructions" in told
    assert "of the 2 above" in told
    assert "grounding read 2 of the 5 instructions" in save_page(found, tmp_path / "a.html").read_text()
    assert audit(_dataset(*episodes)).coverage == "all 5 instructions"
    assert audit(_dataset(*episodes), detector=None).read == 0


def test_a_detection_on_a_part_says_so() -> None:
    episodes = [_episode(number, text=f"{RIGHT} Wait {number} minutes.") for number in range(1, 6)]
    part, whole = detect(_dataset(*episodes), limit=2), detect(_dataset(*episodes))
    assert part.to_dict()["given"] == 5
    first = next(block for block in part.display() if isinstance(block, Line))
    assert first.text.startswith("2 of the 5 instructions of mine/val_unseen")
    first = next(block for block in whole.display() if isinstance(block, Line))
    assert first.text.startswith("5 instructions of mine/val_unseen")


def test_secret_and_empty_splits_are_refused() -> None:
    with pytest.raises(InputError, match="secret"):
        audit(_dataset(_episode(1, path=("bed",))))
    with pytest.raises(InputError, match="no episodes"):
        audit(_dataset())


def test_audit_command(tmp_path: Path) -> None:
    command = ["audit", "houses/val_seen@1", "--limit", "6", "--top", "3", "--out", str(tmp_path)]
    made = CliRunner().invoke(app, command)
    assert made.exit_code == 0, made.output
    assert (tmp_path / "audit.html").read_text().count("<article") == 3
    assert "the most suspicious" in made.stdout


def test_r2r_val_unseen_has_eight_references_that_are_not_shortest(data_root: Path) -> None:
    dataset = open_dataset("r2r/val_unseen", data_root)
    episodes = list(dataset.episodes())
    assert dataset.scenes is not None
    scenes = dataset.scenes
    found = list(check_paths(episodes, lambda scan: scenes.scene(scan).graph))
    assert [finding.code for finding in found] == ["non-shortest"] * 8
    assert any("3.71 m more" in finding.what for finding in found)
    others = [open_dataset(f"r2r/{split}", data_root) for split in ("train", "val_seen")]
    assert {finding.code for finding in check_leaks(dataset, episodes, others)} <= {"text-leak"}
