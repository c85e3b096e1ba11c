#!/usr/bin/env python3
"""Predictions of belay-sim held against real runs of uts.

measure-costs first measures over two ranks what things cost here, unless --costs names a file. Then
each tree is searched by uts and predicted by belay-sim with as many nodes and workers: time, requests
of all kinds and messages with loot, medians of the rounds and of three seeds. An error is the
prediction over the real one, less 1.

To the simulator every node has cores of its own. Where there are more workers than cores, each gets
its share of them, so that what is held against the real time is the predicted one times workers
over cores. What that leaves out: a rank that waits for a core neither answers nor asks, for as long
as the system lets another one have it.

Where an error is large, more than a tenth of the time or half of the messages, the prediction is
made again with one cost changed at a time: a node of the tree as long as in the smallest run of it,
the communication thread's looks free, a message picked up or a thread awake only after a slice of
the system's scheduler, a communication thread that is never held up, or after every other look, or
for a slice, messages ten times slower. The table has the change that brings all three nearest, if
any does: that with the smallest sum of logarithms of prediction over real one. The files have all.

    bench/experiments/sim_check.py
    bench/experiments/sim_check.py --trees T1XL --ranks 1,2,4 --threads 8 \\
        --mpirun 'srun --ntasks-per-node=1 --cpus-per-task=9'
"""
import json
import math
import pathlib
from statistics import median

from experiment import (Experiment, Options, crowding, main, names, predicted_requests, whole_number,
                        whole_numbers)
from picture import Panel, Series, dashed, ringed
from sweep import loot, requests

MEASURES = {"seconds": "time", "requests": "requests", "loot": "messages with loot"}
# Errors: less is within the spread of rounds and of seeds.
LARGE = {"seconds": 0.1, "requests": 0.5, "loot": 0.5}
SLICE_NS = 4_000_000


def parse():
    parser = Options(__doc__)
    parser.add_argument("--trees", metavar="NAME,...", type=names, help="default: T1L,T2L,T3L; quick: T3")
    parser.add_argument("--ranks", metavar="N,...", type=whole_numbers, help="default: 1,2,4,8; quick: 1,2")
    parser.add_argument("--threads", metavar="N", type=whole_number, default=1, help="of a rank; default: 1")
    parser.add_argument("--costs", metavar="FILE", type=pathlib.Path,
                        help="what things cost, as measure-costs writes it; default: measure it")
    experiment = Experiment("sim-check", parser, ["uts", "belay-sim", "measure-costs"])
    options = experiment.options
    options.trees = options.trees or (["T3"] if options.quick else ["T1L", "T2L", "T3L"])
    options.ranks = options.ranks or ([1, 2] if options.quick else [1, 2, 4, 8])
    return experiment, options


def check(experiment, options):
    """What belay-sim refuses, it refuses before hours of measuring."""
    sizes = ["--nodes", options.ranks[-1], "--workers", options.threads]
    experiment.check([*sizes, "uts", "--tree", tree] for tree in options.trees)
    if options.costs is not None:
        experiment.execute("belay-sim", "--costs", options.costs, "--nodes", 1, "dcpar", "--tasks", 1)


def measure_costs(experiment, options):
    rounds = ["--rounds", 1] if options.quick else []
    costs = experiment.read("measure-costs", "--threads", options.threads, *rounds, ranks=2)
    options.costs = experiment.file("costs.json")
    options.costs.write_text(json.dumps(costs, indent=2) + "\n", encoding="utf-8")


def measure(experiment, options):
    """By tree and number of ranks the medians of what the runs took."""
    reports = {(tree, ranks): [] for tree in options.trees for ranks in options.ranks}
    for _ in range(options.rounds):
        for (tree, ranks), runs in reports.items():
            runs.append(experiment.run("uts", "--tree", tree, "--threads", options.threads, ranks=ranks))
    return {size: {"crowding": max(1, crowding(runs[0])), "nodes": runs[0]["result"]["nodes"],
                   "seconds": median(run["seconds"] for run in runs),
                   "requests": median(map(requests, runs)),
                   "loot": median(map(loot, runs))}
            for size, runs in reports.items()}


