package play

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// DefaultTutor is the loss (EMG) from which a tutor warns: a bad play by the limits of
// the analysis.
const DefaultTutor = 0.08

// Hint is the engine's view of the person's decision.
type Hint struct {
	// Situation is that of the player who decides on plays, or of the doubler.
	Situation match.Situation
	// Plays are the ranked plays of a roll, best first.
	Plays []search.Candidate
	// Cube is the decision before a roll or about a double, or nil.
	Cube *cube.Decision
	// Answer reports that the decision is the answer to the opponent's double.
	Answer bool
	// worth is the value of each answer to a double, see state.answers.
	worth map[Kind]float64
	// Accept is the answer to the opponent's resignation, or nil without one.
	Accept *bool
	// Resign is the level of resignation to offer, 0 for none.
	Resign int
}

// Hint evaluates the person's decision with the preset pr. The error wraps ErrNotNow if
// there is nothing to decide.
func (m *Match) Hint(ctx context.Context, e *engine.Engine, pr preset.Preset) (*Hint, error) {
	m.mu.Lock()
	s := m.state
	s.entries = nil
	m.mu.Unlock()
	if !s.waitsFor(s.me()) {
		return nil, fmt.Errorf("%w: there is nothing for you to decide", ErrNotNow)
	}
	return s.hint(ctx, e, pr)
}

func (s *state) hint(ctx context.Context, e *engine.Engine, pr preset.Preset) (*Hint, error) {
	me := s.me()
	h := &Hint{Situation: s.situation(me)}
	e, err := s.opts.engine(ctx, e)
	if err != nil {
		return nil, err
	}
	switch s.phase {
	case ToMove:
		h.Plays, err = e.Hint(ctx, h.Situation.Position, s.dice, h.Situation.State, pr)
		return h, err
	case ToAnswerResign:
		yes := false
		theirs := s.situation(1 - me)
		yes, err = e.AcceptResignation(ctx, theirs, s.level, pr)
		h.Situation, h.Accept = theirs, &yes
		return h, err
	case ToAnswer:
		h.Answer, h.Situation = true, s.situation(s.First)
	default:
		if h.Resign, err = e.ResignOffer(ctx, h.Situation, pr); err != nil {
			return nil, err
		}
		if !s.mayDouble(me) {
			return h, nil
		}
	}
	d, err := e.CubeDecision(ctx, h.Situation.Position, h.Situation.State, pr)
	if err != nil {
		return nil, err
	}
	h.Cube = &d
	if h.Answer {
		h.worth = s.answers(&d)
	}
	return h, nil
}

// Cost is the loss of an act.
type Cost struct {
	// Loss against the best act in EMG, 0 for the best and for acts that are not judged.
	Loss float64 `json:"loss"`
	// Best is the best act in words: a play, "double", "take".
	Best string `json:"best"`
	// Act is the act asked about, in the same words.
	Act string `json:"act"`
	// Hint is the evaluation behind Loss, with the play asked about at the depth of the best, or
	// nil if the act is not judged.
	Hint *Hint `json:"-"`
}

// Cost returns the loss of an act of the person by the preset pr, without carrying it out.
// Acts that are not judged (next, resign) lose nothing. Errors are those of Do and of the
// engine.
func (m *Match) Cost(ctx context.Context, e *engine.Engine, a Act, pr preset.Preset) (Cost, error) {
	m.mu.Lock()
	s := m.state
	s.entries = nil
	m.mu.Unlock()
	a.Side = s.me()
	try := s
	if a.Kind == Roll {
		a.Dice = [2]uint8{2, 1}
	}
	if err := try.apply(&a); err != nil {
		return Cost{}, err
	}
	switch {
	case a.Kind == Move && a.Play != "":
		return s.judgePlay(ctx, e, a, pr)
	case a.Kind == Roll && s.mayDouble(a.Side), a.Kind == Double, a.Kind == Beaver, a.Kind == Raccoon, a.Kind == Take, a.Kind == Drop:
		return s.judgeCube(ctx, e, a, pr)
	}
	return Cost{}, nil
}

