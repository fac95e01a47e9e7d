package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/terminal"
	"fibsbot/engine/dice"
	"fibsbot/internal/ctxread"
)

// playFlags are the flags of `fibsbot play`.
type playFlags struct {
	preset, style, name, archive string
	config                       string
	rating, tutorFrom            float64
	length                       int
	tutor, resume, fresh, plain  bool
	jacoby, beavers, raccoons    bool
	noCube, fast                 bool
	o                            play.Options
	diceFile                     string
	seed                         uint64
	parts                        engineFlags
}

func newPlayCmd() *cobra.Command {
	var f playFlags
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play against the engine in the terminal",
		Long: `Plays a match against the engine: a preset, or an opponent of a FIBS rating.

On a terminal it draws the board: type a play (8/5 6/5) or a command, or choose among
the legal plays with the arrow keys; h hints, u takes back, ? tells the keys. Without a
terminal it reads commands and writes plain lines.

--manual-dice leaves the throwing to you: type the dice of both sides as they fall.
--dice-file throws those of a file (3-1 4 2 66, # begins a comment) as long as there are
some.

Leaving saves the match, and --resume goes on with it. A finished match, or
money play after "end", is archived and reviewed.`,
		Example: `  fibsbot play
  fibsbot play --rating 1600 --length 5
  fibsbot play --preset worldclass --tutor
  fibsbot play --length 0 --jacoby --beavers --style gambler
  fibsbot play --length 0 --variation nackgammon --auto-doubles 1
  fibsbot play --variation hypergammon2 --egyptian
  fibsbot play --manual-dice
  fibsbot play --resume`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.preset, "preset", "expert", "the opponent's strength: a preset, an own one of bot.yaml, or pubeval (Tesauro's benchmark)")
	fl.Float64Var(&f.rating, "rating", 0, "the opponent's FIBS rating instead of a preset, such as 1600")
	fl.StringVar(&f.style, "style", "", "a named style: "+play.StyleNames()+"; with --rating how it errs, human (the usual) or noise")
	fl.IntVar(&f.length, "length", 3, "points to a match, 0 for money play")
	fl.BoolVar(&f.jacoby, "jacoby", false, "money play: gammons count only after a double")
	fl.BoolVar(&f.beavers, "beavers", false, "money play: who is doubled may turn the cube again and keep it")
	fl.BoolVar(&f.raccoons, "raccoons", false, "with --beavers: who is beavered may turn the cube once more")
	fl.BoolVar(&f.noCube, "no-cube", false, "play without a doubling cube")
	fl.BoolVar(&f.tutor, "tutor", false, "say before it is too late that a decision is an error")
	fl.Float64Var(&f.tutorFrom, "tutor-from", play.DefaultTutor, "the loss in EMG from which the tutor speaks")
	fl.BoolVar(&f.resume, "resume", false, "go on with the newest unfinished match")
	fl.BoolVar(&f.fresh, "new", false, "begin a new match without asking about an unfinished one")
	addGameFlags(cmd, &f.o.Variation, &f.o.Egyptian, &f.o.AutoDoubles, &f.o.Dice)
	fl.BoolVar(&f.o.ByHand, "manual-dice", false, "throw all dice by hand and type them")
	fl.StringVar(&f.diceFile, "dice-file", "", "file with the first rolls of the match")
	fl.BoolVar(&f.fast, "fast", false, "no pause after what the opponent does")
	fl.BoolVar(&f.plain, "plain", false, "plain lines on a terminal, too")
	fl.StringVar(&f.name, "name", "", "your name in the archive (default you)")
	fl.StringVar(&f.archive, "archive", filepath.Join("logs", "archive"), "folder for finished matches; unfinished ones lie in its folder play")
	fl.Uint64Var(&f.seed, "seed", 0, "seed of the dice; the same seed throws the same dice (0: a new one)")
	addPresetsFlag(cmd, &f.config)
	addEngineFlags(cmd, &f.parts)
	f.parts.UseConfiguredTable(cmd, &f.config)
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long += "\n\nPresets, the rating on FIBS that they play at in matches of 5 points, how they look ahead:\n" + play.Strengths()
		help(c, args)
	})
	return cmd
}

// ofNewMatches are the flags that an unfinished match has its own values of.
var ofNewMatches = [...]string{"preset", "rating", "style", "length", "jacoby", "beavers", "raccoons", "no-cube", "variation",
	"egyptian", "auto-doubles", "rng", "manual-dice", "dice-file", "name", "seed"}

// rated tells whether a rating or a style says how strong the opponent is.
func (f *playFlags) rated(cmd *cobra.Command) bool {
	return cmd.Flags().Changed("rating") || cmd.Flags().Changed("style")
}

