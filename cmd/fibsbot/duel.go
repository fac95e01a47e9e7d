package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/engine/bench"
	"fibsbot/engine/board"
	"fibsbot/engine/duel"
	"fibsbot/engine/external"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// duelFlags are the flags of one duel.
type duelFlags struct {
	strength       engineflags.Strength
	parts          engineflags.Engine
	farm           farmcmd.Flags
	plan           duel.Plan // from check on also what strength says
	games, matches int
	jobs           int
	differences    bool
	logPath        string
	outside        [2]outsider // A and B
}

func newDuelCmd() *cobra.Command {
	var f duelFlags
	cmd := cmdline.New("duel A B", f.run)
	engineflags.AddStrength(cmd, &f.strength, "expert")
	if p := cmd.Flags().Lookup("preset"); p != nil {
		p.Hidden = true // A and B name the presets
	}
	engineflags.AddEngine(cmd, &f.parts)
	engineflags.AddPresets(cmd, &f.strength.Config)
	f.farm.Add(cmd)
	fl := cmd.Flags()
	fl.Var(bounded.Of(&f.games, 100, 1, 1<<30), "games", "money games to play")
	fl.Var(bounded.Of(&f.matches, 100, 1, 1<<30), "matches", "matches to play, instead of money games")
	fl.IntVar(&f.plan.Length, "length", 0, "match length in points, 1 to 99 (default 7 with --matches)")
	fl.BoolVar(&f.plan.Jacoby, "jacoby", false, "use the Jacoby rule in money games")
	engineflags.AddGame(cmd, &f.plan.Variation, &f.plan.Egyptian, &f.plan.AutoDoubles, &f.plan.Dice)
	fl.Var(bounded.Of(&f.jobs, 0, 0, 1024), "jobs", "pairs played at a time, 0 for one per processor")
	fl.BoolVar(&f.plan.Luck, "vr", false, "print luck-adjusted results too")
	fl.Var(bounded.Of(&f.plan.LuckPlies, 0, 0, search.MaxPlies-1), "vr-plies", fmt.Sprintf("look-ahead for the luck of a roll, 0 to %d", search.MaxPlies-1))
	fl.BoolVar(&f.differences, "differences", false, "value the decisions in which A and B differ")
	fl.Var(bounded.Of(&f.plan.Trials, 36, 1, 1<<20), "trials", "games for each difference")
	fl.StringVar(&f.logPath, "log", "", "file with a line for each pair, to continue a duel")
	cmdline.AddJSON(cmd)
	return cmd
}

// check finds what the flags say together and returns how many games or matches
// to play.
func (f *duelFlags) check(cmd *cobra.Command, names []string) (n int, err error) {
	given := cmd.Flags().Changed
	n = f.games
	f.plan.Cubeless, f.plan.Seed = f.strength.Cubeless, f.strength.Seed
	if given("matches") || f.plan.Length > 0 {
		if given("games") {
			return 0, cmdline.Usagef("--games: does not go with --matches or --length (games are money play)")
		}
		n = f.matches
		f.plan.Length = cmp.Or(f.plan.Length, 7)
	}
	if f.plan.Length < 0 || f.plan.Length > match.MaxLength {
		return 0, cmdline.Usagef("--length: %d is not a match length (1 to %d)", f.plan.Length, match.MaxLength)
	}
	if err := f.plan.Check(); err != nil {
		return 0, cmdline.Usagef("%w", err)
	}
	if f.plan.LuckPlies > 0 && !f.plan.Luck {
		return 0, cmdline.Usagef("--vr-plies: needs --vr")
	}
	if !f.differences {
		if given("trials") {
			return 0, cmdline.Usagef("--trials: needs --differences")
		}
		f.plan.Trials = 0
	}
	for i, name := range names {
		if f.outside[i], err = findOutsider(name, f.strength.Config); err != nil {
			return 0, err
		}
	}
	if f.jobs == 0 {
		f.jobs = f.parts.Threads
		if f.outside[0].Address+f.outside[1].Address != "" {
			f.jobs = 1 // gnubg serves one connection at a time
		}
	}
	f.parts.Threads = 1 // pairs are played in parallel instead
	return n, nil
}

