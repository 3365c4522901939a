"""The parts of the page about a visitor's own checkpoint: from choosing it to having it."""
