"""LSTM against Transformer: its claims in words, and what can be taken away."""
