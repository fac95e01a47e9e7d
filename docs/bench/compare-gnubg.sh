#!/bin/sh
# Does the same work with fibsbot and with GNU Backgammon and prints the processor
# time of both: decisions at 0 and 2 plies, rollouts, the analysis of a match.
#
#   docs/bench/compare-gnubg.sh                         324 trials, 100 decisions at 2 plies, 5,000 at 0
#   COMPARE_TRIALS=1296 COMPARE_PLAYS=30000 docs/bench/compare-gnubg.sh     gnubg waits 10 ms at each of the plays, which costs no processor time
#
# gnubg must be installed. Exit status 1 when a target of docs/performance.md is missed.
set -eu
cd "$(dirname "$0")/../.."
FIBSBOT_COMPARE=1 exec go test -count=1 -timeout 60m -run '^TestCompareGnubg$' -v ./cmd/fibsbot
