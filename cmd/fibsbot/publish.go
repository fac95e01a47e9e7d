package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/explain"
	"fibsbot/internal/figure"
)

// publisher writes archived matches as a folder of pages.
type publisher struct {
	archive  archiveFlags
	language languageFlag
	parts    engineflags.Engine
}

func newWebPublishCmd() *cobra.Command {
	var p publisher
	cmd := cmdline.New("publish DIR", func(cmd *cobra.Command, args []string) error {
		return p.archive.with(cmd, func(db *index.DB, filter index.Filter) error { return p.run(cmd, db, filter, args[0]) })
	})
	p.archive.addFolder(cmd.Flags())
	p.archive.addFilter(cmd)
	p.language.add(cmd.Flags(), "language of the pages")
	engineflags.AddEngine(cmd, &p.parts)
	return cmd
}

// pageOf is the name of a published page; others in the folder are not touched.
var pageOf = regexp.MustCompile(`^[0-9a-f]{12}\.html$`)

func (p *publisher) run(cmd *cobra.Command, db *index.DB, filter index.Filter, dir string) error {
	words, err := p.language.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if err := makeFolder("DIR", dir); err != nil {
		return err
	}
	e, err := p.parts.Open(cmd, 0)
	if err != nil {
		return err
	}
	defer e.Close()
	var entries []report.Entry
	there := map[string]bool{}
	err = db.List(cmd.Context(), filter, func(row *index.Match) error {
		if row.Pruned {
			return nil
		}
		list, err := readMatches(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), filepath.Join(db.Dir(), filepath.FromSlash(row.File)))
		if err != nil {
			return err
		}
		m := list[0]
		sum := analyse.Summarise(m, nil, analyse.DefaultLimits)
		page := report.PageOptions{Me: row.Me, Texts: words, Why: explain.Errors(cmd.Context(), e, m, words)}
		name := row.ID[:12] + ".html"
		there[name] = true
		entries = append(entries, report.EntryOf(name, m, sum))
		return cmdline.WriteOutput(filepath.Join(dir, name), func(w io.Writer) error { return report.HTML(w, m, sum, page) })
	})
	if err != nil {
		return err
	}
	if err := cmdline.WriteOutput(filepath.Join(dir, "index.html"), func(w io.Writer) error { return report.Index(w, entries, words) }); err != nil {
		return err
	}
	if err := p.sweep(dir, there); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s and index.html; put the folder on any web host\n", dir, figure.Count(len(entries), "match"))
	return err
}

// sweep removes pages of matches that are not chosen any more, when the new index leads to none of them.
func (p *publisher) sweep(dir string, there map[string]bool) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range list {
		if pageOf.MatchString(f.Name()) && !there[f.Name()] {
			if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
