package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/owner"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// finish makes a report final, or drops it: nothing is left of one that was not finished.
type finish func(ok bool) error

// after finishes a report whose work ended by err. Files that could not be read leave
// the report of the others.
func (f finish) after(err error) error {
	var u *unread
	return errors.Join(err, f(err == nil || errors.As(err, &u)))
}

// paged reports whether each match has a report of its own.
func (o *analyseOptions) paged() bool { return o.format == "html" || o.format == "pdf" }

// seat returns the number of the user in a match, by archive.me and the names entered in the
// web page, or 0 if neither player is the user.
func (o *analyseOptions) seat(m *record.Match) int {
	c, _, err := config.Load(cmp.Or(o.strength.Config, defaultConfig))
	if err != nil {
		return 0 // flags that need the configuration report it
	}
	names := owner.Names(c.Archive.Me)
	if more, err := owner.Load(c.Archive.Dir); err == nil {
		names = append(slices.Clone(names), more...)
	}
	return names.Seat([2]string{m.Players[0].Name, m.Players[1].Name}, 0)
}

// spare refuses a report in the place of one of the matches to analyse.
func (o *analyseOptions) spare(files []string) error {
	report, err := os.Stat(o.out)
	if err != nil || !report.Mode().IsRegular() {
		return nil // nothing there to lose
	}
	for _, file := range files {
		if match, err := os.Stat(file); err == nil && os.SameFile(report, match) {
			return cmdline.Usagef("--output: the report would replace the match %s (choose another file)", o.out)
		}
	}
	return nil
}

// annotated is where --annotate keeps the match called name.
func (o *analyseOptions) annotated(name string) string { return filepath.Join(o.annotate, name+".sgf") }

// takeOver puts into m what an earlier run with --annotate found and says how much
// that was. A file that is not there, cannot be read or is another match gives nothing:
// the match is judged from the beginning.
func (o *analyseOptions) takeOver(cmd *cobra.Command, judge *analyse.Analyst, m *record.Match, name string) {
	if o.annotate == "" || o.again {
		return
	}
	file := o.annotated(name)
	f, err := os.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	earlier, _, err := sgf.Read(f)
	if err != nil {
		return
	}
	if n := judge.TakeOver(m, earlier); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d analysed decisions reused (--again analyses them again)\n", file, n)
	}
}

// store writes the analysed match into the folder of --annotate.
func (o *analyseOptions) store(m *record.Match, name string) error {
	return cmdline.WriteOutput(o.annotated(name), func(w io.Writer) error { return sgf.Write(w, m) })
}

// open returns where the report goes, nil for one file a match in a folder, and
// what makes it final: nothing is left of a report that was not finished.
func (o *analyseOptions) open(cmd *cobra.Command, several bool) (io.Writer, finish, error) {
	if o.out == "" {
		return cmd.OutOrStdout(), func(bool) error { return nil }, nil
	}
	st, err := os.Stat(o.out)
	folder := err == nil && st.IsDir() || strings.HasSuffix(o.out, string(filepath.Separator)) ||
		errors.Is(err, os.ErrNotExist) && o.paged() && several && filepath.Ext(o.out) == ""
	if folder {
		if !o.paged() {
			return nil, nil, cmdline.Usagef("--output: %s is a folder, but a %s report is one file", o.out, o.format)
		}
		if err := makeFolder("--output", o.out); err != nil {
			return nil, nil, err
		}
		return nil, func(bool) error {
			if len(o.entries) < 2 {
				return nil
			}
			return cmdline.WriteOutput(filepath.Join(o.out, "index.html"), func(w io.Writer) error { return report.Index(w, o.entries, o.page.Texts) })
		}, nil
	}
	if err := cmdline.WantParent("--output", o.out); err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	return &b, func(ok bool) error {
		if !ok {
			return nil
		}
		return writeFileAtomic(o.out, b.Bytes())
	}, nil
}

// makeFolder makes a folder that a flag names, before the work whose results it is
// to hold; that it cannot be made or written to is the user's mistake.
func makeFolder(flag, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cmdline.Usagef("%s: %w", flag, err)
	}
	return cmdline.WantParent(flag, filepath.Join(dir, "any"))
}

// writeFileAtomic writes a file whole or not at all.
func writeFileAtomic(file string, data []byte) error {
	return cmdline.WriteOutput(file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
