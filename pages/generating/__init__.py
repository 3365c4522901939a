"""Parts of the page Generate: the tree of what was written, the text, the next word, beams."""
