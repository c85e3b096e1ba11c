#!/bin/bash
# Lets Spin search all states of termination.pml within some bounds.
#
#   check_model.sh EXPECTED [-DNAME[=VALUE]...]
#
# EXPECTED: "holds": no violation, and the search was complete. "ends": the same, and no cycle of
# states but those that the model excuses; needs -DLIVE. Otherwise the violation that a weakened
# version must show: the name of an assertion, or "non-progress cycle".
#
# What fails: another outcome than the expected one, an error of spin, of the compiler or of the
# search itself, and a search that ran out of memory or depth.
set -u

model=$(cd "$(dirname "$0")" && pwd)/termination.pml
expected=$1
shift

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

fail() {
  echo "FAILED: $1"
  [ -z "${2-}" ] || sed 's/^/    /' "$2" | head -n 60
  exit 1
}

kind=-DSAFETY search=() memory=1800
optimize=-O0 # a violation is found at once, so that the compiler would take longest
case $expected in holds | ends) optimize=-O2 ;; esac
case "$expected $*" in
  *-DLIVE*) kind=-DNP search=(-l) ;;
  ends*) fail "'ends' needs -DLIVE" ;;
esac

spin "$@" -a "$model" >spin.log 2>&1 && [ -s pan.c ] || fail "spin" spin.log
# All that the processes do is seen by others, so that partial order reduction finds nothing.
"${CC:-gcc}" $optimize -w "$kind" -DNOREDUCE -DNOFAIR -DMEMLIM=$memory -o pan pan.c >cc.log 2>&1 ||
  fail "compiler" cc.log
start=$SECONDS
./pan "${search[@]}" -m500000 -w24 -n >pan.log 2>&1 || fail "the search ended with status $?" pan.log

bound() { # NAME: its value
  local value
  value=$(printf '%s\n' "$@" | sed -n "s/^-D$1=//p" | tail -n 1)
  [ -n "$value" ] || value=$(sed -n "s/^#define $1 \([0-9]*\)\$/\1/p" "$model")
  echo "$value"
}
echo "bounds: nodes $(bound N "$@"), workers per node $(bound W "$@"), tasks $(bound TASKS "$@")," \
  "random steals $(bound RANDOM "$@"), prefetch $(bound PREFETCH "$@")," \
  "failures $(bound FAILS "$@"), arity $(bound ARITY "$@")"
sed -n 's/^ *\([0-9]*\) states, stored.*/states: \1/p; s/^.*depth reached \([0-9]*\),.*/depth: \1/p
        s/^ *\([0-9.]*\).*total actual memory usage/memory: \1 MB/p' pan.log
echo "time: $((SECONDS - start)) s"

grep -q 'State-vector' pan.log || fail "no search" pan.log
case $expected in
  holds | ends)
    grep -q 'errors: 0$' pan.log || fail "a violation" pan.log
    ! grep -Eqi 'not completed|truncated|max search depth|out of memory|aborted' pan.log ||
      fail "the search is not complete" pan.log
    echo "holds in every state"
    ;;
  *)
    [ "$(grep -c '^pan:1: ' pan.log)" -eq 1 ] && grep -q 'errors: 1$' pan.log ||
      fail "no violation" pan.log
    grep -Eq "^pan:1: (assertion violated )?\(?$expected\)?( \(|$)" pan.log ||
      fail "another violation than '$expected'" pan.log
    grep '^pan:1: ' pan.log
    ;;
esac
