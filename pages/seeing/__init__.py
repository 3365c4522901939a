"""Who sees what, in parts: the matrices, the targets, ELMo opened, two contexts, both sides."""
