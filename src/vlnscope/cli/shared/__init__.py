"""What several commands share: output, progress, signals, options."""
