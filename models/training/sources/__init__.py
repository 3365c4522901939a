"""One small reader per corpus: each turns an unpacked package into `Document`s."""
