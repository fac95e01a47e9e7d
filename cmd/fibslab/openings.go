package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/openings"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine/opening"
	"fibsbot/engine/rollout"
	"fibsbot/internal/lockfile"
	"fibsbot/internal/shard"
)

// newOpeningsCmd makes the table of package opening.
func newOpeningsCmd() *cobra.Command {
	var (
		names   []string
		parts   engineflags.Engine
		farm    farmcmd.Flags
		replies bool
		early   int
	)
	m := openings.Maker{Rollout: openings.Settings()}
	cmd := &cobra.Command{
		Use:   "openings DIR",
		Short: "Roll out the openings and their replies",
		Long: `Rolls out the plays of the 15 opening rolls and, with --replies, of all 21 replies to each
good opening play, until the standard error of each difference that decides is at most
--stop-stderr. DIR gets the table openings.tsv and the totals of each rollout.

The command may be stopped at any time; the same command resumes it. A smaller
--stop-stderr extends the rollouts. A larger --truncate (0 for the whole game) or
--early makes better ones, which replace the earlier ones. The program embeds the table
gzipped.`,
		Example: `  fibslab openings openings.work --scores money
  fibslab openings openings.work --replies
  fibslab openings openings.work --truncate 0 --stop-stderr 0.004`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m.Dir = args[0]
			scores, err := parseScores(names)
			if err != nil {
				return cmdline.Usagef("--scores: %w", err)
			}
			if err := os.MkdirAll(filepath.Join(m.Dir, "totals"), 0o755); err != nil {
				return err
			}
			release, err := lockfile.TakeBeside(filepath.Join(m.Dir, openings.File+".lock"), 0o644)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			defer release()
			e, err := parts.Open(cmd, m.Rollout.Seed)
			if err != nil {
				return err
			}
			defer e.Close()
			m.Engine, m.Rollout.Threads = e, parts.Threads
			m.Early(early)
			m.Play = func(job *rollout.Job) error {
				return playOpening(cmd, &parts, &farm, &m, job)
			}
			return m.Run(cmd.Context(), scores, replies, cmdline.Progress(cmd.ErrOrStderr()))
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&names, "scores", nil, "scores of the opening player: money, dmp, gammon-go, gammon-save (default all)")
	fl.BoolVar(&replies, "replies", false, "roll out the replies as well")
	fl.Var(bounded.Of(&m.Rollout.Trials, m.Rollout.Trials, 36, 1<<20), "trials", "most trials of a play")
	fl.Var(bounded.Of(&m.Rollout.StopStdErr, m.Rollout.StopStdErr, 0.0001, 1), "stop-stderr", "standard error of differences to reach")
	fl.Var(bounded.Of(&m.Rollout.Truncate, m.Rollout.Truncate, 0, 1000), "truncate", "plies after which a trial ends, 0 for never")
	fl.Var(bounded.Of(&early, 0, 0, 1000), "early", "plies at the start of a trial that a 2-ply search plays")
	fl.Var(bounded.Of(&m.Margin, 0.05, 0, 6), "margin", "distance by a 2-ply search beyond which plays are not rolled out")
	fl.Var(bounded.Of(&m.Most, 4, 1, 100), "most", "most plays of a decision to roll out")
	fl.Var(bounded.Of(&m.Reply, 0.02, 0, 6), "reply-margin", "loss of an opening play beyond which its replies are not rolled out")
	fl.Uint64Var(&m.Rollout.Seed, "seed", 2027, "seed of dice")
	engineflags.AddEngine(cmd, &parts)
	farm.Add(cmd)
	return cmd
}

func parseScores(names []string) (out []opening.Score, err error) {
	if len(names) == 0 {
		return opening.Scores, nil
	}
	for _, name := range names {
		s, err := opening.ParseScore(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// playOpening plays a rollout here or on --farm.
func playOpening(cmd *cobra.Command, parts *engineflags.Engine, farm *farmcmd.Flags, m *openings.Maker, job *rollout.Job) error {
	ctx := cmd.Context()
	spec, err := job.Spec(remote.Nets(m.Engine))
	if err != nil {
		return err
	}
	work := parts.Work(remote.Rollout, spec, m.Engine)
	work.Ask, work.Most = remote.Trial, rollout.MaxPiece
	for _, r := range job.Results() {
		work.Parts, work.Done = work.Parts+m.Rollout.Trials-r.Trials, work.Done+r.Trials
	}
	return farm.On(cmd, work, func(crew shard.Crew, size int) error {
		if crew == nil {
			return job.Run(ctx, nil)
		}
		return job.RunOn(ctx, crew, size, nil)
	})
}
