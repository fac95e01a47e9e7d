package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/analyse/share"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/figure"
	"fibsbot/internal/filename"
	"fibsbot/internal/sanitize"
)

// convertTargets are the formats of --to, also found by the extension of the output; of
// several with one extension the first is taken. The HTML page is that of package report:
// it shows the analysis in the match, or the results without one.
var convertTargets = append(slices.Clip(formats.Written),
	formats.Format{Name: "html", Ext: ".html", Title: "HTML", Write: func(w io.Writer, m *record.Match) error {
		return report.HTML(w, m, analyse.Summarise(m, nil, analyse.DefaultLimits), report.PageOptions{})
	}, Lost: formats.KeepsAll})

// findTarget returns the format that --to or the name of the output asks for.
func findTarget(to, out string) (formats.Format, error) {
	t, err := formats.Find(convertTargets, to, filepath.Ext(out))
	switch {
	case err == nil:
		return t, nil
	case to != "":
		return t, cmdline.Usagef("--to: %w", err)
	}
	return t, cmdline.Usagef("%s: unknown format (give --to, or a name that ends in %w)", out, err)
}

func newConvertCmd() *cobra.Command {
	var to, share string
	var swap bool
	cmd := cmdline.New("convert IN... OUT", func(cmd *cobra.Command, args []string) error {
		c := converter{ctx: cmd.Context(), stdin: cmd.InOrStdin(), stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr(), to: to, swap: swap}
		var err error
		if c.share, err = shareBase(share); err != nil {
			return err
		}
		return c.run(args[:len(args)-1], args[len(args)-1])
	})
	cmd.Flags().StringVar(&to, "to", "", "format: "+strings.Join(formats.Names(convertTargets), ", ")+" (default: the extension of OUT)")
	cmd.Flags().StringVar(&share, "share-base", "", "address of a browser edition, where a link opens (--to link)")
	cmd.Flags().BoolVar(&swap, "swap", false, "exchange the two players")
	return cmd
}

// converter is a run of convert.
type converter struct {
	ctx            context.Context //nolint:containedctx // lives as long as the command
	stdin          io.Reader
	stdout, stderr io.Writer
	to, share      string
	swap           bool
	// lost counts, by what their formats cannot hold, the files written; nil names it for
	// each file.
	lost map[string]int
}

// kindOf is what a format cannot hold, without how much of it there is.
func kindOf(lost string) string { return strings.TrimLeft(lost, "0123456789 ") }

// run converts every file. Files that cannot be read are reported and skipped; the error
// at the end counts them.
func (c *converter) run(ins []string, out string) error {
	st, err := os.Stat(out)
	folder := err == nil && st.IsDir() || strings.HasSuffix(out, string(filepath.Separator))
	if !folder {
		if len(ins) > 1 {
			return cmdline.Usagef("%s: not a folder (several files need one, as %s%c)", out, strings.TrimSuffix(out, filepath.Ext(out)), filepath.Separator)
		}
		t, err := findTarget(c.to, out)
		if err != nil {
			if ins[0] == "eq2mwc" || ins[0] == "mwc2eq" {
				return cmdline.Usagef("convert: takes match files (equities: fibsbot met %s --help)", ins[0])
			}
			return err
		}
		return c.file(t, ins[0], out)
	}
	t, err := findTarget(c.to, "")
	if err != nil {
		return cmdline.Usagef("%s: a folder needs --to (use %s)", out, strings.Join(formats.Names(convertTargets), ", "))
	}
	if err := makeFolder(out, out); err != nil {
		return err
	}
	names, bad := filename.Taken{}, 0
	for _, in := range ins {
		base := filepath.Base(in)
		base = strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), filepath.Ext(strings.TrimSuffix(base, ".gz")))
		err := c.file(t, in, filepath.Join(out, names.Free(base)+t.Ext))
		var usage cmdline.UsageError
		switch {
		case err == nil:
		case len(ins) == 1 || !errors.As(err, &usage):
			return err
		default:
			complain(c.stderr, err)
			bad++
		}
	}
	if bad > 0 {
		return cmdline.Usagef("%d of %s could not be read", bad, figure.Count(len(ins), "file"))
	}
	return nil
}

