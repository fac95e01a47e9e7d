package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/sanitize"
)

// collectionFlags say which archive's collections.
type collectionFlags struct {
	archive archiveFlags
}

func newCollectionCmd() *cobra.Command {
	var f collectionFlags
	cmd := &cobra.Command{Use: "collection"}
	pf := cmd.PersistentFlags()
	f.archive.addFolder(pf)
	pf.Bool("json", false, "print JSON, one object per line for lists")
	cmd.AddCommand(f.list(), f.addCmd(), f.remove(), f.rename(), f.search())
	return cmd
}

// with opens the collections of the archive.
func (f *collectionFlags) with(cmd *cobra.Command, do func(*collection.Store, *index.DB) error) error {
	err := f.archive.opened(cmd, func(db *index.DB) error { return do(collection.In(db.Dir()), db) })
	for _, wrong := range []error{collection.ErrNotFound, collection.ErrBad, collection.ErrQuery} {
		if errors.Is(err, wrong) {
			return cmdline.AsUsage(err)
		}
	}
	return err
}

func (f *collectionFlags) list() *cobra.Command {
	return cmdline.New("list [NAME]", func(cmd *cobra.Command, args []string) error {
		return f.with(cmd, func(s *collection.Store, _ *index.DB) error {
			if len(args) == 0 {
				list, err := s.List()
				if err != nil {
					return err
				}
				return printEach(cmd, list)
			}
			c, err := s.Get(args[0])
			if err != nil {
				return err
			}
			return printEach(cmd, c.Items)
		})
	})
}

func (f *collectionFlags) addCmd() *cobra.Command {
	var where input.Position
	var it collection.Item
	cmd := cmdline.New("add NAME POSITION...", func(cmd *cobra.Command, args []string) error {
		f.archive.create = true
		return f.with(cmd, func(s *collection.Store, _ *index.DB) error {
			return eachPosition(cmd, where, args[1:], func(q input.Question, _ bool) error {
				it := it
				it.XGID, it.Rules, it.Drops = q.XGID(), q.Rules, q.State.Drops
				stored, err := s.Add(args[0], it, time.Now())
				if err != nil {
					return err
				}
				return printLine(cmd, stored, fmt.Sprintf("%s  %s\n", stored.ID, stored.XGID))
			})
		})
	})
	addPositionFlags(cmd, &where)
	fl := cmd.Flags()
	where.AddCube(fl)
	where.AddDice(fl, "the roll, as 31")
	fl.StringVar(&it.Name, "title", "", "title of the position")
	fl.StringVar(&it.Note, "note", "", "note on the position")
	fl.StringArrayVar(&it.Tags, "tag", nil, "tag of the position; may be repeated")
	return cmd
}

func (f *collectionFlags) remove() *cobra.Command {
	return cmdline.New("remove NAME [ID...]", func(cmd *cobra.Command, args []string) error {
		return f.with(cmd, func(s *collection.Store, _ *index.DB) error {
			if len(args) == 1 {
				return s.Delete(args[0])
			}
			for _, id := range args[1:] {
				if err := s.Remove(args[0], id); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (f *collectionFlags) rename() *cobra.Command {
	return cmdline.New("rename NAME NEW", func(cmd *cobra.Command, args []string) error {
		return f.with(cmd, func(s *collection.Store, _ *index.DB) error { return s.Rename(args[0], args[1]) })
	})
}

func (f *collectionFlags) search() *cobra.Command {
	var q collection.Query
	cmd := cmdline.New("search", func(cmd *cobra.Command, _ []string) error {
		return f.with(cmd, func(s *collection.Store, db *index.DB) error {
			me, err := f.archive.me(db)
			if err != nil {
				return err
			}
			list, more, err := collection.Search(cmd.Context(), db, s, me, q)
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
	fl.StringVar(&q.In, "in", "", "errors or collections (default both)")
	fl.StringVar(&q.Text, "text", "", "part of the title, note or tags in a collection")
	fl.IntSliceVar(&q.Made, "made", nil, "points that the player to decide holds")
	fl.IntSliceVar(&q.TheirMade, "their-made", nil, "points that the opponent holds")
	fl.StringVar(&q.Back, "back", "", "the player's checkers in the opponent's home or on the bar")
	fl.StringVar(&q.TheirBack, "their-back", "", "the opponent's checkers in the player's home or on the bar")
	fl.StringVar(&q.Bar, "bar", "", "the player's checkers on the bar")
	fl.StringVar(&q.TheirBar, "their-bar", "", "the opponent's checkers on the bar")
	fl.StringVar(&q.Lead, "lead", "", "pips that the player leads by, below 0 if behind")
	fl.StringVar(&q.Structure.Score, "score", "", "money, match, dmp, crawford, post-crawford or points away as 3-5")
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

// printEach prints each element on a line of its own, as JSON or as its text.
func printEach[T fmt.Stringer](cmd *cobra.Command, list []T) error {
	if cmdline.JSON(cmd) {
		return cmdline.PrintJSONLines(cmd.OutOrStdout(), list)
	}
	for _, x := range list {
		fmt.Fprintln(sanitize.Writer(cmd.OutOrStdout()), x)
	}
	return nil
}
