"""Parts of the page Read, then write: the task, the steps, a given target, lengths, maps."""
