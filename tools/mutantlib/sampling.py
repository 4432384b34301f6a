# Operators drawn over the whole tree, kept as their identities, so that another commit can try the
# same ones.
import json
import pathlib
import random
import sys

from mutantlib import operators

SQL_SHARE = (2, 3)  # of a sample
SPARE = 2  # drawn for each that is wanted: some are no mutants, they do not compile


def shares(count):
    """-> (how many of SQL, how many of C++)"""
    sql = count * SQL_SHARE[0] // SQL_SHARE[1]
    return sql, count - sql


def draw(found, count, seed):
    """-> what a sample file holds: in the order in which they are tried"""
    dice = random.Random(seed)
    drawn = {"count": count, "seed": seed}
    for kind, share in zip(("sql", "cpp"), shares(count)):
        those = sorted(each.identity for each in found if each.cheap == (kind == "sql"))
        drawn[kind] = dice.sample(those, min(SPARE * share, len(those)))
    return drawn


def write(file, count, seed):
    drawn = draw(operators.in_tree(), count, seed)
    pathlib.Path(file).write_text(json.dumps(drawn, indent=1) + "\n")


def find(identities, found):
    """-> (the operators of this tree with these identities, the identities that are not there)"""
    here = {each.identity: each for each in found}
    wanted = [tuple(identity) for identity in identities]
    return [here[one] for one in wanted if one in here], [one for one in wanted if one not in here]


def read(file):
    """-> [(operators, how many of them to try)] of a sample file: of SQL, of C++"""
    text = json.loads(pathlib.Path(file).read_text())
    found = list(operators.in_tree())
    parts = []
    for kind, share in zip(("sql", "cpp"), shares(text["count"])):
        here, gone = find(text[kind], found)
        for identity in gone:
            print(f"not in this tree: {' '.join(map(str, identity[:5]))}", file=sys.stderr)
        parts.append((here, share))
    return parts
