package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/review"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/annotate"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/rollout"
)

// annotateFlags are the flags of annotate.
type annotateFlags struct {
	archive         archiveFlags
	strength        strengthFlags
	parts           engineFlags
	comment         string
	hint, roll      bool
	trials, trunc   int
	plays           int
	given, changing bool
}

func newAnnotateCmd() *cobra.Command {
	var f annotateFlags
	cmd := &cobra.Command{
		Use:   "annotate MATCH GAME.NUMBER",
		Short: "Comment a decision of a stored match, or attach a hint or rollout to it",
		Long: `Shows one decision of a match of the archive (ID, as archive list prints it) or of an
.sgf file, and with flags writes on it: a comment, the engine's opinion (--hint), a rollout
of the best plays and the one made, or of a cube decision (--rollout). All of it is kept
in the .sgf and shown by reports, pages and gnubg.

GAME.NUMBER is what analyse --all, archive errors and the review page call the decision.`,
		Example: `  fibsbot annotate 3f2a91 2.14
  fibsbot annotate 3f2a91 2.14 --comment "The anchor is worth more than the prime."
  fibsbot annotate match.sgf 1.7 --hint --preset supremo
  fibsbot annotate match.sgf 1.7 --rollout --trials 1296`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: f.archive.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.given = cmd.Flags().Changed("comment")
			f.changing = f.given || f.hint || f.roll
			return f.run(cmd, args[0], args[1])
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.comment, "comment", "", `what to say of the decision, in the place of an earlier comment ("" takes it away)`)
	fl.BoolVar(&f.hint, "hint", false, "have the engine judge the decision anew, at --preset")
	fl.BoolVar(&f.roll, "rollout", false, "roll the decision out; both sides play at 0 plies, --preset finds plays where none are known")
	fl.IntVar(&f.trials, "trials", 1296, "games for each play or action")
	fl.IntVar(&f.trunc, "truncate", 0, "end games after that many plies with the static value, 0 to play to the end")
	fl.IntVar(&f.plays, "plays", 3, "roll out this many of the best plays, besides the one made")
	fl.StringVar(&f.archive.dir, "dir", "", "archive folder (default archive.dir of the configuration, or logs/archive)")
	fl.StringVar(&f.archive.dsn, "dsn", "", "PostgreSQL index instead of SQLite in the folder")
	addStrengthFlags(cmd, &f.strength, "worldclass")
	addPresetsFlag(cmd, &f.strength.config)
	addEngineFlags(cmd, &f.parts)
	return cmd
}

func (f *annotateFlags) run(cmd *cobra.Command, what, where string) error {
	if f.trials < 1 || f.trials > 1<<30 || f.trunc < 0 || f.plays < 1 {
		return usagef("--trials and --plays are 1 or more, --truncate 0 or more")
	}
	p, err := annotate.ParsePlace(where)
	if err != nil {
		return asUsage(err)
	}
	if st, err := os.Stat(what); err == nil && st.Mode().IsRegular() {
		m, ws, err := sgf.ReadFile(what)
		if err != nil {
			return usagef("%w (annotate writes .sgf: fibsbot convert makes one of other formats)", err)
		}
		if f.changing && len(ws) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s:%s\n", what, spaced(ws[0]))
		}
		return f.on(cmd, m, p, func() error {
			return writeOutput(what, func(w io.Writer) error { return sgf.Write(w, m) })
		})
	}
	f.archive.configFile = f.strength.config
	db, err := f.archive.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer db.Close()
	row, err := review.Row(cmd.Context(), db, what)
	if err != nil {
		return filterError(err)
	}
	m, store, err := review.Edit(cmd.Context(), db, row)
	if err != nil {
		return err
	}
	return f.on(cmd, m, p, store)
}

// on writes on the decision, has the match stored when that changed it, and shows what
// stands there then.
func (f *annotateFlags) on(cmd *cobra.Command, m *record.Match, p annotate.Place, store func() error) error {
	if _, err := annotate.Find(m, p); err != nil {
		return asUsage(err)
	}
	if f.hint || f.roll {
		if err := f.think(cmd, m, p); err != nil {
			return err
		}
	}
	if f.given {
		if err := annotate.Comment(m, p, f.comment); err != nil {
			return asUsage(err)
		}
	}
	if f.changing {
		if err := store(); err != nil {
			return err
		}
	}
	d, err := annotate.Find(m, p)
	if err != nil {
		return err
	}
	return report.WriteDecision(cmd.OutOrStdout(), m, p.Game, d)
}

// think has the engine judge the decision or roll it out.
func (f *annotateFlags) think(cmd *cobra.Command, m *record.Match, p annotate.Place) error {
	strong, err := f.strength.resolve(cmd)
	if err != nil {
		return err
	}
	if err := f.parts.check(); err != nil {
		return err
	}
	e, err := f.parts.open(cmd, f.strength.seed)
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
		s := rollout.Default()
		s.Trials, s.Truncate, s.Seed, s.Threads = f.trials, f.trunc, f.strength.seed, f.parts.threads
		show, done := meter(cmd, "rollout "+p.String())
		err = annotate.Rollout(cmd.Context(), m, p, judge, s, f.plays, func(n, total int) {
			if show != nil {
				show(uint64(n), uint64(total))
			}
		})
		done()
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case errors.Is(err, annotate.ErrPlace):
		return asUsage(err)
	}
	return err
}