// check reports the first flags that do not go together.
func (f *playFlags) check(cmd *cobra.Command) error {
	if f.resume && f.fresh {
		return usagef("--resume and --new contradict each other")
	}
	for _, name := range ofNewMatches {
		if f.resume && cmd.Flags().Changed(name) {
			return usagef("--%s is for a new match: --resume goes on with one as it was begun", name)
		}
	}
	if f.rated(cmd) && cmd.Flags().Changed("preset") {
		return usagef("--rating or --style and --preset both say how strong the opponent is: give one")
	}
	if !(f.tutorFrom > 0) {
		return usagef("--tutor-from %v: want a loss above 0", f.tutorFrom)
	}
	if (f.jacoby || f.beavers || f.raccoons || f.o.AutoDoubles > 0) && f.length != 0 {
		return usagef("--jacoby, --beavers, --raccoons, --auto-doubles: rules of money play, which is --length 0")
	}
	if f.raccoons && !f.beavers {
		return usagef("--raccoons: there are none without --beavers")
	}
	return nil
}

func (f *playFlags) run(cmd *cobra.Command) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	if err := makeFolder("--archive", f.archive); err != nil {
		return err
	}
	o := f.o
	o.Length, o.NoCube, o.Jacoby, o.Beavers, o.Raccoons, o.Name, o.Seed = f.length, f.noCube, f.jacoby, f.beavers, f.raccoons, f.name, f.seed
	if f.diceFile != "" {
		var err error
		if o.Rolls, err = dice.ReadFile(f.diceFile); err != nil {
			return usagef("--dice-file: %w", err)
		}
	}
	if f.rated(cmd) {
		o.Opponent = play.Strength{Rating: f.rating, Style: f.style}
	} else if o.Opponent.Preset = f.preset; f.preset != play.Pubeval {
		p, err := findPreset("--preset", f.preset, f.config)
		if err != nil {
			return err
		}
		o.Opponent.Own = &p
	}
	if err := f.parts.Check(); err != nil {
		return err
	}
	judge, err := findPreset("tutor", "worldclass", "")
	if err != nil {
		return err
	}
	db, err := index.OpenComplete(cmd.Context(), f.archive, "")
	if err != nil {
		return err
	}
	defer db.Close()
	store := play.NewStore(filepath.Join(f.archive, "play"), db)
	e, err := f.parts.Open(cmd, max(f.seed, 1))
	if err != nil {
		return err
	}
	defer e.Close()
	if err := o.Ready(e); err != nil {
		return asUsage(err)
	}
	m, err := f.match(cmd, store, o)
	if err != nil || m == nil {
		return err
	}
	t := &terminal.Table{Match: m, Engine: e, Store: store, Judge: judge, Pause: terminal.UsualPause}
	if f.fast {
		t.Pause = 0
	}
	if f.tutor {
		t.Tutor = f.tutorFrom
	}
	if keys := f.screen(cmd); keys != nil {
		err = terminal.Screen(cmd.Context(), t, keys, cmd.OutOrStdout())
	} else {
		err = terminal.Lines(cmd.Context(), t, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	if cmd.Context().Err() != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "The match is saved: fibsbot play --resume goes on with it.")
		return errInterrupted
	}
	return err
}

// screen is the terminal to read keys from, nil where the input or the output is none.
func (f *playFlags) screen(cmd *cobra.Command) *os.File {
	keys, ok := ctxread.Unread(cmd.InOrStdin()).(*os.File) // keys are read by the screen alone
	if !ok || f.plain || !term.IsTerminal(int(keys.Fd())) || !isTerminal(cmd.OutOrStdout()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return keys
}

// match is the one to play: an unfinished one that is asked for or agreed to, or a
// new one. It is nil when the person left instead of answering.
func (f *playFlags) match(cmd *cobra.Command, store *play.Store, o play.Options) (*play.Match, error) {
	if !f.fresh {
		list, err := store.List()
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %v\n", err)
		}
		if f.resume && len(list) == 0 {
			return nil, usagef("--resume: there is no unfinished match in %s", filepath.Join(f.archive, "play"))
		}
		if len(list) > 0 && (f.resume || f.agreed(cmd, list[0])) {
			return list[0], nil
		}
	}
	m, err := play.New(o, time.Now())
	if err != nil {
		return nil, asUsage(err)
	}
	if err := store.Add(m); err != nil {
		return nil, err
	}
	return m, nil
}

// agreed asks on a terminal whether to go on with an unfinished match. Scripts are not
// asked: they begin a new one.
func (f *playFlags) agreed(cmd *cobra.Command, m *play.Match) bool {
	keys := f.screen(cmd)
	if keys == nil {
		return false
	}
	v := m.View()
	fmt.Fprintf(cmd.OutOrStdout(), "Go on with the %s? [Y/n] ", terminal.Describe(&v))
	var answer string
	if _, err := fmt.Fscanln(keys, &answer); err != nil && !errors.Is(err, io.EOF) && answer != "" {
		return false
	}
	return answer == "" || answer[0] == 'y' || answer[0] == 'Y'
}
