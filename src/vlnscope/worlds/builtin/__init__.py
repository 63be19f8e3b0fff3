"""The worlds that vlnscope comes with, one module each; see `vlnscope.worlds.world`."""
