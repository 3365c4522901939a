"""Architectures as blocks: what each consists of, what runs through it, one token's way."""
