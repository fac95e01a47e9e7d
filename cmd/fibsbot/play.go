package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/terminal"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/advice"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/ctxread"
)

// playFlags are the flags of `fibsbot play`.
type playFlags struct {
	archive, config, diceFile         string
	tutorFrom                         float64
	tutor, resume, fresh, plain, fast bool
	auto                              []string
	automatic                         terminal.Auto // by auto
	o                                 play.Options
	at                                input.Position
	playAs                            string
	parts                             engineflags.Engine
	remote                            remoteFlags
}

func newPlayCmd() *cobra.Command {
	var f playFlags
	cmd := cmdline.New("play", func(cmd *cobra.Command, _ []string) error { return f.run(cmd) })
	fl := cmd.Flags()
	fl.StringVar(&f.o.Preset, "preset", play.UsualPreset, "the opponent's strength: a preset, also of bot.yaml, or pubeval (Tesauro's benchmark)")
	fl.Float64Var(&f.o.Rating, "rating", 0, "the opponent's FIBS rating instead of a preset, such as 1600")
	fl.StringVar(&f.o.Style, "style", "human", "how the opponent of --rating, or of a preset below expert, errs: human or noise")
	fl.StringVar(&f.o.Character, "character", "", fmt.Sprintf("how the opponent of --rating (default %d) leans: %s", play.UsualRating, human.CharacterNames()))
	fl.IntVar(&f.o.Length, "length", play.UsualLength, fmt.Sprintf("match length in points, 1 to %d, 0 for money play", match.MaxLength))
	input.AddMoneyRules(fl, &f.o.Jacoby, &f.o.Beavers)
	fl.BoolVar(&f.o.NoCube, "no-cube", false, "play without a doubling cube")
	fl.BoolVar(&f.tutor, "tutor", false, "warn before a decision that is an error")
	fl.Float64Var(&f.tutorFrom, "tutor-from", play.DefaultTutor, "loss in EMG from which the tutor warns")
	fl.BoolVar(&f.resume, "resume", false, "resume the newest unfinished match")
	fl.BoolVar(&f.fresh, "new", false, "start a new match without asking about an unfinished one")
	fl.StringVar(&f.at.Position, "position", "", "position to begin from, as in eval")
	f.at.AddScore(fl)
	f.at.AddCube(fl)
	f.at.AddOnRoll(fl)
	f.at.AddDice(fl, "the roll on the board, as 31")
	fl.StringVar(&f.o.Opponent, "opponent", "", "name of a second person at this terminal, instead of the engine")
	fl.StringVar(&f.o.Event, "event", "", "event, for the archive")
	fl.StringSliceVar(&f.auto, "auto", nil, "what to do automatically: "+strings.Join(terminal.AutoNames, ", "))
	fl.StringVar(&f.playAs, "play-as", "me", "your side of --position: me (on roll) or opponent")
	engineflags.AddGame(cmd, &f.o.Variation, &f.o.Egyptian, &f.o.AutoDoubles, &f.o.Dice)
	fl.BoolVar(&f.o.ByHand, "manual-dice", false, "type all dice, thrown by hand")
	fl.StringVar(&f.diceFile, "dice-file", "", "file with the first rolls of the match")
	fl.BoolVar(&f.fast, "fast", false, "no pause after the opponent's acts")
	fl.BoolVar(&f.plain, "plain", false, "plain lines even on a terminal")
	fl.StringVar(&f.o.Name, "account", "", "your name in the archive (default you) or on --server")
	fl.StringVar(&f.archive, "archive", filepath.Join("logs", "archive"), "archive folder; unfinished matches are kept in its play subfolder")
	fl.Uint64Var(&f.o.Seed, "seed", 0, "seed of the dice, 0 for a random one")
	f.remote.add(fl)
	engineflags.AddPresets(cmd, &f.config)
	engineflags.AddEngine(cmd, &f.parts)
	f.parts.UseConfiguredTable(cmd, &f.config)
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long += "\n\nPresets with their FIBS rating in matches of 5 points and how they search:\n" + play.Strengths()
		c.Root().HelpFunc()(c, args)
	})
	return cmd
}

