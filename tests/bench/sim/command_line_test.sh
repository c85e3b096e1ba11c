#!/bin/bash
# What belay-sim does with bad command lines and files: exit statuses, one line on stderr, and
# nothing written.
#
#   command_line_test.sh BELAY_SIM
set -u

name=belay-sim
command=("$1" --nodes 3 --workers 2)
. "$(dirname "$0")/../../one_program.sh"

echo '{"pick_up_ns": 7}' >costs.json
echo '100 2000 30000' >lengths.txt

good --costs costs.json --json - --quiet uts --tree T1
said out '^      "pick_up_ns": 7,$'
said out '^    "tasks": 824953,$'
good tasks --cost pick_up_ns=7 --cost spin_ns=8 lengths.txt --unit-ns 100 --json report.json --quiet
[ ! -s out ] || fail "not quiet"
said report.json '^      "spin_ns": 8,$'
said report.json '^    "tasks": 321,$'
said report.json '^    "task_ns": 100,$'
good --json - --quiet uts -t 0 -b 2000 -q 0.1998 -m 5 --sampled --size 10006
said out '^    "tasks": 1602,$'
good --help
said out '^  pick_up_ns: 100000 ns, a message waits '

# Costs.
bad --cost pick_ups_ns=7 uts --tree T1
said err '^belay-sim: no cost pick_ups_ns, there are uts_node_ns, '
bad --cost pick_up_ns=-1 uts --tree T1
said err 'pick_up_ns = -1, allowed: 0 to 1e+10$'
bad --cost latency_max_ns=5e9 uts --tree T1
bad --cost pick_up_ns uts --tree T1
bad --cost $'a\nb=1' uts --tree T1
said err 'no cost a\\x0ab,'
bad --cost pick_up_ns=7 spin_ns=8 uts --tree T1
bad --cost uts_node_ns=0.1 uts --tree T5
said err 'a task takes 0\.2.* ns, allowed: '
echo '{"pick_up_ns": 7' >cut.json
bad --costs cut.json uts --tree T1
said err '^belay-sim: cut\.json: is no JSON object$'
echo '{"a\nb": 1}' >newline.json
bad --costs newline.json uts --tree T1
bad --costs $'no such\nfile' uts --tree T1
bad --costs . uts --tree T1
bad --costs '' uts --tree T1

# The rest.
bad
bad uts --tree T9
said err '^belay-sim: --tree T9: must be one of T1, '
bad uts -t 2
said err 'take one that has a name$'
bad uts -t 0 --sampled
said err 'needs a name or a --size: '
bad uts -t 0 -b 2000 -q 0.1998 -m 5 --sampled --size 10007
said err 'of 10007 nodes cannot be sampled '
bad uts --tree T3 --sampled --size 10006
said err '^belay-sim: --size: allowed of a drawn binomial tree '
bad uts -t 0 -b 2000 -q 0.1998 -m 5 --size 10006
bad uts --sampled --size 10006
bad --policy random --random-steals 0 uts --tree T1
said err 'random_steals is 0, allowed: 1 to 1000000 with policy random$'
bad nqueens 28
bad tasks no_such_lengths.txt
bad tasks costs.json
bad tasks lengths.txt --unit-ns 1.5
said err '^belay-sim: --unit-ns 1\.5: must be a whole number from 1 '

# What is read is not written over.
bad --costs costs.json --json ./costs.json uts --tree T1
said err ' ./costs\.json: must not be the file that is read$'
said costs.json '^{"pick_up_ns": 7}$'
bad tasks lengths.txt --json lengths.txt
said lengths.txt '^100 2000 30000$'

# What cannot be foreseen is status 1 and still one line.
run 1 1 --quiet --json /dev/full uts --tree T1

exit_with_failures
