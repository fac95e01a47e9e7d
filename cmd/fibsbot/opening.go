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
		Use:   "opening [ROLL [REPLY]]",
		Short: "Look up rolled out openings and replies",
		Long: `Prints the rolled out plays of an opening ROLL with equities (EMG), standard errors and
the loss against the best play. With REPLY it prints the replies of that roll to each
good opening play, or to --play alone. Without a roll it lists the best play of all 15.

--score is the opening player's: money, dmp (double match point), gammon-go (2-away
against 1-away, Crawford) or gammon-save (1-away, Crawford, against 2-away).`,
		Example: `  fibsbot opening
  fibsbot opening 31
  fibsbot opening 31 62
  fibsbot opening 21 44 --play '13/11 6/5'
  fibsbot opening 64 --score dmp --json`,
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
