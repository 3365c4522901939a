"""Which model a page is about, and what its readers should know before they type."""
