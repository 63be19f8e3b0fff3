"""What the rows mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Findings, Table, Wording, percent, statement
from vlnscope.types import ScoreRow


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say how often each agent walks the right number of blocks."""
    means = {agent: mean_of(rows, "counted") for agent, rows in rows_by_agent.items() if rows}
    words = Wording(plain="walks the right number of blocks in {value} of {n} errands")
    return Findings(
        benchmark=case_set.benchmark,
        data=case_set.data,
        agents=tuple(rows_by_agent),
        statements=tuple(
            statement("counted", agent, mean, words, topic="blocks", worst=0.0, best=100.0)
            for agent, mean in means.items()
        ),
        tables=(
            Table(
                name="blocks",
                title="Right number of blocks",
                columns=("agent", "right (%)"),
                rows=tuple((agent, percent(mean.mean)) for agent, mean in means.items()),
            ),
        ),
    )
