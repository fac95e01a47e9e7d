package quiz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// rightWithin is the loss (EMG) up to which an answer is correct. Analyses of different
// depths differ by as much.
const rightWithin = 0.02

// Choice is one possible answer and its value.
type Choice struct {
	// Answer is a play in notation, or double, roll, take or drop.
	Answer string  `json:"answer"`
	Equity float64 `json:"equity"`
	// StdErr is the standard error of a rolled out value, 0 for others.
	StdErr float64 `json:"stderr"`
	// Loss against the best choice, EMG.
	Loss float64 `json:"loss"`
}

// CubePlay is the best play of the roll with the cube in another place.
type CubePlay struct {
	Owner string  `json:"owner"` // centre, me or opponent
	Play  string  `json:"play"`
	Value float64 `json:"equity"`
}

// Assessment is the judgement of an answer.
type Assessment struct {
	Right bool `json:"right"`
	// Loss of the answer in EMG, and the best one.
	Loss float64 `json:"loss"`
	Best string  `json:"best"`
	// Choices are the possible answers, the best first, with the given one.
	Choices []Choice           `json:"choices"`
	Plays   *advice.Plays      `json:"plays,omitempty"`
	Cube    *advice.Evaluation `json:"cube,omitempty"`
	Words   string             `json:"words,omitempty"`
	// Source is how the values came about: exact, rolled out or search; Trials the games of
	// each rollout.
	Source string `json:"basis"`
	Trials int    `json:"trials,omitempty"`
	// Cubes are the best plays with the cube in each place, for questions about plays.
	Cubes []CubePlay `json:"cubes,omitempty"`
}

// ErrAnswer is wrapped by errors about answers that the question does not allow.
var ErrAnswer = errors.New("not an answer")

// Judge answers q and compares. Values of sets and of the table of openings count before
// those of the preset p. The error wraps ErrAnswer or board.ErrBadPlay for a bad answer.
func Judge(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question, answer string) (v Assessment, err error) {
	if q.Kind == Play {
		v, err = judgePlay(ctx, e, p, q, answer)
	} else {
		v, err = judgeCube(ctx, e, p, q, answer)
	}
	v.Right = v.Loss <= rightWithin
	if q.Known != nil && v.Source != "search" {
		v.Right = answer == v.Best || v.Loss <= rightWithin/4 // sets ask for small differences
	}
	return v, err
}

func judgePlay(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question, answer string) (v Assessment, err error) {
	s := q.Situation
	pl, err := q.Rules.ParsePlay(s.Position, s.Dice, answer)
	if err != nil {
		return v, err
	}
	move := board.FormatPlay(s.Position, pl)
	list, err := e.Hint(ctx, s.Position, s.Dice, s.State, p)
	if err != nil {
		return v, err
	}
	if len(list) == 0 {
		return v, fmt.Errorf("%w: no play is legal", ErrAnswer)
	}
	doc := advice.PlaysOf(q.Rules, s, list)
	v.Plays, v.Best, v.Source = &doc, doc.Moves[0].Move, "search"
	known := q.Known
	if known == nil {
		known = book(s)
	}
	if known != nil {
		v.Choices = known.choices()
		v.Best, v.Source, v.Trials = v.Choices[0].Answer, sourceOf(known), known.Trials
		if i := slices.IndexFunc(v.Choices, func(c Choice) bool { return c.Answer == move }); i >= 0 {
			v.Loss = v.Choices[i].Loss
			v.Cubes, err = cubes(ctx, e, p, q)
			return v, err
		}
	}
	best := list[0].Play
	if known != nil {
		if best, err = q.Rules.ParsePlay(s.Position, s.Dice, v.Best); err != nil {
			return v, err
		}
	} else {
		for i := range doc.Moves {
			if i < 5 || doc.Moves[i].Move == move {
				v.Choices = append(v.Choices, Choice{Answer: doc.Moves[i].Move, Equity: doc.Moves[i].Equity, Loss: math.Max(0, doc.Moves[0].Equity-doc.Moves[i].Equity)})
			}
		}
	}
	if pl.Result != best.Result {
		// At one depth, see play.Match.Cost.
		pair, err := e.Search().Rate(ctx, s.Position, []board.Play{best, pl}, s.State, p.Checker)
		if err != nil {
			return v, err
		}
		v.Loss = math.Max(0, pair[0].Equity-pair[1].Equity)
		if known != nil {
			v.Choices = append(v.Choices, Choice{Answer: move, Equity: v.Choices[0].Equity - v.Loss, Loss: v.Loss})
			slices.SortStableFunc(v.Choices[1:], func(a, b Choice) int { return cmp.Compare(a.Loss, b.Loss) })
		} else {
			for i := range v.Choices {
				if v.Choices[i].Answer == move {
					v.Choices[i].Loss = v.Loss
				}
			}
		}
	}
	v.Cubes, err = cubes(ctx, e, p, q)
	return v, err
}

