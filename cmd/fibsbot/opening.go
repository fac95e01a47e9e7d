package main

import (
	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/opening"
)

func newOpeningCmd() *cobra.Command {
	var score, play string
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "opening [ROLL [REPLY]]",
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
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
			if asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), a)
			}
			_, err = cmd.OutOrStdout().Write([]byte(a.Text(words[0] == "")))
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&score, "score", "money", "opening player's score: money, dmp, gammon-go, gammon-save")
	fl.StringVar(&play, "play", "", "opening play that is replied to (default all good ones)")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
