package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/profile"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/tune"
)

// judging are the flags of commands that analyse matches, and what they open.
type judging struct {
	parts   engineflags.Engine
	engine  *engine.Engine
	analyst *analyse.Analyst
}

// open opens the engine and the analyst, worldclass without luck. Close the engine.
func (j *judging) open(cmd *cobra.Command, seed uint64) error {
	judge, err := engineflags.FindPreset("judge", "worldclass", "")
	if err != nil {
		return err
	}
	workers := j.parts.Threads
	j.parts.Threads = 1 // decisions are judged in parallel
	if j.engine, err = j.parts.Open(cmd, seed); err != nil {
		return err
	}
	j.analyst = analyse.New(j.engine.RolloutOptions(), judge)
	j.analyst.Workers, j.analyst.Skip.Luck = workers, true
	return nil
}

// files analyses the matches of files and passes each with the counts of its players to take.
func (j *judging) files(cmd *cobra.Command, files []string, take func(*record.Match, [2]profile.Counts) error) error {
	bar := cmdline.Bar(cmd)
	defer bar.Clear()
	for i, name := range files {
		bar.Show(name, i, len(files))
		in, err := os.Open(name)
		if err != nil {
			return cmdline.AsUsage(err)
		}
		list, _, _, err := detect.Read(in)
		in.Close()
		if err != nil {
			return cmdline.Usagef("%s: %w", name, err)
		}
		for _, m := range list {
			two, err := profile.Judge(cmd.Context(), j.analyst, m)
			if err == nil {
				err = take(m, two)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// profileFlags are the flags of `profile`.
type profileFlags struct {
	judging
	ratings, save, against string
	fromFiles              bool
	matches, length        int
	seed                   uint64
}

func newProfileCmd() *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "profile [SETTING... | --files FILE...]",
		Short: "Compare how a setting errs with real players",
		Long: `Plays matches of a setting against itself, analyses them with worldclass, and prints its errors
beside those of real players of the same performance rating: the cube's share of the loss,
large errors, refused hits, wrong and missed doubles, takes and passes.
A figure is outside if it differs from the real one by more than a third (real figures
with 30 events or more) or by more than two standard errors (the others).
With --files it profiles the players of match files instead, by bands of their
performance rating. --save writes these bands for --against. Without that, settings are
compared with 132 matches; fit are the 88 of them to which the style human is fitted,
test the other 44.`,
		Example: `  fibslab profile --rating 1350,1500,1650,1800
  fibslab profile human:0.1:0.1 noise:0.03:0.03 --matches 50
  fibslab profile --files --save bands.json logs/archive/*.sgf`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	engineflags.AddEngine(cmd, &f.parts)
	fl.StringVar(&f.ratings, "rating", "", "FIBS ratings to order in the style human, with commas, instead of settings")
	fl.Var(bounded.Of(&f.matches, 100, 1, 100_000), "matches", "number of matches of each setting")
	fl.Var(bounded.Of(&f.length, 5, 1, tune.MaxLength), "length", "match length")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of dice and errors")
	fl.BoolVar(&f.fromFiles, "files", false, "profile the players of match files")
	fl.StringVar(&f.save, "save", "", "with --files: file for the bands of players")
	fl.StringVar(&f.against, "against", "all", "real players: all, fit or test, or a file of --save")
	cmd.AddCommand(newProfileFitCmd())
	return cmd
}

func (f *profileFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case f.save != "" && !f.fromFiles:
		return cmdline.Usagef("--save: only with --files")
	case f.fromFiles && (f.ratings != "" || cmd.Flags().Changed("against")):
		return cmdline.Usagef("--files: does not go with --rating or --against")
	case f.fromFiles && len(args) == 0:
		return cmdline.Usagef("--files: no match files")
	}
	if err := cmdline.WantParent("--save", f.save); err != nil {
		return err
	}
	var list []profile.Report
	var presets []preset.Preset
	bands, err := f.bands()
	if err == nil && !f.fromFiles {
		list, presets, err = f.settings(args)
	}
	if err != nil {
		return err
	}
	if err := f.open(cmd, f.seed); err != nil {
		return err
	}
	defer f.engine.Close()
	if f.fromFiles {
		return f.players(cmd, args)
	}
	w := cmd.OutOrStdout()
	for i := range list {
		r := &list[i]
		bar := cmdline.Bar(cmd)
		m := profile.Matches{Length: f.length, Matches: f.matches, Seed: f.seed, Progress: func(done, total int) { bar.Show("profile "+r.Setting, done, total) }}
		all, err := profile.Play(cmd.Context(), f.engine, f.analyst, presets[i], m)
		if bar.Clear(); err != nil {
			return err
		}
		r.Length, r.Matches = f.length, f.matches
		r.Compare(all, bands)
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := r.Print(w); err != nil {
			return err
		}
	}
	return nil
}

// settings returns the settings of the arguments, or of --rating.
func (f *profileFlags) settings(args []string) (out []profile.Report, presets []preset.Preset, err error) {
	if (len(args) > 0) == (f.ratings != "") {
		return nil, nil, cmdline.Usagef("profile: give settings, or ratings with --rating")
	}
	for _, text := range args {
		s, err := tune.ParseSetting(text)
		if err != nil {
			return nil, nil, cmdline.AsUsage(err)
		}
		p, err := s.Preset(s.String())
		if err != nil {
			return nil, nil, cmdline.AsUsage(err)
		}
		out, presets = append(out, profile.Report{Setting: s.String()}), append(presets, p)
	}
	if f.ratings == "" {
		return out, presets, nil
	}
	surface, err := engineflags.ReadSurface("")
	if err != nil {
		return nil, nil, err
	}
	for _, text := range strings.Split(f.ratings, ",") {
		r, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, nil, cmdline.Usagef("--rating: %q is not a rating (as 1500)", text)
		}
		found, err := surface.Find(tune.Order{Rating: r, Length: f.length, Style: tune.Human, Cube: -1})
		if err != nil {
			return nil, nil, cmdline.Usagef("--rating: %w", err)
		}
		out, presets = append(out, profile.Report{Setting: found.Setting.String(), Rating: r}), append(presets, found.Preset)
	}
	return out, presets, nil
}

// bands are those of --against, or the built-in ones.
func (f *profileFlags) bands() ([]profile.Band, error) {
	if slices.Contains(profile.Parts(), f.against) {
		return profile.Real(f.against)
	}
	data, err := os.ReadFile(f.against)
	if err != nil {
		return nil, cmdline.Usagef("--against: %w", err)
	}
	bands, err := profile.ReadBands(data)
	if err != nil {
		return nil, cmdline.Usagef("--against: %s: %w", f.against, err)
	}
	return bands, nil
}

// players judges match files and prints the profiles of their players.
func (f *profileFlags) players(cmd *cobra.Command, files []string) error {
	var players []profile.Counts
	err := f.files(cmd, files, func(_ *record.Match, two [2]profile.Counts) error {
		players = append(players, two[:]...)
		return nil
	})
	if err != nil {
		return err
	}
	bands := profile.Bands(players)
	if len(bands) == 0 {
		return cmdline.Usagef("--files: no player with enough decisions")
	}
	if f.save != "" {
		if err := cmdline.WriteOutput(f.save, func(w io.Writer) error { return cmdline.PrintJSON(w, bands) }); err != nil {
			return err
		}
	}
	return profile.PrintBands(cmd.OutOrStdout(), bands)
}

// newProfileFitCmd is `fibslab profile fit`: the model of human errors.
func newProfileFitCmd() *cobra.Command {
	var j judging
	var out string
	cmd := &cobra.Command{
		Use:   "fit FILE...",
		Short: "Fit the model of human errors to match files",
		Long: `Analyses the matches, and fits the model of style human to what their players did: which
plays they overlook, when they double and take. Each player counts at his performance
rating in the match. The file is the program's engine/tune/human/model.json.`,
		Example: `  fibslab profile fit -o model.json matches/*.sgf`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmdline.WantParent("--output", out); err != nil {
				return err
			}
			if err := j.open(cmd, 1); err != nil {
				return err
			}
			defer j.engine.Close()
			var samples []profile.Sample
			err := j.files(cmd, args, func(m *record.Match, two [2]profile.Counts) error {
				more, err := profile.Samples(cmd.Context(), j.engine, m, two)
				samples = append(samples, more[:]...)
				return err
			})
			if err != nil {
				return err
			}
			m, err := profile.Fit(samples, func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) })
			if err != nil {
				return cmdline.AsUsage(err)
			}
			return cmdline.WriteOutput(out, func(w io.Writer) error { return cmdline.PrintJSON(w, m) })
		},
	}
	engineflags.AddEngine(cmd, &j.parts)
	cmd.Flags().StringVarP(&out, "output", "o", "", "file for the model (default stdout)")
	return cmd
}
