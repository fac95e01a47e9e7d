package main

import (
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

// helpStyle is how the help of this program reads.
func helpStyle() *help.Style {
	return &help.Style{
		Few: 15,
		Commands: []help.Group{
			{Title: "Play and study", Names: []string{"play", "web", "eval", "hint", "rollout", "board", "opening", "quiz", "collection"}},
			{Title: "Run a bot", Names: []string{"run", "watch", "status", "ctl", "config", "server", "demo", "tune"}},
			{Title: "Matches and files", Names: []string{"analyse", "annotate", "archive", "convert"}},
			{Title: "Engine and machines", Names: []string{"engine", "duel", "bearoff", "farm"}},
		},
		Footer: `fibsbot COMMAND --help: its flags. fibsbot help examples: ten things to do.
Exit status: 0 done, 1 failed, 2 wrong input or configuration, 130 interrupted.`,
		Flags: []help.Group{
			{Title: "Position and rules", Names: []string{
				"play length", "play position", "dice", "move", "cube", "owner", "length", "score", "crawford", "jacoby", "beavers", "raccoons", "drops", "on-roll",
				"no-cube", "auto-doubles", "opening score", "opening play", "variation", "egyptian", "initial", "play dice-file", "play manual-dice",
			}},
			{Title: "Which matches", Names: append(ofArchive([]string{"stats", "errors", "analyse"}, "account", "opponent", "tag", "length", "unlimited", "since", "until", "result", "limit"),
				"archive stats preset", "archive errors preset")},
			{Title: "What to show", Names: append(ofArchive([]string{"stats"}, "by", "sort", "player", "rating", "pr", "chart", "dice"),
				ofArchive([]string{"errors"}, "kind", "phase", "plan", "player", "position", "min-loss", "max-loss")...)},
			{Title: "Strength", Names: []string{
				"preset", "rating", "style", "character", "plies", "noise", "filter", "cubeless", "within", "cube-preset", "late-ply", "late-preset",
				"late-cube-preset", "opponent-preset", "opponent-cube-preset", "opponent-late-preset", "opponent-late-cube-preset",
			}},
			{Title: "Games of the rollout", Names: []string{
				"trials", "truncate", "min-trials", "stop-stderr", "stop-jsd", "no-variance-reduction", "plain-dice", "no-truncate-one-sided",
				"no-truncate-two-sided", "rollout-preset", "annotate plays",
			}},
			{Title: "Report", Names: []string{
				"analyse format", "analyse json", "output", "all", "boards", "game", "player", "analyse plays", "marks", "luck-marks", "stored",
			}},
			{Title: "Engine", Names: []string{"met", "weights", "bearoff-dir", "cache-mb", "threads", "seed", "rng", "config"}},
			{Title: "Farm (work on other machines)", Names: []string{"farm", "farm-key", "farm-piece"}},
		},
		Values: map[string]string{
			"account": "NAME", "address": "HOST:PORT", "annotate": "DIR", "archive": "DIR", "bearoff-dir": "DIR", "block": "NAME", "board": "auto|always|never",
			"boards": "auto|always|never", "cache": "DIR", "chart": "FILE", "config": "FILE", "cubes": "FILE", "data": "DIR", "date": "DATE", "dice": "31",
			"dice-file": "FILE", "dir": "DIR", "dsn": "DSN", "farm": "URL", "farm-key": "FILE", "filter": "FILTER", "game": "N",
			"hyper": "FILE", "kind": "KIND", "listen": "HOST:PORT", "log": "FILE", "machine": "NAME", "map": "text|FILE.svg", "met": "TABLE", "metrics": "HOST:PORT",
			"drops": "PRICE", "move": "PLAY", "on-roll": "me|opponent", "play-as": "me|opponent", "opponent": "NAME", "output": "FILE", "owner": "me|opponent|centre", "password-env": "VARIABLE",
			"password-file": "FILE", "phase": "PHASE", "play": "PLAY", "player": "NAME", "position": "POSITION", "result": "won|lost|unfinished",
			"opening score": "SCORE", "resume": "FILE", "rng": "GENERATOR", "role": "work|submit", "score": "A-B", "server": "HOST:PORT", "sgf": "FILE", "since": "DATE", "until": "DATE",
			"socket": "FILE", "table": "FILE", "token-file": "FILE", "tls-cert": "FILE", "tls-key": "FILE", "to": "FORMAT", "format": "FORMAT", "weights": "FILE", "write": "FILE",
			"variation": "GAME", "by": "WHAT", "preset": "PRESET", "rating": "R", "target-rating": "R", "analyse player": "1|2", "cube-preset": "PRESET", "rollout cube": "V",
			"late-preset": "PRESET", "late-cube-preset": "PRESET", "opponent-preset": "PRESET", "opponent-cube-preset": "PRESET", "opponent-late-preset": "PRESET",
			"opponent-late-cube-preset": "PRESET", "rollout-preset": "PRESET", "play resume": "", "as": "NAME", "style": "noise|human", "play style": "STYLE", "character": "NAME",
			"readmit": "NAME", "tag": "TAG", "sort": "STATISTIC", "names": "NAME,NAME", "protocol": strings.Join(demo.Protocols(), "|"), "deck": "csv|anki|html", "older-than": "TIME", "length": "N",
			"annotator": "NAME", "event": "NAME", "place": "NAME", "round": "NAME", "results": "FILE", "save": "FILE",
		},
	}
}

// ofArchive names flags of commands of archive.
func ofArchive(commands []string, flags ...string) (out []string) {
	for _, c := range commands {
		for _, f := range flags {
			out = append(out, "archive "+c+" "+f)
		}
	}
	return out
}

// languageFlag is --language.
type languageFlag struct{ name string }

func (f *languageFlag) add(fl *pflag.FlagSet, what string) {
	fl.StringVar(&f.name, "language", "", what+": "+languages()+" or a file as nl.json (default en)")
}

// languages lists those with a catalogue.
func languages() string {
	out := ""
	for i, name := range texts.Languages() {
		if i > 0 {
			out += ", "
		}
		out += name
	}
	return out
}

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
