"""Experiments: one from training to its page, the others with agents that need no training."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import stats

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli  # noqa: E402
from feature_files import tsv  # noqa: E402
from training_world import made, write_data  # noqa: E402
from vlnscope.benchmarks.kit.findings import Findings  # noqa: E402
from vlnscope.benchmarks.nuances.limits import MOST  # noqa: E402
from vlnscope.cli.experiment import ExperimentLog  # noqa: E402
from vlnscope.core.exceptions import InputError, UnknownNameError  # noqa: E402
from vlnscope.episodes.datasets.dataset import open_dataset  # noqa: E402
from vlnscope.episodes.reading import read_tours  # noqa: E402
from vlnscope.evaluate.benchmarking import ScoredRun, score_run  # noqa: E402
from vlnscope.evaluate.diagnose.case_config import CaseConfig  # noqa: E402
from vlnscope.experiments import conduct as conducting  # noqa: E402
from vlnscope.experiments import papers_agents, probes, r4r, skills, tours  # noqa: E402
from vlnscope.experiments import trained as training  # noqa: E402
from vlnscope.experiments import workspace as lab_module  # noqa: E402
from vlnscope.experiments import workspace as parts  # noqa: E402
from vlnscope.experiments import worlds as places  # noqa: E402
from vlnscope.experiments.agreement import agreement, correlations, order_p, scene_totals  # noqa: E402
from vlnscope.experiments.comparisons import losses, versus  # noqa: E402
from vlnscope.experiments.materials import data_name, with_materials  # noqa: E402
from vlnscope.experiments.result import write_outcome  # noqa: E402
from vlnscope.experiments.single_episodes import walks  # noqa: E402
from vlnscope.experiments.trained import TrainedAgent, TrainingSource, is_finished, trained  # noqa: E402
from vlnscope.experiments.workspace import Attempt, Entrant, Workspace, averaged  # noqa: E402
from vlnscope.experiments.worlds import ExperimentWorld  # noqa: E402
from vlnscope.reporting.sentences import sentence  # noqa: E402
from vlnscope.training.experiment import Experiment, read_experiment  # noqa: E402
from vlnscope.training.preparation import data_digest  # noqa: E402
from vlnscope.types import ScoreRow  # noqa: E402

WORLD = ExperimentWorld("r2r", "r2r/val_unseen", "forward")
TINY = """
title = 'tiny {name}'
validate_every = 2
save_every = 1
[data]
train = 'r2r/train'
validate = 'r2r/val_seen'
features = 'tiny={features}'
limit = 6
[model]
name = '{model}'
begin = '{begin}'
least = 1
[model.sizes]
hidden = 8
[learning]
updates = 3
batch = 4
max_steps = 3
"""


pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made-up data folder, with features and tiny trainings; `later` begins with the weights of `first`."""
    folder = tmp_path_factory.mktemp("data")
    data = made()
    assert data.scenes is not None
    write_data(folder, data)
    shutil.copy(folder / "r2r/R2R_val_seen.json", folder / "r2r/R2R_val_unseen.json")
    rows = {
        (scan, node): np.random.default_rng(len(node)).random((36, 4))
        for scan in data.scenes.scans()
        for node in data.scenes.scene(scan).graph.nodes
    }
    features = tsv(folder / "f.tsv", rows)
    for name, model, begin in (
        ("first", "rcm", ""),
        ("later", "rcm", "runs/first/best.pt"),
        ("hamt", "hamt", ""),
        ("tour_hamt", "tour_hamt", ""),
        ("follower", "speaker_follower", ""),
        ("speaker", "speaker", ""),
    ):
        text = TINY.format(name=name, model=model, begin=begin, features=features)
        choose = "choose = 'likelihood'\n" if model == "speaker" else ""
        (folder / f"{name}.toml").write_text(choose + text)
    return folder


class Impatient(ExperimentLog):
    """Stops everything when `random` is to be run."""

    def tell(self, what: str) -> None:
        if what.startswith("running random"):
            raise KeyboardInterrupt


