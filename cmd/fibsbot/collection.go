package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/input"
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
	cmd.AddCommand(f.list(), f.addCmd(), f.remove(), f.rename())
	return cmd
}

// with opens the collections of the archive.
func (f *collectionFlags) with(cmd *cobra.Command, do func(*collection.Store, *index.DB) error) error {
	err := f.archive.opened(cmd, func(db *index.DB) error { return do(collection.In(db.Dir()), db) })
	for _, wrong := range []error{collection.ErrNotFound, collection.ErrBad} {
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
