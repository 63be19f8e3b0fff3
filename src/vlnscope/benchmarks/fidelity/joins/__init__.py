"""R4R, R6R and R8R: paths of a data set joined end to start."""
