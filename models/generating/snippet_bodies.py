"""The bodies of the programs of `models.generating.snippets`; `models.snippets` has the header."""

GENERATE = """\
def generate(ids, **choosing):
    return model.generate(
        ids, attention_mask=torch.ones_like(ids), num_beams=1, use_cache=True, **choosing
    )


def logits_of(ids):
    return model(ids).logits[0].double()


"""

GENERATE_LSTM = """\
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper


def generate(ids, do_sample, max_new_tokens, temperature=1.0, top_k=0, top_p=1.0):
    # What `generate` of transformers does, which this class does not have.
    for _ in range(max_new_tokens):
        scores = model(ids).forward_logits[:, -1]
        token = scores.argmax(-1, keepdim=True)
        if do_sample:
            scores = TemperatureLogitsWarper(temperature)(ids, scores)
            scores = TopKLogitsWarper(top_k)(ids, scores) if top_k else scores
            scores = TopPLogitsWarper(top_p)(ids, scores) if top_p < 1 else scores
            token = torch.multinomial(scores.softmax(-1), 1)
        ids = torch.cat([ids, token], 1)
        if token.item() in ends:
            break
    return ids


def logits_of(ids):
    return model(ids).forward_logits[0].double()


"""

TEXT = """\
ids = inputs["input_ids"]
start = ids.shape[1]
for part in parts:  # in the order in which they were written
    if "tokens" in part:  # chosen by hand
        ids = torch.cat([ids, torch.tensor([part["tokens"]])], 1)
    elif "seed" in part:  # drawn; this program's generator begins anew with the seed
        torch.manual_seed(part["seed"])
        for _ in range(part["skip"]):  # draws with this seed that were made before
            torch.multinomial(torch.ones(1, model.config.vocab_size), 1)
        ids = generate(ids, do_sample=True, **part["draw"])
    else:
        ids = generate(ids, do_sample=False, **part["greedy"])

log_p = logits_of(ids).log_softmax(-1)
written = ids[0, start:]
print(json.dumps(written.tolist()))
show(-log_p[range(start - 1, ids.shape[1] - 1), written] / np.log(2))  # surprisal in bits
show(-(log_p.exp() * log_p).sum(-1)[start - 1 : -1] / np.log(2))  # entropy in bits
"""

NEXT = """\
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

ids = inputs["input_ids"]
logits = model(ids).{logits}[:, -1]
scores = TemperatureLogitsWarper(temperature)(ids, logits)
scores = TopKLogitsWarper(top_k)(ids, scores) if top_k else scores
scores = TopPLogitsWarper(top_p)(ids, scores) if top_p < 1 else scores
full, kept = logits[0].double().softmax(-1), scores[0].double().softmax(-1)
best = full.sort(descending=True, stable=True).indices[:20]
print(json.dumps(best.tolist()))
show(full[best])  # over the full vocabulary
show(kept[best])  # after the cut
"""

BEAMS = """\
ids = inputs["input_ids"]
found = model.generate(
    ids, attention_mask=torch.ones_like(ids), do_sample=False, num_beams=width,
    num_return_sequences=width, max_new_tokens=most, length_penalty={penalty},
    return_dict_in_generate=True, output_scores=True,
)
print(json.dumps(found.sequences[:, ids.shape[1] :].tolist()))  # padded at the end
show(found.sequences_scores)  # nats, divided by the number of tokens
"""

BEAMS_HERE = """\
# transformers has no beam search for this class: run this in the project's folder.
import models

found = models.beam_search({name}, {ids}, width={width}, most={most})
print([[token.id for token in beam.tokens] for beam in found.beams])
print([round(beam.score, 6) for beam in found.beams])
"""

WRITTEN = """\
source = inputs["input_ids"]
written = model.generate(
    source, attention_mask=torch.ones_like(source), do_sample=False, num_beams=1,
    max_new_tokens=most, use_cache={cache},
)
print(json.dumps(written[0, 1:].tolist()))  # without the token that the decoder begins with
output = model(source, decoder_input_ids=written[:, :-1], output_attentions=True)
show(torch.cat(output.cross_attentions))  # (layer, head, step, source token)
"""

EVERY_POSITION = """\
print(json.dumps(model(**inputs).logits[0].argmax(-1).tolist()))
"""

LENGTHS = """\
for ids in texts:
    source = torch.tensor([ids])
    written = model.generate(
        source, attention_mask=torch.ones_like(source), do_sample=False, num_beams=1,
        max_new_tokens=most,
    )
    print(len(ids), written.shape[1] - 1)  # without the token that the decoder begins with
"""

FORCED = """\
log_p = model(**inputs).logits[0].double().log_softmax(-1)[: len(target)]
show(-log_p[range(len(target)), target] / np.log(2))  # surprisal in bits
print(json.dumps(log_p.argmax(-1).tolist()))  # what it would have written
"""
