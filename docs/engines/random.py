"""A small backgammon engine that speaks UBGI: random legal plays, the cube by the pip count."""
import random
import sys


def steps(b, die):
    """Moves of one checker as (from, to). b[1..24] are my points, b[25] is my bar; his are negative."""
    for f in [25] if b[25] > 0 else range(24, 0, -1):
        t = f - die
        home = not any(n > 0 for n in b[7:])
        if b[f] > 0 and (t > 0 and b[t] > -2 or t <= 0 and home and (t == 0 or not any(n > 0 for n in b[f + 1:]))):
            yield f, max(t, 0)


def plays(b, dice):
    found = []
    for f, t in steps(b, dice[0]) if dice else []:
        after = b[:]
        after[f] -= 1
        if t:
            after[t] = max(after[t], 0) + 1
        found += [[(f, t)] + rest for rest in plays(after, dice[1:])]
    return found or [[]]


def play(b, dice):
    high, low = max(dice), min(dice)
    found = plays(b, [high] * 4) if high == low else plays(b, [high, low]) + plays(b, [low, high])
    most = max(map(len, found))
    if most == 1 and high != low and any(steps(b, high)):
        found = plays(b, [high])  # one die alone: the higher
    return " ".join(f"{f}/{t}" for f, t in random.choice([p for p in found if len(p) == most]))


def answer(xgid):
    board, _, _, turn, dice = xgid.removeprefix("XGID=").split(":")[:5]
    b = [ord(c) - 64 if c.isupper() else 96 - ord(c) if c.islower() else 0 for c in board]
    if (turn == "-1") != (dice == "D"):  # the position of the other side; who is doubled decides
        b = [-n for n in reversed(b)]
    if dice.isdigit() and dice != "00":
        return play(b, (int(dice[0]), int(dice[1])))
    mine = sum(p * n for p, n in enumerate(b) if n > 0)
    his = sum((p - 25) * n for p, n in enumerate(b) if n < 0)
    if dice == "D":
        return "take" if mine <= 1.12 * his else "drop"
    return "double" if his >= 1.1 * mine else "roll"


for line in map(str.strip, sys.stdin):
    if line == "ubgi":
        print("id name random-py\nreadyok", flush=True)
    elif line == "quit":
        break
    elif line:
        print(answer(line), flush=True)
