package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/demo"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/help"
	"fibsbot/engine/dice"
	"fibsbot/engine/preset"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

// styleData has the groups of commands and flags, and the names of flags' values.
//
//go:embed help.json
var styleData []byte

// helpStyle is how the help of this program reads.
func helpStyle() *help.Style {
	s := &help.Style{}
	if err := json.Unmarshal(styleData, s); err != nil {
		panic("help.json: " + err.Error()) // compiled in
	}
	s.Values["protocol"] = strings.Join(demo.Protocols(), "|")
	return s
}

// languageFlag is --language.
type languageFlag struct{ name string }

func (f *languageFlag) add(fl *pflag.FlagSet, what string) {
	fl.StringVar(&f.name, "language", "", what+": "+languages()+" or a file as nl.json (default en)")
}

// languages lists those with a catalogue.
func languages() string { return strings.Join(texts.Languages(), ", ") }

// open returns the catalogue, and says on w what a file of the user's lacks.
func (f *languageFlag) open(w io.Writer) (*texts.Catalogue, error) {
	if f.name == "" {
		return nil, nil
	}
	c, err := texts.Open(f.name)
	if err != nil {
		return nil, cmdline.Usagef("--language: %w", err)
	}
	if _, built := texts.Find(f.name); !built {
		if missing, unknown := c.Missing(); missing+unknown > 0 {
			fmt.Fprintf(w, "fibsbot: %s: %s in English, %d unknown\n", f.name, figure.Count(missing, "text"), unknown)
		}
	}
	return c, nil
}

// flagWords are the words that a flag takes, by the path of its command below
// fibsbot and its name; without a path they hold for every command.
var flagWords = map[string][]string{
	"filter":                {"tiny", "lean", "narrow", "normal", "broad", "large", "huge"},
	"owner":                 {"me", "opponent", "centre"},
	"on-roll":               {"me", "opponent"},
	"play-as":               {"me", "opponent"},
	"rng":                   dice.Names(),
	"result":                {"won", "lost", "unfinished"},
	"analyse format":        {"text", "html", "pdf", "json"},
	"convert to":            formats.Names(convertTargets),
	"archive export format": append([]string{"csv", "json"}, formats.Names(formats.Written)...),
	"archive stats by":      slices.Concat(index.Groups, index.SplitBy),
	"archive stats sort":    index.StatisticNames(),
	"tune style":            {"human", "noise"},
	"tune character":        {"bold", "careful", "racer"},
	"watch boards":          {"auto", "always", "never"},
}

// completeWords adds shell completion for flags with a fixed set of words: presets, move
// filters, formats. Everything else completes to files, the shell's default.
func completeWords(c *cobra.Command) {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	switch path {
	case "duel":
		c.ValidArgsFunction = cobra.FixedCompletions(preset.Names(), cobra.ShellCompDirectiveDefault)
	case "bearoff build":
		c.ValidArgsFunction = cobra.FixedCompletions([]string{"one", "two", "hyper"}, cobra.ShellCompDirectiveNoFileComp)
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		words := flagWords[f.Name]
		if own, ok := flagWords[path+" "+f.Name]; ok {
			words = own
		}
		if f.Name == "preset" || strings.HasSuffix(f.Name, "-preset") {
			words = preset.Names()
		}
		if words == nil {
			return
		}
		complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic("fibsbot: " + err.Error()) // the flag was just found on this command
		}
	})
	for _, sub := range c.Commands() {
		completeWords(sub)
	}
}
