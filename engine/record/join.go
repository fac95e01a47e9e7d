package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/board"
)

// enoughRolls is how many equal rolls prove that two records are of one match.
const enoughRolls = 12

// mostLost is the tag of a money game for which a site writes the length of a match.
const mostLost = "Most lost"

// MoneyOf returns the length that a site wrote for a money game, 0 without one.
func (m *Match) MoneyOf() int {
	for _, t := range m.Tags {
		if n, err := strconv.Atoi(t.Value); t.Name == mostLost && err == nil {
			return n
		}
	}
	return 0
}

// LimitLoss makes m the money game for which a site writes a match of that length.
func (m *Match) LimitLoss() {
	m.Tags = append(m.Tags, Tag{mostLost, strconv.Itoa(m.Length)})
	m.Length = 0
}

// Meeting says how two records go together.
type Meeting struct {
	// Rolls are in both, in the same place of the same game.
	Rolls int
	// Fewer are the rolls of the record that has fewer; Both reports that each has all of the
	// other's.
	Fewer int
	// Turned means that the second names the players in the other order.
	Turned bool
	// Contained means that the second has no roll and no game that the first lacks.
	Contained bool
	// Against is where they contradict each other, then what the first and the second have; empty
	// if they do not.
	Against [3]string
	follows bool
	// ended means that one goes on after the end of unknown kind of the other.
	ended bool
}

// One reports whether the records are of one match: enough rolls are the same, or all of a
// shorter one that does not end otherwise, and nothing contradicts.
func (m *Meeting) One() bool {
	return m.Against == [3]string{} && m.Rolls > 0 && (m.Rolls >= enoughRolls || m.Rolls == m.Fewer && !m.ended)
}

// Perhaps reports whether they may be of one match, though too little proves it: they share
// fewer rolls, or one goes on at the score where the other ends.
func (m *Meeting) Perhaps() bool {
	return m.Against == [3]string{} && !m.One() && (m.Rolls > 0 || m.follows)
}

// Contradiction says in words what contradicts between the sources called first and second.
func (m *Meeting) Contradiction(first, second string) string {
	return fmt.Sprintf("%s: %s has %s, %s has %s", m.Against[0], first, m.Against[1], second, m.Against[2])
}

func (m *Meeting) against(where, first, second string) {
	if m.Against == [3]string{} {
		m.Against = [3]string{where, first, second}
	}
}

// Meet compares two records of the same players.
func Meet(a, b *Match) Meeting { return new(joiner).join(a, b, false) }

// Join adds to m the games, actions and results that other has more, where both are of one
// match. It changes nothing if they contradict each other. Analysis and comments of what both
// have stay those of m.
func (m *Match) Join(other *Match) Meeting {
	j := new(joiner).join(m, other, false)
	if j.Against == [3]string{} && !j.Contained {
		new(joiner).join(m, other, true)
	}
	return j
}

// Beside calls games with each game that both records have and actions with each action of it
// that both have. It passes over games that contradict each other.
func Beside(m, other *Match, games func(g, o *Game), actions func(a, b *Action)) {
	for i := range other.Games {
		if k := m.partner(&other.Games[i]); k >= 0 {
			g, o := &m.Games[k], &other.Games[i]
			var found Meeting
			x, y := runsOf(m, g), runsOf(other, o)
			shared(x, y, &found, "")
			if found.Against != [3]string{} {
				continue
			}
			games(g, o)
			shared(x, y, &found, "", actions)
		}
	}
}

type joiner struct{ Meeting }

