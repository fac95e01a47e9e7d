package eval

import (
	"errors"

	"fibsbot/engine/board"
	"fibsbot/engine/nn"
)

// Evaluator says how often each outcome of a game will happen, without looking
// ahead. It has working memory of its own: one for each goroutine.
type Evaluator interface {
	// Eval returns the chances of the player on roll, p.Me, before the roll.
	Eval(p *board.Position) Probs
	// EvalPlays sets out[i], for each of the plays of one decision, to the chances
	// of the mover after plays[i], when the opponent is on roll. out must be at
	// least as long as plays.
	EvalPlays(plays []board.Play, out []Probs)
}

// BearoffSource knows the chances of some positions without contact. It must be
// safe for concurrent use.
type BearoffSource interface {
	// Lookup returns the chances of the player on roll; exact tells that they are
	// those of perfect cubeless play by both sides. ok is false when p is not in
	// the database.
	Lookup(p *board.Position) (pr Probs, exact bool, ok bool)
}

// Model is nets and databases put together: everything static evaluation knows.
// It is immutable and shared by all evaluators.
type Model struct {
	set *nn.Set
	db  BearoffSource
}

// ErrNoNet is returned when a set lacks a net that every model needs.
var ErrNoNet = errors.New("no contact or race net")

// NewModel returns the model of the given nets. db may be nil; bearoffs are then
// left to the race net.
func NewModel(set *nn.Set, db BearoffSource) (*Model, error) {
	if set == nil || set.Contact == nil || set.Race == nil {
		return nil, ErrNoNet
	}
	s := *set
	if s.Crashed == nil {
		s.Crashed = s.Contact
	}
	return &Model{set: &s, db: db}, nil
}

// Manifest returns what the nets' file says about itself.
func (m *Model) Manifest() nn.Manifest { return m.set.Manifest }

// Evaluator returns a new evaluator on the model.
func (m *Model) Evaluator() Evaluator { return &static{m: m} }

// static evaluates with the nets and databases of its model.
type static struct {
	m        *Model
	contacts nn.Encoder
	races    nn.RaceEncoder
	features nn.Features
	position board.Position // here so that its address does not make it escape
	// One scratch a net: the sums of one net's last position are no use to
	// another.
	contact, crashed, race nn.Scratch
}

func (s *static) Eval(p *board.Position) Probs {
	s.forget()
	return s.eval(p)
}

func (s *static) EvalPlays(plays []board.Play, out []Probs) {
	// The first play of each class is summed up from nothing and the others by
	// difference from the one before, so that a decision's values depend on
	// nothing but the decision.
	s.forget()
	for i := range plays {
		s.position = plays[i].Result.Swap()
		out[i] = s.eval(&s.position).Invert()
	}
}

func (s *static) forget() {
	s.contact.Forget()
	s.crashed.Forget()
}

func (s *static) eval(p *board.Position) Probs {
	class := ClassOf(p)
	switch class {
	case Contact:
		s.contacts.Encode(p, &s.features)
		return Sane(p, Probs(s.m.set.Contact.Evaluate(&s.contact, &s.features)))
	case Crashed:
		s.contacts.Encode(p, &s.features)
		return Sane(p, Probs(s.m.set.Crashed.Evaluate(&s.crashed, &s.features)))
	case Over:
		pr, _ := Result(p)
		return pr
	}
	if s.m.db != nil {
		if pr, _, ok := s.m.db.Lookup(p); ok {
			return Sane(p, pr)
		}
	}
	s.races.Encode(p, &s.features)
	return Sane(p, Probs(s.m.set.Race.Evaluate(&s.race, &s.features)))
}
