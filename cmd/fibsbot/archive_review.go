package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine/analyse"
	"fibsbot/internal/figure"
	"fibsbot/internal/nice"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/shard"
	"fibsbot/internal/texts"
)

func newArchiveAnalyseCmd(f *archiveFlags) *cobra.Command {
	var strength engineflags.Strength
	var parts engineflags.Engine
	var far farmcmd.Flags
	var deeper, again, outdated bool
	var depth engineflags.Depth
	cmd := cmdline.New("analyse", func(cmd *cobra.Command, _ []string) error {
		if outdated && (again || deeper) {
			return cmdline.Usagef("--outdated: chooses the matches itself (leave out --again and --deeper)")
		}
		strength.Config = f.configFile
		p, err := strength.Judge(cmd)
		if err != nil {
			return err
		}
		return f.with(cmd, func(db *index.DB, filter index.Filter) error {
			workers := parts.Threads
			parts.Threads = 1 // one thread per decision
			e, err := parts.Open(cmd, strength.Seed)
			if err != nil {
				return err
			}
			defer e.Close()
			nice.Lower()
			judge := analyse.New(e.RolloutOptions(), p)
			judge.Workers, judge.Again = workers, again || outdated
			if err := depth.Set(cmd, judge); err != nil {
				return err
			}
			j := review.Reviewer{DB: db, Deeper: deeper, Outdated: outdated, Analyst: judge}
			spec, err := judge.Spec("archive", db.Dir())
			if err != nil {
				return err
			}
			work := parts.Work(remote.Analyse, spec, e)
			work.Ask, work.Most = func(int) []byte { return analyse.Sample(1) }, analyse.MaxPiece
			return far.On(cmd, work, func(crew shard.Crew, size int) error {
				judge.Crew, judge.Size = crew, size
				sum, err := judgeArchive(cmd, &j, f, func(ctx context.Context) (review.Sum, error) { return j.Run(ctx, filter, f.Limit) })
				if err != nil {
					return err
				}
				return f.printSum(cmd, sum)
			})
		})
	})
	cmd.Aliases = []string{"analyze"}
	engineflags.AddStrength(cmd, &strength, "worldclass")
	engineflags.AddEngine(cmd, &parts)
	parts.UseConfiguredTable(cmd, &f.configFile)
	far.Add(cmd)
	cmd.Flags().BoolVar(&deeper, "deeper", false, "also matches whose decisions or luck were judged at fewer plies")
	cmd.Flags().BoolVar(&again, "again", false, "re-analyse all decisions of the chosen matches")
	cmd.Flags().BoolVar(&outdated, "outdated", false, "re-analyse only matches judged with other nets or another match equity table")
	depth.Add(cmd)
	f.addFilter(cmd, "preset")
	return cmd
}

// judgeArchive runs an analysis by j and shows its progress.
func judgeArchive(cmd *cobra.Command, j *review.Reviewer, f *archiveFlags, run func(context.Context) (review.Sum, error)) (review.Sum, error) {
	bar := cmdline.Bar(cmd)
	out, errOut := bar.Above(sanitize.Writer(cmd.OutOrStdout())), bar.Above(sanitize.Writer(cmd.ErrOrStderr()))
	j.Analyst.Progress = func(n, total int) { bar.Show("decisions", n, total) }
	j.Done = func(m *index.Match, i, n int, err error) {
		if err != nil {
			complain(errOut, err)
			return
		}
		if !cmdline.JSON(cmd) {
			fmt.Fprintf(out, "%d of %d: %s\n", i, n, review.Line(m))
		}
	}
	sum, err := run(cmd.Context())
	bar.Clear()
	if err != nil {
		if errors.Is(err, context.Canceled) {
			resumes := "; \"fibsbot archive analyse\" resumes"
			switch {
			case j.Outdated:
				resumes = "; \"fibsbot archive analyse --outdated\" resumes"
			case j.Analyst.Again:
				resumes = "" // it would begin with the first match
			}
			fmt.Fprintf(errOut, "stopped after %s, %d left%s\n", figure.Count(sum.Judged, "match"), sum.Left, resumes)
			return sum, cmdline.ErrInterrupted
		}
	}
	return sum, err
}

