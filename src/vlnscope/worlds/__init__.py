"""Worlds: navigation graphs, Matterport scans, and the layers of a scene."""