// run plays the duel that the flags describe and prints the results.
func (f *duelFlags) run(cmd *cobra.Command, names []string) error {
	n, err := f.check(cmd, names)
	if err != nil {
		return err
	}
	e, err := f.parts.Open(cmd, f.strength.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	pairs := (n + 1) / 2
	of := e
	if e, err = f.plan.Engine(cmd.Context(), of); err != nil {
		return cmdline.AsUsage(err)
	}
	set := f.plan.Settings(e)
	show, done := cmdline.LiveText(cmd)
	defer done()
	began := time.Now()
	summary := func(results []duel.Pair, played int) duel.Result {
		out := duel.Summarise(results, set)
		out.A, out.B, out.Seed = names[0], names[1], f.plan.Seed
		out.GamesPerS = float64(played) / time.Since(began).Seconds()
		return out
	}
	run := duel.Run{Settings: set, Pairs: pairs, Jobs: f.jobs}
	run.Progress = func(n int, finished func() []duel.Pair) {
		show(func() string {
			out := summary(finished(), 0)
			return fmt.Sprintf("duel: %d of %d pairs, %s; Ctrl-C stops and prints\n  %s\n", n, pairs, time.Since(began).Round(time.Second), strings.ReplaceAll(out.Text(), "; ", "\n    "))
		})
	}
	var settings [2]string
	for i, name := range names {
		if run.Players[i], settings[i], err = f.maker(cmd, e, name, i); err != nil {
			return err
		}
	}
	if f.logPath != "" {
		log, err := f.openLog(cmd, e, names, settings)
		if err != nil {
			return err
		}
		defer log.Close()
		run.Earlier, run.Keep = log.Earlier, log.Keep
	}
	began = time.Now()
	results, played, err := f.farm.Duel(cmd, f.parts.Work(remote.Duel, nil, of), &f.plan, &run)
	done()
	if errors.Is(err, external.ErrStart) {
		return cmdline.Usagef("cmd: %v", err)
	}
	if errors.Is(err, external.ErrDial) {
		return cmdline.Usagef("%v", err)
	}
	stopped := err != nil && cmd.Context().Err() != nil && len(results) > 0
	if err != nil && !stopped {
		return err
	}
	out := summary(results, played)
	if out.Interrupted = stopped; stopped && f.farm.URL == "" { // a farm keeps them and reports that
		fmt.Fprintf(cmd.ErrOrStderr(), "stopped after %d of %d pairs (with --log FILE the same command continues)\n", len(results), pairs)
	}
	if err = cmdline.AnswerBy(cmd, out, out.Print); err == nil && stopped {
		err = cmdline.ErrInterrupted
	}
	return err
}

// openLog opens the file of --log for this duel and no other.
func (f *duelFlags) openLog(cmd *cobra.Command, e *engine.Engine, names []string, settings [2]string) (*duel.LogFile, error) {
	h := duel.Header{
		Version: duel.LogVersion, A: names[0], B: names[1], Overrides: overrides(cmd), Length: f.plan.Length,
		Cubeless: f.plan.Cubeless, Jacoby: f.plan.Jacoby, Seed: f.plan.Seed, Luck: f.plan.Luck, LuckPlies: f.plan.LuckPlies, Trials: f.plan.Trials, Settings: settings, Table: engine.TableName(f.parts.Met, e.Table()),
		Variation: f.plan.Variation, Egyptian: f.plan.Egyptian, AutoDoubles: f.plan.AutoDoubles, Dice: f.plan.Dice,
	}
	var err error
	h.Nets = e.Manifest().Name
	if h.Signature, err = bench.Signature(cmd.Context(), e); err != nil {
		return nil, err
	}
	log, err := duel.ResumeLog(f.logPath, h)
	if err != nil {
		return nil, cmdline.Usagef("--log: %w", err)
	}
	return log, nil
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

// maker says how to make player i, that an argument names, and gives the fingerprint of a
// preset's settings.
func (f *duelFlags) maker(cmd *cobra.Command, e *engine.Engine, name string, i int) (maker duel.Maker, settings string, err error) {
	other := f.outside[i]
	switch {
	case other.Protocol == "":
	case f.farm.URL != "":
		return nil, "", cmdline.Usagef("--farm: %q is another program (use presets, which play on a farm)", name)
	case e.Rules() != (board.Rules{}):
		return nil, "", cmdline.Usagef("%s: other programs do not know the Egyptian rule and hypergammon (use presets)", name)
	default:
		return duel.Outside(other.Spec, cmd.ErrOrStderr()), "", nil
	}
	if strings.EqualFold(name, "pubeval") { // as presets are called, in any case
		f.plan.Pubeval[i] = true
		return duel.Pubeval, "", cmdline.AsUsage(f.plan.Check())
	}
	p := &f.plan.Players[i]
	if i == 0 {
		*p, err = f.strength.Overridden(cmd, "A", name)
	} else if *p, err = engineflags.FindPreset("B", name, f.strength.Config); f.plan.Cubeless {
		p.Checker.Cubeful, p.Cube.Cubeful = false, false
	}
	if errors.Is(err, preset.ErrUnknown) {
		err = cmdline.Usagef("%w, or pubeval, %s", err, playerForms)
	}
	if err != nil {
		return nil, "", err
	}
	return duel.Preset(e, *p), p.Fingerprint(), nil
}
