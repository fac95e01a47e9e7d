package sheet

import (
	"strings"

	"fibsbot/engine/record"
)

// said is a text and the last act before it. Its index alone would not do, because a hole
// before it may be mended later.
type said struct {
	game int // the game's index, -1 before the first
	acts int // of the game at that time
	last Act // the last of them, if any
	text string
}

// Said records that text was said now. It becomes a comment of the last action, or of the
// first one if the game has none yet.
func (s *Sheet) Said(text string) {
	r := said{game: len(s.Games) - 1, text: text}
	if g := s.Last(); g != nil {
		if r.acts = len(g.Acts); r.acts > 0 {
			r.last = g.Acts[r.acts-1]
		}
	}
	s.said = append(s.said, r)
}

// remarks adds the chat to the record. places holds, for each game, the action of each act.
func (s *Sheet) remarks(m *record.Match, places [][]int) {
	for _, r := range s.said {
		g, at := s.place(&r, places)
		for g >= 0 && g < len(m.Games) && len(m.Games[g].Actions) == 0 {
			g, at = g+1, 0 // a game without any act
		}
		if g < 0 || g >= len(m.Games) {
			continue
		}
		a := &m.Games[g].Actions[min(at, len(m.Games[g].Actions)-1)]
		a.Comment = strings.TrimLeft(a.Comment+"\n"+r.text, "\n")
	}
}

// place returns the game and the action that the words belong to.
func (s *Sheet) place(r *said, places [][]int) (game, action int) {
	if r.game < 0 || r.game >= len(s.Games) || r.acts == 0 {
		return max(0, r.game), 0
	}
	acts := s.Games[r.game].Acts
	best := -1
	for i := range acts {
		if sameAct(&r.last, &acts[i]) && (best < 0 || abs(i-r.acts+1) < abs(best-r.acts+1)) {
			best = i
		}
	}
	if best < 0 {
		best = min(r.acts, len(acts)) - 1
	}
	if best < 0 {
		return r.game, 0
	}
	return r.game, places[r.game][best]
}

// sameAct reports whether now is the same act as before; a roll may have got its play.
func sameAct(then, now *Act) bool {
	if then.Side != now.Side || then.Dice.Sorted() != now.Dice.Sorted() {
		return false
	}
	switch {
	case then.Kind == ActRolled && now.Kind == ActPlayed:
		return true
	case then.Kind == ActPlayed && now.Kind == ActPlayed:
		return then.Play.Result == now.Play.Result
	}
	return then.Kind == now.Kind
}

func abs(n int) int { return max(n, -n) }
