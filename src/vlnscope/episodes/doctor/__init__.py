"""The submission doctor: finds what is wrong with a prediction file before an evaluator does."""

from vlnscope.episodes.doctor.check import check
from vlnscope.episodes.doctor.problems import CheckReport, FindingGroup, Severity, SubmissionFinding

__all__ = ["CheckReport", "FindingGroup", "Severity", "SubmissionFinding", "check"]
