package reference

import (
	"cmp"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/jsonlines"
)

// ErrBadTruth means a damaged file.
var ErrBadTruth = errors.New("bad truth file")

// Value is an equity with its standard error, both for the player to decide. Without a rollout
// the error is 0 and the equity that of a search, shifted by the mean change of its rivals in
// the rollouts. A play that [Maker.Extend] rolled out later has the best play's value plus its
// difference from it.
type Value struct {
	Equity float64 `json:"equity"`
	Error  float64 `json:"se,omitempty"`
	Trials int     `json:"trials,omitempty"`
}

// Play is one choice of a checker decision.
type Play struct {
	// After is the position ID after the play, the opponent on roll.
	After string `json:"after"`
	Value
}

// Cube is a match state and the values of rolling and doubling in it. Equities are cubeful and
// normalised to the cube (EMG).
type Cube struct {
	train.CubeState
	// NoDouble and DoubleTake are the two arms; double and pass is 1.
	NoDouble   Value `json:"no_double"`
	DoubleTake Value `json:"double_take"`
}

// Reference is a decision with the values of its choices: Plays and Dice, or Cube.
type Reference struct {
	Tag      string `json:"tag"`
	Position string `json:"position"` // position ID
	Reserved bool   `json:"reserved,omitempty"`
	// Truncate is the number of plies after which trials ended, 0 at the end of the
	// game.
	Truncate int    `json:"truncate,omitempty"`
	Dice     string `json:"dice,omitempty"`
	Plays    []Play `json:"plays,omitempty"` // best first, money play without a cube
	Cube     *Cube  `json:"cube,omitempty"`
}

// The sets in the program:
//
//	fibslab train truth truth.jsonl --seed 2027
//	fibslab train truth disputed.jsonl --disputed 0,1,2,gnubg:0,gnubg:2 --puretd FILE --seed 4711 --counts natural=425 \
//		--cubes natural=55 --jacoby natural=20 --stop-stderr 0.002 --trials 20736 --truncate 0
//	gzip -9n truth.jsonl disputed.jsonl, into testdata
//
//go:embed testdata/truth.jsonl.gz testdata/disputed.jsonl.gz
var sets embed.FS

// Sets names the sets in the program: decisions of all plans, and natural ones on which players differ,
// rolled out longer.
var Sets = [...]string{"truth", "disputed"}

// Load reads a set in the program, the first of Sets if set is empty, or else the file at the path set of
// decisions, gzipped if its name ends in .gz. Errors wrap ErrBadTruth and name the line, also a last
// line without its end, or are those of the system.
func Load(set string) ([]Reference, error) {
	var f fs.File
	var err error
	name := set
	if set = cmp.Or(set, Sets[0]); slices.Contains(Sets[:], set) {
		name = "in the program"
		f, err = sets.Open("testdata/" + set + ".jsonl.gz")
	} else {
		f, err = os.Open(set)
	}
	if err != nil {
		return nil, fmt.Errorf("truth: %w", err)
	}
	defer f.Close()
	var in io.Reader = f
	if name != set || strings.HasSuffix(set, ".gz") {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("truth %s: %w: %w", name, ErrBadTruth, err)
		}
		in = z
	}
	ds, err := parseWhole(in)
	if err != nil {
		return nil, fmt.Errorf("truth %s, %w", name, err)
	}
	return ds, nil
}

// parseWhole reads decisions, without duplicates.
func parseWhole(r io.Reader) ([]Reference, error) {
	ds, _, rest, err := parse(r)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("line %d: %w: cut off", len(ds)+1, ErrBadTruth)
	}
	return ds, err
}

// parse is parseWhole, and returns the size of the whole lines and what follows them.
func parse(r io.Reader) (ds []Reference, size int64, rest []byte, err error) {
	lines := map[asked]int{} // where each is asked
	return jsonlines.Read(io.LimitReader(r, 256<<20), ErrBadTruth, func(line int, d *Reference) error {
		if err := d.check(); err != nil {
			return err
		}
		q, err := d.asked()
		if err != nil {
			return err
		}
		if first := lines[q]; first > 0 {
			return fmt.Errorf("the decision of line %d again", first)
		}
		lines[q] = line
		return nil
	})
}

