#!/usr/bin/env python3
"""The experiments at toy size: all rows and files are there; what fails, fails in one line.

experiments_test.py BIN MPIRUN [CASE...]: folder of the programs, launcher of the ranks.
"""
import collections
import csv
import importlib
import itertools
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "bench/experiments"
sys.path.insert(0, str(SCRIPTS))
SIMULATED = {"sim_frontier", "sim_glb", "sim_gpi", "sim_lifeline", "sim_sampled", "sim_what_if"}
BIN, MPIRUN = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = pathlib.Path(self.folder.name)

    def run_script(self, script, *arguments, programs=BIN, path=None):
        launcher = [] if script in SIMULATED else ["--mpirun", MPIRUN]
        return subprocess.run(
            [sys.executable, SCRIPTS / f"{script}.py", "--quick", "--output", self.output / "out",
             "--bin", programs, *launcher, *arguments],
            capture_output=True, text=True, check=False,
            env={**os.environ, "PATH": path or os.environ["PATH"]})

    def rows(self, script, *arguments):
        """What the script wrote, the same in each of its files."""
        done = self.run_script(script, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        stem = self.output / "out" / script.replace("_", "-")
        whole = json.loads(stem.with_suffix(".json").read_text())
        for key in ("experiment", "date", "machine", "parameters"):
            self.assertTrue(whole[key], key)
        self.assertEqual(whole["mpi_library"] is None, script in SIMULATED)
        self.assertIn("commit", whole)
        with open(stem.with_suffix(".csv"), newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        texts = [{key: "" if value is None else str(value) for key, value in row.items()}
                 for row in whole["rows"]]
        self.assertEqual(table, texts)
        self.assertEqual(len(done.stdout.splitlines()), 1 + len(whole.get("table", table)))
        picture = xml.etree.ElementTree.parse(stem.with_suffix(".svg"))
        words = " ".join(picture.getroot().itertext())
        return whole["rows"], words

    def runs(self, script):
        """Of a simulated experiment, by the arguments of each run what came of it, every time."""
        found = collections.defaultdict(list)
        file = self.output / "out" / f"{script.replace('_', '-')}.runs.jsonl"
        for run in map(json.loads, file.read_text().splitlines()):
            found[tuple(run["arguments"])].append(run["report"]["result"])
        return found

    def assert_positive(self, rows, *keys):
        for row, key in itertools.product(rows, keys):
            self.assertTrue(math.isfinite(row[key]) and row[key] > 0, f"{key} of {row}")

    def assert_fails(self, done, status, says):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)


class FullVsHalf(Case):
    def test_has_a_row_for_each_tree_rank_count_and_half(self):
        rows, words = self.rows("full_vs_half", "--trees", "T1,T3", "--ranks", "1,2", "--cores", "2")
        self.assertEqual([(row["tree"], row["ranks"], row["node"], row["workers"]) for row in rows],
                         [(tree, ranks, node, ranks * cores) for tree in ("T1", "T3")
                          for ranks in (1, 2) for node, cores in (("half", 1), ("full", 2))])
        self.assert_positive(rows, "mnodes_per_second", "speedup", "efficiency")
        self.assert_positive([row for row in rows if row["node"] == "full"], "gain")
        for row in rows:
            self.assertAlmostEqual(row["efficiency"] * row["ranks"], row["speedup"])
        for word in ("T1", "T3", "full", "half", "ranks", "relative efficiency"):
            self.assertIn(word, words)


class Scaling(Case):
    def test_has_a_row_for_each_size_and_weak_trees_that_grow(self):
        rows, words = self.rows("scaling", "--ranks", "1,2", "--threads", "1,2")
        sizes = [(ranks, threads) for threads in (1, 2) for ranks in (1, 2)]
        strong = [row for row in rows if row["scaling"] == "strong"]
        weak = [row for row in rows if row["scaling"] == "weak"]
        self.assertEqual([(row["ranks"], row["threads"]) for row in strong], sizes)
        self.assertEqual({row["nodes"] for row in strong}, {4112897})
        self.assertEqual(sorted((row["ranks"], row["threads"]) for row in weak), sorted(sizes))
        self.assertEqual({row["workers"]: row["tree"] for row in weak},
                         {1: "b=1000", 2: "b=2000", 4: "b=4000"})
        nodes = {row["workers"]: row["nodes"] for row in weak}
        self.assertTrue(nodes[1] < nodes[2] < nodes[4], nodes)
        self.assert_positive(rows, "mnodes_per_second", "uts_seq_mnodes_per_second", "efficiency")
        for word in ("strong, T3", "weak", "workers", "efficiency", "2 threads per rank"):
            self.assertIn(word, words)


class Sweep(Case):
    def test_has_each_parameter_beside_its_default(self):
        rows, words = self.rows("sweep", "--ranks", "2", "--threads", "1")
        self.assertEqual([(row["parameter"], row["value"], row["default"]) for row in rows],
                         [("w", 1, True), ("w", 6, False), ("z", 3, True), ("z", 6, False),
                          ("n", "auto", True), ("n", 8192, False), ("k", "half", True),
                          ("k", 512, False), ("prefetch", "random", True),
                          ("prefetch", "off", False),
                          ("trace", "off", True), ("trace", "on", False)])
        self.assert_positive(rows, "ratio", "mnodes_per_second", "requests", "loot")
        self.assertEqual({row["ratio"] for row in rows if row["default"]}, {1})
        for word in ("prefetch off", "rate over the default's", "loot received"):
            self.assertIn(word, words)


class WorkDistribution(Case):
    def test_has_each_worker_and_part_with_all_of_the_work(self):
        rows, words = self.rows("work_distribution", "--ranks", "2", "--threads", "2")

        def values(problem, division, measure):
            return [row["value"] for row in rows
                    if (row["problem"], row["division"], row["measure"]) == (problem, division, measure)]

        for problem, division in itertools.product(("uts", "bc"), ("static", "dynamic")):
            self.assertEqual(len(values(problem, division, "computing_seconds")), 4)
            self.assertEqual(len(values(problem, division, "tasks")), 4)
            self.assertGreater(sum(values(problem, division, "computing_seconds")), 0)
        inner = 4112897 - 3599034
        self.assertEqual(sum(values("uts", "dynamic", "tasks")), inner)
        levels_above = inner - sum(values("uts", "static", "tasks"))
        self.assertTrue(0 < levels_above < 100, levels_above)
        self.assertEqual(values("bc", "static", "tasks"), 4 * [64])
        self.assertEqual(sum(values("bc", "dynamic", "tasks")), 256)
        arcs = {division: values("bc", division, "arcs") for division in ("static", "dynamic")}
        self.assertEqual([len(some) for some in arcs.values()], [4, 4])
        self.assertEqual(sum(arcs["static"]), sum(arcs["dynamic"]))
        for word in ("static uts, T3", "dynamic bc, R-MAT 8", "deviation", "seconds computing"):
            self.assertIn(word, words)


class SimCheck(Case):
    def check(self, *arguments):
        """The rows, those without a change and those with one."""
        rows, words = self.rows("sim_check", *arguments)
        self.assert_positive(rows, "seconds", "predicted_seconds")
        for row, key in itertools.product(rows, ("seconds", "requests", "loot")):
            if row[key]:
                self.assertAlmostEqual(row[f"{key}_error"], row[f"predicted_{key}"] / row[key] - 1)
        for word in ("time", "requests", "messages with loot", "T3"):
            self.assertIn(word, words)
        return [[row for row in rows if bool(row["change"]) == changed] for changed in (False, True)]

    def test_workers_share_the_cores_of_their_own_host_alone(self):
        experiment = importlib.import_module("experiment")
        ranks = [{"host": host, "workers": experiment.CORES * [{}]} for host in "abb"]
        self.assertEqual(experiment.crowding({"ranks": ranks}), 2)
        self.assertEqual(experiment.crowding({"ranks": ranks[:2]}), 1)
        self.assertFalse(experiment.oversubscribed({"ranks": ranks[:2]}))

    def test_has_a_prediction_for_each_run(self):
        (alone, two), _ = self.check("--ranks", "1,2")
        self.assertEqual([(row["tree"], row["ranks"], row["threads"]) for row in (alone, two)],
                         [("T3", 1, 1), ("T3", 2, 1)])
        keys = ("requests", "loot", "predicted_requests", "predicted_loot")
        self.assertEqual([alone[key] for key in keys], 4 * [0])
        self.assert_positive([two], *keys)
        costs = json.loads((self.output / "out/sim-check.costs.json").read_text())
        self.assertGreater(costs["uts_node_ns"], 0)

    def test_shows_what_changes_a_prediction_that_is_far_off(self):
        costs = self.output / "costs.json"
        costs.write_text('{"uts_node_ns": 1000, "latency_max_ns": 2000}')
        (wrong,), changed = self.check("--ranks", "1", "--costs", costs)
        self.assertAlmostEqual(wrong["predicted_seconds"], 4112897 * 1e-6, delta=0.1)
        self.assertEqual([row["change"].split("=")[0] for row in changed],
                         ["uts_node_ns", "look_ns", "pick_up_ns", "wake_up_ns", "held_up_share",
                          "held_up_share", "held_up_ns", "latency_max_ns"])
        self.assertAlmostEqual(changed[0]["seconds_error"], 0, delta=0.05)


class Simulated(Case):
    LOSSES = ("lost_start", "lost_middle", "lost_tail", "lost_other")
    T1_NODES, T3_TASKS = 4130071, 4112897 - 3599034

    def assert_lost(self, rows):
        """Parts of the workers' time; lost_other is what the rest leave, if it is not too much."""
        self.assert_positive(rows, "seconds", "efficiency")
        for row in rows:
            self.assertLessEqual(row["efficiency"], 1, row)
            for loss in self.LOSSES:
                self.assertTrue(-1e-9 <= row[loss] < 1, f"{loss} of {row}")

    def test_each_run_comes_out_the_same_every_time(self):
        tables = [self.rows("sim_gpi", "--node-ns", "23")[0] for _ in range(2)]
        self.assertEqual(*tables)
        runs = self.runs("sim_gpi")
        self.assertEqual(len(runs), len(tables[0]))
        for arguments, results in runs.items():
            for result in results:
                del result["simulation"]
            self.assertEqual(len(results), 2)
            self.assertEqual(*results, arguments)

    def test_what_if_has_each_parameter_around_the_same_base(self):
        rows, words = self.rows("sim_what_if")
        self.assert_lost(rows)
        bases = [row for row in rows if row["base"]]
        self.assertEqual([row["parameter"] for row in bases],
                         ["pick-up", "latency", "wake-up", "publish", "local-steal", "n", "shown",
                          "many", "few", "prefetch", "below", "k", "w", "z"])
        runs = [run for some in self.runs("sim_what_if").values() for run in some]
        self.assertEqual(len(runs), 1 + len(rows) - len(bases), "the base is run once")
        self.assertEqual({run["tasks"] for run in runs}, {self.T3_TASKS})
        for row in rows:
            self.assertAlmostEqual(row["seconds"] * row["efficiency"] * 16, self.T3_TASKS * 8 * 23e-9)
        for name in {row["parameter"] for row in rows}:
            mine = [row["efficiency"] for row in rows if row["parameter"] == name]
            self.assertGreater(len(set(mine)), 1, f"{name} changes something")
        for word in ("T3; nodes: 4, workers of each: 4", "pick-up", "600000", "tail"):
            self.assertIn(word, words)
        slow, words = self.rows("sim_what_if", "--vary", "w", "--node-ns", "230")
        self.assertGreater(slow[0]["seconds"], 5 * bases[0]["seconds"])
        self.assertIn("230 ns a tree node", words)

    def test_what_if_takes_the_base_from_the_costs(self):
        costs = json.loads((SCRIPTS.parent / "sim/costs.json").read_text())
        keys = ("seconds", "efficiency", "loot", *self.LOSSES)

        def pick_ups(base_ns):
            """What comes of each pick-up delay, and which is the base's."""
            file = self.output / f"costs-{base_ns}.json"
            file.write_text(json.dumps(costs | {"pick_up_ns": base_ns}))
            rows, words = self.rows("sim_what_if", "--vary", "pick-up,pick-up", "--costs", file)
            self.assertIn(str(base_ns), words)
            return ({row["value"]: [row[key] for key in keys] for row in rows},
                    [row["value"] for row in rows if row["base"]])

        usual, base = pick_ups(costs["pick_up_ns"])
        self.assertEqual((list(usual), base), ([1_000, 10_000, 100_000, 600_000], [100_000]))
        other, base = pick_ups(147_000)
        self.assertEqual((list(other), base), ([1_000, 10_000, 100_000, 147_000, 600_000], [147_000]))
        self.assertEqual({value: other[value] for value in usual}, usual)
        slow, base = pick_ups(600_000)
        self.assertEqual((slow, base), (usual, [600_000]))

    def test_gpi_has_full_and_half_nodes_of_each_number(self):
        rows, words = self.rows("sim_gpi")
        self.assert_lost(rows)
        self.assertEqual([(row["tree"], row["node_ns"], row["node"], row["nodes"]) for row in rows],
                         list(itertools.product(("T1", "T3"), (23, 322), ("half", "full"), (2, 4))))
        for row in rows:
            fewest = next(one for one in rows if one["nodes"] == 2 and all(
                one[key] == row[key] for key in ("tree", "node_ns", "node")))
            self.assertAlmostEqual(row["speedup"], fewest["seconds"] / row["seconds"], delta=0.01)
            self.assertAlmostEqual(row["relative_efficiency"], row["efficiency"] / fewest["efficiency"])
            self.assertEqual(row["gain"] is None, row["node"] == "half")
            self.assertTrue(0 < row["prefetch_success"] <= 1)
        full = next(row for row in rows if row["node"] == "full" and row["node_ns"] == 322)
        self.assertAlmostEqual(full["seconds"] * full["efficiency"] * 24, self.T1_NODES * 322e-9, delta=0.01)
        for word in ("T1, 23 ns a tree node", "relative efficiency", "full"):
            self.assertIn(word, words)

    def test_gpi_has_the_papers_figures_beside_ours(self):
        sim_gpi = importlib.import_module("sim_gpi")

        class Fake:
            @staticmethod
            def simulate(runs):
                return [{"result": {"seconds": 1, "efficiency": 1, "loss": {},
                                    "requests": {"prefetch": {"sent": 0, "loot": 0}}}} for _ in runs]

        options = types.SimpleNamespace(trees=["T1WL", "T2WL", "T3WL"], nodes=[32, 256], node_ns=[322])
        rows = {(row["tree"], row["node"], row["nodes"]): row for row in sim_gpi.rows_of(Fake, options)}
        said = {key: (row["paper_relative_efficiency"], row["paper_gain"]) for key, row in rows.items()
                if row["paper_relative_efficiency"] or row["paper_gain"]}
        self.assertEqual(said, {("T1WL", "half", 256): (0.94, None), ("T1WL", "full", 256): (0.89, 1.84),
                                ("T2WL", "half", 256): (0.76, None), ("T2WL", "full", 256): (None, 1.72)})

    def test_lifeline_has_each_pair_and_two_life_stories(self):
        rows, words = self.rows("sim_lifeline", "--nodes", "4,8")
        self.assert_lost(rows)
        pairs = [(1, 3), (10, 1), (10, 10), (1024, 1), ("0.66P", 1)]
        self.assertEqual([(row["nodes"], row["w"], row["z"]) for row in rows],
                         [(4, 1, 3), (4, 83, 1), *((4, *pair) for pair in pairs[1:]),
                          *((8, *pair) for pair in pairs)])
        self.assert_positive(rows, "requests_per_worker", "stealing")
        for row in rows:
            self.assertLess(row["stealing"], 1 - row["efficiency"])
        for word in ("4 workers, w 83, z 1", "stealing", "idle", "w 0.66P, z 1"):
            self.assertIn(word, words)

    def test_lifeline_has_the_papers_figures_beside_its_tree_alone(self):
        sim_lifeline = importlib.import_module("sim_lifeline")
        story = {"computing": [1], "stealing": [0], "idle": [0]}
        report = {"result": {"seconds": 1, "efficiency": 1, "loss": {}, "requests": {}, "life_story": story}}
        reports = dict.fromkeys([(128, (1, 3)), (128, (83, 1)), (256, (1, 3)), (1024, (1, 3))], report)
        said = {tree: [(row["paper_efficiency"], row["paper_stealing"]) for row in
                       sim_lifeline.rows_of(types.SimpleNamespace(tree=tree), reports)]
                for tree in ("T3WL", "T3XXL")}
        self.assertEqual(said, {"T3WL": [(0.94, 0.0143), (None, 0.01835), (None, None), (0.87, None)],
                                "T3XXL": 4 * [(None, None)]})

    def test_glb_has_uts_and_both_divisions_of_bc(self):
        rows, words = self.rows("sim_glb")
        self.assert_lost(rows)
        self.assertEqual([(row["problem"], row["division"], row["places"]) for row in rows],
                         [("uts", "dynamic", 4), ("uts", "dynamic", 16), ("bc", "static", 4),
                          ("bc", "dynamic", 4), ("bc", "static", 16), ("bc", "dynamic", 16)])
        lengths = [int(line) for line in (self.output / "out/sim-glb.lengths.txt").read_text().splitlines()]
        self.assertEqual(len(lengths), 256)
        for row in rows[2:]:
            self.assertAlmostEqual(row["computing_mean"] * row["places"] / (sum(lengths) * 1e-9), 1, delta=0.05)
        static = rows[2]
        self.assertAlmostEqual(static["seconds"], max(sum(lengths[i:i + 64]) for i in range(0, 256, 64)) * 1e-9)
        for word in ("UTS, 322 ns a tree node", "bc, R-MAT 8", "static"):
            self.assertIn(word, words)

    def test_glb_takes_lengths_from_a_file(self):
        file = self.output / "lengths"
        file.write_text("1000000 " * 7 + "9000000", encoding="utf-8")
        rows, _ = self.rows("sim_glb", "--lengths", str(file), "--places", "4", "--bc-places", "4")
        self.assertEqual([round(row["seconds"], 9) for row in rows if row["division"] == "static"], [0.01])

    def test_frontier_has_each_size(self):
        rows, words = self.rows("sim_frontier", "--sizes", "4x2:4:10,2x2:3.5:8")
        self.assert_lost(rows)
        self.assertEqual([(row["nodes"], row["workers"], row["b"], row["d"]) for row in rows],
                         [(2, 4, 3.5, 8), (4, 8, 4, 10)])
        self.assert_positive(rows, "lost_ms", "events_per_worker", "bytes_per_worker")
        for row in rows:
            self.assertLess(row["lost_ms_start"] + row["lost_ms_tail"], row["lost_ms"])
        computing_ms = rows[1]["seconds"] * 1e3 - rows[1]["lost_ms"]
        self.assertAlmostEqual(computing_ms / (self.T1_NODES * 322e-6 / 8), 1, delta=0.02)
        self.assertIn("lost by each worker, ms", words)

    def test_frontier_needs_less_than_a_kib_for_each_worker(self):
        (row,), _ = self.rows("sim_frontier", "--sizes", "1024x64:4:6")
        self.assertLess(row["bytes_per_worker"], 1024, "bags of a small tree and all of the process included")

    def test_sampled_has_real_and_drawn_trees_beside_each_other(self):
        rows, words = self.rows("sim_sampled")
        self.assertEqual([(row["law"], row["measure"]) for row in rows],
                         list(itertools.product(("binomial", "geometric"),
                                                ("tasks", "efficiency", "requests", "loot"))))
        self.assert_positive(rows, "trees", "real", "drawn")
        tasks = {row["law"]: row for row in rows if row["measure"] == "tasks"}
        self.assertEqual([tasks["binomial"][key] for key in ("drawn_over_real", "difference", "standard_error")],
                         [1, 0, 0])
        self.assertAlmostEqual(tasks["geometric"]["drawn_over_real"], 1, delta=0.05)
        self.assertEqual(tasks["geometric"]["trees"], 7)
        few = self.rows("sim_sampled", "--tasks", "30000")[0][4]
        self.assertEqual((few["law"], few["measure"], few["trees"]), ("geometric", "tasks", 3))
        rows, _ = self.rows("sim_sampled", "--nodes", "1")
        self.assertEqual([(row["real"], row["drawn_over_real"]) for row in rows[2:4]], 2 * [(0, None)])
        for word in ("binomial; nodes: 16, workers of each: 4", "on a drawn one"):
            self.assertIn(word, words)


class Failures(Case):
    def fake(self, name, text):
        """The folder of the programs, with another one of that name."""
        folder = self.output / "bin"
        shutil.copytree(BIN, folder, copy_function=os.symlink)
        (folder / name).unlink()
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
        return folder

    def test_bad_arguments_end_with_status_2(self):
        unmeasured = ["--mpirun", "no-such-launcher"]
        for script, arguments, says in (
                ("scaling", ["--ranks", "0"], "--ranks: '0': must be a whole number from 1"),
                ("scaling", ["--threads", "1,x"], "'x'"), ("sweep", ["--rounds", "-1"], "--rounds"),
                ("full_vs_half", ["--cores", "3"], "'3': must be even"),
                ("work_distribution", ["--nothing"], "--nothing"),
                ("sweep", ["--bin", "/nowhere"], "there is no program uts"),
                ("sweep", ["--output", "/dev/null/x"], "--output /dev/null/x"),
                ("sweep", ["--output", "/proc/self"], "--output /proc/self: cannot be written to"),
                ("sim_what_if", ["--vary", "k,luck"], "--vary: no parameter luck"),
                ("sim_what_if", ["--costs", "/nowhere"], "--costs /nowhere"),
                ("sim_gpi", ["--node-ns", "23,0"], "'0': must be a number above 0"),
                ("sim_sampled", ["--roots", "0"], "--roots: '0': must be a whole number from 1"),
                ("sim_lifeline", ["--node-ns", "1,2"], "'1,2': must be a number above 0"),
                ("sim_glb", ["--places", "4,8"], "'8': must be a power of four"),
                ("sim_glb", ["--lengths", "/nowhere"], "--lengths: /nowhere: No such file"),
                ("sim_glb", ["--lengths", __file__], "must be numbers from 0 to 1e12"),
                ("sim_check", ["--costs", __file__, *unmeasured], "is no JSON object"),
                ("sim_check", ["--trees", "T3,T99", *unmeasured], "--tree T99"),
                ("sim_frontier", ["--sizes", "2x2:4"], "'2x2:4': must be NODESxWORKERS")):
            with self.subTest(script=script, arguments=arguments):
                self.assert_fails(self.run_script(script, *arguments), 2, says)

    def test_a_program_that_fails_ends_it(self):
        programs = self.fake("uts-seq", "echo uts-seq: no luck >&2; echo more >&2; exit 1")
        self.assert_fails(self.run_script("scaling", programs=programs), 1, "uts-seq: no luck")

    @unittest.skipIf(len(os.sched_getaffinity(0)) == 1, "one core simulates one run at a time")
    def test_a_simulation_that_fails_ends_those_that_run_and_none_that_is_done_is_lost(self):
        there = self.output / "there"
        programs = self.fake("belay-sim", f"""
            case "$*" in
              *--help*) ;;
              *"--nodes 1 --workers 6"*) exec {BIN / "belay-sim"} "$@" ;;
              *"--nodes 2 --workers 6"*) echo $$ >{there}; exec sleep 600 ;;
              *) until [ -e {there} ] && [ -s {self.output}/out/*.jsonl ]; do sleep 0.01; done
                 echo belay-sim: no luck >&2; exit 1 ;;
            esac""")
        done = self.run_script("sim_gpi", "--trees", "T3", "--nodes", "1,2", "--node-ns", "23",
                               programs=programs)
        self.assert_fails(done, 1, "belay-sim: no luck")
        with self.assertRaises(ProcessLookupError):
            os.kill(int(there.read_text()), 0)
        runs = (self.output / "out/sim-gpi.runs.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(run)["arguments"] for run in runs],
                         [["--nodes", 1, "--workers", 6, "--cost", "uts_node_ns=23.0", "uts", "--tree",
                           "T3", "--sampled"]])
        self.assertEqual(json.loads(runs[0])["report"]["result"]["tasks"], 513863)

    def test_an_unknown_tree_ends_it_before_any_is_simulated(self):
        done = self.run_script("sim_gpi", "--trees", "T3,T99")
        self.assert_fails(done, 2, "--tree T99")
        self.assertFalse((self.output / "out/sim-gpi.runs.jsonl").exists())

    def test_a_wrong_count_ends_it(self):
        report = '{"config": {}, "result": {"nodes": 1, "leaves": 1, "depth": 0}, "seconds": 1}'
        programs = self.fake("uts-seq", f"echo '{report}'")
        self.assert_fails(self.run_script("scaling", programs=programs), 1, "uts-seq: {'nodes': 1")

    def test_a_file_that_cannot_be_written_ends_it(self):
        (self.output / "out/sim-gpi.csv").mkdir(parents=True)
        self.assert_fails(self.run_script("sim_gpi", "--trees", "T3"), 1, "sim-gpi.csv")

    def test_a_report_that_is_none_ends_it(self):
        programs = self.fake("uts-seq", "echo '{} {}'")
        self.assert_fails(self.run_script("scaling", programs=programs), 1, "its report is not JSON")

    def test_an_unknown_tree_ends_it_with_what_uts_says(self):
        self.assert_fails(self.run_script("sweep", "--tree", "T99"), 2, "--tree T99")

    def test_a_missing_launcher_ends_it(self):
        done = self.run_script("sweep", "--mpirun", "no-such-launcher")
        self.assert_fails(done, 1, "cannot run no-such-launcher")

    def test_without_gnuplot_the_rows_are_written_all_the_same(self):
        path = self.output / "path"
        path.mkdir()
        for name in {name for folder in filter(os.path.isdir, os.get_exec_path())
                     for name in os.listdir(folder)} - {"gnuplot"}:
            if found := shutil.which(name):
                (path / name).symlink_to(found)
        done = self.run_script("full_vs_half", "--trees", "T3", "--ranks", "1", path=str(path))
        self.assert_fails(done, 1, "gnuplot-nox")
        self.assertEqual(len((self.output / "out/full-vs-half.csv").read_text().splitlines()), 3)
        self.assertEqual(len(json.loads((self.output / "out/full-vs-half.json").read_text())["rows"]), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
