"""The submission doctor: finds what is wrong with a prediction file before an evaluator does."""

from vlnscope.episodes.doctor.check import check
from vlnscope.episodes.doctor.problems import CheckReport, Finding, FindingGroup, Severity

__all__ = ["CheckReport", "Finding", "FindingGroup", "Severity", "check"]
