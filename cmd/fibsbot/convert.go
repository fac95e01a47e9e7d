package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/text"
)

// convertTarget writes one format of match file.
type convertTarget struct {
	name  string
	write func(io.Writer, *record.Match) error
	// lost names what a match has and the format cannot hold.
	lost func(*record.Match) []string
}

// convertTargets is keyed by the extension of the output file.
var convertTargets = map[string]convertTarget{
	".sgf":  {"SGF", sgf.Write, sgfLost},
	".mat":  {".mat", mat.Write, mat.Lost},
	".fibs": {"FIBS oldmoves", oldmoves.Write, oldmoves.Lost},
	".txt":  {"text", text.Write, keepsAll},
	".html": {"HTML", writePage, keepsAll},
}

// keepsAll is for formats that are read by people: nothing is lost on them.
func keepsAll(*record.Match) []string { return nil }

// writePage writes the report of what the match holds of an analysis; without
// one it has the results alone.
func writePage(w io.Writer, m *record.Match) error {
	return report.HTML(w, m, analyse.Summarise(m, nil, analyse.DefaultLimits), nil)
}

// sgfLost names the one thing that gnubg's SGF has no words for.
func sgfLost(m *record.Match) []string {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if m.Games[i].Actions[k].Raw != "" {
				return []string{"illegal plays that are no steps"}
			}
		}
	}
	return nil
}

func newConvertCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a match file to another format",
		Long: `Reads a match file, whatever its format (SGF, .mat, FIBS oldmoves, Snowie text,
Jellyfish position), and writes it in the format that the extension of OUT asks
for: .sgf, .mat, .fibs (FIBS oldmoves), .txt or .html (both for reading; fibsbot analyse
judges the match first).

IN may be - for the standard input. What the target format cannot hold, and what
looked odd in IN, is said on the standard error. Where IN holds several matches,
an oldmoves file takes them all; other formats get one file a match, numbered
from the second on: OUT.sgf, OUT-2.sgf and so on.`,
		Example: `  fibsbot convert match.sgf match.mat
  fibsbot convert oldmoves.txt match.sgf
  fibsbot convert match.mat match.fibs`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return convert(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), args[0], args[1])
		},
	}
}

func convert(ctx context.Context, stdin io.Reader, stderr io.Writer, in, out string) error {
	target, ok := convertTargets[strings.ToLower(filepath.Ext(out))]
	if !ok {
		if in == "eq2mwc" || in == "mwc2eq" {
			return usagef("convert is for match files: see fibsbot met %s --help", in)
		}
		return usagef("%s: cannot tell the format: want a name that ends in .sgf, .mat, .fibs, .txt or .html", out)
	}
	matches, err := readMatches(ctx, stdin, stderr, in)
	if err != nil {
		return err
	}
	for _, m := range matches {
		for _, what := range target.lost(m) {
			fmt.Fprintf(stderr, "%s: %s cannot hold %s\n", out, target.name, what)
		}
	}
	if target.name == "FIBS oldmoves" {
		return writeOutput(out, func(w io.Writer) error { return oldmoves.WriteAll(w, matches) })
	}
	for i, m := range matches {
		name := out
		if i > 0 {
			ext := filepath.Ext(out)
			name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(out, ext), i+1, ext)
		}
		if err := writeOutput(name, func(w io.Writer) error { return target.write(w, m) }); err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintf(stderr, "%s: match %d of %d is in %s\n", in, i+1, len(matches), name)
		}
	}
	return nil
}

// maxOddities is how much of what looked odd in one file is told: a report taken
// for a match, or a whole session's log, has thousands of lines that are none.
const maxOddities = 20

// readMatches reads a match file of any format and tells on stderr what looked
// odd. A file that cannot be read as one is the user's mistake, told in one line;
// when ctx ends the error is errInterrupted.
func readMatches(ctx context.Context, stdin io.Reader, stderr io.Writer, name string) ([]*record.Match, error) {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, asUsage(err)
		}
		defer f.Close()
		r = f
	}
	matches, _, warnings, err := detect.Read(stoppable{ctx, r})
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	if err != nil {
		return nil, asUsage(record.InFile(name, err))
	}
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
