"""The parts of the page about all models: the table, then the chosen ones in full."""
