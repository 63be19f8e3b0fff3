"""Detection of instruction errors as a protocol, and how well it is done."""