// join compares b with a and, with grow, adds to a what it lacks.
func (j *joiner) join(a, b *Match, grow bool) Meeting {
	same := func(x, y *Match, n int) bool {
		return strings.EqualFold(x.Players[0].Name, y.Players[n].Name) && strings.EqualFold(x.Players[1].Name, y.Players[1-n].Name)
	}
	if !same(a, b, 0) && same(a, b, 1) {
		b, j.Turned = b.Swapped(), true
	} else if !same(a, b, 0) {
		j.against("the players", a.Players[0].Name+" and "+a.Players[1].Name, b.Players[0].Name+" and "+b.Players[1].Name)
		return j.Meeting
	}
	money := a.Length != b.Length
	if money && (a.Length > 0 || a.MoneyOf() != b.Length) && (b.Length > 0 || b.MoneyOf() != a.Length) || a.Rules.Variation != b.Rules.Variation {
		j.against("the match", a.Title(), b.Title())
		return j.Meeting
	}
	j.Contained = !money || a.Length == 0
	if grow && money && b.Length == 0 {
		a.Length, a.Rules = 0, b.Rules
		for i := range a.Games {
			a.Games[i].Crawford = false
		}
	}
	j.Fewer = min(a.rolls(), b.rolls())
	var more []Game
	for i := range b.Games {
		o := &b.Games[i]
		if k := a.partner(o); k < 0 {
			more = append(more, *o)
			j.Contained = false
		} else {
			j.game(a, b, &a.Games[k], o, grow)
		}
	}
	all := slices.Concat(a.Games, more)
	slices.SortStableFunc(all, func(x, y Game) int {
		return cmp.Or(cmp.Compare(x.Score[0]+x.Score[1], y.Score[0]+y.Score[1]), cmp.Compare(x.Number, y.Number))
	})
	if i := falls(all); i > 0 && falls(a.Games)+falls(b.Games) == 0 {
		x, y := all[i-1].after(), all[i].Score
		j.against("the score", fmt.Sprintf("%d-%d", x[0], x[1]), fmt.Sprintf("%d-%d", y[0], y[1]))
	}
	j.follows = a.before(b) || b.before(a)
	if grow {
		for i := range all[min(1, len(all)):] {
			all[i+1].Number = max(all[i+1].Number, all[i].Number+1)
		}
		a.Games = all
	}
	return j.Meeting
}

// falls returns the first game that begins with fewer points than the one before ends with, or 0.
func falls(all []Game) int {
	for i := 1; i < len(all); i++ {
		if x, y := all[i-1].after(), all[i].Score; (y[0] < x[0] || y[1] < x[1]) && !all[i-1].EndUnknown {
			return i
		}
	}
	return 0
}

// before reports whether next begins with the game after the last one of m.
func (m *Match) before(next *Match) bool {
	if len(m.Games) == 0 || len(next.Games) == 0 {
		return false
	}
	last := &m.Games[len(m.Games)-1]
	return last.Result.Finished() && m.Winner() == NoPlayer && next.Games[0].Score == last.after()
}

// GoesOn reports whether next continues m: the same players and length, the next number of a
// game or none, and m's final score.
func (m *Match) GoesOn(next *Match) bool {
	return m.Length == next.Length && m.Players[0].Name == next.Players[0].Name && m.Players[1].Name == next.Players[1].Name &&
		m.before(next) && (next.Games[0].Number == 0 || next.Games[0].Number == m.Games[len(m.Games)-1].Number+1)
}

// rolls counts the rolls of a match.
func (m *Match) rolls() (n int) {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if a := &m.Games[i].Actions[k]; a.Rolled() {
				n++
			}
		}
	}
	return n
}

// Rolled reports whether the action has a roll that is known.
func (a *Action) Rolled() bool { return (a.Kind == Move || a.Kind == Roll) && a.Dice.Valid() }

// partner returns the game of m that o is a record of, or -1. A game is known by the score
// before it; money sessions without scores by its number.
func (m *Match) partner(o *Game) int {
	found := -1
	for i := range m.Games {
		g := &m.Games[i]
		if g.Score == o.Score && g.Number == o.Number {
			return i
		}
		if g.Score == o.Score && (m.Length > 0 || g.Score != [2]int{}) && found < 0 {
			found = i
		}
	}
	return found
}

