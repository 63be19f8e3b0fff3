"""One walk of one episode: found, measured, drawn and told."""
