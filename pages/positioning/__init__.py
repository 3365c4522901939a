"""Positions, in parts: tables, distance, adding, shuffled words, what is read back, other ways."""