func sourceOf(k *Known) string {
	if k.Trials == 0 {
		return "exact"
	}
	return "rollout"
}

// choices are the plays of a known question as answers.
func (k *Known) choices() (out []Choice) {
	for _, p := range k.Plays {
		out = append(out, Choice{Answer: p.Move, Equity: p.Equity, StdErr: p.StdErr, Loss: math.Max(0, k.Plays[0].Equity-p.Equity)})
	}
	return out
}

// cubes are the best plays of a question with the cube in each place, or nil where the cube
// is dead.
func cubes(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question) (out []CubePlay, err error) {
	st := q.Situation.State
	me, opp := st.Away()
	if st.Crawford || st.Length > 0 && (me <= 1 || opp <= 1) {
		return nil, nil
	}
	for _, c := range []struct {
		name  string
		owner match.Owner
	}{{"centre", match.Centred}, {"me", match.Mine}, {"opponent", match.Theirs}} {
		at := st
		at.Owner, at.Cube = c.owner, 1
		if c.owner != match.Centred {
			at.Cube = 2
		}
		best, ok, err := e.BestPlay(ctx, q.Situation.Position, q.Situation.Dice, at, p)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, CubePlay{Owner: c.name, Play: board.FormatPlay(q.Situation.Position, best.Play), Value: best.Equity})
		}
	}
	return out, nil
}

func judgeCube(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question, answer string) (v Assessment, err error) {
	d, err := e.CubeDecision(ctx, q.Situation.Position, q.Situation.State, p)
	if err != nil {
		return v, err
	}
	v.Source = "search"
	var stderr [2]float64
	if q.Known != nil {
		d.NoDouble, d.DoubleTake, d.DoublePass = q.Known.Cube[0], q.Known.Cube[1], 1
		d.StdErr, d.Trials = q.Known.CubeErr, q.Known.Trials
		stderr, v.Source, v.Trials = q.Known.CubeErr, sourceOf(q.Known), q.Known.Trials
	} else {
		v.Words = advice.Words(d)
	}
	doc := advice.EvaluationOf(e.Table(), q.Rules, q.Situation, d)
	v.Cube = &doc
	if q.Kind == Double {
		v.Choices = []Choice{{Answer: "double", Equity: math.Min(d.DoubleTake, d.DoublePass), StdErr: stderr[1]}, {Answer: "roll", Equity: d.NoDouble, StdErr: stderr[0]}}
	} else {
		v.Choices = []Choice{{Answer: "take", Equity: -d.DoubleTake, StdErr: stderr[1]}, {Answer: "drop", Equity: -d.DoublePass}}
	}
	slices.SortStableFunc(v.Choices, func(a, b Choice) int { return cmp.Compare(b.Equity, a.Equity) })
	v.Best = v.Choices[0].Answer
	v.Choices[1].Loss = v.Choices[0].Equity - v.Choices[1].Equity
	i := slices.IndexFunc(v.Choices, func(c Choice) bool { return c.Answer == answer })
	if i < 0 {
		return v, fmt.Errorf("%w: %.20q: want %s or %s", ErrAnswer, answer, v.Choices[0].Answer, v.Choices[1].Answer)
	}
	v.Loss = v.Choices[i].Loss
	return v, nil
}

// mostOptions is how many answers a multiple choice offers.
const mostOptions = 4

// Options are answers to choose from, with the best among them, in an order that depends on
// the question alone.
func Options(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question) ([]string, error) {
	switch q.Kind {
	case Double:
		return []string{"double", "roll"}, nil
	case Take:
		return []string{"take", "drop"}, nil
	}
	var out []string
	add := func(move string) {
		if len(out) < mostOptions && !slices.Contains(out, move) {
			out = append(out, move)
		}
	}
	known := q.Known
	if known == nil {
		known = book(q.Situation)
	}
	if known != nil {
		for _, k := range known.Plays {
			add(k.Move)
		}
	}
	if len(out) < mostOptions {
		list, err := e.Hint(ctx, q.Situation.Position, q.Situation.Dice, q.Situation.State, p)
		if err != nil {
			return nil, err
		}
		for i := range list {
			add(board.FormatPlay(q.Situation.Position, list[i].Play))
		}
	}
	h := fnv.New64a()
	h.Write([]byte(q.ID))
	rand.New(rand.NewPCG(h.Sum64(), 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, nil
}