// file converts the matches of one file.
func (c *converter) file(target formats.Format, in, out string) error {
	switch {
	case target.Name != "link" && c.share != "":
		return cmdline.Usagef("--share-base: only with --to link")
	case c.share != "":
		target.Write = (&shareFlags{base: c.share}).write
	case target.Name == "link":
		target.Write = share.Write
	}
	matches, err := readMatches(c.ctx, c.stdin, c.stderr, in)
	if err != nil {
		return err
	}
	if c.swap {
		for i := range matches {
			matches[i] = matches[i].Swapped()
		}
	}
	kind, together := "match", out == "-" || target.Together
	if target.OneGame && !together {
		matches, kind = target.Split(matches), "game"
	}
	if len(matches) > maxFiles && !together {
		return cmdline.Usagef("%s: %d files, one for each %s, are too many (at most %d: split it, or use --to oldmoves, xgid or ogid)", in, len(matches), kind, maxFiles)
	}
	lost, err := cmdline.OrInterrupted(c.ctx, func() (lost []string, err error) {
		for _, m := range matches {
			lost = append(lost, target.Lost(m)...)
		}
		return lost, nil
	})
	if err != nil {
		return err
	}
	c.report(out, target, lost)
	files := slices.Collect(slices.Chunk(matches, 1))
	if together {
		files = [][]*record.Match{matches}
	}
	for i, list := range files {
		data, err := cmdline.OrInterrupted(c.ctx, func() (*bytes.Buffer, error) {
			b := &bytes.Buffer{}
			return b, target.WriteAll(b, list)
		})
		if err != nil {
			return err
		}
		put := func(w io.Writer) error { _, err := w.Write(data.Bytes()); return err }
		if out == "-" {
			return put(c.stdout)
		}
		name := out
		if i > 0 {
			ext := filepath.Ext(out)
			name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(out, ext), i+1, ext)
		}
		if err := cmdline.WriteOutput(name, put); err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintf(c.stderr, "%s: %s %d of %d is in %s\n", in, kind, i+1, len(files), name)
		}
	}
	return nil
}

// report names, or counts in c.lost, what the format cannot hold, each once.
func (c *converter) report(out string, target formats.Format, lost []string) {
	said := map[string]bool{}
	for _, what := range lost {
		if c.lost != nil {
			what = kindOf(what)
		}
		switch {
		case said[what]:
		case c.lost != nil:
			c.lost[what]++
		case len(said) < maxOddities:
			fmt.Fprintf(c.stderr, "%s: %s cannot hold %s\n", out, target.Title, what)
		}
		said[what] = true
	}
}

// maxFiles is how many files one IN may become.
const maxFiles = 10_000

// maxOddities bounds the oddities reported for one file: a report or a log taken for a
// match has thousands.
const maxOddities = 20

// readMatches reads a match file of any format and reports oddities on stderr. A file that
// is not a match file is a usage error; when ctx ends the error is errInterrupted.
func readMatches(ctx context.Context, stdin io.Reader, stderr io.Writer, name string) ([]*record.Match, error) {
	r := stdin
	if name != "-" {
		f, err := ctxread.Open(name)
		if err != nil {
			return nil, cmdline.AsUsage(err)
		}
		defer f.Close()
		r = f
	}
	var warnings []record.Warning
	matches, err := cmdline.OrInterrupted(ctx, func() (list []*record.Match, err error) {
		list, _, warnings, err = detect.ReadFile(name, ctxread.File(ctx, r))
		return list, err
	})
	if ctx.Err() != nil {
		return nil, cmdline.ErrInterrupted
	}
	if err != nil {
		return nil, cmdline.AsUsage(record.InFile(name, err))
	}
	name, stderr = sanitize.Text(name), sanitize.Writer(stderr) // it quotes the file
	for _, w := range warnings[:min(len(warnings), maxOddities)] {
		fmt.Fprintf(stderr, "%s:%s\n", name, spaced(w))
	}
	if more := len(warnings) - maxOddities; more > 0 {
		fmt.Fprintf(stderr, "%s: and %d more like these\n", name, more)
	}
	return matches, nil
}

// spaced puts a blank before a warning without a place.
func spaced(w record.Warning) string {
	if w.Line > 0 {
		return w.String()
	}
	return " " + w.String()
}
