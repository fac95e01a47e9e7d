#!/bin/sh
# Does the same work with fibsbot and with GNU Backgammon and prints the processor
# time of both: decisions at 0 and 2 plies, rollouts, the analysis of a match. Then come
# the medians of how many times faster fibsbot was.
#
#   docs/bench/compare-gnubg.sh                         once: 324 trials, 100 decisions at 2 plies, 5,000 at 0
#   docs/bench/compare-gnubg.sh 5                       five times, and five times with the AVX2 kernels alone
#   COMPARE_TRIALS=1296 COMPARE_PLAYS=30000 docs/bench/compare-gnubg.sh     gnubg waits 10 ms at each of the plays, which costs no processor time
#
# gnubg must be installed. Exit status 1 when a median misses its target by more than a tenth.
set -eu
cd "$(dirname "$0")/../.."
runs=${1:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -c -o "$work/compare" ./cmd/fibsbot
cd cmd/fibsbot
status=0
kernels='as-they-are'
[ "$runs" -eq 1 ] || kernels='as-they-are cpu.avx512f=off'
for kernel in $kernels; do
	echo "== kernels $kernel"
	: >"$work/log"
	for run in $(seq "$runs"); do
		debug=$kernel
		[ "$kernel" != as-they-are ] || debug=${GODEBUG:-}
		GODEBUG=$debug FIBSBOT_COMPARE=1 "$work/compare" -test.run '^TestCompareGnubg$' -test.timeout 60m -test.v >"$work/one" 2>&1 || true
		grep -q '(target ' "$work/one" || { cat "$work/one"; exit 1; }
		[ "$runs" -gt 1 ] || cat "$work/one"
		cat "$work/one" >>"$work/log"
	done
	grep -m1 'load average' "$work/log"
	sed -n 's/.*go:[0-9]*: \([^:]*\): ours .* \([0-9.]*\) times (target \([0-9]*\))/\1|\2|\3/p' "$work/log" | sort -t'|' -k1,1 -k2,2n | awk -F'|' '
		function told() { if (n) { m = v[int((n + 1) / 2)]; printf "median of %d: %s: %.1f times (target %d)\n", n, what, m, target; if (m < 0.9 * target) missed = 1 } n = 0 }
		$1 != what { told(); what = $1; target = $3 }
		{ v[++n] = $2 }
		END { told(); exit missed }' || status=1
done
exit $status
