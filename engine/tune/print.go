package tune

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"fibsbot/engine/preset"
)

// Print writes the ratings as a table: a row for each setting, the presets first, a column
// for each match length.
func (s *Surface) Print(w io.Writer) error {
	t := s.Table
	matches := fmt.Sprintf("%d matches", t.Matches)
	if t.Differences > 0 {
		matches += fmt.Sprintf(" (%d of them valued by differences)", t.Differences)
	}
	fmt.Fprintf(w, "nets %s, engine %s, %s; expert = %.0f; 90 %% intervals against expert\n\n", t.Nets, t.Signature, matches, t.Anchor)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	lengths := lengthsOf(t)
	fmt.Fprint(tab, "setting\t")
	for _, n := range lengths {
		fmt.Fprintf(tab, "%d points\t", n)
	}
	fmt.Fprintln(tab)
	row := func(name string, x Setting) {
		cells := make([]string, len(lengths))
		some := false
		for i, n := range lengths {
			cells[i] = "-"
			if iv, ok := s.At(x, n); ok {
				cells[i] = fmt.Sprintf("%.0f ±%.0f", iv.Estimate, iv.Estimate-iv.Low)
				some = true
			}
		}
		if some {
			fmt.Fprintf(tab, "%s\t%s\t\n", name, strings.Join(cells, "\t"))
		}
	}
	for _, p := range preset.All() {
		if x, err := OfPreset(p); err == nil {
			row(p.Name, x)
		}
	}
	seen := map[Setting]bool{Expert: true}
	for _, p := range t.Ratings {
		if x := p.Setting; (x.Deep == "" || x.Share > 0) && !seen[x] {
			seen[x] = true
			row(x.String(), x)
		}
	}
	return tab.Flush()
}

// lengthsOf lists the measured lengths of a table.
func lengthsOf(t *Table) (out []int) {
	for _, p := range t.Ratings {
		if len(out) == 0 || out[len(out)-1] != p.Length {
			out = append(out, p.Length)
		}
	}
	return out
}
