"""The bodies of the snippets: each definition spelled out once more, on purpose.

`models.snippets` puts a header before them: imports, the model, `show`, and the values in lower
case that a body uses without defining them. They use transformers, torch and numpy alone.
"""

CHAIN = '''\
def log_p(ids, at):
    logits = model(input_ids=torch.tensor([ids])).logits[0, at]
    return logits.double().log_softmax(-1).numpy()


def chain(ids, pieces, at):
    """log p of each piece of a word: those before it filled in, those after it hidden."""
    ids, found = list(ids), []
    for i, piece in enumerate(pieces):
        found.append(log_p(ids, at + i)[piece])
        ids[at + i] = piece
    return found


'''

NAMED = """\
totals = []
for pieces in words:  # as many masks as the word has pieces
    masked = ids[:place] + [mask] * len(pieces) + ids[place + 1 :]
    found = chain(masked, pieces, place)
    totals.append(sum(found))
    show(found)  # natural logarithm of the probability of each piece
answer = log_p(ids, place)
others = answer.copy()
for first, end in no_words:  # special tokens are no answers
    others[first:end] = -np.inf
show(np.exp(totals))  # probability of each word
show([1 + (others > answer[p[0]]).sum() if len(p) == 1 else np.nan for p in words])  # rank
show(np.exp(totals) / np.exp(totals).sum())  # share of each within the list
"""

JOINT = '''\
from functools import cache
from itertools import permutations


def answers(filled):
    """log p at the blanks that are still open; `filled` maps blanks to words"""
    row = list(ids)
    for blank, word in filled.items():
        row[places[blank]] = word
    log_p = model(input_ids=torch.tensor([row])).logits[0].double().log_softmax(-1).numpy()
    return {b: log_p[at] for b, at in enumerate(places) if b not in filled}


def words_only(log_p):
    log_p = log_p.copy()
    for first, end in no_words:
        log_p[first:end] = -np.inf
    return log_p


def most_confident(still_open):
    return max(still_open, key=lambda blank: words_only(still_open[blank]).max())


def show_fill(words):
    @cache
    def scores(filled):
        """log p of the words of the open blanks, when these are filled"""
        still_open = answers({blank: words[blank] for blank in filled})
        return {blank: log_p[words[blank]] for blank, log_p in still_open.items()}

    def score(order):
        return sum(scores(frozenset(order[:i]))[blank] for i, blank in enumerate(order))

    mine = tuple(words)  # a dictionary keeps the order in which it was filled
    others = [order for order in permutations(mine) if order != mine] if every_order else []
    show([words[blank] for blank in sorted(words)])  # ids of the words, in reading order
    show(mine)  # the order of filling
    show(score(mine))  # sum of the log-probabilities in that order
    show(max(map(score, others), default=np.nan))  # of the best other order


beam_now = [({}, 0.0)]
for _ in places:
    grown = []
    for filled, score in beam_now:
        still_open = answers(filled)
        blank = most_confident(still_open)
        log_p = words_only(still_open[blank])
        for word in np.argsort(-log_p, kind="stable")[:beam]:
            grown.append(({**filled, blank: int(word)}, score + log_p[word]))
    beam_now = sorted(grown, key=lambda one: -one[1])[:beam]
show_fill(beam_now[0][0])  # together

alone, filled = answers({}), {}
for _ in places:
    blank = most_confident(answers(filled))
    filled[blank] = int(words_only(alone[blank]).argmax())
show_fill(filled)  # each by itself
'''

SENTENCES = """\
for ids, words in sentences:
    scores = []
    for word in words:  # the positions of its pieces, all hidden at once
        masked = [mask if i in word else id_ for i, id_ in enumerate(ids)]
        scores.append(chain(masked, [ids[i] for i in word], word[0]))
    show([-sum(pieces) for pieces in scores])  # -log p of each word, in nats
    every = sum(scores, [])
    show(sum(every))  # pseudo-log-likelihood
    show(np.exp(-np.mean(every)) if every else np.nan)  # pseudo-perplexity
"""

HEAD = """\
seen = {}


def after_dense(module, args, output):
    seen["hidden"], seen["dense"] = args[0], output


def after_layer_norm(module, args, output):
    seen["activation"], seen["layer_norm"] = args[0], output


def answer(state):
    for name in head:
        state = model.get_submodule(name)(state)
    return state[0].double().softmax(-1).topk(5).values


states = model(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
state = states[layer][:, position]
if layer < len(states) - 1:  # the last state comes normed
    for name in norm:
        state = model.get_submodule(name)(state)
model.get_submodule(dense).register_forward_hook(after_dense)
model.get_submodule(layer_norm).register_forward_hook(after_layer_norm)
best = answer(state)
for step in ("hidden", "dense", "activation", "layer_norm"):
    show(seen[step][0])
show(best)  # the five best answers
"""

BYPASS = """\
model.get_submodule(layer_norm).register_forward_hook(lambda *args: state)
show(answer(state))  # the five best answers without dense, activation and LayerNorm
"""

CORRUPTION = """\
ids = np.array(ids)
words = np.ones(model.config.vocab_size, dtype=bool)
for first, end in no_words:
    words[first:end] = False

rng = np.random.default_rng(seed)
noise = rng.random(len(ids))
noise[special] = 2.0  # never selected
fate = rng.random(len(ids))
random = rng.choice(np.flatnonzero(words), len(ids))
chosen = noise < rate
chosen[noise.argmin()] = len(special) < len(ids)  # at least one
read = np.where(chosen & (fate < 0.8), mask, ids)  # 80 %
read = np.where(chosen & (fate >= 0.8) & (fate < 0.9), random, read)  # 10 %; the rest is kept
show(read)  # what the model reads
show(np.flatnonzero(chosen))  # where the loss is computed

labels = np.where(chosen, ids, -100)  # -100: no loss here
output = model(input_ids=torch.tensor([read]), labels=torch.tensor([labels]))
log_p = output.logits[0].double().log_softmax(-1).numpy()
losses = -log_p[chosen, ids[chosen]]
show(losses)  # negative log likelihood of each, in nats
show(losses.sum())
show(output.loss)  # their mean, by the model's own code
"""
