package eval

import (
	"encoding/binary"
	"errors"
	"math/bits"

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

// EvalReplies is e.EvalPlays for plays of several rolls of one position, in whatever
// order. An evaluator that can judge them together does, and keeps what it said where a
// roll has few plays, as inside a search: they come again.
func EvalReplies(e Evaluator, plays []board.Play, rolls int, out []Probs) {
	if s, ok := e.(*static); ok {
		s.evalPlays(plays, out, len(plays) <= rolls*remembered)
		return
	}
	e.EvalPlays(plays, out)
}

// BearoffSource knows the chances of some positions without contact. It must be
// safe for concurrent use.
type BearoffSource interface {
	// Lookup returns the chances of the player on roll; exact tells that they are
	// those of perfect cubeless play by both sides. ok is false when p is not in
	// the database.
	Lookup(p *board.Position) (pr Probs, exact bool, ok bool)
}

// GammonSource is a BearoffSource that knows the gammons and backgammons of some races which
// it does not hold as a whole.
type GammonSource interface {
	// Gammons returns the chances to win and to lose a gammon of the player on roll in p,
	// which has no contact; -1 for one that is not known.
	Gammons(p *board.Position) (win, lose float32)
	// Backgammons returns those to win and to lose a backgammon.
	Backgammons(p *board.Position) (win, lose float32)
}

// Model is nets and databases put together: everything static evaluation knows.
// It is immutable and shared by all evaluators.
type Model struct {
	set     *nn.Set
	db      BearoffSource
	gammons GammonSource // db, or nil if it is not one
}

// ErrNoNet is returned when a set lacks a net that every model needs.
var ErrNoNet = errors.New("no contact or race net")

// NewModel returns the model of the given nets. db may be nil; bearoffs are then
// left to the race net.
func NewModel(set *nn.Set, db BearoffSource) (*Model, error) {
	if set == nil || set.OwnNet(nn.ClassContact) == nil || set.OwnNet(nn.ClassRace) == nil {
		return nil, ErrNoNet
	}
	m := &Model{set: set, db: db}
	m.gammons, _ = db.(GammonSource)
	return m, nil
}

// Warm lays out the nets for the processor, which each net otherwise does when it is first needed.
func (m *Model) Warm() {
	if m != nil && m.set != nil {
		m.set.Warm()
	}
}

// Manifest returns what the nets' file says about itself.
func (m *Model) Manifest() nn.Manifest {
	if m == nil || m.set == nil {
		return nn.Manifest{}
	}
	return m.set.Manifest
}

// Arithmetic names how the nets compute, see nn.Arithmetic: where two processors
// name the same, they give the same values.
func (m *Model) Arithmetic() string {
	if m == nil || m.set == nil {
		return ""
	}
	return nn.Arithmetic
}

// Evaluator returns a new evaluator on the model.
func (m *Model) Evaluator() Evaluator { return &static{m: m} }

// static evaluates with the nets and databases of its model.
type static struct {
	m        *Model
	contacts nn.Encoder
	races    nn.RaceEncoder
	race     nn.Features // of the last race
	outputs  [nn.BatchSize]nn.Outputs
	// One queue a net: the sums of one net's last position cannot be reused by another.
	queues   [nn.NumNets]queue
	alone    nn.Scratch // of positions that are not plays
	table    table
	unkept   known          // takes what the table is not to have
	position board.Position // here so that its address does not make it escape
}

// queue holds positions that wait to be evaluated together.
type queue struct {
	scratch   nn.Scratch
	positions [nn.BatchSize]board.Position
	plays     [nn.BatchSize]int // which play of the decision it is
	keep      [nn.BatchSize]*known
	keys      [nn.BatchSize]uint64
	n         int
}

func (s *static) Eval(p *board.Position) Probs {
	class := ClassOf(p)
	switch class {
	case Contact:
		f := s.contacts.Fill(p)
		return Sane(p, Probs(s.m.set.At(nn.PlanNet(f.Plan)).Evaluate(&s.alone, f)))
	case Crashed:
		return Sane(p, Probs(s.m.set.At(nn.CrashedNet(CrashedTheirs(p))).Evaluate(&s.alone, s.contacts.Fill(p))))
	}
	if pr, ok := s.settled(p, class); ok {
		return pr
	}
	s.races.Encode(p, &s.race)
	pr := Probs(s.m.set.At(nn.RaceNet).Evaluate(&s.alone, &s.race))
	w, wg, wb, lg, lb := s.m.saneRace(p, (*[5]float32)(&pr))
	return Probs{w, wg, wb, lg, lb}
}

// unlikely is a gammon chance of the net that no database is asked about: most races end
// without gammons, and a question takes as long as the net.
const unlikely = 0.001

// saneRace is sane for a race, with the gammons that the databases know.
func (m *Model) saneRace(p *board.Position, pr *[5]float32) (w, wg, wb, lg, lb float32) {
	w, wg, wb, lg, lb = sane(p, pr)
	if m.gammons == nil || wg < unlikely && lg < unlikely {
		return w, wg, wb, lg, lb
	}
	win, lose := m.gammons.Gammons(p)
	if win >= 0 {
		wg = min(win, w)
		wb = min(wb, wg)
	}
	if lose >= 0 {
		lg = min(lose, 1-w)
		lb = min(lb, lg)
	}
	if win, lose = m.gammons.Backgammons(p); win >= 0 {
		wb = min(win, wg)
	}
	if lose >= 0 {
		lb = min(lose, lg)
	}
	return w, wg, wb, lg, lb
}

// settled answers without a net where p, which has no contact, is a finished game or known to
// the databases.
func (s *static) settled(p *board.Position, class Class) (pr Probs, ok bool) {
	switch {
	case class == Over:
		pr, _ = Result(p)
		return pr, true
	case s.m.db == nil:
		return pr, false
	}
	if pr, _, ok = s.m.db.Lookup(p); ok {
		pr = Sane(p, pr)
	}
	return pr, ok
}

func (s *static) EvalPlays(plays []board.Play, out []Probs) {
	s.evalPlays(plays, out, len(plays) <= remembered)
}

// evalPlays looks positions up, and keeps them if keep is set.
func (s *static) evalPlays(plays []board.Play, out []Probs, keep bool) {
	// Each position is summed up by its difference from the one before, the first
	// from the last of the decision before: sums are exact, so nothing depends on it.
	for i := range plays {
		at, key := &s.unkept, uint64(0)
		if keep {
			if at, key = s.table.at(&plays[i].Result); at.key == key {
				out[i] = at.pr
				continue
			}
		}
		s.position = plays[i].Result.Swap()
		class := ClassOf(&s.position)
		switch class {
		case Contact:
			f := s.contacts.Fill(&s.position)
			s.enqueue(nn.PlanNet(f.Plan), f, i, at, key, out)
		case Crashed:
			s.enqueue(nn.CrashedNet(CrashedTheirs(&s.position)), s.contacts.Fill(&s.position), i, at, key, out)
		default:
			if pr, ok := s.settled(&s.position, class); ok {
				out[i] = pr.Invert()
				*at = known{key, out[i]}
				continue
			}
			s.races.Encode(&s.position, &s.race)
			s.enqueue(nn.RaceNet, &s.race, i, at, key, out)
		}
	}
	for place := range s.queues {
		s.flush(place, out)
	}
}

// enqueue adds s.position, after play i and with inputs f, to the queue of the net at a place; its
// chances are to be kept at at by key.
func (s *static) enqueue(place int, f *nn.Features, i int, at *known, key uint64, out []Probs) {
	q := &s.queues[place]
	s.m.set.At(place).Add(&q.scratch, f)
	q.positions[q.n], q.plays[q.n], q.keep[q.n], q.keys[q.n] = s.position, i, at, key
	if q.n++; q.n == nn.BatchSize {
		s.flush(place, out)
	}
}

// flush evaluates the queue of the net at a place.
func (s *static) flush(place int, out []Probs) {
	q := &s.queues[place]
	if q.n == 0 {
		return
	}
	s.m.set.At(place).Run(&q.scratch, s.outputs[:])
	for k := range q.n {
		var w, wg, wb, lg, lb float32
		if place == nn.RaceNet {
			w, wg, wb, lg, lb = s.m.saneRace(&q.positions[k], (*[5]float32)(&s.outputs[k]))
		} else {
			w, wg, wb, lg, lb = sane(&q.positions[k], (*[5]float32)(&s.outputs[k]))
		}
		out[q.plays[k]] = Probs{1 - w, lg, lb, wg, wb} // inverted
		*q.keep[k] = known{q.keys[k], Probs{1 - w, lg, lb, wg, wb}}
	}
	q.n = 0
}

// Index of each outcome in Probs.
const (
	Win = iota
	WinGammon
	WinBackgammon
	LoseGammon
	LoseBackgammon
)

// Probs are the five outcome chances in GNU Backgammon's order, cumulative (a
// backgammon is also a gammon and a win), each within [0,1], seen from the
// player on roll.
type Probs [5]float32

// Invert returns the same chances as the other player sees them.
func (p Probs) Invert() Probs {
	return Probs{1 - p[Win], p[LoseGammon], p[LoseBackgammon], p[WinGammon], p[WinBackgammon]}
}

// Money returns the cubeless money equity in points, without the Jacoby rule:
// 2w-1 + (wg-lg) + (wbg-lbg).
func (p Probs) Money() float32 {
	return 2*p[Win] - 1 + p[WinGammon] - p[LoseGammon] + p[WinBackgammon] - p[LoseBackgammon]
}

// table remembers positions that an evaluator has judged lately. In a 2-ply decision
// one play in five leads to a position seen before, in a rollout one in seven. It stays
// small, since one that does not fit into the processor's nearer caches costs more than it
// saves: a quarter of a megabyte.
type table [1 << tableBits]known

const (
	tableBits = 13
	// remembered is the longest list of plays whose positions are looked up and kept: the
	// short lists inside a search or a rollout. All plays of a decision hardly come again.
	remembered = 8
)

// known is the mover's chances after a play, and by which position.
type known struct {
	key uint64 // 0: empty
	pr  Probs
}

// at returns where the position after a play is kept, and its key: 77 bits in all tell
// positions apart.
func (t *table) at(p *board.Position) (*known, uint64) {
	high, key := hashOf(p)
	return &t[high>>(64-tableBits)], key | 1
}

// hashOf folds the counts of a position by products of 128 bits (the scheme of wyhash,
// public domain, with digits of pi).
func hashOf(p *board.Position) (high, low uint64) {
	a := fold(binary.LittleEndian.Uint64(p.Me[0:])^0x243f6a8885a308d3, binary.LittleEndian.Uint64(p.Me[8:])^0x13198a2e03707344)
	b := fold(binary.LittleEndian.Uint64(p.Opp[0:])^0xa4093822299f31d0, binary.LittleEndian.Uint64(p.Opp[8:])^0x082efa98ec4e6c89)
	c := fold(binary.LittleEndian.Uint64(p.Me[16:])^0x452821e638d01377, binary.LittleEndian.Uint64(p.Opp[16:])^0xbe5466cf34e90c6c)
	bars := uint64(p.Me[board.Bar])<<8 | uint64(p.Opp[board.Bar])
	return bits.Mul64(a^bits.RotateLeft64(b, 23)^0xc0ac29b7c97c50dd, c^bars*0x9e3779b97f4a7c15^0x3f84d5b5b5470917)
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