// check refuses an impossible decision.
func (d *Reference) check() error {
	if !slices.Contains(train.Tags, d.Tag) {
		return fmt.Errorf("unknown tag %q", d.Tag)
	}
	p, err := board.ParseID(d.Position)
	if err != nil {
		return fmt.Errorf("position: %w", err)
	}
	if p.Result() != 0 {
		return fmt.Errorf("position: the game of %s is over", d.Position)
	}
	if (d.Cube == nil) == (len(d.Plays) == 0) {
		return errors.New("not either plays or a cube")
	}
	if d.Cube != nil {
		if _, err := d.Cube.State(); err != nil {
			return err
		}
		return errors.Join(d.Cube.NoDouble.check(), d.Cube.DoubleTake.check())
	}
	return d.checkPlays(p)
}

// checkPlays refuses plays of position p that its dice do not allow, duplicates and a wrong
// order.
func (d *Reference) checkPlays(p board.Position) error {
	roll, err := d.Roll()
	if err != nil {
		return err
	}
	const free, listed = 1, 2
	legal := map[string]int{} // by the position after the play
	for _, play := range board.AppendPlays(nil, p, roll) {
		legal[play.Result.Swap().ID()] = free
	}
	for i, q := range d.Plays {
		switch legal[q.After] {
		case 0:
			if _, err := board.ParseID(q.After); err != nil {
				return fmt.Errorf("play %d: %w", i+1, err)
			}
			return fmt.Errorf("play %d: no play of %s in %s leads to %s", i+1, d.Dice, d.Position, q.After)
		case listed:
			return fmt.Errorf("play %d: %s is listed before", i+1, q.After)
		}
		legal[q.After] = listed
		if err := q.check(); err != nil {
			return fmt.Errorf("play %d: %w", i+1, err)
		}
		if i > 0 && q.Equity > d.Plays[i-1].Equity {
			return fmt.Errorf("play %d is better than the one before", i+1)
		}
	}
	return nil
}

// asked is the question of a decision: a roll, or a cube, in a position.
type asked struct {
	position board.Key
	dice     board.Dice
	cube     match.State
}

// asked returns the question of d, whatever is known of its choices.
func (d *Reference) asked() (asked, error) {
	p, err := board.ParseID(d.Position)
	if err != nil {
		return asked{}, fmt.Errorf("position: %w", err)
	}
	q := asked{position: p.Key()}
	if d.Cube != nil {
		q.cube, err = d.Cube.State()
		return q, err
	}
	roll, err := d.Roll()
	q.dice = roll.Sorted()
	return q, err
}

func (v *Value) check() error {
	if !(math.Abs(v.Equity) < 100) || !(v.Error >= 0 && v.Error < 100) || v.Trials < 0 {
		return fmt.Errorf("equity %v with error %v in %d trials", v.Equity, v.Error, v.Trials)
	}
	return nil
}

// Roll returns the dice of a checker decision.
func (d *Reference) Roll() (board.Dice, error) {
	if len(d.Dice) != 2 {
		return board.Dice{}, fmt.Errorf("dice %q are not two digits", d.Dice)
	}
	r := board.Dice{A: d.Dice[0] - '0', B: d.Dice[1] - '0'}
	if !r.Valid() {
		return r, fmt.Errorf("dice %q are not two digits from 1 to 6", d.Dice)
	}
	return r, nil
}

// Plays returns the checker decisions in the form of the bench of nets, without the reserved
// ones, or the reserved ones alone.
func Plays(ds []Reference, reserved bool) (out []train.Problem, err error) {
	for i := range ds {
		d := &ds[i]
		if d.Cube != nil || d.Reserved != reserved {
			continue
		}
		t := train.Problem{Tag: d.Tag}
		if t.Position, err = board.ParseID(d.Position); err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		if t.Dice, err = d.Roll(); err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		for _, p := range d.Plays {
			after, err := board.ParseID(p.After)
			if err != nil {
				return nil, fmt.Errorf("decision %d: %w", i+1, err)
			}
			t.Candidates = append(t.Candidates, train.Rated{Key: after.Key(), Equity: float32(p.Equity)})
		}
		out = append(out, t)
	}
	return out, nil
}
