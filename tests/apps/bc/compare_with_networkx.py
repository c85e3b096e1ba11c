#!/usr/bin/env python3
"""Compares the scores of bc with networkx's, on graphs of different kinds.

compare_with_networkx.py BC: path of the program. Each graph goes through a file, of each format in
turn, and the scores come back through a file.
"""
import subprocess
import sys
import tempfile

import networkx as nx

TOLERANCE = 1e-9


def graphs():
    yield "path", nx.path_graph(30)
    yield "cycle", nx.cycle_graph(31)
    yield "star", nx.star_graph(20)
    yield "complete", nx.complete_graph(12)
    yield "bipartite", nx.complete_bipartite_graph(5, 9)
    yield "tree", nx.balanced_tree(3, 4)
    yield "grid", nx.convert_node_labels_to_integers(nx.grid_2d_graph(8, 11))
    yield "karate club", nx.Graph(nx.karate_club_graph().edges())
    yield "les miserables", nx.convert_node_labels_to_integers(nx.les_miserables_graph())
    yield "barbell", nx.barbell_graph(7, 5)
    yield "small world", nx.watts_strogatz_graph(120, 6, 0.2, seed=1)
    yield "scale-free", nx.barabasi_albert_graph(150, 3, seed=2)
    yield "disconnected", nx.gnp_random_graph(100, 0.012, seed=3)
    yield "two components", nx.disjoint_union(nx.cycle_graph(10), nx.wheel_graph(9))
    loops = nx.gnp_random_graph(60, 0.06, seed=4)
    loops.add_edges_from((v, v) for v in range(0, 60, 7))
    yield "self-loops", loops
    yield "directed", nx.gnp_random_graph(80, 0.04, seed=5, directed=True)
    yield "directed scale-free", nx.DiGraph(nx.scale_free_graph(120, seed=6))
    yield "directed acyclic", nx.DiGraph((u, v) for u, v in nx.gnp_random_graph(60, 0.1, seed=7).edges())


def write_snap(graph, file):
    for u, v in graph.edges():
        file.write(f"{u} {v}\n")


def write_matrix_market(graph, file):
    kind = "general" if graph.is_directed() else "symmetric"
    file.write(f"%%MatrixMarket matrix coordinate pattern {kind}\n")
    n = graph.number_of_nodes()
    file.write(f"{n} {n} {graph.number_of_edges()}\n")
    for u, v in graph.edges():
        u, v = (u, v) if graph.is_directed() else (max(u, v), min(u, v))
        file.write(f"{u + 1} {v + 1}\n")


def write_metis(graph, file):
    graph = graph.copy()
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    file.write(f"{graph.number_of_nodes()} {graph.number_of_edges()}\n")
    for v in range(graph.number_of_nodes()):
        file.write(" ".join(str(w + 1) for w in graph[v]) + "\n")


def scores_by_bc(bc, graph, suffix, write, folder):
    name, scores = f"{folder}/graph{suffix}", f"{folder}/scores"
    with open(name, "w", encoding="ascii") as file:
        write(graph, file)
    options = ["--directed"] if graph.is_directed() else []
    subprocess.run([bc, name, "--quiet", "--threads", "2", "--scores", scores, *options], check=True)
    with open(scores, encoding="ascii") as file:
        return {int(vertex): float(score) for vertex, score in map(str.split, file)}


def main():
    bc = sys.argv[1]
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for title, graph in graphs():
            expected = nx.betweenness_centrality(graph, normalized=False)
            formats = [(".txt", write_snap, 0), (".mtx", write_matrix_market, 1)]
            if not graph.is_directed():
                formats.append((".graph", write_metis, 1))
            for suffix, write, first in formats:
                found = scores_by_bc(bc, graph, suffix, write, folder)
                for vertex, score in expected.items():
                    # A SNAP file does not know of vertices without edges.
                    ours = found.get(vertex + first, 0.0)
                    if abs(ours - score) > TOLERANCE * max(1.0, abs(score)):
                        sys.exit(f"{title} as {suffix}: vertex {vertex} has {ours}, not {score}")
                compared += 1
    print(f"{compared} comparisons agree")


if __name__ == "__main__":
    main()
