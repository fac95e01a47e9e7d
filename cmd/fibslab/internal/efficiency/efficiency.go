package efficiency

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// Report is the result of a measurement.
type Report struct {
	Class     string              `json:"class"`
	Plan      string              `json:"plan"`
	Positions int                 `json:"positions"`
	Trials    int                 `json:"trials"`
	Seed      uint64              `json:"seed"`
	All       Liveness            `json:"all"`
	ByOwner   map[string]Liveness `json:"by_owner"`
	ByPips    []PipsBand          `json:"by_pips,omitempty"`
	ByPlace   []PlaceBand         `json:"by_place"`
	Line      *Line               `json:"line,omitempty"`
	Loss      []LossAt            `json:"loss,omitempty"`
}

// PipsBand is x among players on roll with From to To pips.
type PipsBand struct {
	From int `json:"from"`
	To   int `json:"to"`
	Liveness
}

// PlaceBand is x where the chance to win lies between From and To of the way from the
// opponent's cash point, 0, to the player's own, 1.
type PlaceBand struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Liveness
}

// LossAt is the loss of cube decisions with efficiency X, in millipoints, and how much more
// that is than with the usual one.
type LossAt struct {
	X       float64 `json:"x"` // 0 for the usual one and for the line
	Name    string  `json:"name"`
	Loss    float64 `json:"loss"`
	LossErr float64 `json:"loss_stderr"`
	More    float64 `json:"more_than_usual"`
	MoreErr float64 `json:"more_stderr"`
}

var ownerNames = map[match.Owner]string{match.Centred: "centred", match.Mine: "owned", match.Theirs: "opponent's"}

