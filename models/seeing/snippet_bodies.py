"""The bodies of the snippets about who sees what; `models.snippets` puts a header before them."""

TARGETS = """\
output = model(**inputs)
for logits, positions, ids in runs:
    log_p = output[logits][0, positions].double().log_softmax(-1)
    show(-log_p[range(len(ids)), ids])  # nats, one per target
"""

OPENED = """\
output = model(**inputs)
counts = np.array(json.load(open("{folder}/unigram.json"))) + 1.0
unigram = torch.tensor(np.log(counts / counts.sum()))
for word in words:
    left = output["forward_logits"][0, word[0] - 1].double().log_softmax(-1)
    right = output["backward_logits"][0, word[-1] + 1].double().log_softmax(-1)
    both = left + right - unigram  # ELMo itself never combines predictions
    both[no_words] = -torch.inf
    for log_p in (left, right, both.log_softmax(-1)):
        log_p[no_words] = -torch.inf  # special tokens are no answers
        show(log_p.exp().topk(5).values)
layers = [
    torch.stack([state[0, word].double().mean(0) for word in words])
    for state in output["hidden_states"]
]
unit = [states / states.norm(dim=1, keepdim=True) for states in layers]
for states in unit:
    show(states @ states.T)  # cosine of each word with each, in each layer
mixed = sum(layers) / len(layers)  # softmax weights all alike, gamma 1
mixed = mixed / mixed.norm(dim=1, keepdim=True)
show(mixed @ mixed.T)
"""

IN_CONTEXTS = """\
second = {name: torch.tensor(ids) for name, ids in second.items()}
table = model.get_input_embeddings()


def states(inputs, tokens):
    if model.config.is_encoder_decoder:
        output = model.get_encoder()(input_ids=inputs["input_ids"], output_hidden_states=True)
    else:
        output = model(**inputs, output_hidden_states=True)
    layers = [table(inputs["input_ids"]), *output["hidden_states"]]
    return [state[0, tokens].double().mean(0) for state in layers]


one, other = states(inputs, places[0]), states(second, places[1])
show([torch.cosine_similarity(a, b, 0) for a, b in zip(one, other)])
"""

IN_CONTEXTS_ELMO = """\
second = {name: torch.tensor(ids) for name, ids in second.items()}


def states(inputs, tokens):
    output = model(**inputs)
    return [state[0, tokens].double().mean(0) for state in output["hidden_states"]]


one, other = states(inputs, places[0]), states(second, places[1])
show([torch.cosine_similarity(a, b, 0) for a, b in zip(one, other)])
"""