func (s *state) judgePlay(ctx context.Context, e *engine.Engine, a Act, pr preset.Preset) (Cost, error) {
	h, err := s.hint(ctx, e, pr)
	if err != nil {
		return Cost{}, err
	}
	p, rules := h.Situation.Position, s.opts.rules()
	played, err := rules.ParsePlay(p, s.dice, a.Play)
	if err != nil {
		return Cost{}, err
	}
	j := Cost{Best: board.FormatPlay(p, h.Plays[0].Play), Act: a.Play, Hint: h}
	if played.Result == h.Plays[0].Play.Result {
		j.Best = j.Act
		return j, nil
	}
	// Both at full depth: a play evaluated at 0 plies is not comparable with one that was
	// searched.
	if e, err = s.opts.engine(ctx, e); err != nil {
		return Cost{}, err
	}
	settings := pr.Checker
	settings.Noise = 0
	pair, err := e.Search().Rate(ctx, p, []board.Play{h.Plays[0].Play, played}, h.Situation.State, settings)
	if err != nil {
		return Cost{}, err
	}
	j.Loss = math.Max(0, pair[0].Equity-pair[1].Equity)
	if j.Loss > 0 {
		h.place(pair[1])
	}
	return j, nil
}

// place puts a play that was evaluated again where it belongs in the list, after the best.
func (h *Hint) place(c search.Candidate) {
	list := slices.DeleteFunc(slices.Clone(h.Plays), func(x search.Candidate) bool { return x.Play.Result == c.Play.Result })
	at := 1
	for at < len(list) && list[at].Equity >= c.Equity {
		at++
	}
	h.Plays = slices.Insert(list, at, c)
}

// answers is the value of each answer to the offered double for the side that answers, in
// EMG at the cube before the double. d is the doubler's decision. The cube of a double and
// of instant redoubles stays with the doubled side, so each redouble only doubles the stake.
func (s *state) answers(d *cube.Decision) map[Kind]float64 {
	if s.opts.Length > 0 {
		return map[Kind]float64{Take: -d.DoubleTake, Drop: -d.DoublePass}
	}
	// worth is the value of the game for the doubler after n instant redoubles, with the
	// best answer.
	most := s.opts.redoubles()
	var worth func(n int) float64
	worth = func(n int) float64 {
		stake := float64(int(1) << n)
		take, drop := stake*d.DoubleTake, stake
		if n%2 == 1 { // the doubler answers
			v := max(take, -drop)
			if n < most {
				v = max(v, worth(n+1))
			}
			return v
		}
		v := min(take, drop)
		if n < most {
			v = min(v, worth(n+1))
		}
		return v
	}
	turned := s.Pending - 1 // instant redoubles
	sign, stake := -1.0, float64(int(1)<<turned)
	if turned%2 == 1 {
		sign = 1
	}
	out := map[Kind]float64{Take: sign * stake * d.DoubleTake, Drop: -stake}
	if turned < most {
		out[[]Kind{Beaver, Raccoon}[turned]] = sign * worth(turned+1)
	}
	return out
}

// best is the answer of the highest value, the simplest among equals.
func best(worth map[Kind]float64) Kind {
	out := Take
	for _, k := range []Kind{Drop, Beaver, Raccoon} {
		if v, may := worth[k]; may && v > worth[out] {
			out = k
		}
	}
	return out
}

// Best is the best answer to the double that the hint is about.
func (h *Hint) Best() Kind { return best(h.worth) }

func (s *state) judgeCube(ctx context.Context, e *engine.Engine, a Act, pr preset.Preset) (Cost, error) {
	h, err := s.hint(ctx, e, pr)
	if err != nil {
		return Cost{}, err
	}
	d := h.Cube
	doubled := math.Min(d.DoubleTake, d.DoublePass)
	j := Cost{Hint: h, Act: string(a.Kind)}
	switch a.Kind {
	case Roll:
		j.Best = "double"
		j.Loss = doubled - d.NoDouble
	case Double:
		j.Best = "roll"
		j.Loss = d.NoDouble - doubled
	default:
		right := best(h.worth)
		j.Best, j.Loss = string(right), h.worth[right]-h.worth[a.Kind]
	}
	if j.Loss <= 0 {
		j.Loss, j.Best = 0, j.Act
	}
	return j, nil
}
