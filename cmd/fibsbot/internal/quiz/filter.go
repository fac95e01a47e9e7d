package quiz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fibsbot/bot/archive/owner"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/cardset"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/opening"
)

// Sources of questions, see Question.From.
const (
	FromErrors     = "errors"
	FromCollection = "collection:"
	FromSet        = "set:"
)

// Filter chooses questions; zero fields do not restrict.
type Filter struct {
	// From is a source; "" is FromErrors.
	From string
	// Who are the players whose errors are asked; nil for anyone's, or with Mine for those of the
	// account of each match.
	Who  owner.Names
	Mine bool
	// Match is the archive's ID of the match whose errors are asked; "" for all matches.
	Match string
	// Phase and Plan are words of package analyse.
	Phase, Plan string
	// Kind is play, double, take, or cube for the last two.
	Kind string
	// Score is a name of collection.AtScore.
	Score string
	// Min and Max bound the loss of an error; Min 0 is MinLoss, Max 0 no bound.
	Min, Max float64
	// Worst keeps the errors of so many of the costliest themes; 0 keeps all.
	Worst int
}

// ErrFilter is wrapped by errors about filters, which name the field.
var ErrFilter = errors.New("invalid filter")

func (f *Filter) check() error {
	for _, c := range []struct {
		name, value string
		known       []string
	}{{"phase", f.Phase, Phases()}, {"plan", f.Plan, Plans()}, {"kind", f.Kind, []string{string(Play), "cube", string(Double), string(Take)}}} {
		if c.value != "" && !slices.Contains(c.known, c.value) {
			return fmt.Errorf("%w: %s: unknown value %.40q (use %s)", ErrFilter, c.name, c.value, strings.Join(c.known, ", "))
		}
	}
	if f.Worst < 0 {
		return fmt.Errorf("%w: worst: %d is negative (0 for all themes)", ErrFilter, f.Worst)
	}
	if f.Min < 0 || f.Max < 0 || f.Max > 0 && f.Max < f.Min {
		return fmt.Errorf("%w: min, max: no loss is between %v and %v", ErrFilter, f.Min, f.Max)
	}
	if _, err := collection.AtScore(f.Score, match.State{}); err != nil {
		return fmt.Errorf("%w: %w", ErrFilter, err)
	}
	return nil
}

// Phases are the values of Filter.Phase.
func Phases() []string {
	return words(analyse.Phases, func(i int) string { return analyse.Phase(i).String() })
}

// Plans are the values of Filter.Plan.
func Plans() []string {
	return words(analyse.Plans, func(i int) string { return analyse.Plan(i).String() })
}

func words(n int, name func(int) string) (out []string) {
	for i := range n {
		out = append(out, name(i))
	}
	return out
}

// fits reports whether a question of the filter's source fits.
func (f *Filter) fits(q *Question) bool {
	at, _ := collection.AtScore(f.Score, q.Situation.State)
	kind := f.Kind == "" || f.Kind == string(q.Kind) || f.Kind == "cube" && q.Kind != Play
	return at && kind && (f.Phase == "" || f.Phase == q.Phase) && (f.Plan == "" || f.Plan == q.Plan)
}

// Pool returns all questions that fit, due or not, the costliest first.
func (d *Deck) Pool(ctx context.Context, f Filter) (out []Question, err error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	var list []Question
	name, isSet := strings.CutPrefix(f.From, FromSet)
	from, isCollection := strings.CutPrefix(f.From, FromCollection)
	switch {
	case f.From == "" || f.From == FromErrors:
		list, err = d.errors(ctx, f)
	case isSet:
		list, err = setNamed(name)
	case isCollection:
		list, err = d.collected(from)
	default:
		err = fmt.Errorf("%w: source: unknown value %.40q (use errors, set:NAME or collection:NAME)", ErrFilter, f.From)
	}
	if err != nil {
		return nil, err
	}
	for i := range list {
		if f.fits(&list[i]) {
			out = append(out, list[i])
		}
	}
	slices.SortStableFunc(out, func(a, b Question) int {
		switch {
		case a.Loss > b.Loss:
			return -1
		case a.Loss < b.Loss:
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, nil
}

// of reports whether an error is of a player of the filter.
func (f *Filter) of(q *Question) bool {
	if len(f.Who) == 0 {
		return q.Mine || !f.Mine
	}
	return f.Who.Has(q.Player)
}

// errors are the errors of the archive within the filter's loss, players and match.
func (d *Deck) errors(ctx context.Context, f Filter) (out []Question, err error) {
	if err := d.refresh(ctx); err != nil {
		return nil, err
	}
	least := cmp.Or(f.Min, MinLoss)
	d.mu.Lock()
	for _, q := range d.byID {
		if q.Loss >= least && (f.Max == 0 || q.Loss <= f.Max) && f.of(&q) && (f.Match == "" || f.Match == q.Match) {
			out = append(out, q)
		}
	}
	d.mu.Unlock()
	if f.Worst > 0 {
		worst := themes(out)
		worst = worst[:min(f.Worst, len(worst))]
		out = slices.DeleteFunc(out, func(q Question) bool {
			of := themeOf(&q)
			return !slices.ContainsFunc(worst, func(t Theme) bool { return t.Kind == of.Kind && t.Phase == of.Phase && t.Plan == of.Plan })
		})
	}
	return out, nil
}

// collected are the questions of a collection, of all without a name.
func (d *Deck) collected(name string) (out []Question, err error) {
	if d.Collections == nil {
		return nil, nil
	}
	var lists []collection.Collection
	if name == "" {
		lists, err = d.Collections.List()
	} else {
		lists = make([]collection.Collection, 1)
		lists[0], err = d.Collections.Get(name)
	}
	if err != nil {
		return nil, err
	}
	for i := range lists {
		for k := range lists[i].Items {
			it := &lists[i].Items[k]
			s, err := it.Situation()
			if err != nil {
				continue // edited by hand
			}
			if q, ok := ask(FromCollection+lists[i].Name, s, it.Rules); ok {
				q.Name = it.Name
				out = append(out, q)
			}
		}
	}
	return out, nil
}

// ask makes the question that a position asks; ok is false for a finished game.
func ask(from string, s match.Situation, rules board.Rules) (q Question, ok bool) {
	if rules.Result(&s.Position) != 0 {
		return q, false
	}
	kind := Double
	switch {
	case s.Dice.Valid():
		kind = Play
		if len(rules.AppendPlays(nil, s.Position, s.Dice)) < 2 {
			return q, false
		}
	case s.Doubled:
		kind = Take
	}
	q = newQuestion(from, kind, s, rules)
	q.Phase, q.Plan = analyse.PhaseOf(&s.Position, openingOver).String(), analyse.PlanOf(&s.Position).String()
	return q, true
}

// openingOver is a number of rolls after which a game is no longer in its opening.
const openingOver = 100

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
