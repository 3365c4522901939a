"""Parts of the page Inside a block: what it asks, its sections, and the stored tests below each."""