def predict(experiment, options, tree, ranks, change):
    """Medians over the seeds; change: costs, as a dictionary."""
    costs = [word for name, value in change.items() for word in ("--cost", f"{name}={value}")]
    reports = experiment.simulate(
        [*costs, "--nodes", ranks, "--workers", options.threads, "--seed", seed, "uts", "--tree", tree]
        for seed in range(1, 1 + min(3, options.rounds)))
    return {"seconds": median(report["result"]["seconds"] for report in reports),
            "requests": median(map(predicted_requests, reports)),
            "loot": median(report["result"]["loot"] for report in reports)}


def changes(options, smallest):
    """Of one cost each, but for the latency, which is a range."""
    costs = json.loads(options.costs.read_text(encoding="utf-8"))
    workers = options.ranks[0] * options.threads / smallest["crowding"]
    yield {"uts_node_ns": round(1e9 * smallest["seconds"] * workers / smallest["nodes"], 2)}
    yield {"look_ns": 0}
    yield {"pick_up_ns": SLICE_NS}
    yield {"wake_up_ns": SLICE_NS}
    yield from ({"held_up_share": value} for value in (0, 0.5))
    yield {"held_up_ns": SLICE_NS}
    yield {name: 10 * costs[name] for name in ("latency_min_ns", "latency_max_ns") if name in costs}


def row_of(size, options, real, change, predicted):
    tree, ranks = size
    predicted = predicted | {"seconds": real["crowding"] * predicted["seconds"]}
    row = {"tree": tree, "ranks": ranks, "threads": options.threads, "oversubscribed": real["crowding"] > 1,
           "change": " ".join(f"{name}={value}" for name, value in change.items()) or None}
    for name in MEASURES:
        row |= {name: real[name], f"predicted_{name}": predicted[name],
                f"{name}_error": predicted[name] / real[name] - 1 if real[name] else None}
    return row


def errors(row):
    return {name: row[f"{name}_error"] for name in MEASURES if row[f"{name}_error"] is not None}


def distance(row):
    return sum(abs(math.log(max(1 + error, 1e-3))) for error in errors(row).values())


def panel(name, rows):
    def points(rows):
        return [(row["ranks"], 1 + row[f"{name}_error"]) for row in rows if row[f"{name}_error"] is not None]

    series = [Series(tree, points(row for row in rows if row["tree"] == tree))
              for tree in dict.fromkeys(row["tree"] for row in rows)]
    ends = [(rows[0]["ranks"], 1), (rows[-1]["ranks"], 1)]
    return Panel(MEASURES[name], "ranks", "predicted over real",
                 [*(one for one in series if one.points), dashed(ends, "right"),
                  *ringed(points(row for row in rows if row["oversubscribed"]))],
                 ["set logscale x 2; set logscale y 2; set yrange [*:*]"])


def sim_check():
    experiment, options = parse()
    check(experiment, options)
    if options.costs is None:
        measure_costs(experiment, options)
    real = measure(experiment, options)
    rows, table = [], []
    for (tree, ranks), run in real.items():
        def row(change):
            return row_of((tree, ranks), options, run, change, predict(experiment, options, tree, ranks, change))

        its_rows = [row({})]
        if any(abs(error) > LARGE[name] for name, error in errors(its_rows[0]).items()):
            its_rows += [row(change) for change in changes(options, real[tree, options.ranks[0]]) if change]
        rows += its_rows
        nearest = min(its_rows, key=distance)
        table += [its_rows[0], nearest] if nearest["change"] else [nearest]
    experiment.write(rows, table)
    measured = [row for row in rows if not row["change"]]
    experiment.draw([panel(name, measured) for name in MEASURES], columns=3)


if __name__ == "__main__":
    main(sim_check)
