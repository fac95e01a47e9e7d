package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/review"
	"fibsbot/bot/archive/revise"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/annotate"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout"
)

// annotateFlags are the flags of annotate.
type annotateFlags struct {
	archive         archiveFlags
	strength        engineflags.Strength
	comment         string
	hint, roll      bool
	plays           int
	by              rolloutFlags // how it is rolled out
	given, changing bool
}

func newAnnotateCmd() *cobra.Command {
	var f annotateFlags
	cmd := cmdline.New("annotate MATCH GAME.NUMBER", func(cmd *cobra.Command, args []string) error {
		f.given = cmd.Flags().Changed("comment")
		f.changing = f.given || f.hint || f.roll
		return f.run(cmd, args[0], args[1])
	})
	cmd.ValidArgsFunction = f.archive.complete
	fl := cmd.Flags()
	fl.StringVar(&f.comment, "comment", "", `comment text; replaces the old comment, "" deletes it`)
	fl.BoolVar(&f.hint, "hint", false, "analyse the decision again at --preset")
	fl.BoolVar(&f.roll, "rollout", false, "roll the decision out at --rollout-preset")
	fl.StringVar(&f.by.strength.Preset, "rollout-preset", "expert", "strength of both sides in the rollout")
	f.by.addTrials(fl)
	fl.IntVar(&f.plays, "plays", 3, "roll out the N best plays and the one made")
	fl.StringVar(&f.archive.dir, "archive", "", "archive folder (default archive.dir of the configuration, or logs/archive)")
	fl.StringVar(&f.archive.dsn, "dsn", "", "PostgreSQL index instead of SQLite in the folder")
	engineflags.Add(cmd, &f.strength, &f.by.parts, "worldclass")
	f.by.farm.Add(cmd)
	return cmd
}

func (f *annotateFlags) run(cmd *cobra.Command, what, where string) error {
	if f.plays < 1 {
		return cmdline.Usagef("--plays: %d is too few (minimum 1)", f.plays)
	}
	if err := f.by.check(); err != nil {
		return err
	}
	p, err := annotate.ParsePlace(where)
	if err != nil {
		return cmdline.AsUsage(err)
	}
	if st, err := os.Stat(what); err == nil && st.Mode().IsRegular() {
		file, m, ws, err := revise.Open(what)
		if err != nil {
			return cmdline.Usagef("%w (annotate writes .sgf only; fibsbot convert makes one)", err)
		}
		if f.changing && len(ws) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s:%s\n", what, spaced(ws[0]))
		}
		return f.on(cmd, m, p, func(again func(*record.Match) error) (*record.Match, error) {
			return file.Store(cmd.Context(), m, again)
		})
	}
	f.archive.configFile = f.strength.Config
	db, err := f.archive.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer db.Close()
	row, err := review.Row(cmd.Context(), db, what)
	if err != nil {
		return filterError(err)
	}
	e, err := db.Edit(row)
	if err != nil {
		return err
	}
	return f.on(cmd, e.Match, p, func(again func(*record.Match) error) (*record.Match, error) {
		e.Again = again
		_, err := e.Store(cmd.Context())
		return e.Match, err
	})
}

// on changes the decision, stores the match if it changed, and shows the decision.
func (f *annotateFlags) on(cmd *cobra.Command, m *record.Match, p annotate.Place, store func(again func(*record.Match) error) (*record.Match, error)) error {
	if _, err := annotate.Find(m, p); err != nil {
		return cmdline.AsUsage(err)
	}
	if f.hint || f.roll {
		if err := f.think(cmd, m, p); err != nil {
			return err
		}
	}
	comment := func(m *record.Match) error {
		if !f.given {
			return nil
		}
		return annotate.Comment(m, p, f.comment)
	}
	if err := comment(m); err != nil {
		return cmdline.AsUsage(err)
	}
	if f.changing {
		now, err := store(func(now *record.Match) error {
			analyse.MergeAnalysis(now, m, nil, analyse.DefaultLimits)
			return comment(now)
		})
		if err != nil {
			return err
		}
		m = now
	}
	d, err := annotate.Find(m, p)
	if err != nil {
		return err
	}
	return report.WriteDecision(cmd.OutOrStdout(), m, p.Game, d, nil)
}

// think analyses the decision or rolls it out.
func (f *annotateFlags) think(cmd *cobra.Command, m *record.Match, p annotate.Place) error {
	strong, err := f.strength.Judge(cmd)
	if err != nil {
		return err
	}
	f.by.strength.Seed, f.by.strength.Config = f.strength.Seed, f.strength.Config
	both, err := engineflags.FindPreset("--rollout-preset", f.by.strength.Preset, f.strength.Config)
	if err != nil {
		return err
	}
	side, _, err := f.by.sides(cmd, "--rollout-preset", both)
	if err != nil {
		return err
	}
	e, err := f.by.parts.Open(cmd, f.strength.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	judge := analyse.New(e.RolloutOptions(), strong)
	if f.hint {
		judge.Again = true
		err = annotate.Hint(cmd.Context(), m, p, judge)
	}
	if err == nil && f.roll {
		bar := cmdline.Bar(cmd)
		err = annotate.Rollout(cmd.Context(), m, p, judge, annotate.Rolling{Settings: f.by.settings(side, nil), Plays: f.plays, Run: func(_ context.Context, job *rollout.Job) error {
			return f.by.roll(cmd, e, job, func(n, total int) { bar.Show("rollout "+p.String(), n, total) })
		}})
		bar.Clear()
	}
	switch {
	case errors.Is(err, context.Canceled):
		return cmdline.ErrInterrupted
	case errors.Is(err, annotate.ErrPlace):
		return cmdline.AsUsage(err)
	}
	return err
}
