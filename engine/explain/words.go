package explain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fibsbot/engine/board"
	"fibsbot/internal/texts"
)

// Doc returns the document in the language of t, empty for no reason.
func (r *Reason) Doc(t *texts.Catalogue) Doc {
	if r == nil {
		return Doc{}
	}
	return Doc{r.Text(t), r.lines(t)}
}

// lines returns the facts in the language of t.
func (r *Reason) lines(t *texts.Catalogue) []Line {
	var out []Line
	for i := range r.Facts {
		f := &r.Facts[i]
		l := Line{Kind: f.Kind, Figure: f.Figures, Text: r.sentence(t, f), Against: f.For < 0, Share: f.Share}
		for k := range f.Rolls {
			for _, d := range f.Rolls[k] {
				l.Rolls[k] = append(l.Rolls[k], fmt.Sprintf("%d%d", d.A, d.B))
			}
		}
		out = append(out, l)
	}
	return out
}

// Text returns two or three sentences, "" for no reason.
func (r *Reason) Text(t *texts.Catalogue) string {
	if r == nil {
		return ""
	}
	pro, con := r.told()
	var out []string
	switch {
	case !r.Close():
	case r.Diff < same:
		return t.T("Both plays are worth the same.")
	case len(pro) == 0:
		return t.T("The plays are only {0} apart.", t.Format("%.3f", r.Diff))
	default:
		out = append(out, t.T("Close, {0} apart, but the plays differ.", t.Format("%.3f", r.Diff)))
	}
	for i := range pro {
		out = append(out, r.sentence(t, &pro[i]))
	}
	if !r.cube && !r.Close() && (len(pro) < 2 || pro[0].Share < 0.5) && !told(pro, Gammon, GammonAgainst) {
		out = append(out, r.figures(t))
		if con != nil && told([]Fact{*con}, Gammon, GammonAgainst) {
			con = nil // the figures have it
		}
	}
	if con != nil && !r.Close() {
		out = append(out, r.against(t, con))
	}
	return strings.Join(out, join(t))
}

// join is what stands between sentences.
func join(t *texts.Catalogue) string {
	if t.Lang() == "ja" {
		return ""
	}
	return " "
}

// against is the sentence of a fact that speaks for the other side. French and Spanish go on in
// small letters after a colon.
func (r *Reason) against(t *texts.Catalogue, f *Fact) string {
	text := r.sentence(t, f)
	if lang := t.Lang(); text != "" && (lang == "fr" || lang == "es") {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToLower(first)) + text[size:]
	}
	return t.T("Against that: {0}", text)
}

func told(list []Fact, kinds ...Kind) bool {
	for i := range list {
		for _, k := range kinds {
			if list[i].Kind == k {
				return true
			}
		}
	}
	return false
}

// Long returns every fact on a line of its own, with its rolls.
func (r *Reason) Long(t *texts.Catalogue) string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	for i := range r.Facts {
		f := &r.Facts[i]
		text := r.sentence(t, f)
		if f.For < 0 {
			text = r.against(t, f)
		}
		b.WriteString(text)
		for k, name := range r.named(f) {
			if n := len(f.Rolls[k]); f.Kind != Rolls && n > 0 && n < len(board.Rolls) {
				b.WriteString(join(t) + t.T("({0}: {1})", name, rolls(f.Rolls[k])))
			}
		}
		b.WriteByte('\n')
	}
	if !r.cube {
		b.WriteString(r.figures(t) + "\n")
	}
	return b.String()
}

// named are the names of what the two figures of a fact are of.
func (r *Reason) named(f *Fact) [2]string {
	a, b := r.Best, r.Other
	if f.For < 0 {
		a, b = b, a
	}
	return [2]string{a, b}
}

func rolls(list []board.Dice) string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%d-%d", d.A, d.B))
	}
	return strings.Join(out, ", ")
}

// figures is the sentence on wins and gammons after both plays.
func (r *Reason) figures(t *texts.Catalogue) string {
	p := func(v float64) string { return percent(t, v) }
	return t.T("Wins {0} to {1}, gammons won {2} to {3}, lost {4} to {5}.", p(r.win[0]), p(r.win[1]), p(r.gammon[0]), p(r.gammon[1]), p(r.lost[0]), p(r.lost[1]))
}

func percent(t *texts.Catalogue, v float64) string { return t.Format("%.1f%%", 100*v) }

