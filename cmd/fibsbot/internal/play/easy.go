package play

import "fibsbot/engine/board"

// Easy is a play that needs no thought, for displays that make it automatically.
type Easy struct {
	Play string `json:"play"`
	// Why is "forced" for the only legal play, "bearoff" for the only play that takes the
	// most checkers off in a race with all checkers home.
	Why string `json:"why"`
}

// easy is the Easy play of a roll, or nil.
func easy(r board.Rules, p board.Position, d board.Dice) *Easy {
	plays := r.AppendPlays(nil, p, d)
	text := func(pl *board.Play) string { return board.FormatPlay(p, *pl) }
	switch {
	case len(plays) == 0:
		return nil
	case len(plays) == 1:
		return &Easy{text(&plays[0]), "forced"}
	case p.Contact() || p.Me.Rearmost() > 5:
		return nil
	}
	best, left, ties := 0, board.MaxCheckers+1, 0
	for i := range plays {
		switch n := plays[i].Result.Me.Count(); {
		case n < left:
			best, left, ties = i, n, 0
		case n == left:
			ties++
		}
	}
	if ties > 0 || left == p.Me.Count() {
		return nil
	}
	return &Easy{text(&plays[best]), "bearoff"}
}
