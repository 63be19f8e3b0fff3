"""How long it takes before a command says anything: as seconds, and as multiples of `python -c pass`.

    python perf/startup.py [--rounds N]

Each command runs in a process of its own, all commands in turn; of each, the fastest of N rounds counts, so
that a busy machine matters little. Modules are compiled by a first round that is not counted. Budget: 0.4 s
for `vlnscope --help`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

VLNSCOPE = (sys.executable, "-m", "vlnscope.cli.main")
COMMANDS = {
    "python -c pass": (sys.executable, "-c", "pass"),
    "import vlnscope": (sys.executable, "-c", "import vlnscope"),
    "vlnscope --help": (*VLNSCOPE, "--help"),
    "vlnscope --version": (*VLNSCOPE, "--version"),
    "vlnscope score --help": (*VLNSCOPE, "score", "--help"),
    "vlnscope ls agents": (*VLNSCOPE, "ls", "agents"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    for command in COMMANDS.values():
        seconds(command)
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            best[name] = min(best[name], seconds(command))
    least = best["python -c pass"]
    for name, took in best.items():
        print(f"{name:<24}{took:7.3f} s {took / least:8.1f} ×")


def seconds(command: tuple[str, ...]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
