"""One sentence, four ways, in parts: who is compared, their lanes, how fair the comparison is."""
