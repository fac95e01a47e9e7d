package duel

import (
	"fmt"
	"io"
	"math"

	"fibsbot/internal/figure"
)

// Result is the result of a duel, from A's side. PPG is points a game, or matches won
// minus lost a match, and Stderr its standard error. Pointers are nil where nothing
// was measured. A, B, GamesPerS, Seed and Interrupted are for the caller of Summarise to
// fill in.
type Result struct {
	Games     int     `json:"games"`
	PPG       float64 `json:"ppg"`
	Stderr    float64 `json:"stderr"`
	GamesPerS float64 `json:"games_per_s"`
	A         string  `json:"a"`
	B         string  `json:"b"`
	// Matches, and the share of them that A won, where matches were played; ppg
	// is then matches won minus lost, a match. WinRateStderr is the standard error of the share.
	Matches       int      `json:"matches,omitempty"`
	WinRate       *float64 `json:"win_rate,omitempty"`
	WinRateStderr *float64 `json:"win_rate_stderr,omitempty"`
	Seed          uint64   `json:"seed"`
	// Interrupted tells that the user stopped the duel before its last pair.
	Interrupted bool `json:"interrupted,omitempty"`
	// With Settings.Luck: ppg with the luck of the dice taken off, and the same as a share
	// of matches won.
	LuckAdjusted          *float64 `json:"luck_adjusted,omitempty"`
	LuckAdjustedStderr    *float64 `json:"luck_adjusted_stderr,omitempty"`
	WinRateAdjusted       *float64 `json:"win_rate_adjusted,omitempty"`
	WinRateAdjustedStderr *float64 `json:"win_rate_adjusted_stderr,omitempty"`
	// With Settings.Differences: what A's choices are worth above B's, per game or match
	// like ppg, and at how many decisions the two did not agree.
	Edge       *float64 `json:"edge,omitempty"`
	EdgeStderr *float64 `json:"edge_stderr,omitempty"`
	Differ     *int     `json:"differ,omitempty"`
}

// Summarise computes A's mean result and its standard error; the two games of a
// pair share their dice, so the pair is the unit.
func Summarise(results []Pair, set Settings) Result {
	var raw, adjusted, edge tally
	differ := 0
	var out Result
	for i := range results {
		r := &results[i]
		raw.add((r.Result[0] + r.Result[1]) / 2)
		// In this order equal players cancel to the last bit.
		adjusted.add(((r.Result[0] - r.Luck[0]) + (r.Result[1] - r.Luck[1])) / 2)
		edge.add((r.Edge[0] + r.Edge[1]) / 2)
		differ += r.Differ
		out.Games += r.Games
	}
	out.PPG, out.Stderr = raw.mean(), raw.stderr()
	share := func(v float64) *float64 { v = (v + 1) / 2; return &v }
	if set.Length > 0 {
		out.Matches, out.WinRate, out.WinRateStderr = 2*len(results), share(out.PPG), new(out.Stderr/2)
	}
	if set.Luck != nil {
		mean, stderr := adjusted.mean(), adjusted.stderr()
		out.LuckAdjusted, out.LuckAdjustedStderr = &mean, &stderr
		if set.Length > 0 {
			half := stderr / 2
			out.WinRateAdjusted, out.WinRateAdjustedStderr = share(mean), &half
		}
	}
	if set.Differences != nil {
		mean, stderr := edge.mean(), edge.stderr()
		out.Edge, out.EdgeStderr, out.Differ = &mean, &stderr, &differ
	}
	return out
}

// tally gathers numbers for their mean and its standard error.
type tally struct{ n, sum, square float64 }

func (m *tally) add(v float64) { m.n, m.sum, m.square = m.n+1, m.sum+v, m.square+v*v }

func (m *tally) mean() float64 { return m.sum / max(m.n, 1) }

// stderr is 0 for fewer than two numbers.
func (m *tally) stderr() float64 {
	if m.n < 2 {
		return 0
	}
	return math.Sqrt(max(0, (m.square-m.sum*m.sum/m.n)/(m.n-1)) / m.n)
}

// Print writes the result as one line of text.
func (d *Result) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s (%.1f games/s)\n", d.Text(), d.GamesPerS)
	return err
}

// Text is the result as one line without its end.
func (d *Result) Text() string {
	text := fmt.Sprintf("%s v %s: ", d.A, d.B)
	if d.WinRate != nil {
		text += fmt.Sprintf("%d matches, %d games: %.2f%% won, %s", d.Matches, d.Games, 100**d.WinRate, d.spread("%.2f%%", 50*d.Stderr))
		if d.WinRateAdjusted != nil {
			text += fmt.Sprintf("; luck-adjusted %.2f%%, %s", 100**d.WinRateAdjusted, d.spread("%.2f%%", 100**d.WinRateAdjustedStderr))
		}
	} else {
		text += fmt.Sprintf("%d games: %s points a game, %s", d.Games, figure.Text("%+.4f", d.PPG), d.spread("%.4f", d.Stderr))
		if d.LuckAdjusted != nil {
			text += fmt.Sprintf("; luck-adjusted %s, %s", figure.Text("%+.4f", *d.LuckAdjusted), d.spread("%.4f", *d.LuckAdjustedStderr))
		}
	}
	if d.Edge != nil {
		text += fmt.Sprintf("; %d differences: ", *d.Differ)
		if d.WinRate != nil {
			text += fmt.Sprintf("%s, %s", figure.Text("%+.2f%%", 50**d.Edge), d.spread("%.2f%%", 50**d.EdgeStderr))
		} else {
			text += fmt.Sprintf("%s, %s", figure.Text("%+.4f", *d.Edge), d.spread("%.4f", *d.EdgeStderr))
		}
	}
	return text
}

// spread writes a standard error in words; that of a single pair is unknown.
func (d *Result) spread(format string, v float64) string {
	if d.Matches == 2 || d.Matches == 0 && d.Games <= 2 {
		return "standard error unknown (one pair)"
	}
	return "standard error " + fmt.Sprintf(format, v)
}
