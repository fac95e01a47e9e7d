package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/engine/train"
)

// efficiencyJSON is what `bench efficiency --json` prints.
type efficiencyJSON struct {
	Class     string              `json:"class"`
	Plan      string              `json:"plan"`
	Positions int                 `json:"positions"`
	Trials    int                 `json:"trials"`
	Seed      uint64              `json:"seed"`
	All       liveness            `json:"all"`
	ByOwner   map[string]liveness `json:"by_owner"`
	ByPips    []livenessBand      `json:"by_pips,omitempty"`
	ByPlace   []placeBand         `json:"by_place"`
	Line      *livenessLine       `json:"line,omitempty"`
	Loss      []lossAt            `json:"loss,omitempty"`
}

// livenessBand is x among players on roll with From to To pips.
type livenessBand struct {
	From int `json:"from"`
	To   int `json:"to"`
	liveness
}

// placeBand is x where the chance to win lies between From and To of the way from
// the opponent's cash point, 0, to the own one, 1.
type placeBand struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	liveness
}

// lossAt is what cube decisions with efficiency X give up, in millipoints, and
// how much more that is than with the usual one.
type lossAt struct {
	X       float64 `json:"x"` // 0 for the usual one and for the line
	Name    string  `json:"name"`
	Loss    float64 `json:"loss"`
	LossErr float64 `json:"loss_stderr"`
	More    float64 `json:"more_than_usual"`
	MoreErr float64 `json:"more_stderr"`
}

var ownerNames = map[match.Owner]string{match.Centred: "centred", match.Mine: "owned", match.Theirs: "opponent's"}

// efficiencyFlags are the flags of `bench efficiency`.
type efficiencyFlags struct {
	parts             engineFlags
	class, plan       string
	positions, trials int
	checker, cube     int // plies
	every             int
	seed              uint64
	policy            float64
	line              []float64
	asJSON            bool
}

// newBenchEfficiencyCmd is `fibsbot bench efficiency`: how live the cube is.
func newBenchEfficiencyCmd() *cobra.Command {
	var f efficiencyFlags
	cmd := &cobra.Command{
		Use:   "efficiency",
		Short: "Measure the cube efficiency of a class of positions",
		Long: `Draws positions of a class from games that the nets play against themselves, half
of them with the cube in the middle and half with the player on roll owning it,
rolls out "no double" and "double, take" of each with the cube in play, and finds
the x for which Janowski's mixture of dead and live cube, fed with the rolled-out
chances, comes nearest to the rolled-out equities (least squares). Class bearoff2
needs no rollouts: its equities are exact. Then it counts what 0- to 2-ply cube
decisions give up by x in the eyes of those rollouts.

Only positions where x matters are taken: dead and live differ by 0.1 or more.`,
		Example: `  fibsbot bench efficiency --class bearoff2 --positions 20000
  fibsbot bench efficiency --class race --positions 400 --trials 324
  fibsbot bench efficiency --class contact --positions 300 --trials 144 --plan holding`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	addEngineFlags(cmd, &f.parts)
	fl := cmd.Flags()
	fl.StringVar(&f.class, "class", "contact", "contact, crashed, race, bearoff1 or bearoff2")
	fl.StringVar(&f.plan, "plan", "natural", "what games the positions come from, as in train selfplay")
	fl.IntVar(&f.positions, "positions", 200, "how many positions")
	fl.IntVar(&f.trials, "trials", 144, "games for each arm")
	fl.IntVar(&f.checker, "checker-plies", 0, "depth of the plays in the rollouts")
	fl.IntVar(&f.cube, "cube-plies", 0, "depth of the cube decisions in the rollouts")
	fl.IntVar(&f.every, "every", 8, "take about one position in so many")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of games and rollouts")
	fl.Float64Var(&f.policy, "policy", -1, "one cube efficiency for all decisions inside the rollouts, -1 for the usual ones")
	fl.Float64SliceVar(&f.line, "line", nil, "count the losses also with x = base + slope * pips within [least, greatest]: four numbers")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// prepare returns a run of what the flags ask for, still without an engine.
func (f *efficiencyFlags) prepare() (m efficiencyMeter, err error) {
	class, ok := classByName(f.class)
	if !ok {
		return m, usagef("--class: %q is not contact, crashed, race, bearoff1 or bearoff2", f.class)
	}
	plan, ok := train.ParsePlan(f.plan)
	switch {
	case !ok:
		return m, usagef("--plan: unknown plan %q", f.plan)
	case f.positions < 2 || f.positions > 1<<20 || f.trials < 1 || f.trials > 1<<20:
		return m, usagef("--positions and --trials: want 2 to %d and 1 to %d", 1<<20, 1<<20)
	case f.every < 1 || f.every > 1000:
		return m, usagef("--every: %d is not between 1 and 1000", f.every)
	case !(f.policy == -1 || f.policy >= 0 && f.policy <= 1):
		return m, usagef("--policy: %v is not between 0 and 1", f.policy)
	}
	m = efficiencyMeter{class: class, plan: plan, positions: f.positions, every: f.every, seed: f.seed, settings: rollout.Default()}
	m.settings.Trials, m.settings.MinTrials, m.settings.Seed, m.settings.Threads = f.trials, f.trials, f.seed, f.parts.threads
	m.settings.Checker.Plies, m.settings.Cube.Plies = f.checker, f.cube
	for _, s := range []search.Settings{m.settings.Checker, m.settings.Cube} {
		if err := s.Validate(); err != nil {
			return m, usagef("%v", err)
		}
	}
	if l := f.line; len(l) > 0 {
		if len(l) != 4 || l[2] < 0 || l[3] > 1 || l[2] > l[3] {
			return m, usagef("--line: want four numbers: base, slope, least and greatest x between 0 and 1")
		}
		m.line = &cube.Efficiency{RaceBase: l[0], RacePerPip: l[1], RaceMin: l[2], RaceMax: l[3]}
	}
	return m, nil
}

// run measures and prints what came out.
func (f *efficiencyFlags) run(cmd *cobra.Command) error {
	m, err := f.prepare()
	if err != nil {
		return err
	}
	if m.e, err = f.parts.open(cmd, f.seed); err != nil {
		return err
	}
	defer m.e.Close()
	m.options = m.e.RolloutOptions()
	if x := f.policy; x >= 0 {
		m.options.Efficiency = &cube.Efficiency{Contact: x, Crashed: x, OneSided: x, TwoSided: x, RaceBase: x, RaceMax: 1}
	}
	ctx := cmd.Context()
	report, done := meter(cmd, "positions")
	defer done()
	if report != nil {
		m.report = func(n int) { report(uint64(n), uint64(m.positions)) }
	}
	out, err := m.run(ctx)
	if err != nil {
		return err
	}
	done()
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), out)
	}
	return out.print(cmd.OutOrStdout())
}

