"""What the experiments of this folder share: options, runs of programs, tables, files, pictures.

An experiment measures and hands over rows, dictionaries with the same keys. They go to stdout as a
table, into NAME.csv, into NAME.json with machine, commit and parameters, and as a picture into
NAME.svg. Exit status: 0; 1 after one line if a program or gnuplot fails, a count is wrong or a
file cannot be written; 2 after one line for bad arguments, among them those that a program refuses
with its own 2.

Simulated runs may take hours, so none is lost when a later one fails: each is added to
NAME.runs.jsonl as soon as it ends, a line of JSON with commit, arguments of belay-sim, and report.
"""
import argparse
import collections
import concurrent.futures
import csv
import datetime
import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys
import threading

import picture

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORES = len(os.sched_getaffinity(0))

# Read by Open MPI alone: as root, with more ranks than cores, bound by belay itself.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}

class Failure(Exception):
    """What ends an experiment, in one line."""

    def __init__(self, line, status=1):
        super().__init__(line)
        self.status = status


def whole_number(text):
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"'{text}': must be a whole number from 1")
    return int(text)


def whole_numbers(text):
    return sorted({whole_number(part) for part in text.split(",")})


def length_ns(text):
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number <= 1e12:
        raise argparse.ArgumentTypeError(f"'{text}': must be a number above 0, up to 1e12")
    return number


def lengths_ns(text):
    return sorted({length_ns(part) for part in text.split(",")})


def names(text):
    return list(dict.fromkeys(text.split(",")))


def powers_of_two(most):
    return [1 << i for i in range(most.bit_length())]


class Options(argparse.ArgumentParser):
    """Those of all experiments, real or on simulated clusters, to which each adds its own."""

    def __init__(self, text, simulated=False):
        super().__init__(description=text, allow_abbrev=False,
                         formatter_class=argparse.RawDescriptionHelpFormatter)
        self.add_argument("--quick", action="store_true", help="toy size, for tests")
        self.add_argument("--output", metavar="FOLDER", type=pathlib.Path,
                          default=ROOT / "build/experiments",
                          help="of the files; default: build/experiments of the checkout")
        self.add_argument("--bin", metavar="FOLDER", type=pathlib.Path,
                          default=ROOT / "build/release/bin",
                          help="of the programs; default: build/release/bin of the checkout")
        if simulated:
            self.add_argument("--costs", metavar="FILE", type=pathlib.Path,
                              default=ROOT / "bench/sim/costs.json",
                              help="what things cost; default: bench/sim/costs.json of the checkout")
            return
        self.add_argument("--rounds", metavar="N", type=whole_number,
                          help="to take medians of; default: 5, quick 1")
        self.add_argument("--mpirun", metavar="COMMAND", type=shlex.split, default=["mpirun.openmpi"],
                          help="with arguments, to which -n RANKS is added; default: mpirun.openmpi")

    def add_one_size(self):
        """Of experiments that run all at one size."""
        ranks = min(CORES, 2)
        self.add_argument("--ranks", metavar="N", type=whole_number, default=ranks,
                          help="default: 2, with one core 1")
        self.add_argument("--threads", metavar="N", type=whole_number, default=CORES // ranks,
                          help="of a rank; default: all cores")

    def add_node_ns(self, default=322):
        self.add_argument("--node-ns", metavar="NUMBER", type=length_ns, default=default,
                          help=f"of a tree node, ns; default: {default or 'as the costs say'}")

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")


