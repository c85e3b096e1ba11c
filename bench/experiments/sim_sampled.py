#!/usr/bin/env python3
"""Trees that are drawn by their law held against real ones, on the same simulated cluster.

Of each law the real trees of the roots 1, 2 and so on are searched. Beside each that has enough
tasks one is drawn: a geometric one is the real one at the top, with the root's state, and its size
is drawn; a binomial one has the real one's size, but not its shape, which moves the efficiency more
than anything else, so that only means over many trees can be compared. Shown are means of tasks,
efficiency, requests and messages with loot over the real trees and over those that were drawn, their
ratio, and the mean difference, tree by tree, with its standard error.

    bench/experiments/sim_sampled.py
    bench/experiments/sim_sampled.py --roots 400 --nodes 64
"""
import math
from statistics import fmean, stdev

from experiment import Experiment, Failure, Options, main, predicted_requests, whole_number
from picture import Panel, Series, dashed

MEASURES = ["tasks", "efficiency", "requests", "loot"]


def parse():
    parser = Options(__doc__, simulated=True)
    parser.add_argument("--nodes", metavar="N", type=whole_number, default=16, help="default: 16")
    parser.add_argument("--workers", metavar="N", type=whole_number, default=4, help="of a node; default: 4")
    parser.add_argument("--roots", metavar="N", type=whole_number, help="default: 100; quick: 16")
    parser.add_argument("--tasks", metavar="N", type=whole_number,
                        help="that a tree must have; default: 10000000; quick: 10000")
    experiment = Experiment("sim-sampled", parser, ["belay-sim"])
    options = experiment.options
    options.roots = options.roots or (16 if options.quick else 100)
    options.tasks = options.tasks or (10_000 if options.quick else 10_000_000)
    return experiment, options


def laws(quick):
    """By name, parameters of the trees: with mean sizes of 40 and 67 million nodes."""
    q, depth = (0.1996, 8) if quick else (0.19999, 13)
    return {"binomial": ["-t", 0, "-b", 2000, "-q", q, "-m", 5],
            "geometric": ["-t", 1, "-a", 3, "-b", 4, "-d", depth]}


def values(report):
    result = report["result"]
    return {"tasks": result["tasks"], "efficiency": result["efficiency"],
            "requests": predicted_requests(report), "loot": result["loot"]}


def size(tasks):
    """Nodes of a binomial tree of the law: its root is one of its inner nodes."""
    return 1 + 2000 + 5 * (tasks - 1)


def measure(experiment, options, law):
    """Of each tree, the values of the real one and of the drawn one."""
    def simulate(runs):
        return [values(report) for report in experiment.simulate(
            ["--nodes", options.nodes, "--workers", options.workers, "--seed", root, "uts", *law, "-r", root,
             *more] for root, more in runs)]

    roots = range(1, options.roots + 1)
    found = [(root, real) for root, real in zip(roots, simulate((root, []) for root in roots))
             if real["tasks"] >= options.tasks]
    if len(found) < 2:
        raise Failure(f"of {options.roots} trees {len(found)} have {options.tasks} tasks; two are needed")
    is_binomial = "-q" in law
    drawn = simulate((root, ["--sampled", *(["--size", size(real["tasks"])] if is_binomial else [])])
                     for root, real in found)
    return [(real, one) for (_, real), one in zip(found, drawn)]


def rows_of(pairs):
    for law, both in pairs.items():
        for name in MEASURES:
            real, drawn = (fmean(one[name] for one in kind) for kind in zip(*both))
            differences = [one[name] - real_one[name] for real_one, one in both]
            yield {"law": law, "trees": len(both), "measure": name, "real": real, "drawn": drawn,
                   "drawn_over_real": drawn / real if real else None, "difference": fmean(differences),
                   "standard_error": stdev(differences) / math.sqrt(len(both))}


def panels(options, pairs):
    for law, both in pairs.items():
        points = [(real["efficiency"], drawn["efficiency"]) for real, drawn in both]
        least = min(map(min, points))
        yield Panel(f"{law}; nodes: {options.nodes}, workers of each: {options.workers}",
                    "efficiency on a real tree", "on a drawn one",
                    [Series("trees", points, "with points pt 7"),
                     dashed([(least, least), (1, 1)], "equal")],
                    ["set yrange [*:1]; set xrange [*:1]; set xtics rotate"])


def sampled():
    experiment, options = parse()
    pairs = {name: measure(experiment, options, law) for name, law in laws(options.quick).items()}
    experiment.write(list(rows_of(pairs)))
    experiment.draw(list(panels(options, pairs)), columns=2)


if __name__ == "__main__":
    main(sampled)
