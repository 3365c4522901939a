"""The bodies of the snippets about who sees what; `models.snippets` puts a header before them."""

TARGETS = """\
output = model(**inputs)
for logits, positions, ids in runs:
    log_p = output[logits][0, positions].double().log_softmax(-1)
    show(-log_p[range(len(ids)), ids])  # nats, one per target
"""