class Experiment:
    """One run of a script: the command line it got, and what it does with programs and rows."""

    def __init__(self, name, parser, programs):
        self.name = name
        self.options = parser.parse_args()
        self.commit = commit()
        self.mpi_library = None
        self.processes, self.ended = [], False
        self.lock = threading.Lock()
        if "rounds" in self.options:
            self.options.rounds = self.options.rounds or (1 if self.options.quick else 5)
        if "costs" in self.options and self.options.costs and not self.options.costs.is_file():
            parser.error(f"--costs {self.options.costs}: there is no such file")
        for program in programs:
            if not os.access(self.options.bin / program, os.X_OK):
                parser.error(f"--bin {self.options.bin}: there is no program {program}")
        try:
            self.options.output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"--output {self.options.output}: {error.strerror}")
        if not os.access(self.options.output, os.W_OK):
            parser.error(f"--output {self.options.output}: cannot be written to")

    def run(self, program, *arguments, ranks=None):
        """The JSON report of a program, run over so many ranks, or without mpirun."""
        report = self.read(program, *arguments, "--quiet", "--json", "-", ranks=ranks)
        self.mpi_library = report["config"].get("mpi_library", self.mpi_library)
        return report

    def read(self, program, *arguments, ranks=None):
        """The JSON that a program writes to stdout."""
        try:
            return json.loads(self.execute(program, *arguments, ranks=ranks))
        except ValueError as error:
            raise Failure(f"{program}: its report is not JSON; is the launcher of its MPI?") from error

    def execute(self, program, *arguments, ranks=None):
        """What a program writes to stdout."""
        launcher = [] if ranks is None else [*self.options.mpirun, "-n", ranks]
        command = [str(word) for word in (*launcher, self.options.bin / program, *arguments)]
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env={**MPI_ENVIRONMENT, **os.environ})
        except OSError as error:
            raise Failure(f"cannot run {command[0]}: {error.strerror}") from error
        with process:
            self.processes.append(process)
            if self.ended:  # after it is in the list, of which end() kills all
                process.kill()
            try:
                written, said = process.communicate()
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            lines = [line for line in said.splitlines() if any(map(str.isalpha, line))]
            said = lines[0] if lines else f"exit status {process.returncode}"
            raise Failure(f"{shlex.join(command)}: {said}", 2 if process.returncode == 2 else 1)
        return written

    def check(self, runs):
        """Ends it if belay-sim does not know one of these arguments: asked for help as well, it reads
        them all and runs nothing."""
        for arguments in runs:
            self.execute("belay-sim", *arguments, "--help")

    def simulate(self, runs):
        """The report of belay-sim with each of these arguments, as many at once as there are cores.
        The first that fails ends all."""
        runs = list(runs)
        self.check(runs)
        with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
            futures = [pool.submit(self.simulate_one, run) for run in runs]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self.end()
                raise
        return [future.result() for future in futures]

    def simulate_one(self, arguments):
        report = self.run("belay-sim", "--costs", self.options.costs, *arguments)
        line = json.dumps({"commit": self.commit, "arguments": arguments, "report": report}, default=str)
        with self.lock, open(self.file("runs.jsonl"), "a", encoding="utf-8") as file:
            file.write(line + "\n")
        return report

    def end(self):
        """Kills what runs, and what a thread is about to run."""
        self.ended = True
        for process in self.processes:
            process.kill()

    def write(self, rows, table=None):
        """Files, and the table on stdout: the rows, or another one, which the JSON then has too."""
        with open(self.file("csv"), "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        whole = {"experiment": self.name,
                 "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                 "machine": machine(), "commit": self.commit, "mpi_library": self.mpi_library,
                 "parameters": vars(self.options), "rows": rows}
        if table is not None:
            whole["table"] = table
        with open(self.file("json"), "w", encoding="utf-8") as file:
            json.dump(whole, file, indent=2, default=str)
            file.write("\n")
        print_table(table or rows)

    def draw(self, panels, columns, **size):
        """The picture: panels, so many in a line."""
        try:
            svg = picture.svg(panels, columns, **size)
        except picture.Error as error:
            raise Failure(f"no picture: {error}") from error
        self.file("svg").write_text(svg, encoding="utf-8")

    def file(self, suffix):
        return self.options.output / f"{self.name}.{suffix}"


def prediction(report):
    """What every row tells of a simulated run: speed, and which part of the workers' time is lost where."""
    result = report["result"]
    return {"seconds": result["seconds"], "efficiency": result["efficiency"],
            **{f"lost_{part}": value for part, value in result["loss"].items()}}


def predicted_requests(report):
    """Of all kinds, by all nodes of a simulated run."""
    return sum(kind["sent"] for kind in report["result"]["requests"].values())


def crowding(report):
    """Workers over cores, where they are most, of its hosts, which are taken to be like this one."""
    workers = collections.Counter()
    for rank in report["ranks"]:
        workers[rank["host"]] += len(rank["workers"])
    return max(workers.values()) / CORES


def oversubscribed(report):
    return crowding(report) > 1


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cpu": models[0] if models else platform.machine(), "cores": CORES,
            "memory_gib": round(memory / 2**30, 1), "kernel": f"{platform.system()} {platform.release()}"}


def commit():
    """Of the checkout, "-dirty" if it was changed since; None if that cannot be known."""
    try:
        return subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude=*"],
                              capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def print_table(rows):
    def text(value):
        if isinstance(value, bool) or value is None:
            return "yes" if value else ""
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    lines = [list(rows[0]), *([text(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))


def main(experiment):
    """Runs a script's only function."""
    try:
        experiment()
    except (Failure, OSError) as error:
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        sys.exit(error.status if isinstance(error, Failure) else 1)
