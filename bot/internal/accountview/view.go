package accountview

import (
	"context"
	"slices"

	"fibsbot/bot/ops"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Chances returns the chances of the player on roll: win, win a gammon, win a backgammon,
// lose a gammon, lose a backgammon. Zero dice mean before the roll.
type Chances func(ctx context.Context, p board.Position, d board.Dice, st match.State) ([5]float64, error)

// Live returns a snapshot for pages. It calls judge at most once for each state of the
// match; a nil judge leaves the chances out.
func (v *View) Live(ctx context.Context, judge Chances) *ops.Live {
	v.mu.Lock()
	var m *seen
	if v.match != nil {
		now := *v.match // the acts are never changed in place
		m = &now
	}
	key := v.key
	out := &ops.Live{Invitations: slices.Clone(v.invitations), Waiting: slices.Clone(v.waiting),
		Said: slices.Clone(v.said), Troubles: slices.Clone(v.troubles)}
	chances := v.chances
	if v.chancesOf != key {
		chances = nil
	}
	v.mu.Unlock()
	if m == nil {
		return out
	}
	out.Table = m.table()
	if chances == nil && judge != nil && m.Known && m.Game > 0 {
		chances = m.judged(ctx, judge)
		v.mu.Lock()
		v.chances, v.chancesOf = chances, key
		v.mu.Unlock()
	}
	out.Table.Chances = chances
	return out
}

// words returns the API's name of a side, "" for Nobody.
func words(s sheet.Side) string {
	switch s {
	case sheet.Us:
		return "me"
	case sheet.Them:
		return "opponent"
	}
	return ""
}

func (m *seen) table() *ops.Table {
	t := &ops.Table{
		Opponent: m.opponent, Rating: m.rating, Experience: m.experience, Length: m.State.Length, Game: m.Game,
		Score: [2]int{m.Score[sheet.Us], m.Score[sheet.Them]}, Crawford: m.Crawford, Turn: words(m.Turn),
		Dice: []int{}, Cube: m.State.Cube, Doubled: words(m.Doubler), Resigned: words(m.Resigner), Offer: m.Offer,
		Owner: [...]string{match.Centred: "centre", match.Mine: "me", match.Theirs: "opponent"}[m.Owner],
		Moves: m.moves(),
	}
	if m.Dice.Valid() {
		t.Dice = []int{int(m.Dice.A), int(m.Dice.B)}
	}
	if m.Known {
		b := [2][25]int{}
		for i := range 25 {
			b[0][i], b[1][i] = int(m.Position.Me[i]), int(m.Position.Opp[i])
		}
		t.Board, t.Pips = &b, [2]int{m.Position.Me.Pips(), m.Position.Opp.Pips()}
	}
	return t
}

// shownMoves is the number of last acts in a snapshot.
const shownMoves = 16

// moves returns the last acts of the game, oldest first.
func (m *seen) moves() []ops.Moved {
	pos, known := board.Start, m.whole // seen by Us
	out := []ops.Moved{}
	for _, a := range m.Acts {
		v := ops.Moved{Side: words(a.Side)}
		if a.Dice.Valid() {
			v.Dice = []int{int(a.Dice.A), int(a.Dice.B)}
		}
		switch a.Kind {
		case sheet.ActRolled:
			v.What = "rolls"
		case sheet.ActPlayed:
			v.What = "plays"
			if a.Play.N > 0 {
				before := pos
				if a.Side == sheet.Them {
					before = pos.Swap()
				}
				if !known {
					before.Opp = board.Checkers{} // unknown, so no hits are marked
				}
				v.Play = board.FormatSteps(before, a.Play.Steps[:a.Play.N])
				pos, known = a.Play.Result, true
				if a.Side == sheet.Them {
					pos = pos.Swap()
				}
			} else {
				v.What = "cannot move"
			}
		case sheet.ActDoubled:
			v.What = "doubles"
		case sheet.ActTook:
			v.What = "takes"
		case sheet.ActDropped:
			v.What = "drops"
		case sheet.ActOffered:
			v.What = "resigns"
		case sheet.ActRefused:
			v.What = "plays on"
		case sheet.ActShown:
			if a.Shown != nil {
				pos, known = *a.Shown, true
			}
			continue
		}
		out = append(out, v)
	}
	return out[max(0, len(out)-shownMoves):]
}

// judged returns the account's chances, or nil if they are unknown.
func (m *seen) judged(ctx context.Context, judge Chances) *[5]float64 {
	side, dice := m.Turn, m.Dice
	if m.Doubler != sheet.Nobody {
		side, dice = m.Doubler, board.Dice{} // the roll comes after the answer
	}
	p, st := m.Position, m.State
	switch {
	case side == sheet.Nobody || p.Result() != 0 || p.Validate() != nil:
		return nil
	case side == sheet.Them:
		p, st = p.Swap(), st.Swap()
	}
	c, err := judge(ctx, p, dice, st)
	if err != nil {
		return nil
	}
	if side == sheet.Them {
		c = [5]float64{1 - c[0], c[3], c[4], c[1], c[2]}
	}
	return &c
}
