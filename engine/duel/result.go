package duel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"fibsbot/engine/analyse"
	"fibsbot/internal/figure"
	"fibsbot/internal/shard"
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
		raw.add(r.raw())
		adjusted.add(r.adjusted())
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

// raw is A's mean result.
func (p *Pair) raw() float64 { return (p.Result[0] + p.Result[1]) / 2 }

// adjusted is raw without the luck; in this order equal players cancel to the last bit.
func (p *Pair) adjusted() float64 {
	return ((p.Result[0] - p.Luck[0]) + (p.Result[1] - p.Luck[1])) / 2
}

// Turned is the pair from B's side.
func (p Pair) Turned() Pair {
	for i := range 2 {
		p.Result[i], p.Luck[i], p.Edge[i] = -p.Result[i], -p.Luck[i], -p.Edge[i]
	}
	if p.Profile != nil {
		p.Profile = &[2]analyse.Profile{p.Profile[1], p.Profile[0]}
	}
	if p.Asked != nil {
		p.Asked = &[2]Asked{p.Asked[1], p.Asked[0]}
	}
	return p
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

// Run plays the pairs of a duel.
type Run struct {
	Players  [2]Maker // A and B; a Crew does without
	Settings Settings
	Pairs    int
	Jobs     int // pairs at the same time, 0 for one per processor
	// Crew plays the pairs, up to Size of them in a piece; nil is this process, with
	// Jobs threads and a pair a piece. Results do not depend on it.
	Crew shard.Crew
	Size int
	// Earlier holds the results of pairs that need not be played, by number.
	Earlier map[int]Pair
	// Keep, when not nil, is called with each new result, in the order of the pairs. Its
	// error ends the run; [ErrEnough] ends it without one.
	Keep func(pair int, r Pair) error
	// Progress, when not nil, is called with how many pairs are done, in the same way.
	// finished gives their results, in order, until it returns.
	Progress func(done int, finished func() []Pair)
}

// ErrEnough is returned by Run.Keep to end a run after a pair.
var ErrEnough = errors.New("enough pairs")

// Play returns the results of all pairs and how many games were played now. Each
// job has players of its own; result k is that of pair k whatever their number. With an
// error the results are those of the pairs that were finished.
func (d *Run) Play(ctx context.Context) (results []Pair, played int, err error) {
	if d.Pairs < 0 {
		return nil, 0, fmt.Errorf("duel of %d pairs", d.Pairs)
	}
	if d.Crew == nil && (d.Players[0] == nil || d.Players[1] == nil) {
		return nil, 0, errors.New("duel without two players")
	}
	results = make([]Pair, d.Pairs)
	have := make([]bool, d.Pairs)
	finished := func() (out []Pair) {
		for k, r := range results {
			if have[k] {
				out = append(out, r)
			}
		}
		return out
	}
	done := 0
	for k := range results {
		if r, ok := d.Earlier[k]; ok {
			results[k], have[k] = r, true
			done++
		}
	}
	crew, size := d.Crew, d.Size
	if crew == nil {
		table := &seats{ctx: ctx, makers: d.Players, set: d.Settings}
		defer table.close()
		crew, size = &shard.Local{Threads: d.Jobs, New: table.runner}, 1
	}
	parts := shard.Each{To: d.Pairs, Size: size, Want: func(k int) bool { return !have[k] }}
	err = parts.Do(ctx, crew, func(r shard.Range, res shard.Result) error {
		var list []Pair
		if err := json.Unmarshal(res.Data, &list); err != nil || len(list) != r.To-r.From {
			return fmt.Errorf("pairs %d to %d: %w: not their results", r.From, r.To-1, errPiece)
		}
		for i, pair := range list {
			k := r.From + i
			results[k], have[k] = pair, true
			played += pair.Games
			done++
			if d.Progress != nil {
				d.Progress(done, finished)
			}
			if d.Keep == nil {
				continue
			}
			if err := d.Keep(k, pair); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, ErrEnough) {
		return finished(), played, nil
	}
	if err != nil {
		return finished(), played, err
	}
	if ctx.Err() != nil {
		return finished(), played, context.Cause(ctx)
	}
	return results, played, nil
}

// seats makes runners with players of their own and ends those at the end.
type seats struct {
	ctx    context.Context
	makers [2]Maker
	set    Settings

	mu  sync.Mutex
	all []Player
}

// runner makes the runner of one goroutine.
func (s *seats) runner() (shard.Runner, error) {
	var two [2]Player
	for i, newPlayer := range s.makers {
		p, err := newPlayer(s.ctx)
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.all = append(s.all, p)
		s.mu.Unlock()
		two[i] = p
	}
	return shard.Func(func(ctx context.Context, ask []byte) ([]byte, error) {
		r, err := shard.ParseRange(ask, MaxPiece)
		if err != nil {
			return nil, err
		}
		var out []Pair
		for k := r.From; k < r.To; k++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			pair, err := PlayPair(ctx, two, s.set, uint64(k))
			if err != nil {
				return nil, fmt.Errorf("pair %d: %w", k, err)
			}
			out = append(out, pair)
		}
		return json.Marshal(out)
	}), nil
}

func (s *seats) close() {
	for _, p := range s.all {
		p.Close()
	}
}