// ClassByName finds a class by its name, as eval.Class writes it.
func ClassByName(name string) (eval.Class, bool) {
	for _, c := range []eval.Class{eval.Contact, eval.Crashed, eval.Race, eval.Bearoff1, eval.Bearoff2} {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

// Meter measures the cube efficiency of one class of positions.
type Meter struct {
	Engine    *engine.Engine
	Class     eval.Class
	Plan      train.Plan // of the games that the positions come from
	Positions int
	Every     int // take about one position in so many
	Seed      uint64
	Settings  rollout.Settings
	Options   rollout.Options
	Line      *cube.Efficiency // race line to try, or nil
	// Truth knows exact equities, which replace rollouts; positions it does not know are left
	// out. With nil positions are rolled out, except bearoffs of six checkers, which the engine
	// knows.
	Truth  search.ExactSource
	Report func(done int) // progress, or nil

	points []cubePoint
	truths []cubeTruth
	asked  []board.Position
	states []match.State
}

// matters is the least difference of dead and live cube for a position to be used.
const matters = 0.1

// ErrFew means that games have too few measurable positions of the class.
var ErrFew = errors.New("too few positions")

// Run draws the positions, measures each and sums up. Errors wrap ErrFew, or are those of the
// rollouts and of ctx.
func (m *Meter) Run(ctx context.Context) (out Report, err error) {
	rng := rand.New(rand.NewPCG(m.Seed, 0xeff1))
	if m.Truth == nil && m.Class == eval.Bearoff2 {
		m.Truth = m.Engine.Exact()
	}
	ev := m.Engine.Model().Evaluator()
	player := &train.NetPlayer{Net: ev}
	seen := train.NewKeySet(m.Positions)
	for games := 0; len(m.asked) < m.Positions; games++ {
		if games > 1000+1000*m.Positions {
			return out, fmt.Errorf("%w: %d of %d of class %s in games of plan %s", ErrFew, len(m.asked), m.Positions, m.Class, m.Plan)
		}
		p := train.StartOf(m.Plan, rng)
		for turn := 0; p.Result() == 0 && turn < 1000 && len(m.asked) < m.Positions; turn++ {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			if eval.ClassOf(&p) < m.Class && m.Class <= eval.Race {
				break // races only get shorter
			}
			if eval.ClassOf(&p) == m.Class && rng.IntN(m.Every) == 0 {
				owner := match.Centred
				if rng.IntN(2) == 0 {
					owner = match.Mine
				}
				pr := ev.Eval(&p)
				pt, err := pointOf(0, owner, 0, &pr, 0)
				if err != nil {
					return out, err
				}
				if math.Abs(pt.live-pt.dead) >= matters && m.known(&p) && seen.Add(p.Key()) {
					if err := m.measure(ctx, p, owner); err != nil {
						return out, err
					}
				}
			}
			d := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
			if play, ok := player.Play(p, d); ok {
				p = play.Result
			}
			p = p.Swap()
		}
	}
	return m.sum(ctx)
}

// known reports whether p can be measured.
func (m *Meter) known(p *board.Position) bool {
	if m.Truth == nil {
		return true
	}
	_, ok := m.Truth.Exact(p)
	return ok
}

// measure adds the points of p.
func (m *Meter) measure(ctx context.Context, p board.Position, owner match.Owner) error {
	st := match.Money(false, 0)
	st.Owner = owner
	var pr eval.Probs
	var t cubeTruth
	if m.Truth != nil {
		x, _ := m.Truth.Exact(&p)
		pr = x.Probs
		t = cubeTruth{x.At(owner), 2 * x.At(match.Theirs)}
	} else {
		job, err := rollout.New(ctx, m.Options, p, st, m.Settings)
		if err != nil {
			return err
		}
		if err := job.AddCube(); err != nil {
			return err
		}
		if err := job.Run(ctx, nil); err != nil {
			return err
		}
		r := job.Results()
		for k := range pr {
			pr[k] = float32(min(max((r[0].Probs[k]+r[1].Probs[k])/2, 0), 1))
		}
		pr = eval.Sane(&p, pr)
		t = cubeTruth{r[0].Equity, r[1].Equity}
	}
	n := len(m.asked)
	for _, at := range []struct {
		owner  match.Owner
		equity float64
	}{{owner, t.noDouble}, {match.Theirs, t.doubleTake / 2}} {
		pt, err := pointOf(n, at.owner, p.Me.Pips(), &pr, at.equity)
		if err != nil {
			return err
		}
		m.points = append(m.points, pt)
	}
	m.truths, m.asked, m.states = append(m.truths, t), append(m.asked, p), append(m.states, st)
	if m.Report != nil {
		m.Report(len(m.asked))
	}
	return nil
}

// lossesAt are the efficiencies compared with the usual one.
var lossesAt = []float64{0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9}

// places are the borders of the bands by place.
var places = []float64{-1e9, 0, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1e9}

func (m *Meter) sum(ctx context.Context) (out Report, err error) {
	out = Report{Class: m.Class.String(), Plan: m.Plan.String(), Positions: len(m.asked), Trials: m.Settings.Trials, Seed: m.Seed,
		All: fitLiveness(m.points), ByOwner: map[string]Liveness{}}
	if m.Truth != nil {
		out.Trials = 0
	}
	for owner, name := range ownerNames {
		var part []cubePoint
		for _, p := range m.points {
			if p.owner == owner {
				part = append(part, p)
			}
		}
		out.ByOwner[name] = fitLiveness(part)
	}
	if m.Class <= eval.Race {
		for from := 0; from < 160; from += 20 {
			b := PipsBand{From: from, To: from + 19}
			var part []cubePoint
			for _, p := range m.points {
				if p.pips >= b.From && p.pips <= b.To {
					part = append(part, p)
				}
			}
			if b.Liveness = fitLiveness(part); b.Points >= 20 {
				out.ByPips = append(out.ByPips, b)
			}
		}
		if l, ok := fitLine(m.points); ok {
			out.Line = &l
		}
	}
	for i, from := range places[:len(places)-1] {
		b := PlaceBand{From: from, To: places[i+1]}
		var part []cubePoint
		for _, p := range m.points {
			if p.place >= b.From && p.place < b.To {
				part = append(part, p)
			}
		}
		if b.Liveness = fitLiveness(part); b.Points >= 10 {
			out.ByPlace = append(out.ByPlace, b)
		}
	}
	if m.Class == eval.Bearoff2 {
		return out, nil // these decisions are exact without x
	}
	usual, err := m.losses(ctx, nil)
	if err != nil {
		return out, err
	}
	add := func(l LossAt, xs []float64) {
		more := make([]float64, len(xs))
		for i := range xs {
			more[i] = xs[i] - usual[i]
		}
		l.Loss, l.LossErr = meanOf(xs)
		l.More, l.MoreErr = meanOf(more)
		out.Loss = append(out.Loss, l)
	}
	add(LossAt{Name: "usual"}, usual)
	for _, x := range lossesAt {
		xs, err := m.losses(ctx, func(int) float64 { return x })
		if err != nil {
			return out, err
		}
		add(LossAt{X: x, Name: fmt.Sprintf("%.2f", x)}, xs)
	}
	if m.Line != nil {
		xs, err := m.losses(ctx, m.Line.Race)
		if err != nil {
			return out, err
		}
		add(LossAt{Name: "line"}, xs)
	}
	return out, nil
}

// losses returns the losses of static cube decisions in millipoints, with the efficiency that x
// gives for the pips of the player on roll; nil for the usual ones.
func (m *Meter) losses(ctx context.Context, x func(pips int) float64) ([]float64, error) {
	var out []float64
	for i := range m.asked {
		s := search.Settings{Cubeful: true}
		if x != nil {
			v := x(m.asked[i].Me.Pips())
			s.Efficiency = &v
		}
		d, err := m.Engine.Search().Cube(ctx, m.asked[i], m.states[i], s)
		if err != nil {
			return nil, err
		}
		out = append(out, 1000*m.truths[i].loss(&d))
	}
	return out, nil
}

// Print writes the report as text.
func (o *Report) Print(w io.Writer) error {
	var err error
	line := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format+"\n", args...)
		}
	}
	source := fmt.Sprintf("rollouts of %d trials an arm", o.Trials)
	if o.Trials == 0 {
		source = "exact equities"
	}
	line("%s, %s games: %d positions, %s, seed %d", o.Class, o.Plan, o.Positions, source, o.Seed)
	fit := func(name string, f Liveness) {
		line("%-14s %6d   x %.3f +- %.3f   residual %.4f", name, f.Points, f.X, f.Err, f.Residual)
	}
	fit("all", o.All)
	for _, owner := range []match.Owner{match.Centred, match.Mine, match.Theirs} {
		fit(ownerNames[owner], o.ByOwner[ownerNames[owner]])
	}
	for _, b := range o.ByPips {
		fit(fmt.Sprintf("%d-%d pips", b.From, b.To), b.Liveness)
	}
	if l := o.Line; l != nil {
		line("x = %.3f (+- %.3f) + %.5f (+- %.5f) * pips", l.Base, l.BaseErr, l.PerPip, l.PerPipErr)
	}
	for _, b := range o.ByPlace {
		fit(fmt.Sprintf("place < %.2g", b.To), b.Liveness)
	}
	if len(o.Loss) > 0 {
		line("0-ply cube decisions, loss in millipoints, and difference to the usual x:")
	}
	for _, l := range o.Loss {
		line("%-6s %7.2f +- %.2f   %+.2f +- %.2f", l.Name, l.Loss, l.LossErr, l.More, l.MoreErr)
	}
	return err
}
