"""The submission doctor: finds what is wrong with a prediction file before an evaluator does."""

from vlnscope.episodes.inspection.check import check
from vlnscope.episodes.inspection.findings import CheckReport, Finding, FindingGroup, Severity

__all__ = ["CheckReport", "Finding", "FindingGroup", "Severity", "check"]
