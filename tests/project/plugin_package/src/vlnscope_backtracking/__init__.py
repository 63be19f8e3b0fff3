"""A plug-in for vlnscope: the metric `backtracking` and the prediction format `trail`."""
