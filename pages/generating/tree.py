"""What was written after a prompt, as a tree: every other choice begins a branch, none is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from models.trace import Drawing, WrittenToken

PROMPT = -1
"""The parent of what comes first."""


@dataclass(frozen=True)
class Node:
    """One token, in the place where it was put."""

    parent: int
    token: WrittenToken
    drawing: Drawing | None
    """How it was chosen; None: by the visitor."""


@dataclass(frozen=True)
class Branch:
    """One of the texts: it leaves another one, and goes on to its end."""

    leaf: int
    """Its last node."""
    fork: int
    """How many of its tokens it shares with a branch above it."""
    depth: int
    """How many forks lead to it."""


@dataclass
class Tree:
    """The tree, the branch that is shown of it, and how much of that is read before the bars."""

    nodes: list[Node] = field(default_factory=list)
    leaf: int = PROMPT
    place: int = 0

    @property
    def path(self) -> list[int]:
        """The nodes of the branch that is shown."""
        return self.path_to(self.leaf)

    @property
    def tokens(self) -> list[WrittenToken]:
        """The tokens of the branch that is shown."""
        return [self.nodes[node].token for node in self.path]

    @property
    def before(self) -> list[int]:
        """Ids of the tokens that are read before the bars."""
        return [token.id for token in self.tokens[: self.place]]

    def path_to(self, leaf: int) -> list[int]:
        """The nodes from the prompt to this one."""
        found = []
        while leaf != PROMPT:
            found.append(leaf)
            leaf = self.nodes[leaf].parent
        return found[::-1]

    def children(self, parent: int) -> list[int]:
        """What was tried after a node, in the order in which it was."""
        return [i for i, node in enumerate(self.nodes) if node.parent == parent]

    def grow(self, token: WrittenToken, drawing: Drawing | None) -> None:
        """Put a token behind what is read.

        It begins a branch, unless it stands there already: then the branch that has it is shown.
        """
        path = self.path
        parent = path[self.place - 1] if self.place else PROMPT
        same = (n for n in self.children(parent) if self.nodes[n].token.id == token.id)
        known = next(same, None)
        if known is None:
            self.nodes.append(Node(parent, token, drawing))
            self.leaf = len(self.nodes) - 1
        elif known not in path:
            self.leaf = self._end(known)
        self.place += 1

    def _end(self, node: int) -> int:
        """Where the branch that goes through a node ends."""
        while children := self.children(node):
            node = children[0]
        return node

    def next_drawing(self, wanted: Drawing) -> Drawing:
        """A draw that goes on after the draws with the same seed and cut right before it."""
        path = self.path[: self.place]
        last = self.nodes[path[-1]].drawing if path else None
        if wanted.cut is None or last is None or last.cut is None:
            return replace(wanted, skip=0)
        same = replace(last, skip=0) == replace(wanted, skip=0)
        return replace(wanted, skip=last.skip + 1 if same else 0)

    def parts(self) -> list[tuple[Drawing | None, list[int]]]:
        """The branch that is shown in pieces: how each was chosen, and its ids."""
        found: list[tuple[Drawing | None, list[int]]] = []
        for node in (self.nodes[i] for i in self.path):
            if found and _goes_on(found[-1], node.drawing):
                found[-1][1].append(node.token.id)
            else:
                found.append((node.drawing, [node.token.id]))
        return found

    def branches(self) -> list[Branch]:
        """All texts; each below the one that it leaves.

        The first child of a node goes on with the branch it is in, each other one leaves it.
        """
        found, waiting = [], [(PROMPT, 0, 0, 0)]
        while waiting:
            node, length, fork, depth = waiting.pop()
            first, *others = self.children(node) or [PROMPT]
            if first == PROMPT:
                found += [Branch(node, fork, depth)] if node != PROMPT else []
                continue
            waiting += [(other, length + 1, length, depth + 1) for other in reversed(others)]
            waiting.append((first, length + 1, fork, depth))
        return found

    def forget(self) -> None:
        """Keep only the branch that is shown."""
        kept = [self.nodes[i] for i in self.path]
        self.nodes = [replace(node, parent=i - 1) for i, node in enumerate(kept)]
        self.leaf = len(kept) - 1


def later(drawing: Drawing | None, tokens: int) -> Drawing | None:
    """The same way of choosing, so many tokens on: a draw has made so many draws more."""
    if drawing is None or drawing.cut is None:
        return drawing
    return replace(drawing, skip=drawing.skip + tokens)


def _goes_on(part: tuple[Drawing | None, Sequence[int]], drawing: Drawing | None) -> bool:
    """A token that was chosen so belongs to this part."""
    before, ids = part
    return later(before, len(ids)) == drawing
