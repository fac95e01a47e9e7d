package play

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
)

// The two sides. They are the player numbers of package record.
const (
	Opponent = 0
	You      = 1
)

// ErrNotNow is wrapped by errors about acts that the rules do not allow now, ErrOptions by
// errors about impossible options.
var (
	ErrNotNow  = errors.New("not possible now")
	ErrOptions = errors.New("bad match options")
)

// Kind is what an Act does.
type Kind string

// The kinds of act. Start is the opening roll of a game: Side won it and plays it.
// A Tie is an opening roll of equal dice, which comes before a Start and may turn the cube
// (automatic doubles). A Beaver takes a double and redoubles at once, a Raccoon does the
// same to a beaver. Next starts the next game, Again the position that the match began from.
// Swap gives the person the other side. Flag loses on time. With dice thrown by hand, a Roll without
// Dice announces a roll, and one with Dice holds its result.
const (
	Start   Kind = "start"
	Tie     Kind = "tie"
	Roll    Kind = "roll"
	Move    Kind = "move"
	Double  Kind = "double"
	Beaver  Kind = "beaver"
	Raccoon Kind = "raccoon"
	Take    Kind = "take"
	Drop    Kind = "drop"
	Resign  Kind = "resign"
	Accept  Kind = "accept"
	Reject  Kind = "reject"
	Next    Kind = "next"
	Again   Kind = "again"
	Swap    Kind = "swap"
	Flag    Kind = "flag"
)

// Act is an act of one side.
type Act struct {
	Kind Kind `json:"kind"`
	Side int  `json:"side"`
	// Dice of a Start, Tie or Roll; in a Start the first is the winner's.
	Dice [2]uint8 `json:"dice,omitzero"`
	// Play of a Move in the mover's numbering, as board.ParsePlay reads it; empty if no
	// play is legal.
	Play string `json:"play,omitempty"`
	// Illegal marks a Move that was made against the rules.
	Illegal bool `json:"illegal,omitempty"`
	// Level of a Resign: 1 single, 2 gammon, 3 backgammon.
	Level int `json:"level,omitempty"`
	// Spent is the time that the act took, in milliseconds, where a clock runs.
	Spent int64 `json:"spent_ms,omitempty"`
}

// Match is a match in progress. It is safe for concurrent use.
type Match struct {
	id      string
	created time.Time
	opts    Options
	foe     Foe
	// standing of foe.
	standing Standing

	mu      sync.Mutex
	version int // counts changes, undo included
	undone  int
	acts    []Act
	state   state
}

// New begins a match with the opening roll. Errors wrap ErrOptions.
func New(o Options, now time.Time) (*Match, error) {
	if o.Seed == 0 {
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return nil, fmt.Errorf("new match: %w", err)
		}
		o.Seed = binary.LittleEndian.Uint64(b[:])>>11 | 1 // exact in JSON readers with float64 only
	}
	o.Name = cmp.Or(o.Name, "you")
	if err := o.check(); err != nil {
		return nil, err
	}
	foe, err := o.other()
	if err != nil {
		return nil, err
	}
	m := &Match{id: newID(now), created: now.UTC().Truncate(time.Second), opts: o, foe: foe, standing: o.standing(foe)}
	m.state = newState(&m.opts)
	m.open()
	return m, nil
}

// newID names a match by its time and random digits.
func newID(now time.Time) string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // crypto/rand never fails
	return fmt.Sprintf("%s-%x", now.UTC().Format("20060102-150405"), b)
}

// ID names the match among all of a Store.
func (m *Match) ID() string { return m.id }

// Foe returns the opponent.
func (m *Match) Foe() Foe { return m.foe }

// Options returns the terms of the match, with the seed.
func (m *Match) Options() Options { return m.opts }

// throw returns the dice of the next roll: those of Rolls in order, then numbers of the
// generator, which depend on the number of rolls and of ties of this opening.
func (m *Match) throw() [2]uint8 {
	n, ties, all := 0, 0, 0
	for _, a := range m.acts {
		switch a.Kind {
		case Roll, Start:
			n, ties, all = n+1, 0, all+1
		case Tie:
			ties, all = ties+1, all+1
		}
	}
	if d, ok := dice.At(m.opts.Rolls, all); ok {
		return d
	}
	// Ties do not change later rolls.
	r := m.opts.Dice.New(m.opts.Seed, uint64(n+ties<<20)*0x9e3779b97f4a7c15+1)
	return [2]uint8{uint8(1 + r.IntN(6)), uint8(1 + r.IntN(6))}
}

// open makes the opening roll of a game, until the dice differ.
func (m *Match) open() {
	for m.state.phase == toStart && !m.opts.ByHand {
		_ = m.opening(m.throw()) // cannot fail: the state waits for it
	}
}

