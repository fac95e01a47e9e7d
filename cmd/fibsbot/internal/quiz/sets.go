package quiz

import (
	"fmt"
	"strings"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/cardset"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/opening"
)

// Known are the values of the choices of a question: exact, rolled out, or those of the
// analysis in the match that it comes from.
type Known struct {
	// Plays are the choices of a play, the best first.
	Plays []KnownPlay
	// Cube has no double, and double and take; double and pass is 1. CubeErr are their
	// standard errors.
	Cube, CubeErr [2]float64
	// Trials is the number of games of each rollout, 0 for exact values.
	Trials int
	// Depth is how deep the analysis of the match judged the decision, empty for a set. Of a cube
	// decision Decision has its values and Words the proper action.
	Depth    string
	Decision *cube.Decision
	Words    string
}

// KnownPlay is a play with its value.
type KnownPlay struct {
	Move           string
	Equity, StdErr float64
}

// Set is a ready set of questions.
type Set struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Questions int    `json:"questions"`
}

// setTitles are the sets by name, in the order in which pages list them.
var setTitles = [][2]string{{"openings", "Openings"}, {"replies", "Replies to openings"}, {cardset.Cubes, "Cube reference positions"}, {cardset.Bearoffs, "Bearoffs"}, {cardset.Races, "Races"}}

// Sets lists the ready sets.
func Sets() (out []Set) {
	for _, s := range setTitles {
		out = append(out, Set{Name: s[0], Title: s[1], Questions: len(sets()[s[0]])})
	}
	return out
}

// closest is the least difference between the best play and the next one that makes a
// question of an opening or a reply.
const closest = 0.01

// sets are the questions of each set.
var sets = sync.OnceValue(func() map[string][]Question {
	out := map[string][]Question{}
	for _, d := range opening.Shipped().All() {
		name, title := "openings", "Opening "+d.Roll
		if d.First != "" {
			name, title = "replies", "Reply to "+d.First
		}
		if len(d.Plays) < 2 || d.First != "" && d.Plays[1].Loss < closest {
			continue
		}
		q, ok := ask(FromSet+name, d.Situation(), board.Rules{})
		if !ok {
			continue
		}
		q.Name, q.Known, q.Phase, q.Loss = title, rolledOut(&d), "opening", d.Plays[1].Loss
		out[name] = append(out[name], q)
	}
	for _, c := range cardset.Shipped() {
		s, err := c.Situation()
		if err != nil {
			continue // a test reads all
		}
		q, ok := ask(FromSet+c.Set, s, board.Rules{})
		if !ok {
			continue
		}
		known := &Known{Trials: c.Trials}
		for _, p := range c.Plays {
			known.Plays = append(known.Plays, KnownPlay{p.Move, p.Equity, p.StdErr})
		}
		if c.Cube != nil {
			known.Cube, known.CubeErr = [2]float64{c.Cube.NoDouble, c.Cube.DoubleTake}, c.Cube.StdErr
		}
		q.Known = known
		out[c.Set] = append(out[c.Set], q)
	}
	return out
})

var setByID = sync.OnceValue(func() map[string]Question {
	out := map[string]Question{}
	for _, list := range sets() {
		for _, q := range list {
			out[q.ID] = q
		}
	}
	return out
})

// setNamed returns the questions of a set; the error wraps ErrFilter.
func setNamed(name string) ([]Question, error) {
	if list, ok := sets()[name]; ok {
		return list, nil
	}
	var names []string
	for _, s := range setTitles {
		names = append(names, s[0])
	}
	return nil, fmt.Errorf("%w: source: unknown set %.40q (use %s)", ErrFilter, name, strings.Join(names, ", "))
}

// book returns the rolled out plays of an opening or a reply, or nil.
func book(s match.Situation) *Known {
	d, ok := opening.Shipped().Find(s)
	if !ok || len(d.Plays) < 2 {
		return nil
	}
	return rolledOut(&d)
}

// rolledOut are the plays of an opening or a reply.
func rolledOut(d *opening.Entry) *Known {
	known := &Known{}
	for _, p := range d.Plays {
		known.Plays = append(known.Plays, KnownPlay{p.Move, p.Equity, p.StdErr})
		known.Trials = max(known.Trials, p.Trials)
	}
	return known
}
