"""Trains the house encoder: pictures of houses against phrases."""
