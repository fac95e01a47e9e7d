package ratings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/dice"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/shard"
)

// Trial is an ordered rating to be checked by play.
type Trial struct {
	Rating float64
	Length int
	Style  tune.Style
}

// Trials says how to check targets.
type Trials struct {
	// Seed of all dice and errors; use another than the table's.
	Seed uint64
	// Dice are the generator of the dice.
	Dice dice.Generator
	// Character is how the errors of the style human lean.
	Character human.Character
	// Interval ends a trial when the 90 % interval of the achieved rating is within so many points
	// on either side.
	Interval float64
	// MaxPairs bounds the pairs of a trial against each opponent.
	MaxPairs int
	// Jobs is how many blocks are played at once, 0 for one for each processor.
	Jobs int
	// Crew plays the blocks, as Spec says; nil is this process, with Jobs
	// threads.
	Crew shard.Crew
}

// Achieved is the outcome of a trial.
type Achieved struct {
	Trial     Trial
	Strength  tune.Strength   // the setting that the table proposed, with the expected rating
	Opponents []tune.Strength // its opponents
	// Rating is the likeliest one by the results against the opponents, whose ratings are taken as
	// true, with the 90 % interval from the results alone.
	Rating rating.Interval
	Pairs  int
}

// ErrTrials means an impossible check.
var ErrTrials = errors.New("no such check")

// ReadTrials makes a trial of each target with each length and style; targets and styles
// are lists with commas. The error wraps ErrTrials.
func ReadTrials(targets, styles string, lengths []int) (out []Trial, err error) {
	for _, style := range strings.Split(styles, ",") {
		style = strings.TrimSpace(style)
		if s := tune.Style(style); s != tune.Noise && s != tune.Human {
			return nil, fmt.Errorf("%w: style %.40q, there are noise and human", ErrTrials, style)
		}
		for _, n := range lengths {
			for _, text := range strings.Split(targets, ",") {
				r, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
				if err != nil || !finite(r) {
					return nil, fmt.Errorf("%w: target %.40q is not a rating", ErrTrials, text)
				}
				out = append(out, Trial{Rating: r, Length: n, Style: tune.Style(style)})
			}
		}
	}
	return out, nil
}

// Header is the header of the blocks of a check.
func (o *Trials) Header(ctx context.Context, eng *Engine) (Header, error) {
	sig, err := Signature(ctx, eng)
	h := o.header(sig)
	h.Nets = eng.Nets
	return h, err
}

func (o *Trials) header(signature string) Header {
	return Header{Version: formatVersion, Signature: signature, Seed: o.Seed, Dice: o.Dice, BlockSize: trialBlock}
}

// Spec describes the blocks of a check to another process, where FromSpec opens them.
func (o *Trials) Spec(ctx context.Context, eng *Engine) ([]byte, error) {
	sig, err := Signature(ctx, eng)
	if err != nil {
		return nil, err
	}
	return json.Marshal(measureSpec{Header: o.header(sig), Errors: true})
}

// gaps are how far from the target the opponents are, in rating points.
var gaps = [...]float64{-170, -60, 110, 220}