// points names the points of a fact.
func points(f *Fact) string {
	var out []string
	for _, n := range f.Points {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}

// sentence is one fact.
func (r *Reason) sentence(t *texts.Catalogue, f *Fact) string {
	if r.cube {
		return r.cubeSentence(t, f)
	}
	names := r.named(f)
	x, y, a, b := names[0], names[1], f.Figures[0], f.Figures[1]
	one := len(f.Points) == 1
	switch f.Kind {
	case Hit:
		if a > 1 {
			return t.T("{0} hits {1} checkers.", x, a)
		}
		return t.T("{0} hits.", x)
	case Point:
		if one && f.Points[0] == barPoint+1 {
			return t.T("{0} makes the bar point.", x)
		}
		if one {
			return t.T("{0} makes the {1} point.", x, points(f))
		}
		return t.T("{0} makes the points {1}.", x, points(f))
	case Break:
		if one && f.Points[0] == barPoint+1 {
			return t.T("{0} breaks the bar point.", y)
		}
		if one {
			return t.T("{0} breaks the {1} point.", y, points(f))
		}
		return t.T("{0} breaks the points {1}.", y, points(f))
	case Anchor:
		if f.Made {
			return t.T("{0} makes the anchor on the {1} point.", x, points(f))
		}
		return t.T("{0} gives up the anchor on the {1} point.", y, points(f))
	case Prime:
		return t.T("The block is {1} points long after {0}, {3} after {2}.", x, a, y, b)
	case Escape:
		return t.T("{0} escapes a back checker.", x)
	case Edge:
		return t.T("After {0} a checker stands at the edge of the opponent's prime.", x)
	case Slot:
		if f.Points[0] == barPoint+1 {
			return t.T("{0} slots the bar point; {1} of 36 rolls cover it.", x, a)
		}
		return t.T("{0} slots the {1} point; {2} of 36 rolls cover it.", x, points(f), a)
	case Off:
		return t.T("{0} bears off more checkers than {1}.", x, y)
	case Waste:
		return t.T("{0} wastes {1} pips, {2} {3}.", x, t.Format("%.1f", a), y, t.Format("%.1f", b))
	case Gammon:
		return t.T("{0} wins a gammon in {1} of the games, {2} in {3}.", x, percent(t, a), y, percent(t, b))
	case GammonAgainst:
		return t.T("{0} loses a gammon in {1} of the games, {2} in {3}.", x, percent(t, a), y, percent(t, b))
	case Wins:
		return t.T("{0} wins {1} of the games, {2} {3}.", x, percent(t, a), y, percent(t, b))
	case Rolls:
		return t.T("Most of the difference lies in the opponent's rolls {0}.", rolls(f.Rolls[0]))
	}
	return counted(t, f.Kind, x, y, a, b)
}

// counted is a fact that counts rolls after both plays.
func counted(t *texts.Catalogue, k Kind, x, y string, a, b float64) string {
	switch k {
	case Split:
		return t.T("{0} splits the back checkers: {1} of 36 rolls then make an advanced anchor, {3} after {2}.", x, a, y, b)
	case AnchorRolls:
		return t.T("Next turn {1} of 36 rolls make an advanced anchor after {0}, {3} after {2}.", x, a, y, b)
	case Builder:
		return t.T("Next turn {1} of 36 rolls make a point after {0}, {3} after {2}.", x, a, y, b)
	case HitRolls:
		return t.T("Next turn {1} of 36 rolls hit after {0}, {3} after {2}.", x, a, y, b)
	case EscapeRolls:
		return t.T("Next turn {1} of 36 rolls free a back checker after {0}, {3} after {2}.", x, a, y, b)
	case Timing:
		return t.T("Next turn {1} of 36 rolls break a point after {0}, {3} after {2}.", x, a, y, b)
	case Enter:
		return t.T("After {0} the opponent stays on the bar with {1} of 36 rolls, after {2} with {3}.", x, a, y, b)
	}
	return t.T("After {0} the opponent's best replies hit with {1} of 36 rolls, after {2} with {3}.", x, a, y, b)
}

// cubeSentence is one fact about the cube.
func (r *Reason) cubeSentence(t *texts.Catalogue, f *Fact) string {
	a, b := f.Figures[0], f.Figures[1]
	switch f.Kind {
	case Market:
		if a == 0 {
			return t.T("No roll loses the market.")
		}
		return t.T("The market is lost with {0} of 36 rolls.", a)
	case Volatility:
		return t.T("The equity after the next roll varies by {0} (standard deviation).", t.Format("%.2f", a))
	case Answer:
		return t.T("Taking is worth {0}, passing {1}.", t.Format("%.3f", a), t.Format("%.3f", b))
	case TakePoint:
		if r.taker {
			return t.T("The taker wins {0} of the games; a take needs {1}.", percent(t, a), percent(t, b))
		}
		return t.T("The opponent wins {0} of the games; a take needs {1}.", percent(t, a), percent(t, b))
	case Window:
		return t.T("The winning chance is {0}; a double is right from {1} on.", percent(t, a), percent(t, b))
	case GammonRate:
		if r.taker {
			return t.T("{0} of the losses are gammons.", percent(t, a))
		}
		return t.T("{0} of the wins are gammons.", percent(t, a))
	case TooGood:
		return t.T("Playing on is worth {0}, a pass {1}.", t.Format("%.3f", a), t.Format("%.3f", b))
	case LastCube:
		return t.T("After a take the cube is dead.")
	case Recube:
		return t.T("Owning the cube lowers the take point from {0} to {1}.", percent(t, a), percent(t, b))
	case Price:
		return t.T("At this score a gammon adds {0} times as much to a win as for money.", t.Format("%.2f", a))
	case Woolsey:
		return t.T("Take {0} and pass {1} are close: by Woolsey's law that is a double.", t.Format("%.3f", a), t.Format("%.3f", b))
	case Percent:
		return t.T("The 8-9-12 rule agrees: the race lead is {0}.", t.Format("%.1f%%", a))
	case Kleinman:
		return t.T("Kleinman's metric agrees: {0}.", t.Format("%.2f", a))
	}
	return t.T("Thorp's count agrees: {0} to {1}.", t.Format("%.1f", a), t.Format("%.1f", b))
}
