package results

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

// Standing fits what store holds and returns its table of ratings, or "" if there is
// too little for a fit.
func Standing(store *ratings.Store) string {
	fit, err := ratings.Fit(store.Totals(), ratings.DefaultAnchor)
	if err != nil {
		return ""
	}
	s, err := tune.NewSurface(fit.Table(store.Header))
	if err != nil {
		return ""
	}
	var b strings.Builder
	if err := s.Print(&b); err != nil {
		return ""
	}
	return b.String()
}

// PrintResiduals prints every cell beside the fit and the published formulas.
func PrintResiduals(w io.Writer, f *ratings.Fitted) error {
	fmt.Fprintln(w, "\nrating differences of pairs: as played, fitted, and by the published formulas\nfrom the errors made (decisions; moves and cube); millipoints lost a move and a cube decision")
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "pair\tmatches\twon %\tplayed\tfit\tz\tdecisions\tmoves+cube\tEPM\tEPC\t")
	squares := 0.0
	for _, c := range f.Cells {
		t := &c.Total
		squares += c.Z * c.Z
		a, b := ratesOf(&t.Errors[0]), ratesOf(&t.Errors[1])
		published := [2]string{"-", "-"}
		if t.Errors[0].Moves > 0 && t.Errors[1].Moves > 0 {
			n := t.Cell.Length
			published[0] = fmt.Sprintf("%.0f", rating.LossByDecision(b, n)-rating.LossByDecision(a, n))
			published[1] = fmt.Sprintf("%.0f", rating.LossByMoveAndCube(b, n)-rating.LossByMoveAndCube(a, n))
		}
		played := "-"
		if !math.IsInf(c.Difference, 0) {
			played = fmt.Sprintf("%.0f", c.Difference)
		}
		won := strconv.FormatFloat(100*t.Mean, 'f', 1, 64)
		if t.Differences {
			won = strconv.FormatFloat(100*t.Mean, 'f', 2, 64) // they are near 50
		}
		fmt.Fprintf(tab, "%s\t%d\t%s\t%s\t%.0f\t%+.1f\t%s\t%s\t%.1f\t%.1f\t\n", t.Name(), 2*t.Pairs, won, played, c.Fit, c.Z,
			published[0], published[1], 1000*(b.Checker-a.Checker), 1000*(b.Cube-a.Cube))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nsum of z²: %.1f over %d pairs and %d parameters (%.0f degrees of freedom)\n", squares, len(f.Cells), len(f.Params), f.Freedom)
	return err
}

func ratesOf(e *ratings.Errors) rating.ErrorRates {
	r := rating.ErrorRates{Checker: e.PerMove(), Cube: e.PerCube()}
	if n := e.Moves + e.CubeCases; n > 0 {
		r.PerDecision = (e.MoveLoss + e.CubeLoss) / float64(n)
	}
	return r
}

// PrintErrors prints the losses of settings at 0 plies and the part of large errors in them.
func PrintErrors(w io.Writer, list []ratings.SettingErrors) error {
	fmt.Fprintf(w, "\nerrors judged at 0 plies without noise: millipoints lost a move and a cube decision; plays that lose more\nthan %.1f and %.1f per 1000 moves, the worst, and the share of all loss in those above %.1f\n", ratings.Blunder, ratings.Absurd, ratings.Blunder)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tab, "setting\tpoints\tmoves\tEPM\tEPC\t> %.1f\t> %.1f\tworst\tshare\t\n", ratings.Blunder, ratings.Absurd)
	for i := range list {
		e := &list[i].Errors
		per := 1000 / math.Max(1, float64(e.Moves))
		fmt.Fprintf(tab, "%s\t%d\t%d\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\t%.0f %%\t\n", list[i].Setting, list[i].Length, e.Moves,
			1000*e.PerMove(), 1000*e.PerCube(), per*float64(e.Blunders), per*float64(e.Absurd), e.WorstMove, 100*e.BigLoss/math.Max(1e-9, e.MoveLoss))
	}
	return tab.Flush()
}