// run is a part of a game without a hole: what was set up before it, and its turns.
type run struct {
	head    []Action
	turns   []Turn
	opening bool // begins with the game
}

func runsOf(m *Match, g *Game) (out []*run) {
	r := &run{}
	start := m.Rules.Variation.Start()
	for t := range m.Turns(g) {
		if t.Action.Kind != SetUp {
			r.opening = r.opening || len(out) == 0 && len(r.turns) == 0 && t.Position == start
			r.turns = append(r.turns, t)
			continue
		}
		if len(r.turns) > 0 {
			out = append(out, r)
			r = &run{}
		}
		r.head = append(r.head, *t.Action)
	}
	if len(r.turns)+len(r.head) > 0 {
		out = append(out, r)
	}
	return out
}

// same reports whether two turns have the same actor, kind and dice.
func (t *Turn) same(u *Turn) bool {
	kind := func(a *Action) Kind {
		if a.Kind == Roll {
			return Move
		}
		return a.Kind
	}
	return t.Player == u.Player && kind(t.Action) == kind(u.Action) && t.Action.Dice.Sorted() == u.Action.Dice.Sorted()
}

// split returns the first place where two runs, the second beginning at turn by of the first,
// do not agree, and whether there is one.
func (r *run) split(by int, other *run) (int, bool) {
	sound := true
	for k := range min(len(r.turns)-by, len(other.turns)) {
		x, y := &r.turns[by+k], &other.turns[k]
		if !x.same(y) {
			return k, true
		}
		sound = sound && x.Legal && y.Legal
		if sound && x.Action.Kind == Move && y.Action.Kind == Move && x.Play.Result != y.Play.Result {
			return k, true
		}
	}
	return 0, false
}

// place finds where other begins in r. parted is the turn of other where they do not agree, -1
// if they agree.
func (r *run) place(other *run) (by, parted int, ok bool) {
	if len(other.turns) == 0 {
		return 0, 0, false
	}
	for k := range r.turns {
		if first := &other.turns[0]; r.turns[k].same(first) && r.turns[k].Position == first.Position || k == 0 && r.opening && other.opening {
			p, bad := r.split(k, other)
			if !bad {
				return k, -1, true
			}
			if !ok {
				by, parted, ok = k, p, true
			}
		}
	}
	return by, parted, ok
}

// shared finds what the runs of two records of a game have in common, and calls each with the
// actions that both have.
func shared(x, y []*run, found *Meeting, game string, each ...func(a, b *Action)) {
	for _, p := range x {
		for _, q := range y {
			early, late := p, q
			by, parted, ok := p.place(q)
			if !ok || parted >= 0 {
				if by2, parted2, ok2 := q.place(p); ok2 && (!ok || parted2 < 0) {
					early, late, by, parted, ok = q, p, by2, parted2, true
				}
			}
			if !ok {
				continue
			}
			if parted >= 0 {
				a, b := &early.turns[by+parted], &late.turns[parted]
				if early != p {
					a, b = b, a
				}
				found.against(fmt.Sprintf("%s, action %d", game, a.Index+1), a.words(), b.words())
				continue
			}
			for k := range min(len(early.turns)-by, len(late.turns)) {
				a, b := early.turns[by+k].Action, late.turns[k].Action
				if early != p {
					a, b = b, a
				}
				if a.Rolled() {
					found.Rolls++
				}
				for _, do := range each {
					do(a, b)
				}
			}
		}
	}
}

func (t *Turn) words() string {
	if t.Action.Rolled() {
		return fmt.Sprintf("%d%d: %s", t.Action.Dice.A, t.Action.Dice.B, board.FormatPlay(t.Position, t.Play))
	}
	return t.Action.Kind.String()
}

