#!/usr/bin/env python3
"""How evenly work lies on the workers: balanced while it runs, beside divided in advance.

Dynamic: uts and bc over ranks and threads; each worker's seconds in state "computing". Static:
uts-static, the nodes of a shallow level dealt out evenly, and bc-static, ranges of as many vertices
each, in as many parts as there are workers; the seconds of each part. And the work: of uts inner
nodes expanded, of bc arcs looked at, which dynamic bc reports in no order of its workers. Shown is,
of each, the run whose time is the median (static: the time of the longest part).

Source: Zhang et al., GLB: Lifeline-based Global Load Balancing library in X10, 2014, section 3.6,
figures 6, 8 and 10: of bc, the time of calculation on each place, with mean and standard deviation,
which falls from 4.027 to 1.141 s on Blue Gene/Q, from 58.463 to 1.482 s on Power 775.

    bench/experiments/work_distribution.py
    bench/experiments/work_distribution.py --mpirun 'srun --ntasks-per-node=1 --cpus-per-task=12' \\
        --ranks 64 --threads 12 --tree T3XXL --rmat 18
"""
import collections
from statistics import mean, pstdev

from experiment import CORES, Experiment, Failure, Options, main, oversubscribed, whole_number
from picture import Panel, Series, dashed

Run = collections.namedtuple("Run", "seconds computing tasks work count oversubscribed")
WORK = {"uts": "inner nodes expanded", "bc": "arcs looked at"}


def parse():
    parser = Options(__doc__)
    parser.add_one_size()
    parser.add_argument("--tree", metavar="NAME", help="of uts; default: T3L; quick: T3")
    parser.add_argument("--rmat", metavar="N", type=whole_number,
                        help="scale of the graph of bc; default: 14; quick: 8")
    experiment = Experiment("work-distribution", parser, ["uts", "bc", "uts-static", "bc-static"])
    options = experiment.options
    options.tree = options.tree or ("T3" if options.quick else "T3L")
    options.rmat = options.rmat or (8 if options.quick else 14)
    return experiment, options


def run_of(report):
    """What a program's report says of each worker, or of each part of a division in advance."""
    result = report["result"]
    workers = [worker for rank in report["ranks"] for worker in rank["workers"]]
    tasks = [worker["tasks"] for worker in workers]
    static = "seconds_of_parts" in result
    computing = result["seconds_of_parts"] if static else [w["states"]["computing"] for w in workers]
    work = result.get("arcs_of_parts" if static else "arcs_of_workers", tasks)
    work = work + [0] * (len(tasks) - len(work))  # bc is silent on workers that had nothing to do
    return Run(max(computing) if static else report["seconds"], computing, tasks, work,
               result.get("nodes", result.get("arcs")), not static and oversubscribed(report))


def measure(experiment, options):
    """The median run, by problem and division."""
    runs = collections.defaultdict(list)
    workers = options.ranks * options.threads
    for _ in range(options.rounds):
        for problem, arguments in (("uts", ["--tree", options.tree]), ("bc", ["--rmat", options.rmat])):
            reports = {
                "static": experiment.run(f"{problem}-static", *arguments, "--parts", workers,
                                         "--threads", min(workers, CORES)),
                "dynamic": experiment.run(problem, *arguments, "--threads", options.threads,
                                          ranks=options.ranks)}
            for division, report in reports.items():
                runs[problem, division].append(run_of(report))
            counts = {run.count for division in reports for run in runs[problem, division]}
            if len(counts) > 1:
                raise Failure(f"{problem}, static and dynamic, counts different {WORK[problem]}: {counts}")
    return {key: sorted(some, key=lambda run: run.seconds)[(len(some) - 1) // 2]
            for key, some in runs.items()}


def rows_of(runs):
    for (problem, division), run in runs.items():
        for measure_name, values in (("computing_seconds", run.computing), ("tasks", run.tasks),
                                     *([("arcs", run.work)] if problem == "bc" else [])):
            in_order = measure_name != "arcs" or division == "static"
            for worker, value in enumerate(values):
                yield {"problem": problem, "division": division, "measure": measure_name,
                       "worker": worker if in_order else None, "value": value}


def summary_of(runs):
    for (problem, division), run in runs.items():
        yield {"problem": problem, "division": division, "workers": len(run.computing),
               "oversubscribed": run.oversubscribed, "seconds": run.seconds,
               "computing_mean": mean(run.computing), "computing_deviation": pstdev(run.computing),
               "longest_over_mean": max(run.computing) / mean(run.computing),
               "work_mean": mean(run.work), "work_deviation": pstdev(run.work),
               "most_over_mean": max(run.work) / mean(run.work)}


def panel(title, x_title, values, unit, y_title, most):
    """Bars side by side, and their mean."""
    end = len(values) - 0.5
    return Panel(f"{title}: mean {mean(values):.3g}{unit}, deviation {pstdev(values):.2g}{unit}",
                 x_title, y_title,
                 [Series("each worker", list(enumerate(values)), "using 1:2:(0.8) with boxes"),
                  dashed([(-0.5, mean(values)), (end, mean(values))], "mean")],
                 [f"set xrange [-0.5:{end}]", f"set xtics 0,{-(-len(values) // 10)}",
                  "set offsets 0, 0, 0, 0", f"set yrange [0:{1.06 * most}]"])


def panels(options, runs):
    """A line for each problem; static and dynamic have the same y axis."""
    for problem, title in (("uts", options.tree), ("bc", f"R-MAT {options.rmat}")):
        both = {division: runs[problem, division] for division in ("static", "dynamic")}
        for unit, y_title, values in (
                (" s", "seconds computing", {d: run.computing for d, run in both.items()}),
                (" M", f"million {WORK[problem]}",
                 {d: [work / 1e6 for work in run.work] for d, run in both.items()})):
            most = max(map(max, values.values()))
            for division in both:
                in_order = (problem, division, unit) != ("bc", "dynamic", " M")
                yield panel(f"{division} {problem}, {title}",
                            "worker" if in_order else "worker, in no order", values[division], unit,
                            y_title, most)


def work_distribution():
    experiment, options = parse()
    runs = measure(experiment, options)
    experiment.write(list(rows_of(runs)), list(summary_of(runs)))
    experiment.draw(list(panels(options, runs)), columns=2)


if __name__ == "__main__":
    main(work_distribution)