// newMatchFlags set terms, which an unfinished match already has.
var newMatchFlags = [...]string{"position", "score", "owner", "crawford", "cube", "on-roll", "dice", "play-as", "opponent", "event", "preset", "rating", "style", "character", "length", "jacoby", "beavers", "no-cube", "variation",
	"egyptian", "auto-doubles", "rng", "manual-dice", "dice-file", "account", "seed"}

// positionFlags describe --position.
var positionFlags = [...]string{"score", "owner", "crawford", "cube", "on-roll", "dice", "play-as"}

// begin sets the position to begin from.
func (f *playFlags) begin(cmd *cobra.Command, o *play.Options) error {
	if f.at.Position == "" {
		return nil
	}
	p := f.at
	p.Variation, p.Egyptian, p.Jacoby, p.Beavers = string(o.Variation), o.Egyptian, o.Jacoby, o.Beavers
	if cmd.Flags().Changed("length") {
		p.Length = &o.Length
	}
	q, err := p.Question()
	if err != nil {
		return optionsError(err)
	}
	o.StartFrom(q.Situation, f.playAs == "opponent")
	return nil
}

// check reports the first flags that contradict each other.
func (f *playFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if f.resume && f.fresh {
		return cmdline.Usagef("--resume and --new contradict each other")
	}
	for _, name := range newMatchFlags {
		if f.resume && given(name) {
			return cmdline.Usagef("--%s is for a new match (--resume keeps the terms of the unfinished one)", name)
		}
	}
	for _, name := range positionFlags {
		if f.at.Position == "" && given(name) {
			return cmdline.Usagef("--%s: belongs to a position (give --position too)", name)
		}
	}
	if f.playAs != "me" && f.playAs != "opponent" {
		return cmdline.Usagef("--play-as: unknown value %.20q (use me or opponent)", f.playAs)
	}
	if !(f.tutorFrom > 0) {
		return cmdline.Usagef("--tutor-from: %v is not a loss above 0", f.tutorFrom)
	}
	for _, name := range f.auto {
		if !f.automatic.Set(name) {
			return cmdline.Usagef("--auto: unknown value %q (use %s)", name, strings.Join(terminal.AutoNames, ", "))
		}
	}
	if f.o.Two = f.o.Opponent != ""; f.o.Two {
		for _, name := range [...]string{"preset", "rating", "style", "character"} {
			if given(name) {
				return cmdline.Usagef("--%s: the opponent is a person (leave out --opponent to play the engine)", name)
			}
		}
		f.o.Preset, f.o.Style = "", ""
	}
	// The defaults of these two flags give way to another kind of opponent.
	if !given("preset") && (given("rating") || given("character")) {
		f.o.Preset = ""
	}
	if !given("style") {
		f.o.Style = ""
	}
	return nil
}

// terms are the options of a new match.
func (f *playFlags) terms(cmd *cobra.Command) (o play.Options, err error) {
	o = f.o
	if err := f.begin(cmd, &o); err != nil {
		return o, err
	}
	if f.diceFile != "" {
		if o.Rolls, err = dice.ReadFile(f.diceFile); err != nil {
			return o, cmdline.Usagef("--dice-file: %w", err)
		}
	}
	if !o.Two && o.Rating == 0 && o.Character == "" && o.Style == "" && o.Preset != play.Pubeval {
		p, err := engineflags.FindPreset("--preset", o.Preset, f.config)
		if err != nil {
			return o, err
		}
		o.Own = &p
	}
	return o, nil
}

