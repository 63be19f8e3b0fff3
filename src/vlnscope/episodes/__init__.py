"""Episodes and predictions: the file formats that users hold, and the data sets made of them."""
