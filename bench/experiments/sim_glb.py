#!/usr/bin/env python3
"""UTS and betweenness centrality at the size of the GLB paper, simulated.

UTS: geometric trees, each for four times the workers of the one before, on up to 16,384 nodes of one
worker, the paper's places. BC: how long each vertex of an R-MAT graph takes as a source is measured
on this machine, unless --lengths names a file of such times; its vertices are divided in advance,
as many for each place, or balanced while they run. Shown are of both the time that each place
computes, mean and deviation, and the efficiency; beside them the paper's. A place's time is never
shorter than the vertex that takes longest.

Source: Zhang et al., GLB: Lifeline-based Global Load Balancing library in X10, 2014, sections 3.5 and
3.6, figures 2 to 10: UTS scales perfectly up to 16,384 places of Blue Gene/Q; of bc the deviation
falls from 4.027 to 1.141 s there, at a mean of 57 s, and from 58.463 to 1.482 s on Power 775.

    bench/experiments/sim_glb.py
    bench/experiments/sim_glb.py --rmat 16 --bc-places 1024,4096
"""
import argparse
import pathlib
from statistics import fmean, pstdev

from experiment import Experiment, Options, main, prediction, whole_number, whole_numbers
from picture import Panel, Series, dashed

# Of Blue Gene/Q: deviation over mean, divided in advance and balanced.
PAPER_DEVIATION = {"static": 4.027 / 57.015, "dynamic": 1.141 / 57.015}
UNIT_NS = 1_000  # to which lengths are rounded


def file_of_lengths(text):
    file = pathlib.Path(text)
    try:
        lengths = lengths_of(file)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{file}: {error.strerror}") from error
    except ValueError:
        lengths = []
    if not (any(lengths) and all(0 <= length <= 1e12 for length in lengths)):
        raise argparse.ArgumentTypeError(f"{file}: must be numbers from 0 to 1e12, not all of them 0")
    return file


def parse():
    parser = Options(__doc__, simulated=True)
    parser.add_argument("--places", metavar="NUMBERS", type=whole_numbers,
                        help="powers of four, of UTS; default: 64,256,1024,4096,16384; quick: 4,16")
    parser.add_node_ns()
    parser.add_argument("--rmat", metavar="N", type=whole_number,
                        help="scale of the graph of bc; default: 14; quick: 8")
    parser.add_argument("--lengths", metavar="FILE", type=file_of_lengths,
                        help="of its vertices, ns; default: measure them")
    parser.add_argument("--bc-places", metavar="NUMBERS", type=whole_numbers,
                        help="default: 64,256,1024; quick: 4,16")
    experiment = Experiment("sim-glb", parser, ["belay-sim", "measure-vertices"])
    options = experiment.options
    options.places = options.places or ([4, 16] if options.quick else [64, 256, 1024, 4096, 16384])
    options.bc_places = options.bc_places or ([4, 16] if options.quick else [64, 256, 1024])
    options.rmat = options.rmat or (8 if options.quick else 14)
    for places in options.places:
        if places.bit_count() > 1 or places.bit_length() % 2 == 0:
            parser.error(f"--places: '{places}': must be a power of four")
    return experiment, options


def depth_of(places, quick):
    """With b = 4 one level more is four times the tree."""
    return places.bit_length() // 2 + (7 if quick else 11)


def lengths_of(file):
    """Of each vertex, ns."""
    return [float(word) for word in file.read_text(encoding="utf-8").split()]


def measure_lengths(experiment, options):
    """The file of them."""
    file = experiment.file("lengths.txt")
    measured = experiment.execute("measure-vertices", "--rmat", options.rmat, "--rounds", 3)
    file.write_text(measured, encoding="utf-8")
    return file


def uts_rows(options, reports):
    for places, report in zip(options.places, reports):
        tasks = report["result"]["tasks_per_worker"]
        result = prediction(report)
        computing = result["efficiency"] * result["seconds"]
        yield {"problem": "uts", "division": "dynamic", "places": places, **result,
               "computing_mean": computing,
               "computing_deviation": computing * tasks["deviation"] / tasks["mean"],
               "longest_over_mean": tasks["max"] / tasks["mean"],
               "paper_efficiency": 1, "paper_deviation_over_mean": None}


def static_row(places, lengths):
    parts = [sum(lengths[i * len(lengths) // places:(i + 1) * len(lengths) // places]) for i in range(places)]
    mean = fmean(parts)
    return {"problem": "bc", "division": "static", "places": places, "seconds": max(parts),
            "efficiency": mean / max(parts), "lost_start": 0, "lost_middle": 0,
            "lost_tail": 1 - mean / max(parts), "lost_other": 0, "computing_mean": mean,
            "computing_deviation": pstdev(parts), "longest_over_mean": max(parts) / mean,
            "paper_efficiency": None, "paper_deviation_over_mean": PAPER_DEVIATION["static"]}


def bc_rows(options, lengths, reports):
    for places, report in zip(options.bc_places, reports):
        yield static_row(places, lengths)
        units = report["result"]["tasks_per_worker"]
        yield {"problem": "bc", "division": "dynamic", "places": places, **prediction(report),
               "computing_mean": units["mean"] * UNIT_NS * 1e-9,
               "computing_deviation": units["deviation"] * UNIT_NS * 1e-9,
               "longest_over_mean": units["max"] / units["mean"],
               "paper_efficiency": None, "paper_deviation_over_mean": PAPER_DEVIATION["dynamic"]}


def panels(options, rows):
    def points(problem, division, key):
        return [(row["places"], row[key]) for row in rows
                if (row["problem"], row["division"]) == (problem, division)]

    scale = ["set logscale x 2"]
    yield Panel(f"UTS, {options.node_ns:g} ns a tree node", "places", "efficiency",
                [dashed([(places, 1) for places in options.places], "the paper"),
                 Series("belay", points("uts", "dynamic", "efficiency"))], scale)
    for key, title in (("efficiency", "efficiency"),
                       ("computing_deviation", "deviation of seconds computing")):
        yield Panel(f"bc, R-MAT {options.rmat}", "places", title,
                    [Series(division, points("bc", division, key)) for division in ("static", "dynamic")],
                    scale)


def glb():
    experiment, options = parse()
    file = options.lengths or measure_lengths(experiment, options)
    reports = experiment.simulate(
        [*(["--nodes", places, "--workers", 1, "--cost", f"uts_node_ns={options.node_ns}",
            "uts", "--sampled", "-t", 1, "-a", 3, "-b", 4, "-d", depth_of(places, options.quick), "-r", 19]
           for places in options.places),
         *(["--nodes", places, "--workers", 1, "tasks", file, "--unit-ns", UNIT_NS]
           for places in options.bc_places)])
    seconds = [1e-9 * length for length in lengths_of(file)]
    rows = [*uts_rows(options, reports), *bc_rows(options, seconds, reports[len(options.places):])]
    experiment.write(rows)
    experiment.draw(list(panels(options, rows)), columns=3)


if __name__ == "__main__":
    main(glb)
