package profile

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Report is the profile of a setting beside the band of real players of its performance rating.
type Report struct {
	Setting string `json:"setting"`
	// Rating is the ordered one, or 0.
	Rating  float64 `json:"ordered_rating,omitempty"`
	Length  int     `json:"length"`
	Matches int     `json:"matches"`
	Seed    uint64  `json:"seed"`
	PR      float64 `json:"pr"`
	// Band is the band of real players, without its figures.
	Band    Band     `json:"band"`
	Figures []Figure `json:"figures"`
	// Outside is how many of the compared figures are outside, Compared their number.
	Outside  int `json:"outside"`
	Compared int `json:"compared"`
}

// NewReport lays the counts of a setting beside the nearest of bands.
func NewReport(all []Counts, bands []Band) Report {
	var sum Counts
	for i := range all {
		sum.Add(&all[i])
	}
	r := Report{PR: round(sum.PR())}
	b := nearest(bands, r.PR)
	r.Figures = Compare(all, b)
	r.Band = *b
	r.Band.Figures = nil
	for _, f := range r.Figures {
		if f.Within > 0 || f.Outside {
			r.Compared++
		}
		if f.Outside {
			r.Outside++
		}
	}
	return r
}

// Print writes the report as a table for people.
func (r *Report) Print(w io.Writer) error {
	what := r.Setting
	if r.Rating > 0 {
		what = fmt.Sprintf("%s, ordered at %.0f", r.Setting, r.Rating)
	}
	fmt.Fprintf(w, "%s: PR %.1f in %d matches of %d points, beside %d real players of PR %.0f to %.0f (%d decisions)\n\n",
		what, r.PR, r.Matches, r.Length, r.Band.Players, r.Band.Low, r.Band.High, r.Band.Decisions)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "figure\tsetting\tevents\treal players\tevents\tmay differ by\t")
	for _, f := range r.Figures {
		real, events, within, mark := "-", "-", "", ""
		if f.Real != nil {
			real, events = f.Real.text(f.Unit), fmt.Sprint(f.Real.Events)
		}
		if f.Within > 0 {
			within = fmt.Sprintf("%.2f", f.Within)
		}
		if f.Outside {
			mark = "outside"
		}
		fmt.Fprintf(tab, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", f.Name, f.text(f.Unit), f.Events, real, events, within, mark)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d compared figures are outside.\n", r.Outside, r.Compared)
	return err
}

func (v *Value) text(unit string) string {
	return fmt.Sprintf("%.2f ± %.2f%s", v.Value, v.StdErr, unit)
}

// PrintBands writes profiles of real players as a table, a column for each band.
func PrintBands(w io.Writer, bands []Band) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tab, "performance rating\t")
	for _, b := range bands {
		fmt.Fprintf(tab, "%.0f to %.0f\t", b.Low, b.High)
	}
	fmt.Fprint(tab, "\nplayers\t")
	for _, b := range bands {
		fmt.Fprintf(tab, "%d\t", b.Players)
	}
	fmt.Fprint(tab, "\ndecisions\t")
	for _, b := range bands {
		fmt.Fprintf(tab, "%d\t", b.Decisions)
	}
	fmt.Fprintln(tab)
	for _, f := range figures() {
		fmt.Fprintf(tab, "%s\t", f.name)
		for _, b := range bands {
			cell := "-"
			if v, ok := b.Figures[f.name]; ok {
				cell = fmt.Sprintf("%s (%d)", v.text(f.unit), v.Events)
			}
			fmt.Fprintf(tab, "%s\t", cell)
		}
		fmt.Fprintln(tab)
	}
	return tab.Flush()
}
