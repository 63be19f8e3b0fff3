"""Sport, music, animals, toys and other pastimes."""