// printSum prints the result of an analysis. That every match failed is an error.
func (f *archiveFlags) printSum(cmd *cobra.Command, sum review.Sum) error {
	if cmdline.JSON(cmd) {
		return cmdline.PrintJSON(cmd.OutOrStdout(), sum)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s analysed, %d failed, %d left\n", figure.Count(sum.Judged, "match"), sum.Failed, sum.Left)
	if sum.Failed > 0 && sum.Judged == 0 {
		return fmt.Errorf("none of %s could be analysed", figure.Count(sum.Failed, "match"))
	}
	return nil
}

func newArchiveErrorsCmd(f *archiveFlags) *cobra.Command {
	q := review.Query{Min: 0.08}
	var deck, out string
	var language languageFlag
	cmd := cmdline.New("errors", func(cmd *cobra.Command, _ []string) error {
		if deck != "" && !slices.Contains(review.Formats, deck) {
			return cmdline.Usagef("--deck: unknown format %q (use %s)", deck, strings.Join(review.Formats, ", "))
		}
		if out != "" && deck == "" {
			return cmdline.Usagef("-o: needs --deck (%s)", strings.Join(review.Formats, ", "))
		}
		c, err := language.open(cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		q.Limit, f.Limit = f.Limit, 0
		return f.with(cmd, func(db *index.DB, filter index.Filter) error {
			var err error
			if q.Me, err = f.me(db); err != nil {
				return err
			}
			if len(q.Me) > 0 && q.Player == "" {
				q.Player = "me"
			}
			if q.Player == "any" {
				q.Player = ""
			}
			err = listErrors(cmd, db, filter, q, deckFlags{deck, out, c})
			if errors.Is(err, review.ErrQuery) {
				return cmdline.Usagef("--%w", err)
			}
			return err
		})
	})
	fl := cmd.Flags()
	fl.Float64Var(&q.Min, "min-loss", q.Min, "smallest loss in equity (EMG)")
	fl.Float64Var(&q.Max, "max-loss", 0, "largest loss in equity (EMG), 0 for any")
	fl.StringVar(&q.Kind, "kind", "", "kind of error: "+strings.Join(review.Kinds, ", "))
	fl.StringVar(&q.Phase, "phase", "", "phase: opening, middle game, race or bear-off")
	fl.StringVar(&q.Plan, "plan", "", "game plan, such as blitz or holding game")
	fl.StringVar(&q.Player, "player", "", "player: me, opponent, any or a name (default me if archive.me is set, else any)")
	fl.StringVar(&q.Position, "position", "", "pattern of the Position ID or the board in the XGID, with * and ?")
	fl.StringVar(&deck, "deck", "", "format of quiz cards instead of a list: csv, anki or html")
	fl.StringVarP(&out, "output", "o", "", "output file of the deck (default stdout)")
	language.add(fl, "language of cards for anki and html")
	f.addFilter(cmd)
	fl.Lookup("limit").Usage = "number of errors (default all)"
	return cmd
}

// deckFlags say how cards are written; no format means a list.
type deckFlags struct {
	format, out string
	texts       *texts.Catalogue
}

func listErrors(cmd *cobra.Command, db *index.DB, filter index.Filter, q review.Query, deck deckFlags) error {
	w := cmd.OutOrStdout()
	bad := func(err error) { complain(sanitize.Writer(cmd.ErrOrStderr()), err) }
	if deck.format != "" {
		var list []*review.Found
		if err := review.Decisions(cmd.Context(), db, filter, q, func(x *review.Found) error { list = append(list, x); return nil }, bad); err != nil {
			return err
		}
		if deck.out == "" {
			return review.Cards(w, deck.format, list, deck.texts)
		}
		return cmdline.WriteOutput(deck.out, func(w io.Writer) error { return review.Cards(w, deck.format, list, deck.texts) })
	}
	if cmdline.JSON(cmd) {
		return review.Decisions(cmd.Context(), db, filter, q, func(x *review.Found) error { return cmdline.PrintJSONLine(w, x) }, bad)
	}
	n, err := review.List(cmd.Context(), db, filter, q, sanitize.Writer(w), bad)
	if n == 0 && err == nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "no such error in the analysed matches (--min-loss 0.02 lists smaller ones, fibsbot archive analyse analyses more)")
	}
	return err
}

func newArchiveSearchCmd(f *archiveFlags) *cobra.Command {
	q := collection.Query{In: "decisions"}
	cmd := cmdline.New("search", func(cmd *cobra.Command, _ []string) error {
		return f.opened(cmd, func(db *index.DB) error {
			me, err := f.me(db)
			if err != nil {
				return err
			}
			list, more, err := collection.Search(cmd.Context(), db, collection.In(db.Dir()), me, q)
			if errors.Is(err, collection.ErrQuery) {
				return cmdline.AsUsage(err)
			}
			if err != nil {
				return err
			}
			if err = printEach(cmd, list); err == nil && more && !cmdline.JSON(cmd) {
				fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: the first %d positions (--limit N for more)\n", len(list))
			}
			return err
		})
	})
	fl := cmd.Flags()
	fl.StringVar(&q.In, "in", q.In, "decisions, errors (those that lost 0.04 or more) or collections")
	fl.StringVar(&q.Verdict, "verdict", "", "proper cube action, such as \"redouble, pass\"")
	fl.StringVar(&q.Text, "text", "", "part of the title, note or tags in a collection")
	fl.IntSliceVar(&q.Made, "made", nil, "points that the player to decide holds")
	fl.IntSliceVar(&q.TheirMade, "their-made", nil, "points that the opponent holds")
	fl.StringVar(&q.Back, "back", "", "the player's checkers in the opponent's home or on the bar")
	fl.StringVar(&q.TheirBack, "their-back", "", "the opponent's checkers in the player's home or on the bar")
	fl.StringVar(&q.Bar, "bar", "", "the player's checkers on the bar")
	fl.StringVar(&q.TheirBar, "their-bar", "", "the opponent's checkers on the bar")
	fl.StringVar(&q.Lead, "lead", "", "pips that the player leads by, below 0 if behind")
	fl.StringVar(&q.Structure.Score, "score", "", "money, match, dmp, crawford, post-crawford or points away as 3-5,4-4")
	fl.Var(bounded.Of(&q.Structure.Cube, 0, 0, 1<<15), "cube-value", "value of the cube, 0 for any")
	fl.StringVar(&q.Owner, "owner", "", "owner of the cube: me, opponent or centre")
	fl.StringVar(&q.Kind, "kind", "", "checker or cube")
	fl.StringVar(&q.Phase, "phase", "", "phase: opening, middle game, race or bear-off")
	fl.StringVar(&q.Plan, "plan", "", "game plan, such as blitz or holding game")
	fl.StringVar(&q.Player, "player", "", "player: me, opponent or a name (default any)")
	fl.Float64Var(&q.Min, "min-loss", 0, "smallest loss in equity (EMG)")
	fl.Float64Var(&q.Max, "max-loss", 0, "largest loss in equity (EMG), 0 for any")
	fl.Var(bounded.Of(&q.Limit, collection.UsualFound, 1, collection.MostFound), "limit", "number of positions")
	return cmd
}
