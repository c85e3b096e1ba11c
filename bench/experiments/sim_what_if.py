#!/usr/bin/env python3
"""What one parameter does on a simulated cluster, each varied alone around the same base.

Costs of the machine: pick-up delay of a busy communication thread, latency, wake-up, publishing a
chunk, stealing one at home. Parameters of the balancing: quantum n, chunks that a deque shows, how
many tasks make a bag of short ones worth splitting, with how few a node asks ahead, whom the
prefetch asks and below what surplus, k, w and z. Shown are the efficiency, and which part of the
workers' time is lost where: at the start until nine of ten workers compute, in the tail after they
last did, in the middle between the two, and otherwise, to publishing, stealing at home and the
communication thread. The values marked are the base's, by the costs and the defaults; of its latency,
which is a range, it is the middle, and the other latencies are no ranges. Seed by seed, a binomial tree
throws the same coins in all rows.

Source: w, z, n and k of Saraswat et al., Lifeline-based Global Load Balancing, PPoPP 2011, section
2; the prefetch of Machado et al., Unbalanced Tree Search on a Manycore System using the GPI
programming model, 2011, section 5.3.

    bench/experiments/sim_what_if.py
    bench/experiments/sim_what_if.py --tree T2WL --nodes 256 --workers 12 --vary pick-up,k
"""
import itertools

from experiment import Experiment, Options, main, names, prediction, whole_number
from picture import Panel, Series

LOSSES = ["start", "middle", "tail", "other"]