// game compares two records of a game and, with grow, adds to g what o has more.
func (j *joiner) game(a, b *Match, g, o *Game, grow bool) {
	x, y := runsOf(a, g), runsOf(b, o)
	name := fmt.Sprintf("game %d", g.Number+1)
	shared(x, y, &j.Meeting, name)
	if turnsOf(y) == 0 {
		y = nil
	}
	own := [2]int{turnsOf(x), turnsOf(y)}
	all, gained := joined(slices.Concat(x, y))
	n := turnsOf(all)
	for k, runs := range [2][]*run{x, y} {
		h, other := [2]*Game{g, o}[k], [2]*Game{o, g}[k]
		cut := h.EndUnknown || h.Result.Resigned && other.Result.Winner == h.Result.Winner && other.Result.Points == h.Result.Points
		if h.Result.Finished() && n > own[k] && !cut && len(runs) == 1 && runs[0].opening { // a whole game
			said := [2]string{"its end", "more actions"}
			j.against(name, said[k], said[1-k])
		}
	}
	// An end of unknown kind does not count where the other record goes on.
	guessed := g.EndUnknown && n > own[0] || o.EndUnknown && n > own[1]
	j.ended = j.ended || guessed
	if r, s := g.Result, o.Result; r.Finished() && s.Finished() && (r.Winner != s.Winner || r.Points != s.Points) && !guessed {
		say := func(r Result) string { return fmt.Sprintf("%s won %d", a.Players[r.Winner&1].Name, r.Points) }
		j.against(name, say(r), say(s))
	}
	if n == own[0] && len(all) == len(x) && !gained && (g.Result.Finished() || !o.Result.Finished()) {
		return
	}
	j.Contained = false
	if !grow {
		return
	}
	g.Actions = nil
	for _, r := range all {
		g.Actions = append(g.Actions, r.head...)
		for i := range r.turns {
			g.Actions = append(g.Actions, *r.turns[i].Action)
		}
	}
	if last := all[len(all)-1].turns; !g.Result.Finished() && o.Result.Finished() || g.EndUnknown && len(last) > 0 && len(y) > 0 && slices.ContainsFunc(y, func(r *run) bool {
		return len(r.turns) > 0 && r.turns[len(r.turns)-1].Action == last[len(last)-1].Action
	}) {
		g.Result, g.EndUnknown, g.Disputed = o.Result, o.EndUnknown, o.Disputed
	}
	g.Statistics = nil
}

// joined puts runs that overlap together, in the order of the game: the opening, then by pips.
// Of turns in several runs it takes those of the first; gained reports that a roll got its play.
func joined(all []*run) (out []*run, gained bool) {
	for i := 0; i < len(all); i++ {
		for k := range all {
			if k == i {
				continue
			}
			by, parted, ok := all[i].place(all[k])
			if !ok || parted >= 0 {
				continue
			}
			both := &run{head: all[i].head, opening: all[i].opening, turns: slices.Clone(all[i].turns)}
			for n, t := range all[k].turns {
				switch {
				case by+n >= len(both.turns):
					both.turns = append(both.turns, t)
				case both.turns[by+n].Action.Kind == Roll && t.Action.Kind == Move:
					both.turns[by+n], gained = t, true
				case k < i && t.Action.Kind != Roll:
					both.turns[by+n] = t
				}
			}
			all[min(i, k)] = both
			all = slices.Delete(all, max(i, k), max(i, k)+1)
			i = -1
			break
		}
	}
	slices.SortStableFunc(all, func(x, y *run) int {
		pips := func(r *run) int {
			if r.opening || len(r.turns) == 0 {
				return -1000
			}
			p := &r.turns[0].Position
			return -p.Me.Pips() - p.Opp.Pips()
		}
		return cmp.Compare(pips(x), pips(y))
	})
	return all, gained
}

// turnsOf counts the turns of runs.
func turnsOf(all []*run) (n int) {
	for _, r := range all {
		n += len(r.turns)
	}
	return n
}
