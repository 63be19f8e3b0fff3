"""Matterport3D scans as scenes: connectivity and `.house` files."""
