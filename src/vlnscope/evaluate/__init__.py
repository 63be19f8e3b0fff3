"""The verbs that join several rooms: score, compare, explain gaps, diagnose, report, audit, check agents."""
