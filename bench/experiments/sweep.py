#!/usr/bin/env python3
"""What the parameters of the balancing do: each is varied alone, beside the default.

w (--random-steals), z (--lifelines), n (--quantum), k (--steal), whom the prefetch asks (which of
two ranks is the same, random or ring), and what a trace costs. In each round the values of a
parameter, its default among them, are run in turn, another one first each time, and their rates
divided by the default's of that turn. Shown are the median, least and greatest ratio, and medians of
what all ranks together asked and got in a run: requests and loot.

Source: w, z, n and k of Saraswat et al., Lifeline-based Global Load Balancing, PPoPP 2011, section
2, who vary w and z (figures 4 to 8); the prefetch of Machado et al., Unbalanced Tree Search on a
Manycore System using the GPI programming model, 2011, section 5.3.

    bench/experiments/sweep.py
    bench/experiments/sweep.py --mpirun 'srun --ntasks-per-node=1 --cpus-per-task=12' --ranks 64 \\
        --threads 12 --tree T3XXL
"""
import collections
import os
from statistics import median

from experiment import Experiment, Options, main, oversubscribed
from picture import Panel, Series, dashed

# By name: what makes options of a value, values, and which of them is the default.
PARAMETERS = {
    "w": (lambda value: ["--random-steals", value], [0, 1, 2, 3, 6], 1),
    "z": (lambda value: ["--lifelines", value], [1, 2, 3, 4, 6], 3),
    "n": (lambda value: ["--quantum", value], ["auto", 1, 16, 128, 1024, 8192], "auto"),
    "k": (lambda value: ["--steal", value], ["half", 1, 8, 64, 512], "half"),
    "prefetch": (lambda value: ["--prefetch", value], ["random", "ring", "off"], "random"),
    "trace": (lambda value: ["--trace", os.devnull], ["off", "on"], "off"),
}


def parse():
    parser = Options(__doc__)
    parser.add_one_size()
    parser.add_argument("--tree", metavar="NAME", help="default: T3L; quick: T3")
    experiment = Experiment("sweep", parser, ["uts"])
    experiment.options.tree = experiment.options.tree or ("T3" if experiment.options.quick else "T3L")
    return experiment, experiment.options


def values_of(name, quick):
    """The values to run: of a quick run the default and one other."""
    _, values, default = PARAMETERS[name]
    return [v for v in values if v in (default, values[-1])] if quick else values


def arguments(name, value):
    options, _, default = PARAMETERS[name]
    return [] if value == default else options(value)


def measure(experiment, options):
    """By parameter and value: (report, rate as a ratio to the default's) of each round."""
    runs = collections.defaultdict(list)
    for first in range(options.rounds):
        for name, (_, _, default) in PARAMETERS.items():
            values = values_of(name, options.quick)
            turn = collections.deque(values)
            turn.rotate(-first)
            reports = {value: experiment.run("uts", "--tree", options.tree, "--threads", options.threads,
                                             *arguments(name, value), ranks=options.ranks)
                       for value in turn}
            for value in values:
                ratio = reports[default]["seconds"] / reports[value]["seconds"]
                runs[name, value].append((reports[value], ratio))
    return runs


def requests(report):
    return sum(kind["requests"] for rank in report["ranks"]
               for kind in rank["communication"]["sent"].values())


def loot(report):
    return sum(rank["communication"]["loot_received"] for rank in report["ranks"])


def row_of(name, value, runs):
    reports = [report for report, _ in runs]
    ratios = [ratio for _, ratio in runs]
    return {"parameter": name, "value": value, "default": value == PARAMETERS[name][2],
            "oversubscribed": oversubscribed(reports[0]), "ratio": median(ratios),
            "least": min(ratios), "greatest": max(ratios),
            "mnodes_per_second": median(r["result"]["nodes"] / r["seconds"] for r in reports) / 1e6,
            "requests": median(map(requests, reports)), "loot": median(map(loot, reports))}


def panels(options, rows):
    """All values along one axis, with a gap between parameters; the labels stand for both panels."""
    places = [i + list(PARAMETERS).index(row["parameter"]) for i, row in enumerate(rows)]
    tics = ", ".join(f"'{row['parameter']} {row['value']}' {place}" for place, row in zip(places, rows))
    settings = [f"set xtics rotate by -45 ({tics})", f"set xrange [-1:{places[-1] + 1}]",
                "set lmargin 9", "set bmargin 8", "set key bmargin center horizontal",
                "set offsets 0, 0, 0, 0"]
    crowded = ", more than there are cores" if rows[0]["oversubscribed"] else ""
    title = f"{options.tree}; ranks: {options.ranks}, workers of each: {options.threads}{crowded}"

    def points(some, *keys):
        return [(place, *(row[key] for key in keys)) for place, row in zip(places, rows) if row in some]

    default = [row for row in rows if row["default"]]
    others = [row for row in rows if not row["default"]]
    ends = [(-1, 1), (places[-1] + 1, 1)]
    yield Panel(title, "", "rate over the default's",
                [dashed(ends, ""), Series("default", points(default, "ratio"), "with points lt 2 pt 7"),
                 Series("median, least and greatest of the rounds",
                        points(others, "ratio", "least", "greatest"), "with yerrorbars lt 1 pt 7")],
                [*settings, "set yrange [*:*]"])
    yield Panel("", "", "per run, all ranks",
                [Series("requests sent", points(rows, "requests"),
                        "using ($1-0.2):2:(0.4) with boxes"),
                 Series("loot received", points(rows, "loot"),
                        "using ($1+0.2):2:(0.4) with boxes")], settings)


def sweep():
    experiment, options = parse()
    rows = [row_of(*key, runs) for key, runs in measure(experiment, options).items()]
    experiment.write(rows)
    experiment.draw(list(panels(options, rows)), columns=1, width=1000, height=400)


if __name__ == "__main__":
    main(sweep)
