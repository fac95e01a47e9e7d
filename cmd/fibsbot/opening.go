package main

import (
	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/opening"
)

func newOpeningCmd() *cobra.Command {
	var score, play string
	cmd := cmdline.New("opening [ROLL [REPLY]]", func(cmd *cobra.Command, args []string) error {
		s, err := opening.ParseScore(score)
		if err != nil {
			return cmdline.Usagef("--score: %w", err)
		}
		words := append(args, "", "")
		if play != "" && words[0] == "" {
			return cmdline.Usagef("--play: needs an opening roll (as fibsbot opening 31 --play '8/5 6/5')")
		}
		a, err := opening.Shipped().Look(s, words[0], play, words[1])
		if err != nil {
			return cmdline.AsUsage(err)
		}
		return cmdline.Answer(cmd, a, a.Text(words[0] == ""))
	})
	fl := cmd.Flags()
	fl.StringVar(&score, "score", "money", "opening player's score: money, dmp, gammon-go, gammon-save")
	fl.StringVar(&play, "play", "", "opening play that is replied to (default all good ones)")
	cmdline.AddJSON(cmd)
	return cmd
}
