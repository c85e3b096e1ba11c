#!/usr/bin/env python3
"""Random steals against lifelines at the size of the lifeline paper, simulated.

T3WL, a binomial tree of 157 billion nodes, on 128 to 2,048 nodes of one worker, with the paper's
pairs of w, random steals before the lifelines are asked, and z, lifelines; P is the number of nodes.
Shown are the efficiency, where time is lost, what part of the time is spent looking for work,
and how many requests each worker sent; beside them the paper's efficiency. And the lives of the
workers on the smallest number of nodes with (w, z) = (1, 3) and (83, 1), as in figures 1 and 2.

A tree node takes 322 ns. In the paper it took 475 ns on Triloka, from which its figure for 128 is,
and 1,852 ns on Blue Gene/P, from which the others are.

Source: Saraswat et al., Lifeline-based Global Load Balancing, PPoPP 2011, sections 3.2 and 4.1,
figures 1 to 4.

    bench/experiments/sim_lifeline.py
    bench/experiments/sim_lifeline.py --node-ns 1852
"""
import itertools

from experiment import Experiment, Options, main, predicted_requests, prediction, whole_numbers
from picture import Panel, Series, dashed

# (w, z); w may be a part of P.
PAIRS = [(1, 3), (10, 1), (10, 10), (1024, 1), (0.66, 1)]
STORIES = [(1, 3), (83, 1)]

# Of its tree.
PAPER_TREE = "T3WL"
# Efficiency by nodes and pair: of 128 and 1,024 as said, "similar for other pairs"; of 2,048
# from 820, 828 and 797 million nodes/s and the sequential program's 0.54 million.
PAPER = {(128, (1, 3)): 0.94, (1024, (1, 3)): 0.87, (2048, (1024, 1)): 0.741, (2048, (10, 10)): 0.749,
         (2048, (10, 1)): 0.721}
# Of the workers' time, stealing, by pair on 128 nodes.
PAPER_STEALING = {(1, 3): 0.0143, (83, 1): 0.01835}


def parse():
    parser = Options(__doc__, simulated=True)
    parser.add_argument("--tree", metavar="NAME", help=f"default: {PAPER_TREE}; quick: T3")
    parser.add_argument("--nodes", metavar="NUMBERS", type=whole_numbers,
                        help="default: 128,256,512,1024,2048; quick: 2,8")
    parser.add_node_ns()
    experiment = Experiment("sim-lifeline", parser, ["belay-sim"])
    options = experiment.options
    options.tree = options.tree or ("T3" if options.quick else PAPER_TREE)
    options.nodes = options.nodes or ([2, 8] if options.quick else [128, 256, 512, 1024, 2048])
    return experiment, options


def random_steals(w, nodes):
    return round(w * nodes) if isinstance(w, float) else w


def part_stealing(report):
    """Of the workers' time, that of looking for work; the rest of what is lost they wait."""
    story = report["result"]["life_story"]
    everything = sum(sum(story[state]) for state in ("computing", "stealing", "idle"))
    return sum(story["stealing"]) / everything


def measure(experiment, options):
    """Reports by nodes and pair."""
    keys = list(dict.fromkeys([*((options.nodes[0], pair) for pair in STORIES),
                               *itertools.product(options.nodes, PAIRS)]))
    reports = experiment.simulate(
        ["--nodes", nodes, "--workers", 1, "--cost", f"uts_node_ns={options.node_ns}",
         "--random-steals", random_steals(w, nodes), "--lifelines", z, "uts", "--tree", options.tree,
         "--sampled"] for nodes, (w, z) in keys)
    return dict(zip(keys, reports))


def rows_of(options, reports):
    said = options.tree == PAPER_TREE
    for (nodes, (w, z)), report in reports.items():
        yield {"nodes": nodes, "w": f"{w}P" if isinstance(w, float) else w, "z": z,
               **prediction(report), "paper_efficiency": PAPER.get((nodes, (w, z))) if said else None,
               "stealing": part_stealing(report),
               "paper_stealing": PAPER_STEALING.get((w, z)) if said and nodes == 128 else None,
               "requests_per_worker": predicted_requests(report) / nodes}


def panels(options, rows, reports):
    series = [dashed([(nodes, 1) for nodes in options.nodes])]
    for w, z in dict.fromkeys((row["w"], row["z"]) for row in rows):
        mine = [row for row in rows if (row["w"], row["z"]) == (w, z)]
        if len(mine) == len(options.nodes):
            series.append(Series(f"w {w}, z {z}", [(row["nodes"], row["efficiency"]) for row in mine]))
    if paper := [(row["nodes"], row["paper_efficiency"]) for row in rows
                 if row["paper_efficiency"]]:
        series.append(Series("the paper", paper, "with points pt 6 ps 1.5"))
    tics = ", ".join(map(str, options.nodes))
    yield Panel(f"{options.tree}, {options.node_ns:g} ns a tree node", "nodes of one worker",
                "efficiency", series, ["set logscale x 2", f"set xtics ({tics})"])
    for w, z in STORIES:
        story = reports[options.nodes[0], (w, z)]["result"]["life_story"]
        times = [i * story["width_seconds"] for i in range(len(story["computing"]))]
        piles = [("idle", ("computing", "stealing", "idle")), ("stealing", ("computing", "stealing")),
                 ("computing", ("computing",))]
        yield Panel(f"{options.nodes[0]} workers, w {w}, z {z}", "seconds", "workers",
                    [Series(name, [(time, sum(story[state][i] for state in states))
                                   for i, time in enumerate(times)],
                            f"with filledcurves x1 lt {4 - len(states)}")
                     for name, states in piles], ["set offsets 0, 0, 0, 0"])


def lifeline():
    experiment, options = parse()
    reports = measure(experiment, options)
    rows = list(rows_of(options, reports))
    experiment.write(rows)
    experiment.draw(list(panels(options, rows, reports)), columns=3)


if __name__ == "__main__":
    main(lifeline)