def cost(*keys):
    return (lambda value: [word for key in keys for word in ("--cost", f"{key}={value}")],
            lambda config: sum(config["costs"][key] for key in keys) // len(keys))


def option(name, zero=0):
    """zero: what the report's 0 is on the command line."""
    return lambda value: [name, value], lambda config: config[name.strip("-").replace("-", "_")] or zero


# By name: what makes arguments of a value, what finds the base's in its report, and values.
PARAMETERS = {
    "pick-up": (*cost("pick_up_ns"), [1_000, 10_000, 100_000, 600_000]),
    "latency": (*cost("latency_min_ns", "latency_max_ns"), [500, 2_000, 10_000, 50_000]),
    "wake-up": (*cost("wake_up_ns"), [1_000, 5_000, 20_000, 64_000]),
    "publish": (*cost("publish_ns"), [25, 100, 400]),
    "local-steal": (*cost("local_steal_ns"), [50, 200, 800]),
    "n": (*option("--quantum", "auto"), ["auto", 16, 128, 1024]),
    "shown": (*option("--chunks-shown"), [1, 2, 4, 8]),
    "many": (*option("--many-tasks"), [0, 6, 12, 24]),
    "few": (*option("--few-tasks"), [0, 20, 40, 80]),
    "prefetch": (*option("--prefetch"), ["off", "ring", "random"]),
    "below": (*option("--prefetch-below", "auto"), [1, "auto", 16]),
    "k": (*option("--steal", "half"), [1, 20, "half"]),
    "w": (*option("--random-steals"), [0, 1, 3, 10]),
    "z": (*option("--lifelines"), [1, 2, 3, 6]),
}


def parse():
    parser = Options(__doc__, simulated=True)
    parser.add_argument("--tree", metavar="NAME", help="binomial, or geometric of shape fixed; "
                        "default: T2XXL; quick: T3")
    parser.add_argument("--nodes", metavar="N", type=whole_number, help="default: 64; quick: 4")
    parser.add_argument("--workers", metavar="N", type=whole_number, default=4,
                        help="of a node; default: 4")
    parser.add_node_ns(None)
    parser.add_argument("--vary", metavar="NAMES", type=names, default=list(PARAMETERS),
                        help=f"default: {','.join(PARAMETERS)}")
    parser.add_argument("--seeds", metavar="N", type=whole_number,
                        help="runs with other seeds to take means of; default: 3; quick: 1")
    experiment = Experiment("sim-what-if", parser, ["belay-sim"])
    options = experiment.options
    if unknown := set(options.vary) - set(PARAMETERS):
        parser.error(f"--vary: no parameter {unknown.pop()}")
    options.tree = options.tree or ("T3" if options.quick else "T2XXL")
    options.nodes = options.nodes or (4 if options.quick else 64)
    options.seeds = options.seeds or (1 if options.quick else 3)
    return experiment, options


def mean(rows):
    return {key: sum(row[key] for row in rows) / len(rows) for key in rows[0]}


def points_of(name, config):
    """Name, value, whether it is the base's, and arguments, of the base none; it is among the values."""
    arguments, base_of, values = PARAMETERS[name]
    base = base_of(config)
    if base not in values:
        values = sorted([*values, base], key=lambda value: (isinstance(value, str), value))
    for value in values:
        yield name, value, value == base, () if value == base else tuple(arguments(value))


def rows_of(experiment, options):
    """The base, which all parameters have in common, is run once, and first: it says what it is."""
    sizes = ["--nodes", options.nodes, "--workers", options.workers]
    if options.node_ns:
        sizes += cost("uts_node_ns")[0](options.node_ns)
    tree = ["uts", "--tree", options.tree, "--sampled"]
    seeds = range(1, options.seeds + 1)

    def simulate(changes):
        reports = iter(experiment.simulate([*sizes, *change, "--seed", seed, *tree]
                                           for change in changes for seed in seeds))
        return {change: list(itertools.islice(reports, len(seeds))) for change in changes}

    found = simulate([()])
    config = found[()][0]["config"]
    points = [point for name in options.vary for point in points_of(name, config)]
    found |= simulate([change for *_, is_base, change in points if not is_base])
    means = {change: mean([{**prediction(report), "loot": report["result"]["loot"]} for report in reports])
             for change, reports in found.items()}
    return [{"parameter": name, "value": value, "base": is_base, **means[change]}
            for name, value, is_base, change in points]


def panels(rows):
    """A panel for each parameter: what is lost with each of its values, in a pile. All end at three
    times what is lost with the base's; of higher piles the height is written at the top."""
    top = 3 * (1 - next(row["efficiency"] for row in rows if row["base"]))
    for name, group in itertools.groupby(rows, key=lambda row: row["parameter"]):
        of_one = list(enumerate(group))
        lost = {place: 1 - row["efficiency"] for place, row in of_one}
        piles = [Series(LOSSES[i - 1], [(place, sum(row[f"lost_{loss}"] for loss in LOSSES[:i]))
                                        for place, row in of_one],
                        f"using 1:2:(0.8) with boxes lt {i}") for i in range(len(LOSSES), 0, -1)]
        base = [(place, lost[place]) for place, row in of_one if row["base"]]
        marks = [Series("base", base, "with points pt 6 lc rgb 'black'")]
        if above := [(place, top, f"{lost[place]:.2f}") for place, _ in of_one if lost[place] > top]:
            marks.append(Series("", above, "with labels offset 0,0.6"))
        tics = ", ".join(f"'{row['value']}' {place}" for place, row in of_one)
        key = "unset key" if name != rows[0]["parameter"] else "set key inside top left samplen 1"
        unit = "ns" if PARAMETERS[name][0](0)[0] == "--cost" else ""
        yield Panel(name, unit, "lost part", [*piles, *marks],
                    [f"set xtics ({tics})", f"set xrange [-0.6:{len(of_one) - 0.4}]",
                     f"set yrange [0:{top}]", "set offsets 0, 0, 0, 0", key])


def what_if():
    experiment, options = parse()
    rows = rows_of(experiment, options)
    experiment.write(rows)
    title = f"{options.tree}; nodes: {options.nodes}, workers of each: {options.workers}"
    if options.node_ns:
        title += f"; {options.node_ns:g} ns a tree node"
    experiment.draw(list(panels(rows)), columns=3, width=360, height=230, title=title)


if __name__ == "__main__":
    main(what_if)
