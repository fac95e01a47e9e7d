package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/figure"
	"fibsbot/internal/nice"
)

// me returns the user's names: archive.me and those entered in the web page.
func (f *archiveFlags) me(db *index.DB) (owner.Names, error) {
	c, err := configIf(f.configFile)
	if err != nil {
		return nil, err
	}
	names, err := owner.Load(db.Dir())
	if c != nil {
		names = append(owner.Names(slices.Clone(c.Archive.Me)), names...)
	}
	return names, err
}

func newArchiveImportCmd(f *archiveFlags) *cobra.Command {
	var account []string
	var bare bool
	cmd := cmdline.New("import FILE|FOLDER...", func(cmd *cobra.Command, args []string) error {
		f.create = true
		if err := owner.Names(account).Check(); err != nil {
			return cmdline.Usagef("--account: %w", err)
		}
		return f.with(cmd, func(db *index.DB, _ index.Filter) error {
			im, err := f.importer(cmd, db, account)
			if err != nil {
				return err
			}
			if err := im.Import(cmd.Context(), args...); cmd.Context().Err() != nil {
				return cmdline.ErrInterrupted
			} else if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if cmdline.JSON(cmd) {
				out = io.Discard
			}
			im.Print(out, cmd.ErrOrStderr())
			var sum *review.Sum
			if !bare {
				sum, err = f.analyseNew(cmd, db, im.New)
			}
			switch {
			case cmdline.JSON(cmd):
				err = errors.Join(err, cmdline.PrintJSON(cmd.OutOrStdout(), im.Counts(sum)))
			case err == nil && sum != nil:
				err = f.printSum(cmd, *sum)
			}
			if err == nil && im.Unread > 0 {
				err = cmdline.Usagef("%d of %s not readable", im.Unread, figure.Count(im.Looked, "file"))
			}
			return err
		})
	})
	cmd.Flags().BoolVar(&bare, "no-analyse", false, "skip the analysis of new matches")
	cmd.Flags().StringSliceVar(&account, "account", nil, "your names in these files, patterns with * and ?")
	return cmd
}

// analyseNew analyses the matches with these IDs. It returns nil if ids is empty or
// archive.analyse is off.
func (f *archiveFlags) analyseNew(cmd *cobra.Command, db *index.DB, ids []string) (*review.Sum, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	setting, err := analyseSetting(f.configFile)
	if err != nil || setting == "off" {
		return nil, err
	}
	parts := engineflags.Engine{Configured: &f.configFile, CacheMB: engineflags.DefaultCacheMB, Threads: 1}
	e, err := parts.Open(cmd, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	nice.Lower()
	j, err := review.Automatic(db, e.RolloutOptions(), setting)
	if err != nil {
		return nil, err
	}
	sum, err := judgeArchive(cmd, j, f, func(ctx context.Context) (review.Sum, error) { return j.Matches(ctx, ids...) })
	return &sum, err
}

func (f *archiveFlags) importer(cmd *cobra.Command, db *index.DB, account []string) (*review.Importer, error) {
	me, err := f.me(db)
	if err != nil {
		return nil, err
	}
	c, err := configIf(f.configFile)
	if err != nil {
		return nil, err
	}
	im := &review.Importer{Positions: collection.In(db.Dir()), Filing: owner.Filing{DB: db, Account: account, Me: me}, Read: func(path string) ([]*record.Match, error) {
		return readMatches(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), path)
	}}
	if c != nil {
		for i := range c.Accounts {
			im.Known = append(im.Known, c.Accounts[i].Name)
		}
	}
	if keys, ok := ctxread.Unread(cmd.InOrStdin()).(*os.File); ok && term.IsTerminal(int(keys.Fd())) && cmdline.IsTerminal(cmd.ErrOrStderr()) {
		in := bufio.NewReader(io.LimitReader(cmd.InOrStdin(), 1<<16))
		im.Ask = func(list []owner.Count) (string, error) { return owner.Ask(in, cmd.ErrOrStderr(), list) }
	}
	return im, nil
}