// opening applies an opening roll, the person's die first.
func (m *Match) opening(d [2]uint8) error {
	a := Act{Kind: Start, Side: You, Dice: d}
	switch {
	case d[0] == d[1]:
		a.Kind = Tie
	case d[1] > d[0]:
		a = Act{Kind: Start, Side: Opponent, Dice: [2]uint8{d[1], d[0]}}
	}
	return m.apply(a)
}

// apply carries out an act that may come from a file. The caller holds mu.
func (m *Match) apply(a Act) error {
	if err := m.state.apply(&a); err != nil {
		return err
	}
	m.acts = append(m.acts, a)
	m.version++
	return nil
}

// Do carries out an act of the person, or of whoever is to act in a match of two people. version is that of the View that the person saw;
// negative skips the check. Roll and Next throw the dice, unless the person throws them by
// hand: then a Roll holds the dice of the side whose roll it is, in an opening the person's
// die first. Errors wrap ErrNotNow, ErrStale or board.ErrBadPlay and change nothing.
func (m *Match) Do(a Act, version int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if version >= 0 && version != m.version {
		return ErrStale
	}
	a.Side = m.state.me()
	switch {
	case a.Kind == Start || a.Kind == Tie:
		return fmt.Errorf("%w: the opening roll is automatic", ErrNotNow)
	case a.Kind != Roll:
		a.Dice = [2]uint8{}
	case !m.opts.ByHand && a.Dice != [2]uint8{}:
		return fmt.Errorf("%w: the dice of this match are automatic", ErrNotNow)
	case m.state.phase == toStart && m.opts.ByHand:
		if !(board.Dice{A: a.Dice[0], B: a.Dice[1]}).Valid() {
			return m.state.notNow(&a)
		}
		return m.opening(a.Dice)
	case m.state.phase == ToThrow:
		a.Side = m.state.turn
	}
	return m.do(a)
}

func (m *Match) do(a Act) error {
	if a.Kind == Roll && !m.opts.ByHand {
		a.Dice = m.throw()
	}
	if err := m.apply(a); err != nil {
		return err
	}
	if a.Kind == Next {
		m.open()
	}
	return nil
}

// ErrStale means that an act was decided for an older state of the match, as in another
// window.
var ErrStale = errors.New("the match has changed meanwhile")

// Undo takes back the person's last decision between several acts, and all acts after it.
// Dice stay the same, except dice thrown by hand, which are taken back like a decision. The
// error wraps ErrNotNow if this game has no such decision. version as in Do.
func (m *Match) Undo(version int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if version >= 0 && version != m.version {
		return ErrStale
	}
	n := m.undoTo()
	if n < 0 {
		return fmt.Errorf("%w: nothing to take back in this game", ErrNotNow)
	}
	st := newState(&m.opts)
	for _, a := range m.acts[:n] {
		if err := st.apply(&a); err != nil {
			return fmt.Errorf("undo: %w", err)
		}
	}
	m.acts, m.state = m.acts[:n:n], st
	m.version++
	m.undone++
	return nil
}

// undoTo is the number of acts that remain after undo, or -1 if nothing can be undone.
func (m *Match) undoTo() int {
	for n := len(m.acts) - 1; n >= 0; n-- {
		a := &m.acts[n]
		switch {
		case m.opts.ByHand && a.Dice != [2]uint8{}:
			return n // may be a typing error
		case a.Kind == Start || a.Kind == Tie || a.Kind == Next || a.Kind == Again:
			return -1
		case a.Kind == Swap || a.Kind == Flag:
			return n
		case a.Side != You && !m.opts.Two || a.Kind == Move && a.Play == "" && !a.Illegal:
		case a.Kind == Roll && !m.state.entries[n].Choice:
		default:
			return n
		}
	}
	return -1
}

// situation is the position as a side sees it, as if on roll.
func (s *state) situation(side int) match.Situation {
	p := s.pos
	if side == Opponent {
		p = p.Swap()
	}
	out := match.Situation{Position: p, State: s.matchState(side), Resigned: s.level}
	if s.phase == ToMove || s.phase == ToAnswerResign && s.back == ToMove {
		out.Dice = s.dice
	}
	out.Doubled = s.phase == ToAnswer
	return out
}

// matchState is score and cube as a side sees them. The score of money play is no part of it.
func (s *state) matchState(side int) match.State {
	st := s.State(side)
	if st.Length == 0 {
		st.Score = [2]int{}
	}
	return st
}

// mayDouble reports whether the side may double at its turn, with a cube that is not dead.
func (s *state) mayDouble(side int) bool {
	st := s.matchState(side)
	return !s.opts.NoCube && st.MayDouble() && !st.DeadCube()
}

// points is the score of a game of that level at the present cube. Under the Jacoby rule
// gammons do not count while the cube is centred.
func (s *state) points(level int) int {
	return s.matchState(You).Points(level)
}

// ErrLater means that acts after a corrected one no longer fit.
var ErrLater = errors.New("the acts after it no longer fit")

