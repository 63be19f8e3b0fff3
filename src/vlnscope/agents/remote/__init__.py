"""Agents in another process, another Python or another language: HTTP client, server and wire format."""
