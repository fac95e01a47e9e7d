package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/dice"
	"fibsbot/engine/preset"
	"fibsbot/engine/record/formats"
)

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
