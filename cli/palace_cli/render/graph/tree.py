"""A neighbourhood as a tree of text, and which relation reaches which member, which a picture is drawn along too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from palace.graph.wording.predicates import words_of
from palace.records import Link, Member, Neighbourhood
from palace_cli.render.visible import one_line


@dataclass(slots=True)
class Branch:
    """A member with the relations that lead to it from the member before, and what is reached from it."""

    place: int
    """Among the neighbourhood's members."""
    member: Member
    links: list[Link]
    children: list[Branch] = field(default_factory=list)

    def is_object(self, link: Link) -> bool:
        """Tell whether a relation leads here, not from here."""
        return link.object == self.place


def branches(around: Neighbourhood) -> tuple[Branch, list[Link]]:
    """Give the tree of a neighbourhood, each member below the first that reaches it, and the links across."""
    between: dict[frozenset[int], list[Link]] = defaultdict(list)
    for link in around.links:
        between[frozenset((link.subject, link.object))].append(link)
    root = Branch(0, around.members[0], [])
    made = {0: root}
    across: list[Link] = []
    for pair, links in between.items():
        near, far = sorted(pair)
        if far not in made and near in made:
            made[far] = Branch(far, around.members[far], links)
            made[near].children.append(made[far])
        else:
            across += links
    return root, across


def tree_text(around: Neighbourhood) -> str:
    """Write a line a member, indented below the one that leads to it; relations across stand below."""
    root, across = branches(around)
    lines = [one_line(root.member.name), *_lines(root, "")]
    if across:
        names = [one_line(member.name) for member in around.members]
        lines += ["", "and across"]
        lines += [f"  {names[link.subject]} {told(link)} {names[link.object]}{_when(link)}" for link in across]
    return "".join(f"{line}\n" for line in lines)


def told(link: Link) -> str:
    """Write a relation's predicate as words."""
    return one_line(words_of(link.relation.predicate, link.relation.subject))


def _lines(branch: Branch, indent: str) -> Iterator[str]:
    for number, child in enumerate(branch.children):
        is_last = number == len(branch.children) - 1
        for place, link in enumerate(child.links):
            mark = ("└─ " if is_last else "├─ ") if place == 0 else ("   " if is_last else "│  ")
            name = one_line(child.member.name)
            said = f"{told(link)} → {name}" if child.is_object(link) else f"← {told(link)} — {name}"
            yield f"{indent}{mark}{said}{_when(link)}"
        yield from _lines(child, indent + ("   " if is_last else "│  "))


def _when(link: Link) -> str:
    return f"  ({link.when})" if link.when else ""
