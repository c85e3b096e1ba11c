#!/usr/bin/env python3
"""Trees that are drawn by their law held against real ones, on the same simulated cluster.

Of each tree the real one is searched under many seeds, which decide victims and latencies, and as
many are drawn. Shown are means and deviations of tasks, efficiency, requests and messages with loot,
and by how many standard errors of both together the two means differ. A drawn geometric tree is the
real one at the top; a drawn binomial one has the real one's size but not its shape, so that the real
one is one of many, and may lie as far off as those do from each other: see the deviation.

    bench/experiments/sim_sampled.py
    bench/experiments/sim_sampled.py --trees T3 --seeds 100
"""
import math
from statistics import fmean, stdev

from experiment import Experiment, Options, main, names, predicted_requests, whole_number
from picture import Panel, Series

MEASURES = ["tasks", "efficiency", "requests", "loot"]


def parse():
    parser = Options(__doc__, simulated=True)
    parser.add_argument("--trees", metavar="NAMES", type=names, help="default: T1L,T3L; quick: T1,T3")
    parser.add_argument("--nodes", metavar="N", type=whole_number, default=16, help="default: 16")
    parser.add_argument("--workers", metavar="N", type=whole_number, default=4, help="of a node; default: 4")
    parser.add_argument("--seeds", metavar="N", type=whole_number, help="default: 20; quick: 2")
    experiment = Experiment("sim-sampled", parser, ["belay-sim"])
    options = experiment.options
    options.trees = options.trees or (["T1", "T3"] if options.quick else ["T1L", "T3L"])
    options.seeds = options.seeds or (2 if options.quick else 20)
    if options.seeds == 1:
        parser.error("--seeds: must be 2 or more")
    return experiment, options


def values(report):
    result = report["result"]
    return {"tasks": result["tasks"], "efficiency": result["efficiency"],
            "requests": predicted_requests(report), "loot": result["loot"]}


def measure(experiment, options):
    """By tree, of the real and of the drawn one, the values of each seed."""
    keys = [(tree, drawn) for tree in options.trees for drawn in ((), ("--sampled",))]
    reports = iter(experiment.simulate(
        ["--nodes", options.nodes, "--workers", options.workers, "--seed", seed,
         "uts", "--tree", tree, *drawn]
        for tree, drawn in keys for seed in range(1, options.seeds + 1)))
    found = {key: [values(next(reports)) for _ in range(options.seeds)] for key in keys}
    return {tree: (found[tree, ()], found[tree, ("--sampled",)]) for tree in options.trees}


def rows_of(options, runs):
    for tree, both in runs.items():
        for name in MEASURES:
            (real, real_dev), (drawn, drawn_dev) = (
                (fmean(some), stdev(some)) for some in ([run[name] for run in kind] for kind in both))
            error = math.hypot(real_dev, drawn_dev) / math.sqrt(options.seeds)
            yield {"tree": tree, "measure": name, "real": real, "real_deviation": real_dev, "drawn": drawn,
                   "drawn_deviation": drawn_dev, "drawn_over_real": drawn / real if real else None,
                   "standard_errors": (drawn - real) / error if error else None}


def panels(options, runs):
    for tree, both in runs.items():
        yield Panel(f"{tree}; nodes: {options.nodes}, workers of each: {options.workers}",
                    "messages with loot", "efficiency",
                    [Series(kind, [(run["loot"], run["efficiency"]) for run in some], "with points pt 7")
                     for kind, some in zip(("real", "drawn"), both)], ["set yrange [*:1]"])


def sampled():
    experiment, options = parse()
    runs = measure(experiment, options)
    experiment.write(list(rows_of(options, runs)))
    experiment.draw(list(panels(options, runs)), columns=2)


if __name__ == "__main__":
    main(sampled)
