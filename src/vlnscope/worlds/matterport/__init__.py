"""Matterport3D scans as scenes: `scans` opens a folder, `connectivity` and `house_file` read its files."""
