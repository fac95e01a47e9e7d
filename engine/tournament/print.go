package tournament

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fibsbot/engine/analyse"
	"fibsbot/internal/figure"
)

// unknown is what tables show for a figure that is not known; the field of a CSV file is empty.
const unknown = "–"

// sheet is a table to print.
type sheet struct {
	title string
	head  []string
	rows  [][]string
}

// sheets are the tables of the report.
func (r *Report) sheets() []sheet {
	cross := sheet{title: r.title(), head: []string{"#", "player", "rating", "±", "games", "points", "±"}}
	for i := range r.Players {
		cross.head = append(cross.head, fmt.Sprint(i+1))
	}
	skill := sheet{title: "errors (PR) by " + r.judge() + ", time and faults", head: []string{"player", "PR", "plays", "doubles", "takes", "ms a decision", "longest", "faults"}}
	if r.Judge == nil {
		skill.title = "time and faults"
	}
	for i := range r.Players {
		p := &r.Players[i]
		row := []string{fmt.Sprint(i + 1), p.Name, unknown, unknown, fmt.Sprint(p.Games), r.points(p.Points.Mean), r.spread(p.Points.Stderr)}
		if p.Rating != nil {
			row[2], row[3] = r.rating(p.Rating.Estimate, true), r.rating(p.Rating.High-p.Rating.Estimate, false)
		}
		for j := range r.Players {
			row = append(row, r.against(i, j))
		}
		cross.rows = append(cross.rows, row)
		faults := unknown
		if p.Faults != nil {
			faults = fmt.Sprint(*p.Faults)
		}
		skill.rows = append(skill.rows, []string{p.Name, text(p.PR, "%.2f"), kind(p, analyse.PlayKind), kind(p, analyse.DoubleKind), kind(p, analyse.TakeKind), text(p.Milliseconds, "%.2f"), text(p.Longest, "%.0f"), faults})
	}
	out := []sheet{cross, skill}
	tests := sheet{title: "tests", head: []string{"meeting", "pairs", "log ratio", "verdict"}}
	for _, m := range r.Meetings {
		if m.Test != nil {
			verdict := map[string]string{"": "open", "high": fmt.Sprintf("at least %g", m.Test.High), "low": fmt.Sprintf("at most %g", m.Test.Low)}[m.Test.Verdict]
			tests.rows = append(tests.rows, []string{m.A + " v " + m.B, fmt.Sprint(m.Pairs), text(m.Test.Ratio, "%+.2f"), verdict})
		}
	}
	if tests.rows != nil {
		out = append(out, tests)
	}
	return out
}

func kind(p *Standing, k analyse.Kind) string {
	v, ok := p.Kinds[k.String()]
	if !ok {
		return unknown
	}
	return text(v, "%.2f")
}

func text(v figure.Figure, format string) string {
	if !v.Known() {
		return unknown
	}
	return v.Text(format)
}

// judge names who judged.
func (r *Report) judge() string {
	if r.Judge == nil {
		return unknown
	}
	return *r.Judge
}

// title says what was played and what the figures are.
func (r *Report) title() string {
	what := "money games; rating and points: points a game"
	if r.Length > 0 {
		what = fmt.Sprintf("matches of %s; rating: FIBS points; points: %% of matches won less lost", figure.Count(r.Length, "point"))
	}
	luck := "as played"
	if r.Judge != nil {
		luck = "luck taken off by " + *r.Judge
	}
	return fmt.Sprintf("%s, %s; seed %d", what, luck, r.Seed)
}

// rating writes a rating or the half width of its interval.
func (r *Report) rating(v float64, signed bool) string {
	decimals := 3
	if r.Length > 0 {
		decimals = 0
	}
	if signed {
		return figure.Signed(v, decimals)
	}
	return fmt.Sprintf("%.*f", decimals, v)
}

// points writes points a game, or matches won less lost in per cent; spread the error of it.
func (r *Report) points(v figure.Figure) string {
	if r.Length > 0 {
		return text(100*v, "%+.1f")
	}
	return text(v, "%+.3f")
}

func (r *Report) spread(v figure.Figure) string {
	if r.Length > 0 {
		return text(100*v, "%.1f")
	}
	return text(v, "%.3f")
}

// against is what player i, by place, scored against player j.
func (r *Report) against(i, j int) string {
	a, b := r.Players[i].Name, r.Players[j].Name
	for _, m := range r.Meetings {
		switch {
		case m.A == a && m.B == b:
			return r.points(m.Points.Mean)
		case m.A == b && m.B == a:
			return r.points(-m.Points.Mean)
		}
	}
	return ""
}

// Text writes the report as tables for a terminal.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for i, s := range r.sheets() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.title + "\n")
		width := make([]int, len(s.head))
		for _, row := range append([][]string{s.head}, s.rows...) {
			for k, cell := range row {
				width[k] = max(width[k], utf8.RuneCountInString(cell))
			}
		}
		for _, row := range append([][]string{s.head}, s.rows...) {
			line := ""
			for k, cell := range row {
				pad := strings.Repeat(" ", width[k]-utf8.RuneCountInString(cell))
				if s.head[k] == "player" || s.head[k] == "meeting" || s.head[k] == "verdict" {
					line += cell + pad + "  "
				} else {
					line += pad + cell + "  "
				}
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes the report as tables of Markdown.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	for i, s := range r.sheets() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.title + "\n\n")
		rule := strings.Repeat("|---", len(s.head)) + "|\n"
		for k, row := range append([][]string{s.head}, s.rows...) {
			for _, cell := range row {
				b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
			}
			if b.WriteString("|\n"); k == 0 {
				b.WriteString(rule)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// CSV writes a line for each player; figures that are not known are empty.
func (r *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	number := func(v figure.Figure) string {
		if !v.Known() {
			return ""
		}
		return v.Text("%g")
	}
	head := []string{"player", "plays", "games", "rating", "rating_low", "rating_high", "points", "points_stderr", "as_played", "as_played_stderr", "pr", "pr_plays", "pr_doubles", "pr_takes", "ms_per_decision", "longest_ms", "faults"}
	for i := range r.Players {
		head = append(head, "against "+r.Players[i].Name)
	}
	rows := [][]string{head}
	for i := range r.Players {
		p := &r.Players[i]
		low, mid, high := figure.Unknown, figure.Unknown, figure.Unknown
		if p.Rating != nil {
			low, mid, high = figure.Figure(p.Rating.Low), figure.Figure(p.Rating.Estimate), figure.Figure(p.Rating.High)
		}
		figures := []figure.Figure{mid, low, high, p.Points.Mean, p.Points.Stderr, p.Played.Mean, p.Played.Stderr, p.PR}
		for k := range analyse.Kind(analyse.Kinds) {
			v, ok := p.Kinds[k.String()]
			figures = append(figures, figure.If(ok, float64(v)))
		}
		figures = append(figures, p.Milliseconds, p.Longest)
		row := []string{p.Name, p.Plays, fmt.Sprint(p.Games)}
		for _, v := range figures {
			row = append(row, number(v))
		}
		faults := ""
		if p.Faults != nil {
			faults = fmt.Sprint(*p.Faults)
		}
		row = append(row, faults)
		for j := range r.Players {
			row = append(row, strings.TrimPrefix(r.against(i, j), unknown))
		}
		rows = append(rows, row)
	}
	return out.WriteAll(rows)
}
