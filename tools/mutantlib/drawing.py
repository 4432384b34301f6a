# Which mutants to try of those there are.
import fnmatch
import random
import sys

compiled_share = 5  # of so many that are drawn one is compiled: a minute instead of seconds


def draw(mutants, count, seed):
    """The same ones for the same seed."""
    dice = random.Random(seed)
    cheap = [m for m in mutants if m.cheap]
    compiled = [m for m in mutants if not m.cheap]
    few = min(count // compiled_share, len(compiled))
    return dice.sample(cheap, min(count - few, len(cheap))) + dice.sample(compiled, few)


def chosen(mutants, options):
    """Those that the options ask for."""
    for name in options.only or ():
        if not any(fnmatch.fnmatch(m.name, name) for m in mutants):
            sys.exit(f"there is no mutant {name} in tests/mutants")
    if options.only:
        mutants = [m for m in mutants if any(fnmatch.fnmatch(m.name, n) for n in options.only)]
    if options.random is None:
        return mutants
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1_000_000)
    return draw(mutants, options.random, options.seed)
