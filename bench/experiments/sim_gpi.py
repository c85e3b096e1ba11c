#!/usr/bin/env python3
"""Full against half nodes at the size of the GPI paper, simulated.

T1WL and T2WL, geometric and binomial trees of some 270 and 300 billion nodes, on 32 to 256 nodes of
6 workers (half) and 12 (full), with the time that a tree node took on the paper's cores, 322 ns, and
with another machine's. Shown are the speed-up and the efficiency relative to the smallest number of
nodes, what full nodes gain over half ones, and how many prefetch requests got loot; beside them the
paper's figures, which are said of 256 nodes alone. The paper's prefetch asks the ring neighbour, ours
a random node.

Source: Machado et al., Unbalanced Tree Search on a Manycore System using the GPI programming model,
2011, sections 5.3 and 6, figures 3 and 4.

    bench/experiments/sim_gpi.py
    bench/experiments/sim_gpi.py --trees T1WL --node-ns 40
"""
import itertools

from experiment import Experiment, Options, lengths_ns, main, names, prediction, whole_numbers
from picture import Panel, Series, dashed

HALVES = {"half": 6, "full": 12}

# On 256 nodes, relative to 32: efficiency by half and full, and gain. Of T2WL the better efficiency
# alone is said. Of prefetch requests 95 % got work.
PAPER_NODES = 256
PAPER_FROM = 32
PAPER_EFFICIENCY = {("T1WL", "half"): 0.94, ("T1WL", "full"): 0.89, ("T2WL", "half"): 0.76}
PAPER_GAIN = {"T1WL": 1.84, "T2WL": 1.72}


def parse():
    parser = Options(__doc__, simulated=True)
    parser.add_argument("--trees", metavar="NAMES", type=names, help="default: T1WL,T2WL; quick: T1,T3")
    parser.add_argument("--nodes", metavar="NUMBERS", type=whole_numbers,
                        help="default: 32,64,128,256; quick: 2,4")
    parser.add_argument("--node-ns", metavar="NUMBERS", type=lengths_ns, default=[23, 322],
                        help="of a tree node, ns; default: 23,322")
    experiment = Experiment("sim-gpi", parser, ["belay-sim"])
    options = experiment.options
    options.trees = options.trees or (["T1", "T3"] if options.quick else ["T1WL", "T2WL"])
    options.nodes = options.nodes or ([2, 4] if options.quick else [32, 64, 128, 256])
    return experiment, options


def prefetch_success(report):
    prefetch = report["result"]["requests"]["prefetch"]
    return prefetch["loot"] / prefetch["sent"] if prefetch["sent"] else None


def rows_of(experiment, options):
    keys = list(itertools.product(options.trees, options.node_ns, HALVES, options.nodes))
    reports = experiment.simulate(
        ["--nodes", nodes, "--workers", HALVES[half], "--cost", f"uts_node_ns={node_ns}",
         "uts", "--tree", tree, "--sampled"] for tree, node_ns, half, nodes in keys)
    found = dict(zip(keys, reports))
    least = options.nodes[0]
    for (tree, node_ns, half, nodes), report in found.items():
        efficiency = report["result"]["efficiency"]
        relative = efficiency / found[tree, node_ns, half, least]["result"]["efficiency"]
        said = nodes == PAPER_NODES and least == PAPER_FROM
        gain = None
        if half == "full":
            gain = 2 * efficiency / found[tree, node_ns, "half", nodes]["result"]["efficiency"]
        yield {"tree": tree, "node_ns": node_ns, "node": half, "nodes": nodes,
               **prediction(report),
               "mnodes_per_second": 1e3 * efficiency * nodes * HALVES[half] / node_ns,
               "speedup": relative * nodes / least, "relative_efficiency": relative,
               "paper_relative_efficiency": PAPER_EFFICIENCY.get((tree, half)) if said else None,
               "gain": gain,
               "paper_gain": PAPER_GAIN.get(tree) if gain and nodes == PAPER_NODES else None,
               "prefetch_success": prefetch_success(report)}


def panels(options, rows):
    for tree, node_ns in itertools.product(options.trees, options.node_ns):
        here = [row for row in rows if (row["tree"], row["node_ns"]) == (tree, node_ns)]
        series = [dashed([(nodes, 1) for nodes in options.nodes])]
        for half in HALVES:
            mine = [row for row in here if row["node"] == half]
            series.append(Series(half, [(row["nodes"], row["relative_efficiency"]) for row in mine]))
            paper = [(row["nodes"], row["paper_relative_efficiency"]) for row in mine
                     if row["paper_relative_efficiency"]]
            if paper:
                series.append(Series(f"{half}, the paper", paper, "with points pt 6 ps 1.5"))
        tics = ", ".join(map(str, options.nodes))
        yield Panel(f"{tree}, {node_ns:g} ns a tree node", "nodes", "relative efficiency", series,
                    ["set logscale x 2", f"set xtics ({tics})"])


def gpi():
    experiment, options = parse()
    rows = list(rows_of(experiment, options))
    experiment.write(rows)
    experiment.draw(list(panels(options, rows)), columns=len(options.node_ns))


if __name__ == "__main__":
    main(gpi)
