"""Grounds instructions: from parsed actions and a partly known map to scores over next steps."""
