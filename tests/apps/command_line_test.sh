#!/bin/bash
# What the programs do with good and bad command lines, alone and under MPI: exit statuses, one
# line on stderr from rank 0, JSON keys.
#
#   command_line_test.sh FOLDER_OF_PROGRAMS MPIRUN [OPTIONS_OF_MPIRUN...]
#
# MPIRUN with its options must be ready for "-n 3". Launchers add remarks of their own to stderr,
# so that only the programs' own lines count, which begin with their names.
set -u

programs=$1
shift
mpirun=("$@")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # read by Open MPI alone
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
for name in $(compgen -v BELAY_); do unset "$name"; done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
launcher=()

fail() {
  echo "FAILED: $*"
  sed 's/^/    /' "$scratch/out" "$scratch/err" | head -n 40
  failures=$((failures + 1))
}

# run STATUS LINES PROGRAM [ARGUMENTS...]: the exit status, and how many lines the program says
# on stderr. Its stdout goes to $out.
out=$scratch/out
run() {
  local status=$1 lines=$2 program=$3
  shift 3
  what="${launcher[*]} $program $*"
  timeout 60 "${launcher[@]}" "$programs/$program" "$@" >"$out" 2>"$scratch/err" </dev/null
  local got=$?
  [ "$got" -eq "$status" ] || fail "$what: status $got, not $status"
  local said
  said=$(grep -c "^$program: " "$scratch/err")
  [ "$said" -eq "$lines" ] || fail "$what: $said lines on stderr, not $lines"
  ! grep -q MPI_ABORT "$scratch/err" || fail "$what: aborted"
}

good() { run 0 0 "$@"; }

# Progress is shown in whole lines on stderr, and only if it is wanted there, which is no terminal.
progress() {
  good "$@"
  what="${launcher[*]} $* --progress on"
  timeout 60 "${launcher[@]}" "$programs/$1" "${@:2}" --progress on >"$scratch/out" 2>"$scratch/err" \
    </dev/null || fail "$what: status $?"
  grep -q "^$1: [0-9]* s, [0-9.]*[ kM]* tasks, [0-9.]*[ kM]*/s, [0-9]* % of $((2 * ranks)) workers busy$" \
    "$scratch/err" || fail "$what: no progress"
}

# Nothing but that line, and nothing done.
bad() {
  run 2 1 "$@"
  [ ! -s "$scratch/out" ] || [ "${#launcher[@]}" -gt 0 ] || fail "$what: wrote to stdout"
}

# said FILE PATTERN: a line of FILE matches, once.
said() {
  local count
  count=$(grep -c -e "$2" "$scratch/$1")
  [ "$count" -eq 1 ] || fail "$what: $count lines like $2 in $1"
}