func classByName(name string) (eval.Class, bool) {
	for _, c := range []eval.Class{eval.Contact, eval.Crashed, eval.Race, eval.Bearoff1, eval.Bearoff2} {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

// efficiencyMeter is one run.
type efficiencyMeter struct {
	e         *engine.Engine
	class     eval.Class
	plan      train.Plan
	positions int
	every     int
	seed      uint64
	settings  rollout.Settings
	options   rollout.Options
	line      *cube.Efficiency // race line to try, or nil
	report    func(done int)

	points []cubePoint
	truths []cubeTruth
	asked  []board.Position
	states []match.State
}

// matters is how far dead and live must differ for a position to be taken.
const matters = 0.1

// run draws the positions, measures each and sums up.
func (m *efficiencyMeter) run(ctx context.Context) (out efficiencyJSON, err error) {
	rng := rand.New(rand.NewPCG(m.seed, 0xeff1))
	ev := m.e.Model().Evaluator()
	player := &train.JudgePlayer{Judge: ev}
	seen := train.NewKeySet(m.positions)
	for games := 0; len(m.asked) < m.positions; games++ {
		if games > 1000+1000*m.positions {
			return out, fmt.Errorf("only %d of %d positions of class %s found in games of plan %s", len(m.asked), m.positions, m.class, m.plan)
		}
		p := train.StartOf(m.plan, rng)
		for turn := 0; p.Result() == 0 && turn < 1000 && len(m.asked) < m.positions; turn++ {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			if eval.ClassOf(&p) < m.class && m.class <= eval.Race {
				break // races only get shorter
			}
			if eval.ClassOf(&p) == m.class && rng.IntN(m.every) == 0 {
				owner := match.Centred
				if rng.IntN(2) == 0 {
					owner = match.Mine
				}
				pr := ev.Eval(&p)
				pt, err := pointOf(0, owner, 0, &pr, 0)
				if err != nil {
					return out, err
				}
				if math.Abs(pt.live-pt.dead) >= matters && seen.Add(p.Key()) {
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

// measure adds what p teaches.
func (m *efficiencyMeter) measure(ctx context.Context, p board.Position, owner match.Owner) error {
	st := match.Money(false, 0)
	st.Owner = owner
	var pr eval.Probs
	var t cubeTruth
	if m.class == eval.Bearoff2 {
		x, ok := m.e.Exact().Exact(&p)
		if !ok {
			return fmt.Errorf("%s is in no two-sided database", p.ID())
		}
		pr[eval.Win] = (x.Cubeless + 1) / 2
		t = cubeTruth{x.At(owner), 2 * x.At(match.Theirs)}
	} else {
		job, err := rollout.New(m.options, p, st, m.settings)
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
	if m.report != nil {
		m.report(len(m.asked))
	}
	return nil
}

// lossesAt are the efficiencies whose decisions are compared with the usual one's.
var lossesAt = []float64{0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9}

// places are the borders of the bands by place.
var places = []float64{-1e9, 0, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1e9}

func (m *efficiencyMeter) sum(ctx context.Context) (out efficiencyJSON, err error) {
	out = efficiencyJSON{Class: m.class.String(), Plan: m.plan.String(), Positions: len(m.asked), Trials: m.settings.Trials, Seed: m.seed,
		All: fitLiveness(m.points), ByOwner: map[string]liveness{}}
	if m.class == eval.Bearoff2 {
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
	if m.class <= eval.Race {
		for from := 0; from < 160; from += 20 {
			b := livenessBand{From: from, To: from + 19}
			var part []cubePoint
			for _, p := range m.points {
				if p.pips >= b.From && p.pips <= b.To {
					part = append(part, p)
				}
			}
			if b.liveness = fitLiveness(part); b.Points >= 20 {
				out.ByPips = append(out.ByPips, b)
			}
		}
		if l, ok := fitLine(m.points); ok {
			out.Line = &l
		}
	}
	for i, from := range places[:len(places)-1] {
		b := placeBand{From: from, To: places[i+1]}
		var part []cubePoint
		for _, p := range m.points {
			if p.place >= b.From && p.place < b.To {
				part = append(part, p)
			}
		}
		if b.liveness = fitLiveness(part); b.Points >= 10 {
			out.ByPlace = append(out.ByPlace, b)
		}
	}
	if m.class == eval.Bearoff2 {
		return out, nil // those decisions are exact without any x
	}
	usual, err := m.losses(ctx, nil)
	if err != nil {
		return out, err
	}
	add := func(l lossAt, xs []float64) {
		more := make([]float64, len(xs))
		for i := range xs {
			more[i] = xs[i] - usual[i]
		}
		l.Loss, l.LossErr = meanOf(xs)
		l.More, l.MoreErr = meanOf(more)
		out.Loss = append(out.Loss, l)
	}
	add(lossAt{Name: "usual"}, usual)
	for _, x := range lossesAt {
		xs, err := m.losses(ctx, func(int) float64 { return x })
		if err != nil {
			return out, err
		}
		add(lossAt{X: x, Name: fmt.Sprintf("%.2f", x)}, xs)
	}
	if m.line != nil {
		xs, err := m.losses(ctx, m.line.Race)
		if err != nil {
			return out, err
		}
		add(lossAt{Name: "line"}, xs)
	}
	return out, nil
}

// losses are what static cube decisions give up in millipoints, with the
// efficiency that x gives for the pips of the player on roll; nil for the usual
// ones.
func (m *efficiencyMeter) losses(ctx context.Context, x func(pips int) float64) ([]float64, error) {
	var out []float64
	for i := range m.asked {
		s := search.Settings{Cubeful: true}
		if x != nil {
			v := x(m.asked[i].Me.Pips())
			s.Efficiency = &v
		}
		d, err := m.e.Search().Cube(ctx, m.asked[i], m.states[i], s)
		if err != nil {
			return nil, err
		}
		out = append(out, 1000*m.truths[i].loss(&d))
	}
	return out, nil
}

func (o *efficiencyJSON) print(w io.Writer) error {
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
	fit := func(name string, f liveness) {
		line("%-14s %6d   x %.3f +- %.3f   residual %.4f", name, f.Points, f.X, f.Err, f.Residual)
	}
	fit("all", o.All)
	for _, owner := range []match.Owner{match.Centred, match.Mine, match.Theirs} {
		fit(ownerNames[owner], o.ByOwner[ownerNames[owner]])
	}
	for _, b := range o.ByPips {
		fit(fmt.Sprintf("%d-%d pips", b.From, b.To), b.liveness)
	}
	if l := o.Line; l != nil {
		line("x = %.3f (+- %.3f) + %.5f (+- %.5f) * pips", l.Base, l.BaseErr, l.PerPip, l.PerPipErr)
	}
	for _, b := range o.ByPlace {
		fit(fmt.Sprintf("place < %.2g", b.To), b.liveness)
	}
	if len(o.Loss) > 0 {
		line("0-ply cube decisions, millipoints given up, and against the usual x:")
	}
	for _, l := range o.Loss {
		line("%-6s %7.2f +- %.2f   %+.2f +- %.2f", l.Name, l.Loss, l.LossErr, l.More, l.MoreErr)
	}
	return err
}
