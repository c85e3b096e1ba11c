#!/bin/bash
# What belay-report does with good and bad command lines and files: exit statuses, one line on
# stderr, the files it writes.
#
#   command_line_test.sh BELAY_REPORT WRITE_MADE_UP_RUNS
set -u

name=belay-report
command=("$1")
. "$(dirname "$0")/../../one_program.sh"
"$2" . || exit 1
gzip -k small.json small.trace.json

figures='computing life_story search_times steal_times steals tasks throughput'

# A page beside the file, whatever it is.
for file in small.json small.trace.json small.json.gz small.trace.json.gz; do
  page=${file%.gz}
  page=${page%.json}.html
  rm -f ./*.html
  good "$file"
  said "$page" '</html>'
  [ "$(grep -c '<svg' "$page")" -eq 7 ] || fail "not 7 figures"
  [ "$(echo ./*.html)" = "./$page" ] || fail "other pages"
  ! grep -q -e '<script' -e 'src=' -e 'href=.http' "$page" || fail "needs something else"
done
good small.json --html - >/dev/null
said out '</html>'

# Images, and then no page.
rm -f ./*.html
good small.json --svg folder/of/svgs --png pngs
[ ! -e small.html ] || fail "a page that nobody asked for"
for figure in $figures; do
  said "folder/of/svgs/$figure.svg" '</svg>'
  said "pngs/$figure.png" PNG
done
good small.json --svg folder/of/svgs --html page.html
said page.html '</html>'

# Little to show.
echo '{"program": "hybrid", "ranks": [{"workers": [{"tasks": 5}]}]}' >plain.json
good plain.json --svg plain --html plain.html
[ "$(ls plain)" = tasks.svg ] || fail "$(ls plain)"
said plain.html '^<p>Nothing in the file for: Life story, '
echo '{"ranks": [{"workers": [{"tasks": 0}]}]}' >nothing.json
good nothing.json

good --help
said out '  --png FOLDER '

# Bad files.
cp small.json kept.json
: >empty.json
head -c 2000 small.json >cut.json
head -c 2000 small.json.gz >cut.json.gz
echo '{"a": 1}' >other.json
printf '\x80\n' >bytes.json
for file in empty cut other bytes no_such; do
  bad $file.json
  said err "^belay-report: $file\\.json: "
  [ ! -e $file.html ] || fail "left a page"
done
bad cut.json.gz
said err 'gzip'
bad .
bad /dev/null

# Bad outputs.
bad
bad small.json --no-such-option
bad small.json --html no/such/folder/page.html
bad small.json --html ./small.json
bad small.json --svg small.json
bad small.json --png kept.json/folder
cmp -s small.json kept.json || fail "the report is lost"
ln -s small.json linked.html
bad linked
bad small.json --html linked.html
run 1 1 small.json --html /dev/full

# gnuplot fails, or is not there.
mkdir bin
printf '#!/bin/sh\necho "line 3: cannot draw" >&2\nexit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$scratch/bin:$PATH run 1 1 small.json --html failed.html
said err 'life_story: line 3: cannot draw$'
[ ! -e failed.html ] || fail "left a page"
tools=$PATH
mkdir none
timeout=$(command -v timeout) wc=$(command -v wc) grep=$(command -v grep) sed=$(command -v sed)
ln -s "$timeout" "$wc" "$grep" "$sed" "$(command -v head)" none/
PATH=$scratch/none
run 1 1 small.json --html failed.html
PATH=$tools
said err 'gnuplot is not on the PATH'

exit_with_failures