func (f *playFlags) run(cmd *cobra.Command) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	if err := f.remote.check(cmd, f.o.Name); err != nil {
		return err
	}
	setting, err := analyseSetting(f.config)
	if err != nil {
		return err
	}
	if err := makeFolder("--archive", f.archive); err != nil {
		return err
	}
	o, err := f.terms(cmd)
	if err != nil {
		return err
	}
	judge, err := engineflags.FindPreset("tutor", "worldclass", "")
	if err != nil {
		return err
	}
	db, err := index.OpenComplete(cmd.Context(), f.archive, "")
	if err != nil {
		return err
	}
	defer db.Close()
	store := play.NewStore(filepath.Join(f.archive, "play"), db)
	store.Presets = func(name string) (preset.Preset, error) { return engineflags.FindPreset("preset", name, f.config) }
	e, err := f.parts.Open(cmd, max(o.Seed, 1))
	if err != nil {
		return err
	}
	defer e.Close()
	if f.remote.address != "" {
		return f.online(cmd, db, store, e, setting)
	}
	if err := o.Ready(cmd.Context(), e); err != nil {
		return optionsError(err)
	}
	m, err := f.match(cmd, store, o)
	if err != nil || m == nil {
		return err
	}
	t := &terminal.Table{Match: m, Engine: e, Store: store, Judge: judge, Pause: terminal.UsualPause, Analysis: setting}
	if f.fast {
		t.Pause = 0
	}
	t.Auto = f.automatic
	if f.tutor {
		t.Tutor = f.tutorFrom
	}
	if keys := f.screen(cmd); keys != nil {
		err = terminal.Screen(cmd.Context(), t, keys, cmd.OutOrStdout())
	} else {
		err = terminal.Lines(cmd.Context(), t, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return ended(cmd, t, err)
}

// ended prints where the match of a table is after the play ended with err.
func ended(cmd *cobra.Command, t *terminal.Table, err error) error {
	interrupted := cmd.Context().Err() != nil
	switch filed := &t.Filed; {
	case filed.Identity != "":
		fmt.Fprintf(cmd.OutOrStdout(), "Archived as %s.\n", filed.Identity)
		if filed.PR != "" {
			fmt.Fprintln(cmd.OutOrStdout(), filed.PR)
		} else if t.Analysis != "off" && err == nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "The analysis is not finished (\"fibsbot archive analyse\" or \"fibsbot web\" continues it).")
		}
	case interrupted:
		fmt.Fprintln(cmd.ErrOrStderr(), "The match is saved (fibsbot play --resume resumes it).")
	}
	if interrupted {
		return cmdline.ErrInterrupted
	}
	return err
}

// screen is the terminal to read keys from, or nil if input or output is not a terminal.
func (f *playFlags) screen(cmd *cobra.Command) *os.File {
	keys, ok := ctxread.Unread(cmd.InOrStdin()).(*os.File) // only the screen reads keys
	if !ok || f.plain || !term.IsTerminal(int(keys.Fd())) || !cmdline.IsTerminal(cmd.OutOrStdout()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return keys
}

// match returns the match to play: an unfinished one if the person asks for or agrees to
// it, else a new one. It is nil if the person left instead of answering.
func (f *playFlags) match(cmd *cobra.Command, store *play.Store, o play.Options) (*play.Match, error) {
	if !f.fresh && f.at.Position == "" && !f.o.Two {
		list, err := store.List()
		if err != nil {
			complain(cmd.ErrOrStderr(), err)
		}
		if f.resume && len(list) == 0 {
			return nil, cmdline.Usagef("--resume: no unfinished match in %s (start one without --resume)", filepath.Join(f.archive, "play"))
		}
		if len(list) > 0 && (f.resume || f.agreed(cmd, list[0])) {
			return list[0], nil
		}
	}
	m, err := play.New(o, time.Now())
	if err != nil {
		return nil, optionsError(err)
	}
	if err := store.Add(m); err != nil {
		return nil, err
	}
	return m, nil
}

// agreed asks on a terminal whether to resume an unfinished match. Scripts start a new one.
func (f *playFlags) agreed(cmd *cobra.Command, m *play.Match) bool {
	keys := f.screen(cmd)
	if keys == nil {
		return false
	}
	v := m.View()
	fmt.Fprintf(cmd.OutOrStdout(), "Resume the %s? [Y/n] ", terminal.Describe(&v))
	var answer string
	if _, err := fmt.Fscanln(keys, &answer); err != nil && !errors.Is(err, io.EOF) && answer != "" {
		return false
	}
	return answer == "" || answer[0] == 'y' || answer[0] == 'Y'
}

// optionsError names the flag of a bad option.
func optionsError(err error) error {
	if field := (*advice.FieldError)(nil); errors.As(err, &field) {
		switch field.Field {
		case "rolls":
			return cmdline.Usagef("--dice-file: %s", field.Problem)
		case "position":
			return cmdline.Usagef("--position: %s", field.Problem)
		}
		return positionError(field)
	}
	return cmdline.AsUsage(err)
}

// analyseSetting is archive.analyse of the configuration in file, else of bot.yaml, or empty
// without one.
func analyseSetting(file string) (string, error) {
	c, err := configIf(file)
	if c == nil || err != nil {
		return "", err
	}
	return c.Archive.Analyse, nil
}
