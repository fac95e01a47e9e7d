package ratings

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"fibsbot/engine/rating"
)

// PrintResiduals prints every cell beside the fit and the published formulas.
func PrintResiduals(w io.Writer, f *Fitted) error {
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

func ratesOf(e *Errors) rating.ErrorRates {
	mean := func(loss float64, n int) float64 { return loss / float64(max(n, 1)) }
	return rating.ErrorRates{Checker: mean(e.MoveLoss, e.Moves), Cube: mean(e.CubeLoss, e.CubeCases), PerDecision: mean(e.MoveLoss+e.CubeLoss, e.Moves+e.CubeCases)}
}
