"""Does an agent keep the rules that every benchmark relies on?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from vlnscope.agents.protocol import needs_of
from vlnscope.core.results import Block, Result, TextTable
from vlnscope.engine.rollout import STOPS_THE_RUN
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.conformance.checks import CHECKS
from vlnscope.evaluate.conformance.trial import AgentTrial, NotApplicableError, TrialSetup

Status = Literal["pass", "fail", "not applicable"]
_SIGNS = {"pass": "✓", "fail": "✗", "not applicable": "–"}


class AgentFinding(NamedTuple):
    """The verdict on one rule.

    Attributes:
        check: its name.
        says: the rule.
        status: whether the agent keeps it.
        text: how it was seen to break it, or why this cannot be tested.
    """

    check: str
    says: str
    status: Status
    text: str = ""


@dataclass(frozen=True)
class AgentReport(Result):
    """All verdicts on an agent.

    Attributes:
        agent: its identity.
        privileged: whether it knows the reference, because it is told or because it reads it.
        findings: a verdict per rule.
    """

    agent: str
    privileged: bool
    findings: tuple[AgentFinding, ...]

    @property
    def wrong(self) -> tuple[str, ...]:
        """Names of the rules that it breaks."""
        return tuple(finding.check for finding in self.findings if finding.status == "fail")

    def __getitem__(self, check: str) -> AgentFinding:
        return next(finding for finding in self.findings if finding.check == check)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "agent": self.agent,
            "privileged": self.privileged,
            "conforms": not self.wrong,
            "findings": self.records(),
        }

    def records(self) -> list[dict[str, Any]]:
        """Return one row per rule."""
        return [finding._asdict() for finding in self.findings]

    def display(self) -> Iterator[Block]:
        """Yield the verdicts as a table."""
        verdict = f"breaks {', '.join(self.wrong)}" if self.wrong else "keeps all rules"
        oracle = " (an oracle: it knows the reference)" if self.privileged else ""
        rows = [[f.check, f"{_SIGNS[f.status]} {f.status}", f.text or f.says] for f in self.findings]
        yield TextTable(f"{self.agent} {verdict}{oracle}", ("rule", "verdict", "why"), rows, texts=3)


def check_agent(
    agent: str | Callable[[], Any],
    *,
    data: str | Dataset | None = None,
    root: str | Path | None = None,
    seed: int = 0,
) -> AgentReport:
    """Check an agent; it takes some short episodes, and two processes for a moment.

    Args:
        agent: its name, as in `vlnscope run`, or a class or function without arguments that makes one.
        data: data set to try it on; a house that vlnscope builds if not given.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        seed: of the agent.

    Raises:
        InputError: the agent cannot be made, or needs what the data do not have.

    Example:
        >>> check_agent("stop", data="sample/demo").wrong
        ()
    """
    source = TrialSetup(agent, data, root, seed)
    trial = AgentTrial(source)
    findings = tuple(_verdict(name, check, trial) for name, check in CHECKS.items())
    knows = any(finding.check == "answers" and finding.status == "fail" for finding in findings)
    return AgentReport(source.identity, knows or "annotation" in needs_of(trial.sample), findings)


def _verdict(name: str, check: Callable[[AgentTrial], str | None], trial: AgentTrial) -> AgentFinding:
    says = (check.__doc__ or "").strip().removesuffix(".")
    try:
        fault = check(trial)
    except NotApplicableError as why:
        return AgentFinding(name, says, "not applicable", str(why))
    except STOPS_THE_RUN:
        raise
    except Exception as error:  # whatever the agent does
        fault = f"{type(error).__name__}: {error}"
    return AgentFinding(name, says, "fail", fault) if fault else AgentFinding(name, says, "pass")
