"""Trains the house segmenter: the class of each pixel, from pictures of houses."""
