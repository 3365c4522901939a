"""Parts of the page Attention: how it asks a model, its controls, and its panels."""
