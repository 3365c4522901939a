"""How Unmask's models are trained; never imported by the app."""
