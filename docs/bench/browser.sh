#!/bin/sh
# Measures the engine natively, and compiled for browsers with and without the vector kernel in
# Node, in turns: docs/bench/browser.sh [TIME OF EACH FIGURE] [ROUNDS]. It prints a line of each
# run and the medians. It needs Go, Node and jq.
set -eu
cd "$(dirname "$0")/../.."
time=${1:-1s} rounds=${2:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
program=./cmd/fibsbot/internal/web/browser/speed
go build -o "$dir/native" $program
GOOS=js GOARCH=wasm go build -o "$dir/speed.wasm" $program
figures='.plays_per_s, .decisions_0ply_per_s, .decisions_2ply_per_s, .rollout_games_per_s'
line() { printf '%-7s ' "$1"; jq -r "[$figures | . * 10 | round / 10] + [.signature] | @tsv" "$2" | tail -n 1; }
printf '        plays/s\t0-ply/s\t2-ply/s\tgames/s\tsignature\n'
run=0
while [ $run -lt "$rounds" ]; do
	run=$((run + 1))
	for how in native vectors plain; do
		case $how in
		native) "$dir/native" "$time" ;;
		vectors) node --stack-size=8192 internal/kernel/testdata/run.mjs "$dir/speed.wasm" "$time" ;;
		plain) KERNEL=none node --stack-size=8192 internal/kernel/testdata/run.mjs "$dir/speed.wasm" "$time" ;;
		esac >> "$dir/$how.json"
		line $how "$dir/$how.json"
	done
done
echo medians
for how in native vectors plain; do
	printf '%-7s ' $how
	jq -rs "def median: sort | .[(length - 1) / 2 | floor] * 10 | round / 10; . as \$runs
		| [(\$runs | map(.plays_per_s) | median), (\$runs | map(.decisions_0ply_per_s) | median),
		(\$runs | map(.decisions_2ply_per_s) | median), (\$runs | map(.rollout_games_per_s) | median)] | @tsv" "$dir/$how.json"
done
