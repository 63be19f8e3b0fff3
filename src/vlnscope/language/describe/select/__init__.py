"""Chooses among candidate statements: few enough to sound natural, enough to lead to the goal."""
