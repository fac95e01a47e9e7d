package main

import (
	"context"
	"errors"
	"fmt"

	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"

	"github.com/spf13/cobra"
)

// newTrainLoopCmd makes nets round after round.
func newTrainLoopCmd() *cobra.Command {
	var l pipeline.Loop
	var mix string
	var others farmcmd.Flags
	cmd := &cobra.Command{
		Use:   "loop FOLDER",
		Short: "Make nets round after round: positions, labels, fits, gate",
		Long: `Each round plays for positions, labels them, and fits a net for each game plan and for
crashed positions from the present ones: first to the results of games without the luck
of the dice (--paths), then to labels of decisions. Nets pass that choose better on one
half of the held decisions, if the other half agrees. The best nets so far are in
FOLDER/best.weights, each round's report in FOLDER/round-N/report.txt.

It may be stopped and killed at any time: the same command resumes it. Run it under
"nice -n 19" beside other work; with --farm, in any call of it, other machines play,
label and rate, and nets are fitted here. --teacher judges positions at 0 plies together
with the present nets, whose pruned search judges a part of them, siblings together.`,
		Example: `  nice -n 19 fibslab train loop nets
  nice -n 19 fibslab train loop nets --teacher own --rounds 10 --threads 2
  fibslab train loop nets --teacher own --farm tls://desk:4333 --farm-key submit.key`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := train.ParseMix(mix, &l.Mix); err != nil {
				return cmdline.Usagef("--mix: %v", err)
			}
			l.Folder, l.Out = args[0], cmd.OutOrStdout()
			if l.Send = loopSend(cmd, &others); l.Send != nil && !teacher.IsOwn(l.Teacher.Name) {
				return cmdline.Usagef("--farm: the teacher %q runs on this machine only (use --teacher own)", l.Teacher.Name)
			}
			err := l.Run(cmd.Context())
			if errors.Is(err, context.Canceled) {
				fmt.Fprintf(cmd.ErrOrStderr(), "stopped; the same command resumes %s\n", args[0])
			}
			return asOptions(err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&l.Base, "base", "", "weights file of the first round (default the nets in the program)")
	f.IntVar(&l.Rounds, "rounds", 3, "rounds in all")
	f.IntVar(&l.Positions, "positions", 10000000, "positions a round")
	f.StringVar(&mix, "mix", train.UsualMix, "relative numbers of games by plan")
	f.StringVar(&l.Teacher.Name, "teacher", "gnubg", "judge of the plays of those games: gnubg, own or exec:COMMAND")
	f.StringVar(&l.Teacher.GnubgDir, "gnubg-dir", train.GnubgDir, "folder of label.py, for gnubg; outside a checkout the file in the program is used")
	f.Float64Var(&l.Share, "share", 0.5, "weight of the present nets in the labels")
	f.IntVar(&l.Paths, "paths", 4000000, "positions a round labelled with the results of their games, without luck")
	f.IntVar(&l.Labels, "labels", 2000000, "positions a round labelled by our search")
	f.IntVar(&l.Plies, "plies", 1, "depth of that search")
	f.Float64Var(&l.Deep, "deep", 0.4, "share of those labels among the samples")
	f.Float64Var(&l.Millions, "millions", 20, "million samples a net and round")
	f.Float64Var(&l.Rate, "rate", 7e-4, "highest learning rate")
	f.IntVar(&l.Held, "held", 800, "decisions of each tag that choose")
	f.IntVar(&l.HeldPlies, "held-plies", 2, "depth of the search that rates them")
	f.IntVar(&l.Threads, "threads", 1, "nets to label for or fit at once")
	f.Uint64Var(&l.Seed, "seed", 1, "seed of everything drawn at random")
	others.Add(cmd)
	return cmd
}
