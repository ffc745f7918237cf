#!/usr/bin/env python3
"""A bot for Tillroll: tillroll bot --exec deploy/examples/bot.py

web-static/docs/reference/bot-protocol.md describes what it is told and what it answers. This one looks only at the words of its
moves: it prefers the kinds of moves that it has made least often, and otherwise chooses at random.
"""
import collections
import json
import random
import sys

made = collections.Counter()


def choose(moves, view):
    """One of `moves`; `view` is what this seat sees of the game."""
    rarest = min(made[move.split()[0]] for move in moves)
    return random.choice([move for move in moves if made[move.split()[0]] == rarest])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game":
        names = [seat["player"]["name"] for seat in message["seats"]]
        print(f"{message['ruleset']['title']}: I am {names[message['seat']]}", file=sys.stderr)
    elif message["type"] == "decide":
        move = choose(message["moves"], message["view"])
        made[move.split()[0]] += 1
        print(move, flush=True)
    elif message["type"] == "over":
        print("score:", [seat["score"] for seat in message["seats"]], file=sys.stderr)
