"""Models that others made: where they lie, and what can be known of them before they are loaded."""
