package eval

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"fibsbot/engine/board"
)

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
	w := &pubevalWeights()[0]
	if race {
		w = &pubevalWeights()[1]
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

// pubevalFile holds Tesauro's published weights, for contact and then for races, five a line for the
// points from the 24 to the ace point, then the opponent's checkers on the bar and the own ones off.
//
//go:embed pubeval.txt
var pubevalFile string

// pubevalWeights are those for contact and for races.
var pubevalWeights = sync.OnceValue(func() *[2][122]float32 {
	w := new([2][122]float32)
	for i, text := range strings.Fields(pubevalFile) {
		v, err := strconv.ParseFloat(text, 32)
		if err != nil {
			panic(err) // a test reads the file
		}
		w[i/122][i%122] = float32(v)
	}
	return w
})
