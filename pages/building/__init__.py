"""Architecture, in parts: the blocks, one token's way, recurrence beside attention."""
