package cube

import (
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// ResignStyle says how readily a player gives up or accepts.
type ResignStyle struct {
	// Offer is the most utility, normalised to the present cube (EMG), that an
	// offered resignation may give away against playing on. 0 never gives away
	// anything but still resigns what is certainly lost.
	Offer float64
	// Accept is the most EMG the side offered a resignation may leave on the
	// table by accepting.
	Accept float64
	// Never switches offering off.
	Never bool
}

// UsualResign gives up when at most 0.0002 EMG is lost by it and accepts what
// is worth as much as playing on.
var UsualResign = ResignStyle{Offer: 0.0002, Accept: 0.0005}

// worth is the EMG, for the player on roll, of the game ending with points times
// the cube; t nil is the default table.
func worth(t *match.Table, s match.State, points int) float64 {
	if s.Length == 0 {
		if s.Jacoby && s.Owner == match.Centred {
			points = max(-1, min(1, points))
		}
		return float64(points)
	}
	if t == nil {
		t = match.DefaultTable()
	}
	return t.EMG(s, t.After(s, points*s.Cube))
}

// Offers returns which resignation (1 single game, 2 gammon, 3 backgammon) the
// player on roll should offer in state s with chances pr and playing-on equity
// cubeful (EMG), 0 for none. It offers the cheapest level that the opponent
// loses nothing by accepting, and only when that gives away no more than the
// style allows.
func (r ResignStyle) Offers(t *match.Table, s match.State, pr eval.Probs, cubeful float64) int {
	if r.Never || pr[eval.Win] > 0.05 {
		return 0
	}
	for level := 1; level <= 3; level++ {
		value := worth(t, s, -level)
		// The opponent refuses what is worth less to him than playing on, so an
		// offer below that is only a delay.
		if value > cubeful+r.Accept+r.Offer {
			continue
		}
		if cubeful-value <= r.Offer {
			return level
		}
		return 0
	}
	return 0
}

// GivesUp is Offers where giving up ends the game at once for what the position says
// ([match.DropByPosition]): the level that it costs the player on roll at p, or 0. It
// gives nothing away: not a chance to win, and not a point.
func (r ResignStyle) GivesUp(t *match.Table, s match.State, p *board.Position, pr eval.Probs, cubeful float64) int {
	level := s.Drops.Level(&p.Me)
	if r.Never || pr[eval.Win] > 0 || worth(t, s, -level) < cubeful-borderline {
		return 0
	}
	return level
}

// Accepts reports whether the player whose opponent, on roll in state s with
// chances pr and playing-on equity cubeful (both from the resigner's view),
// offers level points times the cube should accept.
func (r ResignStyle) Accepts(t *match.Table, s match.State, pr eval.Probs, cubeful float64, level int) bool {
	if level < 1 {
		return false
	}
	if level >= 3 {
		return true
	}
	return worth(t, s, -level) <= cubeful+r.Accept
}
