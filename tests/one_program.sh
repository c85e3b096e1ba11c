# shellcheck shell=bash
# For tests of one program's command line: good, bad and said, in a scratch folder of their own, and
# in the end `exit_with_failures`. Sourced, after these were set:
#
#   name      that the program says of itself
#   command   an array: the program's path, and options of all its runs

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
  echo "FAILED: $what: $*"
  sed 's/^/    /' out err | head -n 40
  failures=$((failures + 1))
}

# run STATUS LINES [ARGUMENTS...]: the exit status, and how many lines are on stderr.
run() {
  local status=$1 lines=$2
  shift 2
  what="$name $*"
  timeout 60 "${command[@]}" "$@" >out 2>err </dev/null
  local got=$?
  [ "$got" -eq "$status" ] || fail "status $got, not $status"
  [ "$(wc -l <err)" -eq "$lines" ] || fail "not $lines lines on stderr"
  [ "$lines" -eq 0 ] || grep -q "^$name: " err || fail "does not say who speaks"
}

good() { run 0 0 "$@"; }

# Nothing but that line.
bad() {
  run 2 1 "$@"
  [ ! -s out ] || fail "wrote to stdout"
}

# said FILE PATTERN: a line of FILE matches.
said() {
  grep -q -e "$2" "$1" || fail "no line like $2 in $1"
}

exit_with_failures() {
  [ "$failures" -eq 0 ] || exit 1
  echo "passed"
}
