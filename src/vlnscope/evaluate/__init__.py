"""Studies: the verbs that join several rooms, such as scoring a prediction file."""
