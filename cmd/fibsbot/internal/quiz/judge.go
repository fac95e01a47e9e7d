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
	"strings"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// rightWithin is the loss (EMG) up to which an answer is correct. Analyses of different
// depths differ by as much.
const rightWithin = 0.02

// Choice is one possible answer and its value.
type Choice struct {
	// Answer is a play in notation; or roll, double/take or double/pass. A question about taking
	// has roll/take and roll/pass for roll. Without the other half double, take and drop leave
	// it open.
	Answer string  `json:"answer"`
	Equity float64 `json:"equity"`
	// StdErr is the standard error of a rolled out value, 0 for others.
	StdErr float64 `json:"stderr"`
	// Loss against the best choice, EMG.
	Loss float64 `json:"loss"`
	// Searched marks a play that is not among the known ones: a search says how far it is behind
	// the best of them.
	Searched bool `json:"searched,omitempty"`
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
	// Choices are the possible answers, the best first, with the given one. Plays are all plays
	// of a search.
	Choices []Choice           `json:"choices"`
	Plays   *advice.Plays      `json:"plays,omitempty"`
	Cube    *advice.Evaluation `json:"cube,omitempty"`
	Words   string             `json:"words,omitempty"`
	// Source is how the values came about: exact, rollout, analysis (of the match, at Depth) or
	// search; Trials the games of each rollout.
	Source string `json:"basis"`
	Trials int    `json:"trials,omitempty"`
	Depth  string `json:"depth,omitempty"`
	// Cubes are the best plays with the cube in each place, for questions about plays.
	Cubes []CubePlay `json:"cubes,omitempty"`
}

// ErrAnswer is wrapped by errors about answers that the question does not allow.
var ErrAnswer = errors.New("not an answer")

// Judge answers q and compares. Values of sets, of the analysis in the match and of the table
// of openings count before those of the preset p. The error wraps ErrAnswer or board.ErrBadPlay for a bad answer.
func Judge(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question, answer string) (v Assessment, err error) {
	if q.Kind == Play {
		v, err = judgePlay(ctx, e, p, q, answer)
	} else {
		v, err = judgeCube(ctx, e, p, q, answer)
	}
	v.Right = v.Loss <= rightWithin
	if v.Source == "exact" || v.Source == "rollout" && q.Known != nil {
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
	known := q.Known
	if known == nil {
		known = book(s)
	}
	if known != nil {
		v.Choices = known.choices()
		v.Best, v.Source, v.Trials, v.Depth = v.Choices[0].Answer, sourceOf(known), known.Trials, known.Depth
		if i := slices.IndexFunc(v.Choices, func(c Choice) bool { return c.Answer == move }); i >= 0 {
			v.Loss = v.Choices[i].Loss
			v.Cubes, err = cubes(ctx, e, p, q)
			return v, err
		}
	}
	var best board.Play
	if known != nil {
		if best, err = q.Rules.ParsePlay(s.Position, s.Dice, v.Best); err != nil {
			return v, err
		}
	} else {
		list, err := e.Hint(ctx, s.Position, s.Dice, s.State, p)
		if err != nil {
			return v, err
		}
		if len(list) == 0 {
			return v, fmt.Errorf("%w: no play is legal", ErrAnswer)
		}
		best = list[0].Play
		doc := advice.PlaysOf(q.Rules, s, list)
		v.Plays, v.Best, v.Source = &doc, doc.Moves[0].Move, "search"
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
			v.Choices = append(v.Choices, Choice{Answer: move, Equity: v.Choices[0].Equity - v.Loss, Loss: v.Loss, Searched: true})
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
	switch {
	case k.Depth != "":
		return "analysis"
	case k.Trials == 0:
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

// The answers to a question about the cube: whether to double, and how a double should be answered.
// double leaves the answer open, take and drop the double.
const (
	roll       = "roll"
	rollTake   = "roll/take"
	rollPass   = "roll/pass"
	double     = "double"
	doubleTake = "double/take"
	doublePass = "double/pass"
	take       = "take"
	drop       = "drop"
)

func judgeCube(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question, answer string) (v Assessment, err error) {
	var d cube.Decision
	if k := q.Known; k != nil && k.Decision != nil {
		d, v.Source, v.Depth, v.Words = *k.Decision, sourceOf(k), k.Depth, k.Words
	} else {
		if d, err = e.CubeDecision(ctx, q.Situation.Position, q.Situation.State, p); err != nil {
			return v, err
		}
		v.Source, v.Words = "search", advice.Words(d)
		if k != nil {
			d.NoDouble, d.DoubleTake, d.DoublePass, d.StdErr, d.Trials = k.Cube[0], k.Cube[1], 1, k.CubeErr, k.Trials
			v.Source, v.Trials, v.Words = sourceOf(k), k.Trials, ""
		}
	}
	doc := advice.EvaluationOf(e.Table(), q.Rules, q.Situation, d)
	v.Cube = &doc
	turned := math.Min(d.DoubleTake, d.DoublePass)
	best := math.Max(d.NoDouble, turned)
	waits, turns := best-d.NoDouble, best-turned // what it costs
	takes, passes := d.DoubleTake-turned, d.DoublePass-turned
	v.Choices = []Choice{
		{Answer: roll, Equity: d.NoDouble, StdErr: d.StdErr[0], Loss: waits},
		{Answer: doubleTake, Equity: d.DoubleTake, StdErr: d.StdErr[1], Loss: turns + takes},
		{Answer: doublePass, Equity: d.DoublePass, Loss: turns + passes},
	}
	if q.Kind == Take { // the equities are those after the double
		v.Choices = []Choice{
			{Answer: rollTake, Equity: -d.DoubleTake, StdErr: d.StdErr[1], Loss: waits + takes},
			{Answer: doubleTake, Equity: -d.DoubleTake, StdErr: d.StdErr[1], Loss: turns + takes},
			{Answer: doublePass, Equity: -d.DoublePass, Loss: turns + passes},
			{Answer: rollPass, Equity: -d.DoublePass, Loss: waits + passes},
		}
		if loss, ok := map[string]float64{take: takes, drop: passes}[answer]; ok {
			v.Loss, answer = loss, ""
		}
	}
	slices.SortStableFunc(v.Choices, func(a, b Choice) int { return cmp.Compare(a.Loss, b.Loss) })
	v.Best = v.Choices[0].Answer
	if answer == "" {
		return v, nil // judged above
	}
	var names []string
	for _, c := range v.Choices {
		if names = append(names, c.Answer); c.Answer == answer || answer == double && q.Kind == Double && strings.HasPrefix(c.Answer, double) {
			v.Loss = c.Loss
			return v, nil
		}
	}
	slices.Sort(names)
	return v, fmt.Errorf("%w: %.20q (use %s)", ErrAnswer, answer, strings.Join(names, ", "))
}

// mostOptions is how many answers a multiple choice offers.
const mostOptions = 4

// Options are answers to choose from, with the best among them, in an order that depends on
// the question alone.
func Options(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question) ([]string, error) {
	switch q.Kind {
	case Double:
		return []string{roll, doubleTake, doublePass}, nil
	case Take:
		return []string{rollTake, doubleTake, doublePass, rollPass}, nil
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
