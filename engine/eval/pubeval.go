package eval

import "fibsbot/engine/board"

// Pubeval is Gerald Tesauro's public benchmark player of 1993: two linear
// functions of the board, one for races, one for contact, published in the
// newsgroup rec.games.backgammon for anyone to measure against and in the public
// domain. It ranks plays and knows neither chances nor the cube.
type Pubeval struct{}

// Score returns the linear function at a position after a play, seen by the
// player who has just moved, p.Me, who is NOT on roll. race reports whether the
// position before the play was without contact. Larger is better; only
// differences between plays of one roll mean anything.
func (Pubeval) Score(p *board.Position, race bool) float32 {
	const won = 99999999
	off, _ := p.Off()
	if off == board.MaxCheckers {
		return won
	}
	w := &pubevalContact
	if race {
		w = &pubevalRace
	}
	var s float32
	// Five inputs for each point, from the 24 point down: an opposing blot, a
	// checker of our own alone, two or more, exactly three, and half of what is
	// above three.
	for j := range 24 {
		at := 5 * j
		n := int(p.Me[23-j])
		if n == 0 {
			if p.Opp[j] == 1 {
				s += w[at]
			}
			continue
		}
		if n == 1 {
			s += w[at+1]
		} else {
			s += w[at+2]
		}
		if n == 3 {
			s += w[at+3]
		}
		if n >= 4 {
			s += w[at+4] * float32(n-3) / 2
		}
	}
	return s + w[120]*float32(p.Opp[board.Bar])/2 + w[121]*float32(off)/15
}

// Best returns the index of the play that Pubeval chooses in the position before
// the play; plays must not be empty.
func (e Pubeval) Best(before *board.Position, plays []board.Play) int {
	race := !before.Contact()
	best, at := float32(0), 0
	for i := range plays {
		if s := e.Score(&plays[i].Result, race); i == 0 || s > best {
			best, at = s, i
		}
	}
	return at
}
