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

// profileFlags are the flags of `profile`.
type profileFlags struct {
	parts                 engineflags.Engine
	ratings, style, table string
	files                 bool
	save, against, judge  string
	matches, length       int
	seed                  uint64
	asJSON                bool
}

func newProfileCmd() *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "profile [SETTING... | --files FILE...]",
		Short: "Compare how a setting errs with real players",
		Long: `Plays matches of a setting against itself, analyses them, and prints its errors beside
those of real players of the same performance rating: the cube's share of the loss,
large errors, refused hits, wrong and missed doubles, takes and passes.

A figure is outside if it differs from the real one by more than a third (real figures
with 30 events or more) or by more than two standard errors (the others).

With --files it profiles the players of match files instead, by bands of their
performance rating. --save writes these bands for --against. Without that, settings are
compared with 132 matches; fit are the 88 of them to which the style human is fitted,
test the other 44.`,
		Example: `  fibslab profile --rating 1350,1500,1650,1800
  fibslab profile human:0.1:0.1 noise:0.03:0.03 --matches 50
  fibslab profile --files --save bands.json logs/archive/*.sgf
  fibslab profile --rating 1500 --against bands.json --json`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cmd.Flags()
	engineflags.AddEngine(cmd, &f.parts)
	fl.StringVar(&f.ratings, "rating", "", "FIBS ratings to order, with commas, instead of settings")
	fl.StringVar(&f.style, "style", string(tune.Human), "how ordered settings err: human or noise")
	fl.StringVar(&f.table, "table", "", "table of measured strength instead of the built-in one")
	fl.Var(bounded.Of(&f.matches, 100, 1, 100_000), "matches", "number of matches of each setting")
	fl.Var(bounded.Of(&f.length, 5, 1, tune.MaxLength), "length", "match length")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of dice and errors")
	fl.StringVar(&f.judge, "judge", "worldclass", "preset that analyses")
	fl.BoolVar(&f.files, "files", false, "profile the players of match files")
	fl.StringVar(&f.save, "save", "", "with --files: file for the bands of players")
	fl.StringVar(&f.against, "against", "all", "real players: all, fit or test, or a file of --save")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(newProfileFitCmd())
	return cmd
}

// profiled is a setting to profile.
type profiled struct {
	name   string
	rating float64
	preset preset.Preset
}

func (f *profileFlags) run(cmd *cobra.Command, args []string) error {
	if f.save != "" && !f.files {
		return cmdline.Usagef("--save: only with --files")
	}
	if err := cmdline.WantParent("--save", f.save); err != nil {
		return err
	}
	if f.files && (f.ratings != "" || cmd.Flags().Changed("against")) {
		return cmdline.Usagef("--files: does not go with --rating or --against")
	}
	var list []profiled
	bands, err := f.bands()
	if err == nil && !f.files {
		list, err = f.settings(args)
	}
	if err == nil && f.files && len(args) == 0 {
		err = cmdline.Usagef("--files: no match files")
	}
	if err != nil {
		return err
	}
	judge, err := engineflags.FindPreset("--judge", f.judge, "")
	if err != nil {
		return err
	}
	workers := f.parts.Threads
	f.parts.Threads = 1 // decisions are judged in parallel
	e, err := f.parts.Open(cmd, f.seed)
	if err != nil {
		return err
	}
	defer e.Close()
	analyst := analyse.New(e.RolloutOptions(), judge)
	analyst.Workers, analyst.Skip.Luck = workers, true
	if f.files {
		return f.players(cmd, analyst, args)
	}
	return f.reports(cmd, e, analyst, list, bands)
}

// settings returns the settings of the arguments, or of --rating.
func (f *profileFlags) settings(args []string) (out []profiled, err error) {
	if (len(args) > 0) == (f.ratings != "") {
		return nil, cmdline.Usagef("profile: give settings, or ratings with --rating")
	}
	for _, text := range args {
		s, err := tune.ParseSetting(text)
		if err != nil {
			return nil, cmdline.AsUsage(err)
		}
		p, err := s.Preset(s.String())
		if err != nil {
			return nil, cmdline.AsUsage(err)
		}
		out = append(out, profiled{name: s.String(), preset: p})
	}
	if f.ratings == "" {
		return out, nil
	}
	surface, err := engineflags.ReadSurface(f.table)
	if err != nil {
		return nil, err
	}
	for _, text := range strings.Split(f.ratings, ",") {
		r, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, cmdline.Usagef("--rating: %q is not a rating (as 1500)", text)
		}
		found, err := surface.Find(tune.Order{Rating: r, Length: f.length, Style: tune.Style(f.style), Cube: -1})
		if err != nil {
			return nil, cmdline.Usagef("--rating: %w", err)
		}
		out = append(out, profiled{name: found.Setting.String(), rating: r, preset: found.Preset})
	}
	return out, nil
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

// reports plays and judges each setting and prints its profile.
func (f *profileFlags) reports(cmd *cobra.Command, e *engine.Engine, judge *analyse.Analyst, list []profiled, bands []profile.Band) error {
	reports := []profile.Report{}
	w := cmd.OutOrStdout()
	for i, x := range list {
		bar := cmdline.Bar(cmd)
		m := profile.Matches{Length: f.length, Matches: f.matches, Seed: f.seed}
		m.Progress = func(done, total int) { bar.Show("profile "+x.name, done, total) }
		all, err := profile.Play(cmd.Context(), e, judge, x.preset, m)
		if bar.Clear(); err != nil {
			return err
		}
		r := profile.NewReport(all, bands)
		r.Setting, r.Rating, r.Length, r.Matches, r.Seed = x.name, x.rating, f.length, f.matches, f.seed
		reports = append(reports, r)
		if f.asJSON {
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := r.Print(w); err != nil {
			return err
		}
	}
	if f.asJSON {
		return cmdline.PrintJSON(w, reports)
	}
	return nil
}

// players judges match files and prints the profiles of their players.
func (f *profileFlags) players(cmd *cobra.Command, judge *analyse.Analyst, files []string) error {
	var players []profile.Counts
	bar := cmdline.Bar(cmd)
	defer bar.Clear()
	for i, name := range files {
		bar.Show("profile "+name, i, len(files))
		if err := f.file(cmd, judge, name, &players); err != nil {
			return err
		}
	}
	bar.Clear()
	bands := profile.Bands(players)
	if len(bands) == 0 {
		return cmdline.Usagef("--files: no player with enough decisions")
	}
	if f.save != "" {
		err := cmdline.WriteOutput(f.save, func(w io.Writer) error { return cmdline.PrintJSON(w, bands) })
		if err != nil {
			return err
		}
	}
	if f.asJSON {
		return cmdline.PrintJSON(cmd.OutOrStdout(), bands)
	}
	return profile.PrintBands(cmd.OutOrStdout(), bands)
}

// file judges the matches of one file.
func (f *profileFlags) file(cmd *cobra.Command, judge *analyse.Analyst, name string, players *[]profile.Counts) error {
	list, err := readMatches(name)
	if err != nil {
		return err
	}
	for _, m := range list {
		two, err := profile.Judge(cmd.Context(), judge, m)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		*players = append(*players, two[:]...)
	}
	return nil
}

// readMatches reads the matches of a file.
func readMatches(name string) ([]*record.Match, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, cmdline.AsUsage(err)
	}
	defer in.Close()
	list, _, _, err := detect.Read(in)
	if err != nil {
		return nil, cmdline.Usagef("%s: %w", name, err)
	}
	return list, nil
}
