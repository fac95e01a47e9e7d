package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/edge"
	"fibsbot/engine/luck"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// duelSettings is what a pair of games needs to know.
type duelSettings struct {
	length   int // match length, 0 for money games
	cubeless bool
	jacoby   bool
	seed     uint64
	luck     *luck.Judge // nil leaves luck alone
	edge     *edge.Judge // nil does not ask what the other player would do
}

func newDuelCmd() *cobra.Command {
	var strength strengthFlags
	var parts engineFlags
	var set duelSettings
	var games, matches, jobs, luckPlies, trials int
	var asJSON, adjust, differences bool
	var logPath string
	cmd := &cobra.Command{
		Use:   "duel A B",
		Short: "Let two presets, or a preset and another engine, play each other",
		Long: `A and B are presets, or cmd:COMMAND for an engine that speaks the line protocol
(fibsbot help engine). Games are played in pairs on the same dice with the seats
exchanged; the standard error comes from the pairs. Results are A's, and the same for
any number of --jobs. --plies, --noise and --filter change A only.

--vr takes the luck of every roll off the results as well: what the best play of the
roll is worth less the mean over all rolls, as this engine sees it at --vr-plies. That
mean is zero, so no judge, however poor, favours a side; the standard error falls to a
fifth or less. With --log a duel that was stopped goes on where it was.

--differences asks at every decision what the other player would have done. Where that
is something else, short rollouts on common dice value the two choices; half the sum of
these differences is A's edge (the performance difference lemma, see engine/edge). It is
the sharpest measure of players that mostly agree, as far as rollouts are right.`,
		Example: `  fibsbot duel expert advanced --games 1000
  fibsbot duel worldclass expert --matches 100 --length 7 --json
  fibsbot duel worldclass expert --games 1000 --vr --log wc-expert.jsonl
  fibsbot duel expert 'cmd:./old-fibsbot engine --preset expert' --games 400 --cubeless`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, counted := games, "--games"
			set.cubeless, set.seed = strength.cubeless, strength.seed
			if cmd.Flags().Changed("matches") || set.length > 0 {
				if cmd.Flags().Changed("games") {
					return usagef("--games and --matches exclude each other")
				}
				n, counted = matches, "--matches"
				if set.length == 0 {
					set.length = 7
				}
			}
			if n < 1 || n > 1<<30 {
				return usagef("%s: %d is not between 1 and %d", counted, n, 1<<30)
			}
			if set.length < 0 || set.length > match.MaxLength {
				return usagef("--length: %d is not between 1 and %d", set.length, match.MaxLength)
			}
			if luckPlies < 0 || luckPlies >= search.MaxPlies {
				return usagef("--vr-plies: %d is not between 0 and %d", luckPlies, search.MaxPlies-1)
			}
			if luckPlies > 0 && !adjust {
				return usagef("--vr-plies is for --vr")
			}
			if !differences {
				if cmd.Flags().Changed("trials") {
					return usagef("--trials is for --differences")
				}
				trials = 0
			} else if trials < 1 || trials > 1<<20 {
				return usagef("--trials: %d is not between 1 and %d", trials, 1<<20)
			}
			if jobs < 0 || jobs > 1024 {
				return usagef("--jobs: %d is not between 0 and 1024", jobs)
			}
			if jobs == 0 {
				jobs = parts.threads
			}
			parts.threads = 1 // pairs are played in parallel instead
			e, err := parts.open(cmd, strength.seed)
			if err != nil {
				return err
			}
			defer e.Close()
			var makers [2]playerMaker
			for i, name := range args {
				if makers[i], err = newPlayerMaker(cmd, e, name, &strength, i == 0); err != nil {
					return err
				}
			}
			if adjust {
				set.luck = &luck.Judge{Search: e.Search(), Settings: search.Settings{
					Plies: luckPlies, Cubeful: !set.cubeless, Prune: true,
				}}
			}
			if differences {
				judge := edge.Judge{Options: rolloutOptions(e), Settings: rollout.Default()}
				judge.Settings.Trials, judge.Settings.Cubeful = trials, !set.cubeless
				set.edge = &judge
			}
			pairs := (n + 1) / 2
			run := duelRun{makers: makers, set: set, pairs: pairs, jobs: jobs, progress: progressOf(cmd, pairs)}
			if logPath != "" {
				h := duelHeader{Version: duelLogVersion, A: args[0], B: args[1], Overrides: overrides(cmd), Length: set.length,
					Cubeless: set.cubeless, Jacoby: set.jacoby, Seed: set.seed, Luck: adjust, LuckPlies: luckPlies, Trials: trials}
				if h.Nets, h.Signature, err = identify(cmd.Context(), e); err != nil {
					return err
				}
				log, err := openDuelLog(logPath, h)
				if err != nil {
					return err
				}
				defer log.close()
				run.earlier, run.keep = log.earlier, log.keep
			}
			began := time.Now()
			results, played, err := run.play(cmd.Context())
			if err != nil {
				return err
			}
			out := summarise(results, set)
			out.A, out.B, out.Seed = args[0], args[1], set.seed
			out.GamesPerS = float64(played) / time.Since(began).Seconds()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), out)
			}
			return out.print(cmd.OutOrStdout())
		},
	}
	addStrengthFlags(cmd, &strength, "expert")
	if f := cmd.Flags().Lookup("preset"); f != nil {
		f.Hidden = true // A and B name the presets
	}
	addEngineFlags(cmd, &parts)
	addPresetsFlag(cmd, &strength.config)
	fl := cmd.Flags()
	fl.IntVar(&games, "games", 100, "money games to play")
	fl.IntVar(&matches, "matches", 100, "matches to play instead")
	fl.IntVar(&set.length, "length", 0, "length of the matches")
	fl.BoolVar(&set.jacoby, "jacoby", false, "the Jacoby rule holds in money games")
	fl.IntVar(&jobs, "jobs", 0, "pairs played at the same time, 0 for one per processor")
	fl.BoolVar(&adjust, "vr", false, "give luck-adjusted results as well")
	fl.IntVar(&luckPlies, "vr-plies", 0, fmt.Sprintf("look-ahead behind each roll in judging its luck, 0 to %d", search.MaxPlies-1))
	fl.BoolVar(&differences, "differences", false, "value the decisions at which A and B differ")
	fl.IntVar(&trials, "trials", 36, "rollout trials for each difference")
	fl.StringVar(&logPath, "log", "", "file with a line for each pair, to go on from")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// overrides names the flags given that change how A plays.