def test_an_experiment_is_trained_stopped_gone_on_with_and_told(
    root: Path, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    monkeypatch.setitem(places.WORLDS, "r2r", WORLD)
    monkeypatch.setattr(training, "experiments", lambda: {"first": root / "first.toml"})
    monkeypatch.setattr(training, "read_experiment", lambda name: read_experiment(root / f"{name}.toml"))
    later = str(root / "later.toml")
    with pytest.raises(KeyboardInterrupt):
        conducting.conduct(
            "r2r", out, root=root, seeds=(0, 1), trainings=[later], limit=3, progress=Impatient()
        )
    assert sorted(path.name for path in (out / "train").iterdir()) == [
        "first-0", "first-1", "later-0", "later-1",
    ]  # fmt: skip
    cases = next((out / "runs").iterdir())
    kept = [out / "train/later-1/last.pt", cases / "later-1/evidence.jsonl"]
    before = [path.read_bytes() for path in kept]  # evidence has times in it, so doing it again would show

    command = ["experiment", "r2r", "--root", root, "--train", later, "--limit", 3, "--seeds", "0,1"]
    done = cli(*command, "--out", out, "--json")
    assert done.code == 0, done.err
    assert "training" not in done.err
    assert [path.read_bytes() for path in kept] == before
    _is_told(out / "r2r", done.data, tmp_path)
    _holds_means_of_seeds(done.data, cases, root)
    _other_trainings_are_refused(out, root)
    _finished_runs_are_used(out / "train", root, tmp_path)
    _damaged_runs_are_told(out / "train", root, tmp_path)


def _is_told(folder: Path, told: Any, tmp_path: Path) -> None:
    page = (folder / "page.md").read_text()
    assert json.loads((folder / "result.json").read_text()) == told
    assert [(one["training"], one["seed"]) for one in told["trained"]] == [("later", 0), ("later", 1)]
    assert len({one["weights"] for one in told["trained"]}) == 2
    assert "**A trial**" in page
    assert "--limit 3" in page
    assert str(tmp_path) not in page + json.dumps(told)
    (picture,) = folder.glob("*.svg")
    assert f"]({picture.name})" in page


def _holds_means_of_seeds(told: Any, cases: Path, root: Path) -> None:
    (table,) = told["results"]
    shown = next(row for row in table["rows"] if (row["agent"], row["group"]) == ("rcm", "full"))
    value = shown["estimates"][table["metrics"].index("nDTW")]["value"]
    seeds = next(one for one in told["report"]["findings"][0]["tables"] if one["name"] == "seeds")
    column = seeds["columns"].index("nDTW")
    cells = {row[1]: row[column] for row in seeds["rows"] if row[0] == "rcm"}
    assert value == pytest.approx(cells["mean"]) == pytest.approx((cells["seed 0"] + cells["seed 1"]) / 2)
    rows = score_run(cases / "later-1", root=root).rows
    own = [row.values["nDTW"] for row in rows if row.groups["variant"] == "full"]
    assert cells["seed 1"] == pytest.approx(100 * np.mean(own))
    assert cells["SD"] == pytest.approx(np.std([cells["seed 0"], cells["seed 1"]], ddof=1))


def _other_trainings_are_refused(out: Path, root: Path) -> None:
    asked = read_experiment(root / "later.toml", ["learning.clip=1"])
    with pytest.raises(InputError, match=r"learning\.clip was 5\.0, and is 1\.0") as error:
        trained(TrainingSource(out / "train", root=root), "later", asked)
    assert "--out" in error.value.fix


def _finished_runs_are_used(runs: Path, root: Path, tmp_path: Path) -> None:
    told: list[str] = []
    source = TrainingSource(tmp_path / "new", (runs,), root, tell=told.append)
    asked = read_experiment(root / "later.toml", ["seed=1"])
    assert trained(source, "another-name", asked).folder == runs / "later-1"
    assert not told

    def found(*changes: str) -> Any:
        return training._found(source, "later", read_experiment(root / "later.toml", ["seed=1", *changes]))

    for change in (
        "learning.clip=1",
        "data.limit=5",
        "model.least=2",
        "data.train=r2r/val_seen",
        "choose=SR",
    ):
        assert found(change) is None, change
        assert "later-1: " in told[-1], change
    written = runs / "later-1/experiment.json"
    before = written.read_text()
    first = runs / "first-1/best.pt"
    shutil.move(first, tmp_path)
    shutil.copy(runs / "first-0/best.pt", first)
    assert found() is None  # it began with other weights
    assert "other weights" in told[-1]
    shutil.move(tmp_path / "best.pt", first)
    older = json.loads(before)
    del older["experiment"]["learning"]["smoothing"]  # as if there had been no such field then
    written.write_text(json.dumps(older))
    assert found() is None
    assert "is of another run" in told[-1]
    shutil.move(runs / "later-1/last.pt", tmp_path)
    assert found()
    shutil.move(tmp_path / "last.pt", runs / "later-1/last.pt")
    written.write_text(before)
    assert found()
    assert not (tmp_path / "new").exists()


def _damaged_runs_are_told(runs: Path, root: Path, tmp_path: Path) -> None:
    told: list[str] = []
    asked = read_experiment(root / "later.toml", ["seed=1"])
    folder = runs / "later-1"
    assert is_finished(folder)
    curves = (folder / "curves.csv").read_text()
    (folder / "curves.csv").write_text("".join(curves.splitlines(keepends=True)[:-1]))
    assert not is_finished(folder)
    for name, content in (
        ("curves.csv", b""),
        ("curves.csv", b"\xff\xfe"),
        ("curves.csv", b"update,seconds\nx,1\n"),
        ("experiment.json", b"{}"),
        ("experiment.json", b"\xff"),
        ("experiment.json", b'{"experiment": 3, "data": 4}'),
        ("best.pt", b"PK half a file"),
    ):
        kept = (folder / name).read_bytes()
        (folder / name).write_bytes(content)
        assert (
            training._found(TrainingSource(tmp_path / "x", (runs,), root, tell=told.append), "later", asked)
            is None
        )
        assert f"later-1/{name}" in told[-1], content
        with pytest.raises(InputError, match=name):
            training._found(TrainingSource(runs, (), root), "later", asked)
        (folder / name).write_bytes(curves.encode() if name == "curves.csv" else kept)


class OnlyWalks(Workspace):
    """A lab where all but whole episodes and tours has been asked already."""

    def ask(self, name: str, part: CaseConfig, entrants: Sequence[Entrant]) -> Any:
        if part.benchmark in ("fidelity", "tours"):
            return super().ask(name, part, entrants)
        return Asked(part.benchmark, [one.name for one in entrants])


class Untrained(OnlyWalks):
    """Such a lab, whose trained agents are others in disguise."""

    def learned(self, name: str, training: str, experiment: Experiment, label: str = "") -> Entrant:
        agent = "random" if "goal" in name or name == "hamt" else "forward"
        made = [
            TrainedAgent(
                training,
                seed,
                Path("x"),
                "f",
                1,
                1,
                0.0,
                "SR on x",
                "x",
                {"SR": 0.1, "SPL": 0.1 * seed},
                "0",
                "d",
            )
            for seed in self.seeds
        ]
        return Entrant(
            name, tuple(Attempt(agent, one.seed, f"as-{label or agent}-{one.seed}", one) for one in made)
        )


class Asked:
    """Made-up answers: the further an agent stands behind in the list, the more it can do."""

    def __init__(self, benchmark: str, names: list[str]) -> None:
        self._benchmark, self._names = benchmark, names

    def rows(self) -> dict[str, list[ScoreRow]]:
        asked = [
            ("stop", "explicit"),
            ("direction", "left"),
            ("direction", "right"),
            ("object", ""),
            ("room", ""),
        ]
        return {
            name: [
                ScoreRow(
                    episode_id=f"{skill}-{sub}-{scan}",
                    scan=scan,
                    path_id=scan,
                    values={"mass": 0.1 * level + 0.01 * len(skill)},
                    groups={"skill": skill, "sub": sub, "variant": "intervention"},
                )
                for skill, sub in asked
                for scan in "ab"
            ]
            for level, name in enumerate(self._names)
        }

    def findings(self) -> Findings:
        return Findings(benchmark=self._benchmark, data="made up", agents=tuple(self._names))


@pytest.fixture
def workspace(tmp_path: Path, root: Path) -> Workspace:
    world = WORLD._replace(trainings=(str(root / "hamt.toml"),))
    return Untrained(out=tmp_path, worlds=(world,), seeds=(0, 1), root=root, limit=4)


def keys(found: Any) -> set[str]:
    return {one.key for findings in found.findings for one in findings.statements}


def test_r4r_compares_two_rewards_and_what_words_are_worth_to_each(workspace: Workspace) -> None:
    asked = replace(workspace, worlds=(WORLD,))
    found = r4r.conduct(asked)
    assert {"versus.rcm, goal.CLS", "loses.last-five.CLS", "loses.none.SR", "loses.other.CLS"} <= keys(found)
    said = next(one for one in found.findings[0].statements if one.key == "versus.rcm, goal.CLS")
    at = found.results[0].metrics.index("CLS")
    means = {row.agent: row.estimates[at] for row in found.results[0].rows if row.group == "full"}
    fidelity, goal = (getattr(means[f"rcm, {name}"], "value", None) for name in ("fidelity", "goal"))
    assert fidelity is not None
    assert goal is not None
    assert said.value == pytest.approx(fidelity - goal)
    assert "rcm, fidelity" in write_outcome(found, asked, "command").page.read_text()
    with pytest.raises(InputError, match="rewards"):
        r4r.conduct(workspace)


def test_r4r_compares_only_what_differs_in_its_reward_alone(workspace: Workspace) -> None:
    goal, fidelity = (read_experiment(f"r4r-{name}").learning for name in ("goal", "fidelity"))
    assert r4r._both([fidelity, goal], ["f", "g"]) == ("g", "f")
    with pytest.raises(InputError, match="imitation"):
        r4r._both([fidelity, msgspec.structs.replace(goal, method="imitation")], ["f", "g"])
    one = workspace.learned("a", "a", read_experiment("r4r-goal"))
    r4r._check_beginnings([one, one])
    (first, second) = one.attempts
    assert second.trained is not None
    second = second._replace(trained=second.trained._replace(data="other"))
    with pytest.raises(InputError, match="seed 1 learned from other data, or began with other weights"):
        r4r._check_beginnings([one, one._replace(attempts=(first, second))])


def test_agents_and_trainings_are_told_apart(workspace: Workspace, root: Path, tmp_path: Path) -> None:
    text = (root / "hamt.toml").read_text()
    files = [tmp_path / name for name in ("a-x.toml", "b-x.toml", "c-a-x.toml", "in/a-x.toml")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    read = places.read_trainings(WORLD, list(map(str, files[:3])))
    assert list(places.entrant_names(read).values()) == ["hamt, a-x", "hamt, b-x", "hamt, c-a-x"]
    with pytest.raises(InputError, match="the same name"):
        places.read_trainings(WORLD, list(map(str, files)))
    one = workspace.given("forward")
    with pytest.raises(InputError, match="two agents are called forward"):
        workspace.ask("walks", walks(WORLD), [one, one])
    with pytest.raises(InputError, match="two agents are called forward-0"):
        workspace.ask("walks", walks(WORLD), [one, one._replace(name="other")])


@pytest.mark.parametrize("test", ["r2r/train", "r2r/val_seen", "r4r/val_seen", "fgr2r/val_seen"])
def test_what_was_learned_from_is_not_tested_on(root: Path, test: str) -> None:
    with pytest.raises(InputError, match="cannot be tested on"):
        places.read_trainings(WORLD._replace(test=test), [str(root / "hamt.toml")])


def test_tours_of_the_current_folder_are_not_taken_unasked(tmp_path: Path) -> None:
    shipped = read_experiment("ir2r-hamt")
    assert shipped.data.tours
    assert {one.data.tours for one in places.tour_trainings(places.WORLDS["r2r"]).values()} == {""}
    own = tmp_path / "own.toml"
    own.write_text(f"[data]\ntours = 'mine.json'\n{TINY.partition('[data]')[2]}")
    own.write_text("title = 'x'\n" + own.read_text().format(features="f", model="hamt", begin=""))
    assert places.read_trainings(WORLD, [str(own)])[str(own)].data.tours == "mine.json"


def test_a_limit_never_asks_for_more_than_usual() -> None:
    part = CaseConfig(benchmark="fidelity", data="x", options={"max_episodes": 30})
    assert [lab_module._limited(part, n).options["max_episodes"] for n in (3, 300)] == [3, 30]
    assert lab_module._limited(CaseConfig(benchmark="errors", data="x"), 3).options == {"limit": 3}
    most = lab_module._limited(CaseConfig(benchmark="nuances", data="x"), 10**6).options["most"]
    assert most == dict(MOST)


def test_tours_compare_who_remembers_with_who_forgets(workspace: Workspace, root: Path) -> None:
    both = tuple(str(root / f"{name}.toml") for name in ("hamt", "tour_hamt"))
    found = tours.conduct(replace(workspace, worlds=(workspace.worlds[0]._replace(trainings=both),)))
    assert {"tours.hamt.t-nDTW", "versus.hamt.nDTW", "memory.t-nDTW"} <= keys(found)
    assert {"tours-scores", "tours-memory-gain", "seeds"} <= {
        table.name for table in found.findings[0].tables
    }


def test_skills_put_agents_in_order_and_probes_take_the_best(workspace: Workspace) -> None:
    found = skills.conduct(workspace)
    (findings,) = found.findings
    assert {"agreement.stop", "agreement.direction", "agreement.average"} <= keys(found)
    assert all("not shown" in sentence(one) for one in findings.statements)  # two scenes, four agents
    assert {row[0] for row in findings.tables[0].rows} == {"random", "forward", "hamt, 1 updates", "hamt"}
    assert len(findings.figures[0].panels) == 5
    probed = probes.conduct(workspace)
    assert [one.benchmark for one in probed.findings] == ["nuances", "errors"]
    assert "hamt is seed 1" in probed.findings[0].notes[0]
    assert "the best by SPL on x" in probed.findings[0].notes[0]


def test_agents_of_the_papers_are_compared_and_who_explores_is_marked(root: Path, tmp_path: Path) -> None:
    trainings = tuple(str(root / f"{name}.toml") for name in ("first", "follower", "speaker"))
    world = WORLD._replace(trainings=trainings)
    lab = OnlyWalks(out=tmp_path, worlds=(world,), seeds=(0,), root=root, limit=3)
    found = papers_agents.conduct(lab)
    (table,) = found.results
    known = {row.agent: row.explored for row in table.rows}
    explorers = {"pragmatic", "pragmatic, walking its search"}
    assert known == dict.fromkeys(("rcm", "speaker_follower", "forward", "random"), False) | dict.fromkeys(
        explorers, True
    )
    assert not explorers & {row.agent for row in table.rows if any(one and one.best for one in row.estimates)}
    assert {f"versus.speaker_follower.{metric}" for metric in ("SR", "SPL")} <= keys(found)
    length = {row.agent: row.estimates[table.metrics.index("TL")] for row in table.rows}
    alone, walking = length["pragmatic"], length["pragmatic, walking its search"]
    assert alone is not None
    assert walking is not None
    assert walking.value > alone.value, "who walks its search walks farther"
    assert [one.benchmark for one in found.findings] == ["fidelity", "nuances", "behavior"]
    without = replace(lab, worlds=(world._replace(trainings=trainings[:2]),), entrants=[], used=[])
    (table,) = papers_agents.conduct(without).results
    assert not explorers & {row.agent for row in table.rows}, "nobody speaks"


def test_joined_paths_and_tours_to_learn_from_are_made_once(root: Path, tmp_path: Path) -> None:
    changes = [
        "data.train=r4r/train",
        "data.validate=r2r/val_seen",
        "learning.method=tours",
        "data.tours=x.json",
    ]
    asked = read_experiment(root / "hamt.toml", changes)
    told: list[str] = []
    made = with_materials(asked, tmp_path, root, told.append)
    assert told == ["joining paths: r4r/train", "ordering tours: r4r/train, r2r/val_seen"]
    assert with_materials(asked, tmp_path, root, told.append) == made
    assert len(told) == 2
    assert (data_name(made.data.train), made.data.validate) == ("r4r/train", "r2r/val_seen")
    joined = {episode.episode_id for episode in open_dataset(made.data.train, root).episodes()}
    tours = read_tours(made.data.tours, split="R4R_train")
    assert {name for tour in tours for name in tour.episode_ids} <= joined
    assert read_tours(made.data.tours, split="val_seen")
    digest = data_digest(made, root)
    Path(made.data.tours).write_text(Path(made.data.tours).read_text() + "\n")
    assert data_digest(made, root) != digest
    plain = read_experiment(root / "later.toml")
    assert with_materials(plain, tmp_path, root, told.append) == plain


def test_what_cannot_be_had_in_one_world_is_left_out_and_said(workspace: Workspace) -> None:
    def work(workspace: Workspace, world: ExperimentWorld) -> Findings:
        workspace.entrants.append(workspace.given(world.name))
        if world.name == "houses":
            raise InputError("there are no houses", expected="some", fix="build one")
        return Findings(benchmark="tours", data=world.test, agents=())

    both = replace(workspace, worlds=(WORLD, places.WORLDS["houses"]))
    found, left_out = parts.in_each_world(both, "tours", work)
    assert [one.data for one in found] == ["r2r/val_unseen"]
    assert [(one.agents, one.reason) for one in left_out] == [(("houses",), "there are no houses")]
    assert [one.name for one in both.entrants] == ["r2r"]
    with pytest.raises(InputError, match="no houses"):
        parts.in_each_world(replace(workspace, worlds=(places.WORLDS["houses"],)), "tours", work)


def row(name: str, scan: str, **values: float) -> ScoreRow:
    groups = {"pair": name.partition("-")[0], "variant": name.partition("-")[2] or "full"}
    return ScoreRow(episode_id=name, scan=scan, path_id=name, values=values, groups=groups)


def test_runs_are_averaged_case_by_case(tmp_path: Path) -> None:
    def run(*rows: ScoreRow) -> ScoredRun:
        return ScoredRun(tmp_path, None, None, list(rows), len(rows), 1)  # type: ignore[arg-type]

    found = averaged([run(row("a", "s", SR=1.0, NE=2.0)), run(row("a", "s", SR=0.0))])
    assert [one.values for one in found.rows] == [{"SR": 0.5}]
    alone = run(row("a", "s", SR=1.0))
    assert averaged([alone]) is alone


def test_what_an_ablation_costs_is_told_pair_by_pair() -> None:
    rows = [row("a-full", "s", SR=1.0), row("a-none", "s", SR=0.25), row("b-full", "s", SR=1.0)]
    assert [(one.groups["pair"], one.values) for one in losses(rows, "none")] == [("a", {"SR": 0.75})]


def test_a_difference_is_claimed_only_where_there_is_one() -> None:
    chance = np.random.default_rng(0).random(60)
    scans = [str(k % 12) for k in range(60)]
    low = [row(str(k), scans[k], SR=0.2 * chance[k], CLS=chance[k]) for k in range(60)]
    high = [row(str(k), scans[k], SR=0.2 * chance[k] + 0.5, CLS=chance[(7 * k) % 60]) for k in range(60)]
    scored = {"new": high, "old": low}
    better, same = versus("new", "old", scored, ("SR", "CLS"))
    assert sentence(better).startswith("is better than old: SR is higher by 50.0 points")
    assert sentence(same).startswith("is not shown to differ from old in CLS")
    assert sentence(versus("old", "new", scored, ("SR",))[0]).startswith("is worse than new")


def test_agreement_is_spearmans_and_its_test_tries_all_orders() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.random(4), rng.random(4)
    value = float(correlations(a[None], b[None])[0])
    assert value == pytest.approx(stats.spearmanr(a, b).statistic)
    every = [stats.spearmanr(a, b[list(order)]).statistic for order in permutations(range(4))]
    assert order_p(a, b, value) == pytest.approx(np.mean(np.abs(every) >= abs(value) - 1e-9))
    assert np.isnan(correlations(np.ones((1, 3)), np.arange(3.0)[None])[0])


def test_skills_that_rise_with_success_are_said_to_and_others_are_not() -> None:
    scenes = [str(k) for k in range(8)]
    chance = np.random.default_rng(0)

    def agents(*levels: float) -> list[Any]:
        rows = [[row(scan, scan, m=level + 0.02 * chance.random()) for scan in scenes] for level in levels]
        return [scene_totals([(1.0, its)], "m", scenes) for its in rows]

    rising = agreement(agents(0.1, 0.2, 0.3, 0.4, 0.5), agents(0.1, 0.3, 0.5, 0.7, 0.9))
    assert (rising.value, rising.low, rising.agents, rising.scenes) == (1.0, 1.0, 5, 8)
    assert "rises with SR" in sentence(skills._statement("stop", rising))
    mixed = agreement(agents(0.1, 0.2, 0.3, 0.4, 0.5), agents(0.3, 0.3, 0.3, 0.3, 0.3))
    assert "not shown" in sentence(skills._statement("stop", mixed))
    few = agreement(agents(0.1, 0.2, 0.3), agents(0.1, 0.3, 0.5))
    assert few.value == 1.0
    assert "for these agents: so many in any order agree as much with p = 0.33" in sentence(
        skills._statement("stop", few)
    )
    equal = agreement(agents(0.1, 0.2), agents(0.5) * 2)
    assert equal.value is None
    assert "not to be said" in sentence(skills._statement("stop", equal))
    assert "equal" in equal.reason
    none = [scene_totals([(1.0, [])], "m", scenes), scene_totals([], "m", scenes)]
    assert agreement(agents(0.1, 0.2), none).reason == "an agent has no value"
    rare = [scene_totals([(1.0, [row("0", "0", m=level)])], "m", scenes) for level in (0.1, 0.2, 0.3)]
    found = agreement(agents(0.1, 0.2, 0.3), rare)
    assert (found.value, found.low, found.scenes) == (1.0, None, 1)
    assert "too few" in found.reason


def test_skills_that_were_not_asked_are_left_out(workspace: Workspace) -> None:
    task = {name: [row("1", "s", SR=level)] for name, level in (("a", 0.1), ("b", 0.2))}
    rows = Asked("behavior", ["a", "b"]).rows()
    asked = {name: [one for one in its if one.groups["skill"] != "direction"] for name, its in rows.items()}
    assert set(skills._agreements(task, asked)) == {"stop", "object", "room"}


def test_parts_of_a_skill_count_as_they_are_told_to() -> None:
    held = [(0.5, [row("1", "x", m=1.0), row("2", "x", m=1.0)]), (0.5, [row("3", "y", m=0.0)])]
    found = scene_totals(held, "m", ["x", "y"])
    assert found.means(np.array([[1.0, 1.0], [1.0, 3.0]])).tolist() == [0.5, 0.5]
    assert np.isnan(found.means(np.array([[1.0, 0.0]]))).all()


def test_bad_input_is_told(tmp_path: Path, cli: Cli) -> None:
    for words, told in (
        (["r3r"], "r2r"),
        (["r2r", "--seeds", "0,x"], "cannot be read"),
        (["r2r", "--seeds", "0,0"], "named twice"),
        (["r2r", "--world", "houses"], "world of the experiment"),
        (["tours", "--train", "x.toml"], "--world r2r"),
        (["r2r", "--runs", tmp_path / "nowhere"], "is no folder"),
    ):
        ended = cli("experiment", *words, "--out", tmp_path / "out")
        assert ended.code == 2, words
        assert told in ended.err, ended.err
    with pytest.raises(UnknownNameError, match="world"):
        places.worlds(["mars"])
    assert list(places.single_trainings(places.WORLDS["r2r"])) == ["r2r-captions"]
