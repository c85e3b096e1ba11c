#!/usr/bin/env python3
"""How the rate grows with ranks and threads, on one tree and on trees that grow with the workers.

Efficiency is the rate by workers times the rate of uts-seq, the same search without a scheduler, on
the same tree in the same round. Strong scaling: one tree for all sizes. Weak scaling: binomial
trees (T3's q, m and seed) whose root has b = --branching children for each worker; the expected
number of nodes is 1 + b / (1 - mq), here a thousand b. The real number differs, and widely where b
is small, so that rates count the real ones.

Source: the efficiency of Saraswat et al., Lifeline-based Global Load Balancing, PPoPP 2011, section
1.2 and figures 3 to 8, where it is 0.86 to 0.94; the trees of Olivier et al., UTS: An Unbalanced
Tree Search Benchmark, LCPC 2006.

    bench/experiments/scaling.py
    bench/experiments/scaling.py --mpirun 'srun --ntasks-per-node=1 --cpus-per-task=12' \\
        --ranks 1,2,4,8 --threads 12 --trees T1XL,T3XXL
"""
import collections
from statistics import median

from experiment import (CORES, Experiment, Failure, Options, main, names, oversubscribed,
                        powers_of_two, whole_number, whole_numbers)
from picture import Panel, Series, dashed, ringed

MEASURES = {"mnodes_per_second": "million nodes per second", "efficiency": "efficiency"}


def parse():
    parser = Options(__doc__)
    parser.add_argument("--ranks", metavar="N,...", type=whole_numbers,
                        help="each with each number of threads; default: powers of two, but no more "
                             "workers than cores")
    parser.add_argument("--threads", metavar="N,...", type=whole_numbers, help="of a rank; the same")
    parser.add_argument("--trees", metavar="NAME,...", type=names,
                        help="of strong scaling; default: T1L,T3L; quick: T3")
    parser.add_argument("--branching", metavar="N", type=whole_number,
                        help="b per worker of weak scaling; default: 50000, quick: 1000")
    experiment = Experiment("scaling", parser, ["uts", "uts-seq"])
    options = experiment.options
    options.trees = options.trees or (["T3"] if options.quick else ["T1L", "T3L"])
    options.branching = options.branching or (1000 if options.quick else 50000)
    given = options.ranks and options.threads
    options.ranks = options.ranks or powers_of_two(CORES)
    options.threads = options.threads or powers_of_two(CORES)
    sizes = [(ranks, threads) for threads in options.threads for ranks in options.ranks
             if given or ranks * threads <= max(CORES, options.ranks[0] * options.threads[0])]
    return experiment, options, sizes


def trees(options, sizes):
    """What is run: kind of scaling, tree, its arguments, and the sizes that it is for."""
    for tree in options.trees:
        yield "strong", tree, ["--tree", tree], sizes
    for workers in sorted({ranks * threads for ranks, threads in sizes}):
        b = options.branching * workers
        yield ("weak", f"b={b}", ["-t", 0, "-r", 42, "-q", 0.124875, "-m", 8, "-b", b],
               [(ranks, threads) for ranks, threads in sizes if ranks * threads == workers])


def rate(report):
    return report["result"]["nodes"] / report["seconds"]


def measure(experiment, options, sizes):
    runs = collections.defaultdict(list)
    for _ in range(options.rounds):
        for kind, tree, arguments, its_sizes in trees(options, sizes):
            alone = experiment.run("uts-seq", *arguments)
            for ranks, threads in its_sizes:
                report = experiment.run("uts", *arguments, "--threads", threads, ranks=ranks)
                if report["result"] != alone["result"]:
                    raise Failure(f"uts {tree}, {ranks} ranks of {threads} threads: {report['result']}; "
                                  f"uts-seq: {alone['result']}")
                runs[kind, tree, ranks, threads].append((report, rate(alone)))
    return runs


def row_of(key, runs):
    kind, tree, ranks, threads = key
    workers = ranks * threads
    return {"scaling": kind, "tree": tree, "nodes": runs[0][0]["result"]["nodes"], "ranks": ranks,
            "threads": threads, "workers": workers, "oversubscribed": oversubscribed(runs[0][0]),
            "mnodes_per_second": median(rate(report) for report, _ in runs) / 1e6,
            "uts_seq_mnodes_per_second": median(alone for _, alone in runs) / 1e6,
            "efficiency": median(rate(report) / (workers * alone) for report, alone in runs)}


def panel(title, rows, measure_name):
    def points(rows):
        return [(row["workers"], row[measure_name]) for row in rows]

    series = [Series(f"{threads} {'thread' if threads == 1 else 'threads'} per rank",
                     points(row for row in rows if row["threads"] == threads))
              for threads in sorted({row["threads"] for row in rows})]
    ideal = {row["workers"]: 1 if measure_name == "efficiency" else
             row["workers"] * row["uts_seq_mnodes_per_second"] for row in rows}
    return Panel(title, "workers", MEASURES[measure_name],
                 [*series, dashed(sorted(ideal.items()), "as many uts-seq"),
                  *ringed(points(row for row in rows if row["oversubscribed"]))],
                 ["set logscale x 2" if measure_name == "efficiency" else
                  "set logscale x 2; set logscale y; set yrange [*:*]"])


def scaling():
    experiment, options, sizes = parse()
    rows = [row_of(*run) for run in measure(experiment, options, sizes).items()]
    experiment.write(rows)
    groups = {f"strong, {tree}": [row for row in rows if row["tree"] == tree] for tree in options.trees}
    groups[f"weak, {options.branching} branches per worker"] = [
        row for row in rows if row["scaling"] == "weak"]
    experiment.draw([panel(title, group, measure_name)
                     for title, group in groups.items() for measure_name in MEASURES], columns=2)


if __name__ == "__main__":
    main(scaling)
