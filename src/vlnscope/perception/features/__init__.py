"""Image and caption features: files, stores, and the encoders that make them."""
