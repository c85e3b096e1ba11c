#!/usr/bin/env python3
"""What all cores of a node gain over half of them, as the nodes become more.

UTS over ranks, each with as many workers as a node has cores ("full") and with half as many
("half"): nodes of the tree per second, the speed-up over the fewest ranks, the relative efficiency
(speed-up by how many times as many ranks there are), and the gain of full over half. Half as many
workers get less into each other's way, so the gain tells what they cost each other. Ratios are
taken within a round.

Source: Machado et al., Unbalanced Tree Search on a Manycore System using the GPI programming model,
2011, section 6, figures 3 (a geometric tree of 270 billion nodes, as T1WL) and 4 (a binomial tree of
300 billion, as T2WL), on 32 to 256 nodes of 12 cores. There, on 256, all cores gain 84 % and 72 %,
and the relative efficiency is 0.89 (full) and at best 0.76.

    bench/experiments/full_vs_half.py
    bench/experiments/full_vs_half.py --mpirun 'srun --ntasks-per-node=1 --cpus-per-task=12' \\
        --ranks 32,64,128,256 --cores 12 --trees T1WL,T2WL
"""
import argparse
import collections
from statistics import median

from experiment import (CORES, Experiment, Options, main, names, oversubscribed, powers_of_two,
                        whole_number, whole_numbers)
from picture import Panel, Series, dashed, ringed

MEASURES = {"mnodes_per_second": "million nodes per second", "speedup": "speed-up over the fewest ranks",
            "efficiency": "relative efficiency", "gain": "rate of full over half"}


def even_number(text):
    if whole_number(text) % 2:
        raise argparse.ArgumentTypeError(f"'{text}': must be even")
    return int(text)


def parse():
    parser = Options(__doc__)
    cores = max(2, CORES // 8 * 2)
    ranks = powers_of_two(max(2, CORES // cores))
    parser.add_argument("--cores", metavar="N", type=even_number, default=cores,
                        help="workers of a full rank; default: a quarter of the cores here, at least 2")
    parser.add_argument("--ranks", metavar="N,...", type=whole_numbers, default=ranks,
                        help="default: powers of two, as many as there are cores for, at least 1,2")
    parser.add_argument("--trees", metavar="NAME,...", type=names, help="default: T1L,T3L; quick: T1,T3")
    experiment = Experiment("full-vs-half", parser, ["uts"])
    options = experiment.options
    options.trees = options.trees or (["T1", "T3"] if options.quick else ["T1L", "T3L"])
    return experiment, options


def measure(experiment, options):
    """Rates of all rounds and whether there were too few cores, by tree, ranks and cores."""
    rates, crowded = collections.defaultdict(list), {}
    for _ in range(options.rounds):
        for tree in options.trees:
            for ranks in options.ranks:
                for cores in (options.cores // 2, options.cores):
                    report = experiment.run("uts", "--tree", tree, "--threads", cores, ranks=ranks)
                    rates[tree, ranks, cores].append(report["result"]["nodes"] / report["seconds"])
                    crowded[tree, ranks, cores] = oversubscribed(report)
    return rates, crowded


def rows_of(options, rates, crowded):
    def ratio(size, base):
        return median(a / b for a, b in zip(rates[size], rates[base]))

    fewest, half = options.ranks[0], options.cores // 2
    for size in rates:
        tree, ranks, cores = size
        speedup = ratio(size, (tree, fewest, cores))
        yield {"tree": tree, "ranks": ranks, "node": "half" if cores == half else "full",
               "workers": ranks * cores, "oversubscribed": crowded[size],
               "mnodes_per_second": median(rates[size]) / 1e6, "speedup": speedup,
               "efficiency": speedup * fewest / ranks,
               "gain": None if cores == half else ratio(size, (tree, ranks, half))}


def panel(options, rows, tree, measure_name):
    def points(rows):
        return [(row["ranks"], row[measure_name]) for row in rows if row[measure_name] is not None]

    rows = [row for row in rows if row["tree"] == tree]
    series = [Series(node, points(row for row in rows if row["node"] == node)) for node in ("full", "half")]
    ideal = {"speedup": lambda ranks: ranks / options.ranks[0], "efficiency": lambda ranks: 1,
             "gain": lambda ranks: 2}.get(measure_name)
    return Panel(tree, "ranks", MEASURES[measure_name],
                 [s for s in series if s.points]
                 + ([dashed([(ranks, ideal(ranks)) for ranks in options.ranks])] if ideal else [])
                 + ringed(points(row for row in rows if row["oversubscribed"])),
                 ["set logscale xy 2; set yrange [*:*]" if measure_name == "speedup" else
                  "set logscale x 2"])


def full_vs_half():
    experiment, options = parse()
    rows = list(rows_of(options, *measure(experiment, options)))
    experiment.write(rows)
    experiment.draw([panel(options, rows, tree, measure_name)
                     for tree in options.trees for measure_name in MEASURES], columns=2)


if __name__ == "__main__":
    main(full_vs_half)
