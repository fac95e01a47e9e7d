package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

type duelJSON struct {
	Games     int     `json:"games"`
	PPG       float64 `json:"ppg"`
	Stderr    float64 `json:"stderr"`
	GamesPerS float64 `json:"games_per_s"`
	A         string  `json:"a"`
	B         string  `json:"b"`
	// Matches, and the share of them that A won, where matches were played; ppg
	// is then matches won minus lost, a match.
	Matches int      `json:"matches,omitempty"`
	WinRate *float64 `json:"win_rate,omitempty"`
	Seed    uint64   `json:"seed"`
}

// duelSettings is what a pair of games needs to know.
type duelSettings struct {
	length   int // match length, 0 for money games
	cubeless bool
	jacoby   bool
	seed     uint64
}

func newDuelCmd() *cobra.Command {
	var strength strengthFlags
	var parts engineFlags
	var set duelSettings
	var games, matches, jobs int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "duel A B",
		Short: "Let two presets, or a preset and another engine, play each other",
		Long: `A and B are presets, or cmd:COMMAND for an engine that speaks the line protocol
(fibsbot help engine). Games are played in pairs on the same dice with the seats
exchanged; the standard error comes from the pairs. Results are A's, and the same for
any number of --jobs. --plies, --noise and --filter change A only.`,
		Example: `  fibsbot duel expert advanced --games 1000
  fibsbot duel worldclass expert --matches 100 --length 7 --json
  fibsbot duel expert 'cmd:./old-fibsbot engine --preset expert' --games 400 --cubeless`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := games
			set.cubeless, set.seed = strength.cubeless, strength.seed
			if cmd.Flags().Changed("matches") || set.length > 0 {
				if cmd.Flags().Changed("games") {
					return usagef("--games and --matches exclude each other")
				}
				n = matches
				if set.length == 0 {
					set.length = 7
				}
			}
			if n < 1 || n > 1<<30 {
				return usagef("%d games: at least 2, they are played in pairs", n)
			}
			if set.length < 0 || set.length > match.MaxLength {
				return usagef("--length: %d is not between 1 and %d", set.length, match.MaxLength)
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
			began := time.Now()
			pairs := (n + 1) / 2
			results, played, err := playPairs(cmd.Context(), makers, set, pairs, jobs, progressOf(cmd, pairs))
			if err != nil {
				return err
			}
			out := summarise(results, set)
			out.A, out.B, out.Seed = args[0], args[1], set.seed
			out.Games = played
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
	fl := cmd.Flags()
	fl.IntVar(&games, "games", 100, "money games to play")
	fl.IntVar(&matches, "matches", 100, "matches to play instead")
	fl.IntVar(&set.length, "length", 0, "length of the matches")
	fl.BoolVar(&set.jacoby, "jacoby", false, "the Jacoby rule holds in money games")
	fl.IntVar(&jobs, "jobs", 0, "pairs played at the same time, 0 for one per processor")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
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
		own := *f
		own.preset = name
		p, err = own.resolve(cmd)
	} else {
		p, err = preset.ByName(name)
		if err != nil {
			err = usagef("%v, or cmd:COMMAND", err)
		} else if f.cubeless {
			p.Checker.Cubeful = false
		}
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

// playPairs plays all pairs, jobs at a time; each job has players of its own.
// Result k is that of pair k whatever the number of jobs. played counts games.
func playPairs(ctx context.Context, makers [2]playerMaker, set duelSettings, pairs, jobs int, progress func(int)) (results [][2]float64, played int, err error) {
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results = make([][2]float64, pairs)
	var next, games atomic.Int64
	var mu sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range min(jobs, pairs) {
		wg.Go(func() {
			var two [2]player
			for i, newPlayer := range makers {
				p, err := newPlayer(ctx)
				if err != nil {
					cancel(err)
					return
				}
				defer p.close()
				two[i] = p
			}
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= pairs {
					return
				}
				r, n, err := playPair(ctx, two, set, uint64(k))
				if err != nil {
					cancel(fmt.Errorf("pair %d: %w", k, err))
					return
				}
				results[k] = r
				games.Add(int64(n))
				mu.Lock()
				done++
				progress(done)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, 0, context.Cause(ctx)
	}
	return results, int(games.Load()), nil
}

// summarise computes A's mean result and its standard error; the two games of a
// pair share their dice, so the pair is the unit.
func summarise(results [][2]float64, set duelSettings) duelJSON {
	var sum, square float64
	for _, r := range results {
		m := (r[0] + r[1]) / 2
		sum += m
		square += m * m
	}
	n := float64(len(results))
	out := duelJSON{PPG: sum / n}
	if n > 1 {
		out.Stderr = math.Sqrt(max(0, (square-sum*sum/n)/(n-1)) / n)
	}
	if set.length > 0 {
		out.Matches = 2 * len(results)
		rate := (out.PPG + 1) / 2
		out.WinRate = &rate
	}
	return out
}

func (d *duelJSON) print(w io.Writer) error {
	text := fmt.Sprintf("%s v %s: ", d.A, d.B)
	if d.WinRate != nil {
		text += fmt.Sprintf("%d matches, %d games: %.2f%% won, standard error %.2f%%", d.Matches, d.Games, 100**d.WinRate, 50*d.Stderr)
	} else {
		text += fmt.Sprintf("%d games: %+.4f points a game, standard error %.4f", d.Games, d.PPG, d.Stderr)
	}
	_, err := fmt.Fprintf(w, "%s (%.1f games/s)\n", text, d.GamesPerS)
	return err
}