func overrides(cmd *cobra.Command) string {
	var given []string
	for _, name := range [...]string{"plies", "noise", "filter"} {
		if f := cmd.Flags().Lookup(name); f.Changed {
			given = append(given, "--"+name+" "+f.Value.String())
		}
	}
	return strings.Join(given, " ")
}

// identify names the engine's nets and gives the signature of its play.
func identify(ctx context.Context, e *engine.Engine) (nets, sign string, err error) {
	questions, err := naturalQuestions(ctx, e, 500)
	if err == nil {
		sign, err = signature(ctx, e, questions)
	}
	return e.Manifest().Name, sign, err
}

// newPlayerMaker says how to make the player that an argument names.
func newPlayerMaker(cmd *cobra.Command, e *engine.Engine, name string, f *strengthFlags, changed bool) (playerMaker, error) {
	if command, ok := strings.CutPrefix(name, "cmd:"); ok {
		words := strings.Fields(command)
		if len(words) == 0 {
			return nil, usagef("%q names no command", name)
		}
		return func(ctx context.Context) (player, error) { return startLinePlayer(ctx, words, cmd.ErrOrStderr()) }, nil
	}
	var p preset.Preset
	var err error
	if changed {
		p, err = f.overridden(cmd, "A", name)
	} else if p, err = findPreset("B", name, f.config); f.cubeless {
		p.Checker.Cubeful, p.Cube.Cubeful = false, false
	}
	if err != nil {
		return nil, err
	}
	return func(context.Context) (player, error) { return &presetPlayer{engine: e, preset: p}, nil }, nil
}

// progressOf returns a function that shows how many pairs are done, on a
// terminal only.
func progressOf(cmd *cobra.Command, pairs int) func(done int) {
	w := cmd.ErrOrStderr()
	if !isTerminal(w) {
		return func(int) {}
	}
	return func(done int) {
		fmt.Fprintf(w, "\r%d of %d pairs", done, pairs)
		if done == pairs {
			fmt.Fprintln(w)
		}
	}
}