// Opponents are settings of known strength around a rating, weaker and stronger, none of them
// x. Their errors are noise whatever the style of x, so that a human-like setting meets
// other ones.
func Opponents(s *tune.Surface, x tune.Setting, target float64, length int) (out []tune.Strength, err error) {
	low, high := s.Range(length, tune.Noise)
	for _, gap := range gaps {
		// Beyond the end of the scale an opponent moves to the other side of the target.
		r := target + gap
		if r < low || r > math.Min(high, s.Table.Anchor) {
			r = target - gap
		}
		if r < low || r > math.Min(high, s.Table.Anchor) {
			continue
		}
		o, err := s.Find(tune.Order{Rating: r, Length: length, Style: tune.Noise, Cube: -1})
		if err != nil {
			return nil, err
		}
		if o.Setting != x {
			out = append(out, o)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no setting near %.0f to play against", ErrTrials, target)
	}
	return out, nil
}

const (
	trialBlock = 50 // pairs
	// leastTold is how many pairs against each opponent it takes before their variance says when to
	// stop: two or three pairs with equal results would look certain.
	leastTold = 10
)

// Achieve plays the setting that the table gives for a trial against others and returns the
// rating it achieves. The error wraps that of Find, or ErrTrials, or is that of ctx. The result
// does not depend on the number of jobs.
func Achieve(ctx context.Context, s *tune.Surface, eng *Engine, t Trial, o Trials) (Achieved, error) {
	out := Achieved{Trial: t}
	if !(o.Interval > 0) || o.MaxPairs < trialBlock || o.Jobs < 0 {
		return out, o.bad()
	}
	var err error
	if out.Strength, err = s.Find(tune.Order{Rating: t.Rating, Length: t.Length, Style: t.Style, Cube: -1}); err != nil {
		return out, err
	}
	if out.Opponents, err = Opponents(s, out.Strength.Setting, out.Strength.Rating.Estimate, t.Length); err != nil {
		return out, err
	}
	crew := o.Crew
	header := o.header("")
	if crew == nil {
		runner := &blockRunner{eng, measureSpec{Header: header}}
		crew = &shard.Local{Threads: o.Jobs, New: func() (shard.Runner, error) { return runner, nil }}
	}
	scores := make([]moments, len(out.Opponents))
	// All opponents play at 0 plies, so their blocks are of one size.
	block := header.Pairs(Cell{A: out.Strength.Setting, B: out.Opponents[0].Setting, Length: t.Length})
	row := func(index int) (list []due) {
		for _, opponent := range out.Opponents {
			list = append(list, due{Cell{A: out.Strength.Setting, B: opponent.Setting, Length: t.Length}, index})
		}
		return list
	}
	for index := 0; (index+1)*block <= o.MaxPairs; index++ {
		var ahead []due
		for k := index + 1; (k+1)*block <= o.MaxPairs && len(ahead) < crew.Ahead(); k++ {
			ahead = append(ahead, row(k)...)
		}
		err := doBlocks(ctx, crew, o.Seed, row(index), ahead, func(i int, b Block) error {
			scores[i].n += b.Pairs
			scores[i].sum += b.Sum
			scores[i].square += b.Square
			out.Pairs += b.Pairs
			return nil
		})
		if err != nil {
			return out, err
		}
		r, se := likeliest(out.Opponents, scores, t.Length, out.Strength.Rating.Estimate)
		out.Rating = rating.Interval{Estimate: r, Low: r - tune.Z90*se, High: r + tune.Z90*se}
		if se*tune.Z90 <= o.Interval && scores[0].n >= leastTold {
			break
		}
	}
	return out, nil
}

// AchieveHuman plays the settings that the table gives for trials of the style human against
// expert, until the interval of each is narrow enough, and returns the ratings that they achieve.
// It fits the ratings of all of them together, with their judged losses: results alone would take
// ten times as many matches. Blocks go to store, which may have earlier ones, and to keep unless
// that is nil. It passes the error of a target out of reach to leftOut and leaves it out.
func AchieveHuman(ctx context.Context, s *tune.Surface, eng *Engine, trials []Trial, o Trials, store *Store, keep func(Block) error, leftOut func(error)) (out []Achieved, err error) {
	m := Measurement{Interval: o.Interval, MaxPairs: o.MaxPairs, Jobs: o.Jobs, Crew: o.Crew, Errors: true, Keep: keep}
	if !(o.Interval > 0) || o.MaxPairs < trialBlock || o.Jobs < 0 {
		return nil, o.bad()
	}
	anchor := tune.Strength{Setting: tune.Expert, Rating: rating.Interval{Estimate: s.Table.Anchor, Low: s.Table.Anchor, High: s.Table.Anchor}}
	for _, t := range trials {
		found, err := s.Find(tune.Order{Rating: t.Rating, Length: t.Length, Style: t.Style, Character: o.Character, Cube: -1})
		if errors.Is(err, tune.ErrOutOfReach) {
			leftOut(err)
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Achieved{Trial: t, Strength: found, Opponents: []tune.Strength{anchor}})
		if c := NewCell(tune.Expert, found.Setting, t.Length); !slices.Contains(m.Cells, c) {
			m.Cells = append(m.Cells, c)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	if err := Measure(ctx, eng, store, m); err != nil {
		return nil, err
	}
	totals := store.Totals()
	f, err := Fit(totals, s.Table.Anchor)
	if err != nil {
		return nil, err
	}
	for i := range out {
		a := &out[i]
		r, se, _ := f.estimate(a.Strength.Setting, a.Trial.Length)
		a.Rating = rating.Interval{Estimate: r, Low: r - tune.Z90*se, High: r + tune.Z90*se}
		cell := NewCell(tune.Expert, a.Strength.Setting, a.Trial.Length)
		for k := range totals {
			if totals[k].Cell == cell {
				a.Pairs += totals[k].Pairs
			}
		}
	}
	return out, nil
}

// bad is the error of impossible limits.
func (o *Trials) bad() error {
	return fmt.Errorf("%w: interval %v, at most %d pairs (a block has %d), %d jobs", ErrTrials, o.Interval, o.MaxPairs, trialBlock, o.Jobs)
}

// likeliest is the rating at which the shares won against the opponents are likeliest, and its
// standard error; from is the start of the search. Shares count by their measured variances.
func likeliest(opponents []tune.Strength, scores []moments, length int, from float64) (r, se float64) {
	r = from
	slope := math.Ln10 * math.Sqrt(float64(length)) / 2000
	for range 50 {
		push, info := 0.0, 0.0
		for i := range scores {
			m := &scores[i]
			p := rating.WinChance(r-opponents[i].Rating.Estimate, length)
			steep := slope * p * (1 - p)
			w := float64(m.n) / math.Max(m.variance(), 1e-6)
			push += w * steep * (m.mean() - p)
			info += w * steep * steep
		}
		step := math.Max(-200, math.Min(200, push/info))
		r, se = r+step, 1/math.Sqrt(info)
		if math.Abs(step) < 1e-6 {
			break
		}
	}
	return r, se
}
