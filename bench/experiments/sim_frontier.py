#!/usr/bin/env python3
"""Geometric trees at the size of the largest machines, simulated.

By default 55,680 workers, 1,740 nodes of 32, the number of cores on which X10's UTS was shown to
be 98 % efficient, and a row of machines with ever more nodes of 64 workers, each with a tree for which
it needs about the same time; depth and branching factor come with each size. Shown are beside the
efficiency the milliseconds of each worker that are lost, on average, at the start, in the tail and in
all; and what the simulation took.

The second command is for 1,048,576 workers, 16,384 nodes of 64, in a run of 10 s. With larger tree
nodes than by default, a run that long has fewer events: it takes about an hour of one core, and 4 GB.

Source: Zhang et al., GLB: Lifeline-based Global Load Balancing library in X10, 2014, section 5, who
quote that efficiency.

    bench/experiments/sim_frontier.py
    bench/experiments/sim_frontier.py --sizes 16384x64:4.18:17 --node-ns 80000
"""
import argparse
import re

from experiment import Experiment, Options, main, prediction
from picture import Panel, Series

PAPER_EFFICIENCY = {55_680: 0.98}  # by workers


def size(text):
    found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*):(\d+(?:\.\d+)?):([1-9]\d*)", text, re.ASCII)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}': must be NODESxWORKERS:BRANCHING:DEPTH")
    return int(found[1]), int(found[2]), float(found[3]), int(found[4])


def sizes(text):
    return [size(part) for part in text.split(",")]


def parse():
    parser = Options(__doc__, simulated=True)
    parser.add_argument("--sizes", metavar="LIST", type=sizes,
                        help="NODESxWORKERS:BRANCHING:DEPTH,...; default: see the table")
    parser.add_node_ns()
    experiment = Experiment("sim-frontier", parser, ["belay-sim"])
    options = experiment.options
    options.sizes = options.sizes or sizes(
        "2x4:4:9,4x4:4:10" if options.quick else
        "4x64:4:14,16x64:4:15,64x64:4:16,256x64:4:17,1740x32:4:18")
    return experiment, options


def rows_of(experiment, options):
    reports = experiment.simulate(
        ["--nodes", nodes, "--workers", workers, "--cost", f"uts_node_ns={options.node_ns}",
         "uts", "--sampled", "-t", 1, "-a", 3, "-b", branching, "-d", depth, "-r", 19]
        for nodes, workers, branching, depth in options.sizes)
    for (nodes, workers, branching, depth), report in zip(options.sizes, reports):
        result = report["result"]
        simulation = result["simulation"]
        lost_ms = {part: value * result["seconds"] * 1e3 for part, value in result["loss"].items()}
        yield {"nodes": nodes, "workers": nodes * workers, "b": branching, "d": depth,
               **prediction(report), "paper_efficiency": PAPER_EFFICIENCY.get(nodes * workers),
               "lost_ms": (1 - result["efficiency"]) * result["seconds"] * 1e3,
               "lost_ms_start": lost_ms["start"], "lost_ms_tail": lost_ms["tail"],
               "loot_per_node": result["loot"] / nodes,
               "events_per_worker": simulation["events"] / (nodes * workers),
               "simulated_in_seconds": simulation["seconds"],
               "bytes_per_worker": simulation["memory_kib"] * 1024 / (nodes * workers)}


def panels(options, rows):
    def points(key):
        return [(row["workers"], row[key]) for row in rows]

    tics = ", ".join(str(row["workers"]) for row in rows)
    scale = ["set logscale x 2", f"set xtics ({tics}) rotate by -45"]
    yield Panel(f"geometric trees, {options.node_ns:g} ns a tree node", "workers", "efficiency",
                [Series("", points("efficiency"))], scale)
    yield Panel("", "workers", "lost by each worker, ms",
                [Series("in all", points("lost_ms")), Series("start", points("lost_ms_start")),
                 Series("tail", points("lost_ms_tail"))], scale)


def frontier():
    experiment, options = parse()
    options.sizes.sort(key=lambda size: size[0] * size[1])
    rows = list(rows_of(experiment, options))
    experiment.write(rows)
    experiment.draw(list(panels(options, rows)), columns=2)


if __name__ == "__main__":
    main(frontier)
