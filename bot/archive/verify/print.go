package verify

import (
	"fmt"
	"io"
	"strings"

	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// Print writes the findings as text, faults first.
func (r *Findings) Print(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Wrong {
		fmt.Fprintf(&b, "wrong  %s: %s\n", sanitize.Text(f.File), sanitize.Text(f.Problem))
	}
	for _, f := range r.Notes {
		fmt.Fprintf(&b, "note   %s: %s\n", sanitize.Text(f.File), sanitize.Text(f.Problem))
	}
	fmt.Fprintf(&b, "%s, %d compared with their journals, %d without a journal, %d in progress; %s in the index, %d of them pruned",
		figure.Count(r.Matches, "match file"), r.Replayed, r.Unlogged, r.Running, figure.Count(r.Rows, "row"), r.Pruned)
	if r.Gnubg > 0 {
		fmt.Fprintf(&b, "; %d read by gnubg", r.Gnubg)
	}
	if len(r.Wrong) == 0 {
		b.WriteString(": sound")
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}
