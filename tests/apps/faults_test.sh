#!/bin/bash
# What becomes of a program when processes are told to end, are halted, or die: signals stop the
# run on every rank with a report and status 128 + signal; a halted rank only delays; a dead one
# ends the job with a status that is not 0. Nothing hangs.
#
#   faults_test.sh FOLDER_OF_PROGRAMS MPIRUN [OPTIONS_OF_MPIRUN...]
set -u

programs=$1
shift
mpirun=("$@")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # read by Open MPI alone
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none
for name in $(compgen -v BELAY_); do unset "$name"; done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  sed 's/^/    /' "$scratch/out" | head -n 40
  failures=$((failures + 1))
}

# start RANKS ARGUMENTS...: uts over so many ranks in the background; each rank leaves its pid in
# pid.RANK and at its end its status in status.RANK. Returns when all are at work.
start() {
  local ranks=$1
  shift
  rm -f "$scratch"/pid.* "$scratch"/status.*
  cat >"$scratch/rank" <<EOF
#!/bin/bash
rank=\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}
"$programs/uts" "\$@" &
echo \$! >"$scratch/pid.new.\$rank" && mv "$scratch/pid.new.\$rank" "$scratch/pid.\$rank"
wait \$!
echo \$? >"$scratch/status.\$rank"
exit \$(cat "$scratch/status.\$rank")
EOF
  chmod +x "$scratch/rank"
  what="$ranks ranks, uts $*"
  timeout 300 "${mpirun[@]}" -n "$ranks" "$scratch/rank" "$@" >"$scratch/out" 2>&1 </dev/null &
  job=$!
  for _ in $(seq 200); do
    [ "$(find "$scratch" -name 'pid.[0-9]*' | wc -l)" -eq "$ranks" ] && break
    sleep 0.1
  done
  sleep 1 # MPI has started, the run goes on
}

pid_of() { cat "$scratch/pid.$1"; }

# finish: the job's status, in $status.
finish() {
  wait "$job"
  status=$?
  [ "$status" -ne 124 ] || fail "$what: hangs"
}

statuses() { cat "$scratch"/status.* | sort -u | tr '\n' ' '; }

# A signal to any one rank.
for ranks in 1 3; do
  for signal in TERM INT; do
    start "$ranks" --tree T1WL --threads 2
    kill -"$signal" "$(pid_of $((ranks - 1)))"
    finish
    expected=$((128 + $(kill -l "$signal")))
    [ "$(statuses)" = "$expected " ] || fail "$what, SIG$signal: statuses $(statuses)"
    grep -q "^result: none, stopped by SIG$signal$" "$scratch/out" || fail "$what: no report"
    [ "$(grep -c "^ *[0-9] .*%" "$scratch/out")" -eq "$ranks" ] || fail "$what: no statistics"
  done
done

# To all of them at once.
start 3 --tree T1WL --threads 1
kill -TERM "$(pid_of 0)" "$(pid_of 1)" "$(pid_of 2)"
finish
[ "$(statuses)" = "143 " ] || fail "$what, all at once: statuses $(statuses)"

# Halted for two seconds, in the middle of work: T1L with six times the hashes.
start 3 -t 1 -a 3 -d 13 -b 4 -r 29 -g 6 --threads 1
kill -STOP "$(pid_of 1)"
sleep 2
kill -CONT "$(pid_of 1)"
finish
[ "$status" -eq 0 ] || fail "$what, halted: status $status"
grep -q "^result: nodes 102181082, leaves 81746377, depth 13" "$scratch/out" || fail "$what, halted: wrong"

# Dead.
for victim in 0 2; do
  start 3 --tree T1WL --threads 2
  kill -KILL "$(pid_of "$victim")"
  finish
  [ "$status" -ne 0 ] || fail "$what, killed: status 0"
  pgrep -f "$programs/uts --tree T1WL" >/dev/null && fail "$what, killed: ranks are left"
done

[ "$failures" -eq 0 ] || exit 1
echo "passed"