func newArchiveAccountCmd(f *archiveFlags) *cobra.Command {
	cmd := cmdline.New("account ID|FILE NAME", f.on(func(cmd *cobra.Command, args []string, db *index.DB, _ index.Filter) error {
		row, err := review.Row(cmd.Context(), db, args[0])
		if err == nil {
			row, err = db.SetAccount(cmd.Context(), row, args[1])
		}
		if field := (*index.FieldError)(nil); errors.As(err, &field) {
			return cmdline.Usagef("NAME: %s", field.Problem)
		}
		return f.changed(cmd, row, err)
	}))
	cmd.ValidArgsFunction = f.complete
	return cmd
}

func newArchiveExportCmd(f *archiveFlags) *cobra.Command {
	var format, out string
	var share shareFlags
	cmd := cmdline.New("export", f.on(func(cmd *cobra.Command, _ []string, db *index.DB, filter index.Filter) error {
		if err := share.check(); err != nil {
			return err
		}
		if share.on || format == "csv" || format == "json" {
			write := func(w io.Writer) error {
				switch {
				case share.on:
					return exportLinks(cmd, db, filter, &share, w)
				case format == "json":
					return db.List(cmd.Context(), filter, func(m *index.Match) error { return cmdline.PrintJSONLine(w, m) })
				}
				return review.WriteCSV(cmd.Context(), db, filter, w)
			}
			if out == "" {
				return write(cmd.OutOrStdout())
			}
			return cmdline.WriteOutput(out, write)
		}
		written, err := formats.Find(formats.Written, format, "")
		if err != nil {
			return cmdline.Usagef("--format: unknown format %.40q (use csv, json, %s)", format, strings.Join(formats.Names(formats.Written), ", "))
		}
		if out == "" {
			return cmdline.Usagef("--format %s needs -o FOLDER", format)
		}
		return exportMatches(cmd, db, filter, written, out)
	}))
	cmd.Flags().StringVar(&format, "format", "csv", "csv, json, or a format of match files: "+strings.Join(formats.Names(formats.Written), ", "))
	cmd.Flags().StringVarP(&out, "output", "o", "", "output file, or folder for match files")
	share.add(cmd.Flags())
	f.addFilter(cmd)
	return cmd
}

// filesOf lists the files of the matches that are not pruned.
func filesOf(cmd *cobra.Command, db *index.DB, filter index.Filter) (files []string, err error) {
	err = db.List(cmd.Context(), filter, func(m *index.Match) error {
		if !m.Pruned {
			files = append(files, filepath.Join(db.Dir(), filepath.FromSlash(m.File)))
		}
		return nil
	})
	return files, err
}

// exportLinks writes a link to the review of each match.
func exportLinks(cmd *cobra.Command, db *index.DB, filter index.Filter, share *shareFlags, w io.Writer) error {
	files, err := filesOf(cmd, db, filter)
	if err != nil {
		return err
	}
	for _, file := range files {
		list, err := readMatches(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), file)
		if err != nil {
			return err
		}
		for _, m := range list {
			if err := share.write(w, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func exportMatches(cmd *cobra.Command, db *index.DB, filter index.Filter, format formats.Format, folder string) error {
	if err := makeFolder("--output", folder); err != nil {
		return err
	}
	files, err := filesOf(cmd, db, filter)
	if err != nil {
		return err
	}
	c := converter{ctx: cmd.Context(), stdin: cmd.InOrStdin(), stdout: io.Discard, stderr: cmd.ErrOrStderr(), to: format.Name, lost: map[string]int{}}
	for _, file := range files {
		if cmd.Context().Err() != nil {
			return cmdline.ErrInterrupted
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + format.Ext
		if err := c.run([]string{file}, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for _, what := range slices.Sorted(maps.Keys(c.lost)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s cannot hold %s: omitted from %d of %s\n", format.Ext, what, c.lost[what], figure.Count(len(files), "match"))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s written to %s\n", figure.Count(len(files), "match"), folder)
	return nil
}
