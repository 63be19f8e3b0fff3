"""The built-in action spaces, one module each; `vlnscope.engine.action_space` is the contract."""