# Alone and under MPI.
check() {
  good uts --tree T1 --threads 2
  said out '^result: nodes 4130071, leaves 3305118, depth 10: right, as published for T1$'
  said out '^run: .*threads 2, quantum auto, policy lifeline, .*steal half, prefetch random'
  good uts -t 0 -b 2000 -q 0.124875 -m 8 -r 42 --threads 1 --quantum 64 --random-steals 2 \
    --lifelines 2 --steal 5 --prefetch ring --bind none --seed 3
  said out '^result: nodes 4112897, leaves 3599034, depth 1572$'
  said out '^run: .*quantum 64, policy lifeline, random_steals 2, lifelines 2, steal 5, prefetch ring, .*seed 3, bind none'
  good uts -b 0 --threads 1 --verify
  said out '^result: nodes 1, leaves 1, depth 0: right, as counted sequentially$'
  for policy in random ring; do
    good uts --tree T3 --threads 2 --policy $policy
    said out "^run: .*policy $policy"
  done
  good fib 20 --threads 2
  said out '^result: fib 6765: right, as by addition$'
  good nqueens 10 --threads 2 --verify
  said out '^nqueens: n 10, cutoff [1-9]'
  said out '^result: solutions 724: right, as in OEIS A000170$'
  good bpc --depth 30 --consumers 4 --consumer-us 1 --threads 2
  said out '^bpc: depth 30, consumers 4, producer_us 0.0, consumer_us 1.0, work busy$'
  said out '^result: producers 30, consumers 120: right, as the parameters say$'
  good dcpar --tasks 6 --every 3 --threshold 3 --size-us 1 --threads 2
  said out '^dcpar: n 6, k 3, size_us 1.0, t 3, work busy$'
  said out '^result: tasks 43, sequential 36: right, as the parameters say$'
  for where in root each; do
    good synth --count 1000 --mean-us 1 --where $where --threads 2
    said out "^synth: count 1000, lengths exponential, mean_us 1.0, lengths_seed 1, where $where, work busy\$"
    said out '^result: tasks 1000, length_ns [0-9]*: right, as many as asked for$'
  done
  good synth --count 1000 --mean-us 1 --lengths pareto --pareto-shape 1.2 --work none --threads 2 --verify
  said out '^result: tasks 1000, length_ns [0-9]*: right, as added up sequentially$'
  good synth --count 0 --threads 2
  said out '^result: tasks 0, length_ns 0: right, as many as asked for$'
  good hybrid 100000 --verify
  said out '^result: primes 9592, .*: right, as counted sequentially$'
  good uts --help
  said out '^  --threads N '

  # Graphs: rank 0 reads, all take part.
  printf '# a star, and a vertex beyond\n7 1\n7 3\n7 4\n4 900\n' >"$scratch/star.txt"
  good bc "$scratch/star.txt" --threads 2 --top 2 --scores "$scratch/scores" --verify
  said out '^result: vertices 5, edges 4, .*: right, as the textbook'
  said out '^vertex 7: 5$'
  said out '^vertex 4: 3$'
  [ "$(cat "$scratch/scores")" = "$(printf '1 0\n3 0\n4 3\n7 5\n900 0')" ] || fail "$what: scores"
  gzip -c "$scratch/star.txt" >"$scratch/"$'st\xffar.txt.gz'
  good bc "$scratch/"$'st\xffar.txt.gz' --threads 1 --json - --quiet
  said out '^    "vertices": 5,$'
  good bc --rmat 7 --directed --multi --threads 2 --verify
  said out '^bc: rmat 7, edge_factor 8, graph_seed 1, directed true, multi true$'
  bad bc "$scratch/no_such_graph.txt"
  bad bc "$scratch"
  printf '1 2\n2 x\n' >"$scratch/wrong.txt"
  bad bc "$scratch/wrong.txt"
  said err '^bc: .*/wrong\.txt:2: '
  printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 4\n' >"$scratch/wrong.mtx"
  bad bc "$scratch/wrong.mtx"
  said err '^bc: .*/wrong\.mtx:4: '
  head -c 40 "$scratch/"$'st\xffar.txt.gz' >"$scratch/cut.txt.gz"
  bad bc "$scratch/cut.txt.gz"
  bad bc --rmat 32
  bad bc --rmat 31 --edge-factor 1000000
  bad bc ''
  good bc --threads 1 --quiet -- "$scratch/star.txt"
  bad bc --threads 1 -- -no_such_graph.txt

  # JSON, alone on stdout.
  good uts --tree T1 --threads 1 --json - --quiet
  for key in program config mpi_library threads result nodes leaves depth; do
    said out "^ *\"$key\": "
  done
  said out '^  "seconds": [0-9]'
  said out '^  "tasks": 824953,$'
  said out '^    "nodes": 4130071,$'
  said out '^    "tree": "T1",$'
  said out '^    "bind": "cores"$'
  said out '^  "ranks": \[$'
  [ "$(head -c 1 "$scratch/out")" = '{' ] || fail "$what: something before the JSON"
  [ "$(tail -n 1 "$scratch/out")" = '}' ] || fail "$what: something after the JSON"
  [ "$(grep -c '"host": ' "$scratch/out")" -eq "$ranks" ] || fail "$what: not $ranks ranks"

  good uts --tree T3 --threads 2 --stats --trace "$scratch/trace.json.gz"
  said out '^workers  *total  *mean  *deviation  *min  *max$'
  said out '^from the last task to the end: [0-9]'
  [ "$(gzip -dc "$scratch/trace.json.gz" | grep -c '"name":"process_name"')" -eq "$ranks" ] ||
    fail "$what: not $ranks ranks in the trace"
  good uts --tree T1 --threads 1 --quiet --trace -
  said out '"displayTimeUnit"'
  # A run of a second or more, so that there is something to show.
  progress synth --count $((26 * ranks)) --mean-us 100000 --lengths constant --work sleep --threads 2 --where each

  bad uts --tree T9
  bad uts --threads 0
  said err '^uts: --threads 0: '
  bad uts -t 0 -q 0.5 -m 2
  bad uts --no-such-option
  bad uts --json "$scratch/no/such/folder/x.json"
  bad fib 91
  bad dcpar --tasks 1000 --every 1 --threshold 6
  said err '^dcpar: n = 1000, k = 1, t = 6: more than 10^15 tasks'

  # What cannot be foreseen is status 1 and still one line.
  run 1 1 uts --threads 1 --quiet --json /dev/full
}