// Correction changes an earlier act of a match of two people.
type Correction struct {
	// Act is the number of the act, Entry.Number.
	Act int `json:"act"`
	// Dice of a roll, or of the roll before a Move; zero leaves them.
	Dice [2]uint8 `json:"dice,omitzero"`
	// Play of a Move; nil leaves it.
	Play *string `json:"play,omitempty"`
	// Kind of an answer to a double: Take, Drop, Beaver or Raccoon; "" leaves it.
	Kind Kind `json:"kind,omitempty"`
	// Remove takes out a Double with the answers to it.
	Remove bool `json:"remove,omitempty"`
	// Doubled puts a double, and a take, before the roll of the act.
	Doubled bool `json:"doubled,omitempty"`
	// Cut drops the acts that no longer fit instead of failing.
	Cut bool `json:"cut,omitempty"`
}

// Correct changes an earlier act and makes the later ones again. A later play that is no
// longer legal but can be moved is marked illegal. The error wraps ErrLater if one cannot,
// board.ErrBadPlay or ErrNotNow if the correction itself is impossible; then nothing
// changes. version as in Do.
func (m *Match) Correct(c Correction, version int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case version >= 0 && version != m.version:
		return ErrStale
	case !m.opts.Two:
		return fmt.Errorf("%w: only a match of two people can be corrected (undo takes acts back)", ErrNotNow)
	case c.Act < 0 || c.Act >= len(m.acts):
		return fmt.Errorf("%w: no act %d", ErrNotNow, c.Act)
	}
	acts, first, last, err := c.changed(m.acts)
	if err != nil {
		return err
	}
	st := newState(&m.opts)
	for i := range acts {
		a := acts[i]
		err := st.apply(&a)
		if err != nil && a.Kind == Move && i >= first {
			a = acts[i]
			a.Illegal = true
			err = st.apply(&a)
		}
		switch {
		case err == nil:
		case i <= last:
			return err
		case !c.Cut:
			return fmt.Errorf("%w: %s %s", ErrLater, a.Kind.word(), a.Play)
		}
		if err != nil {
			acts = acts[:i]
			break
		}
		acts[i] = a
	}
	m.acts, m.state = acts, st
	m.version++
	return nil
}

// changed returns a corrected copy of the acts, of which those from first to last are the
// correction.
func (c *Correction) changed(list []Act) (acts []Act, first, last int, err error) {
	acts, first, last = slices.Clone(list), c.Act, c.Act
	a := &acts[c.Act]
	answer := func(k Kind) bool { return k == Take || k == Drop || k == Beaver || k == Raccoon }
	switch {
	case c.Play != nil && a.Kind != Move:
		return nil, 0, 0, fmt.Errorf("%w: act %d is not a play", ErrNotNow, c.Act)
	case c.Kind != "" && !answer(a.Kind):
		return nil, 0, 0, fmt.Errorf("%w: act %d is not an answer to a double", ErrNotNow, c.Act)
	case c.Kind != "" && !answer(c.Kind):
		return nil, 0, 0, fmt.Errorf("%w: %q is not an answer to a double (use take, drop, beaver or raccoon)", ErrNotNow, c.Kind)
	case c.Remove && a.Kind != Double:
		return nil, 0, 0, fmt.Errorf("%w: act %d is not a double", ErrNotNow, c.Act)
	}
	if c.Play != nil {
		a.Play, a.Illegal = *c.Play, false
	}
	if c.Kind != "" {
		a.Kind = c.Kind
	}
	if c.Dice != [2]uint8{} || c.Doubled {
		for first >= 0 && acts[first].Dice == [2]uint8{} {
			first--
		}
		if first < 0 {
			return nil, 0, 0, fmt.Errorf("%w: act %d has no dice", ErrNotNow, c.Act)
		}
	}
	if d := c.Dice; d != [2]uint8{} {
		if acts[first].Kind == Start && d[0] < d[1] {
			d[0], d[1] = d[1], d[0] // the winner stays
		}
		acts[first].Dice = d
	}
	switch {
	case c.Remove:
		end := c.Act + 1
		for end < len(acts) && (acts[end].Kind == Beaver || acts[end].Kind == Raccoon) {
			end++
		}
		if end < len(acts) && (acts[end].Kind == Take || acts[end].Kind == Drop) {
			end++
		}
		acts, last = slices.Delete(acts, c.Act, end), c.Act-1
	case c.Doubled:
		if acts[first].Kind != Roll {
			return nil, 0, 0, fmt.Errorf("%w: no one doubles before the opening roll", ErrNotNow)
		}
		side := acts[first].Side
		if first > 0 && acts[first-1].Kind == Roll { // announced before its dice
			first--
		}
		acts, last = slices.Insert(acts, first, Act{Kind: Double, Side: side}, Act{Kind: Take, Side: 1 - side}), c.Act+2
	}
	return acts, first, last, nil
}
