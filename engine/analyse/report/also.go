package report

import (
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

// Opinion is what another engine chose where the analysis has another choice.
type Opinion struct {
	By     string `json:"by"`
	Choice string `json:"choice"`
	// Behind is how far the choice is behind the best one by the analysis, EMG; nil if the
	// analysis did not look at it.
	Behind *float64 `json:"behind"`
	// Own are the engine's own equities after its choice and after the best one of the analysis,
	// cubeless and for money; nil if it tells none.
	Own *[2]float64 `json:"own_equities"`
}

// Also asks another engine about a decision; nil where it agrees or has no answer.
type Also func(d *Row) *Opinion

// asked adds the opinions of another engine, if there is one.
func (also Also) asked(list []Row) []Row {
	for k := range list {
		if also == nil {
			break
		}
		o := also(&list[k])
		if list[k].Also = o; o == nil {
			continue
		}
		if o.Behind != nil {
			*o.Behind = round(*o.Behind, 6)
		}
		if o.Own != nil {
			*o.Own = [2]float64{round(o.Own[0], 6), round(o.Own[1], 6)}
		}
	}
	return list
}

// Ask adds the opinions of another engine.
func (d *Document) Ask(also Also) {
	for i := range d.Games {
		also.asked(d.Games[i].Decisions)
	}
}

// text is the opinion in a sentence.
func (o *Opinion) text(c *texts.Catalogue) string {
	behind := "–"
	if o.Behind != nil {
		behind = c.Format("%.3f", *o.Behind)
	}
	out := c.T("{0} chooses {1}, {2} behind here", o.By, c.Phrase(o.Choice), behind)
	if o.Own != nil {
		out += "; " + c.T("by its own figures {0} against {1}", c.Number(figure.Signed(o.Own[0], 3)), c.Number(figure.Signed(o.Own[1], 3)))
	}
	return out
}

// quiet reports whether a decision not to double is too obvious to be shown.
func (d *Row) quiet() bool { return !d.Counts && d.Loss() == 0 && d.Also == nil }

// DoublingLoss is how far doubling, or not, is behind the better of both, EMG.
func (c *CubeChoice) DoublingLoss(double bool) float64 {
	gain := min(c.DoubleTake, c.DoublePass) - c.NoDouble
	if double {
		gain = -gain
	}
	return max(0, gain)
}

// AnsweringLoss is the same of taking or passing, of the doubled player.
func (c *CubeChoice) AnsweringLoss(take bool) float64 {
	gain := c.DoubleTake - c.DoublePass
	if !take {
		gain = -gain
	}
	return max(0, gain)
}
