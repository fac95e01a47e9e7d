package analyse

import (
	"context"
	"fmt"
	"html"
	"math"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/figure"
)

// Heat is one roll of a temperature map.
type Heat struct {
	Dice   board.Dice // the larger die first
	Weight int        // of 36: 1 for a double, 2 for any other roll
	// Equity after the best play of the roll, in EMG, for the player who rolls.
	Equity float64
	// Best is that play in words, or "cannot move".
	Best string
}

// TemperatureMap says how good each roll is: the equity after the best play.
type TemperatureMap struct {
	Rolls [21]Heat // in the order of board.Rolls
	Mean  float64  // over the 36 rolls
}

// Temperature makes the map for the player on roll of s, whose dice are ignored.
// The error is that of the search, or of ctx.
func Temperature(ctx context.Context, e *search.Engine, s match.Situation, settings search.Settings) (*TemperatureMap, error) {
	m := &TemperatureMap{}
	for i, r := range board.Rolls {
		h := &m.Rolls[i]
		h.Dice, h.Weight, h.Best = r.Dice, r.Weight, "cannot move"
		list, err := e.Plays(ctx, s.Position, r.Dice, s.State, settings)
		if err == nil && len(list) == 0 {
			list, err = e.Rate(ctx, s.Position, []board.Play{{Result: s.Position}}, s.State, settings)
		}
		if err != nil {
			return nil, fmt.Errorf("temperature map: %w", err)
		}
		if list[0].Play.N > 0 {
			h.Best = board.FormatPlay(s.Position, list[0].Play)
		}
		h.Equity = list[0].Equity
		m.Mean += h.Equity * float64(h.Weight) / 36
	}
	return m, nil
}

// at is the roll of two dice in any order.
func (m *TemperatureMap) at(a, b int) *Heat {
	for i := range m.Rolls {
		d := m.Rolls[i].Dice
		if int(d.A) == a && int(d.B) == b || int(d.A) == b && int(d.B) == a {
			return &m.Rolls[i]
		}
	}
	return &m.Rolls[0]
}

// Text is the map as a table of six by six, with the mean below it and the best
// and the worst roll.
func (m *TemperatureMap) Text() string {
	var b strings.Builder
	b.WriteString("      1       2       3       4       5       6\n")
	for row := 1; row <= 6; row++ {
		fmt.Fprintf(&b, "%d", row)
		for col := 1; col <= 6; col++ {
			b.WriteString(figure.Text("  %+.3f", m.at(row, col).Equity))
		}
		b.WriteByte('\n')
	}
	hot, cold := m.ends()
	fmt.Fprintf(&b, "mean %s; best %d%d %s (%s); worst %d%d %s (%s)\n", figure.Text("%+.4f", m.Mean),
		hot.Dice.A, hot.Dice.B, figure.Text("%+.3f", hot.Equity), hot.Best, cold.Dice.A, cold.Dice.B, figure.Text("%+.3f", cold.Equity), cold.Best)
	return b.String()
}

// ends returns the best and the worst roll.
func (m *TemperatureMap) ends() (hot, cold *Heat) {
	hot, cold = &m.Rolls[0], &m.Rolls[0]
	for i := range m.Rolls {
		h := &m.Rolls[i]
		if h.Equity > hot.Equity {
			hot = h
		}
		if h.Equity < cold.Equity {
			cold = h
		}
	}
	return hot, cold
}

// Sizes of the drawn map in SVG units.
const (
	cellSize = 64
	mapEdge  = 28
	mapFoot  = 26
)

// SVG draws the map: warm colours for rolls better than the mean, cold ones for
// worse, and the figures in the cells, so that nothing depends on colour alone.
func (m *TemperatureMap) SVG(title string) string {
	hot, cold := m.ends()
	span := math.Max(hot.Equity-m.Mean, m.Mean-cold.Equity)
	width, height := mapEdge+6*cellSize, mapEdge+6*cellSize+mapFoot
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="sans-serif" text-anchor="middle">`,
		width, height, width, height)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", html.EscapeString(title), width, height)
	for i := 1; i <= 6; i++ {
		middle := mapEdge + (i-1)*cellSize + cellSize/2
		fmt.Fprintf(&b, `<text x="%d" y="19" font-size="15" fill="#333333">%d</text>`, middle, i)
		fmt.Fprintf(&b, `<text x="14" y="%d" font-size="15" fill="#333333">%d</text>`+"\n", middle+5, i)
	}
	for row := 1; row <= 6; row++ {
		for col := 1; col <= 6; col++ {
			h := m.at(row, col)
			x, y := mapEdge+(col-1)*cellSize, mapEdge+(row-1)*cellSize
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#ffffff"><title>%s</title></rect>`,
				x, y, cellSize, cellSize, warmth(h.Equity-m.Mean, span), html.EscapeString(fmt.Sprintf("%d%d: %s", h.Dice.A, h.Dice.B, h.Best)))
			fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="14" fill="#111111">%s</text>`+"\n", x+cellSize/2, y+cellSize/2+5, figure.Text("%+.3f", h.Equity))
		}
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="13" fill="#333333">mean %s</text>`+"\n</svg>\n", width/2, height-8, figure.Text("%+.4f", m.Mean))
	return b.String()
}

// warmth is the colour of a roll that is by d better than the mean: from blue
// through white to red, all light enough for dark figures.
func warmth(d, span float64) string {
	t := 0.0
	if span > 0 {
		t = math.Max(-1, math.Min(1, d/span))
	}
	fade := int(math.Round(255 - 135*math.Abs(t)))
	if t >= 0 {
		return fmt.Sprintf("#ff%02x%02x", fade, fade)
	}
	return fmt.Sprintf("#%02x%02xff", fade, fade)
}