# The unit tests have more bad input; here it is one of each kind.
check_alone() {
  good uts --threads 1 --quiet
  [ ! -s "$scratch/out" ] || fail "$what: not quiet"
  good uts --help
  for option in --tree --threads --quantum --policy --random-steals --lifelines --steal --prefetch \
    --bind --seed --verify --stats --trace --trace-events --progress --json --quiet; do
    said out "^  $option "
  done
  good fib 0 --threads 1
  said out '^result: fib 0: right, as by addition$'

  bad uts --tree T1 -b 4
  bad uts -t 4
  bad uts -b nan
  bad uts -r -1
  bad uts -d 3.5
  bad uts -t 3 -b 2 -d 64
  bad uts --threads
  bad uts --steal -1
  bad uts --policy nearest
  bad uts --policy random --random-steals 0
  bad uts --bind sockets
  said err '^uts: --bind sockets: must be cores or none$'
  bad uts stray
  bad uts --json "$scratch"
  bad uts --trace "$scratch"
  bad uts --trace "$scratch/both" --json "$scratch/both"
  bad uts --trace-events 0
  bad uts --progress always
  said err '^uts: --progress always: must be auto, on or off$'
  bad uts --json ''
  said err '^uts: --json: must be the name of a file$'
  run 1 1 uts --threads 1 --quiet --trace /dev/full
  out=/dev/full run 1 1 uts --threads 1
  said err '^uts: stdout: cannot be written$'
  out=/dev/full run 1 1 uts --help
  out=/dev/full good uts --threads 1 --quiet
  bad fib
  bad fib -1
  bad nqueens
  bad nqueens 0
  bad nqueens 28
  bad nqueens 8 --cutoff 0
  said err '^nqueens: --cutoff 0: must be auto or a whole number from 1 to 27$'
  bad bpc --depth 0
  bad bpc --consumer-us -1
  bad bpc --work idle
  said err '^bpc: --work idle: must be busy, sleep or none$'
  bad dcpar --every 0
  bad dcpar --size-us 1e8
  bad synth --lengths normal
  bad synth --pareto-shape 1
  bad synth --where here
  : >"$scratch/empty.graph"
  bad bc "$scratch/empty.graph"
  bad bc "$scratch/star.dat"
  bad bc "$scratch/star.txt" --rmat 5
  bad bc "$scratch/star.txt" --format csv
  bad bc --rmat 5 --format metis
  said err '^bc: --format requires FILE$'
  bad bc ''
  said err '^bc: FILE: must be the name of a file$'
  bad bc --rmat 5 --scores "$scratch/no/such/folder/scores"
  said err '^bc: --scores .*: cannot be written: '
  run 1 1 bc --rmat 5 --scores /dev/full --quiet
  bad bc --rmat 5 --scores - --json -
  bad bc --rmat 5 --scores "$scratch/both" --json "$scratch/./both"
  cp "$scratch/star.txt" "$scratch/kept.txt"
  ln -s "$scratch/kept.txt" "$scratch/link"
  bad bc "$scratch/kept.txt" --scores "$scratch/link"
  said err '^bc: --scores .*/link: must not be the file that is read$'
  cmp -s "$scratch/star.txt" "$scratch/kept.txt" || fail "$what: the graph is lost"
  bad hybrid -1
  bad hybrid 10 --threads 4000
  bad dcpar --tasks 65536 --every 1 --threshold 4

  # The file is replaced by a report, and by nothing else.
  echo old >"$scratch/report.json"
  bad uts --json "$scratch/report.json" --threads 0
  said report.json '^old$'
  good uts --threads 1 --json "$scratch/report.json"
  said report.json '"program": "uts"'
  ! grep -q old "$scratch/report.json" || fail "$what: old content"
  bad uts --json "$scratch/new.json" --threads 0
  [ ! -e "$scratch/new.json" ] || fail "$what: left a file"

  export BELAY_THREADS=0
  bad uts
  said err '^uts: BELAY_THREADS=0: '
  export BELAY_THREADS=3
  good uts
  said out '^run: .*threads 3'
  good uts --threads 2
  said out '^run: .*threads 2'
  unset BELAY_THREADS
  BELAY_BIND=none good fib 20
  said out '^run: .*bind none'

  # On a machine whose cores the system does not know, binding fails.
  export HWLOC_SYNTHETIC='core:2 pu:1(indexes=1000,1001)' HWLOC_THISSYSTEM=1
  for policy in random ring; do
    good uts --tree T3 --threads 2 --policy $policy
    said out "^run: .*policy $policy"
  done
  good fib 20 --threads 2
  said err '^belay: warning: rank 0: worker [01] cannot be bound to a core: Invalid argument$'
  good fib 20 --threads 2 --bind none
  ! grep -q 'cannot be bound' "$scratch/err" || fail "$what: bound"
  unset HWLOC_SYNTHETIC HWLOC_THISSYSTEM
}

ranks=1
check
check_alone

ranks=3
launcher=("${mpirun[@]}" -n 3)
check

# All ranks do what rank 0 was told.
launcher=("${mpirun[@]}" -n 1)
good uts --threads 1 : -n 2 "$programs/uts" --threads 0 --tree T9
said out '^run: .*ranks 3, threads 1'
bad uts --threads 0 : -n 2 "$programs/uts" --threads 1

[ "$failures" -eq 0 ] || exit 1
echo "passed"
