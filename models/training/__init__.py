"""How Unmask's models are trained; the app reads no more of it than what a recipe is."""
