package table

import (
	"context"
	"fmt"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/race"
)

// Simple is a Decider that plays by rules of thumb: race, points, primes, anchors and
// exposed blots. It needs no weights and answers in microseconds: it plays when an engine
// cannot be opened or fails, and in tests. The zero value is ready to use and safe for
// concurrent use.
type Simple struct{}

// Decide implements Decider.
func (Simple) Decide(_ context.Context, s Situation) (Answer, error) {
	switch s.Ask {
	case AskPlay:
		return simplePlay(s)
	case AskRoll:
		if s.MayDouble && simpleDoubles(s) {
			return Answer{Action: Double}, nil
		}
		return Answer{Action: Roll}, nil
	case AskTake:
		// The doubler is on roll.
		if 1-simpleChance(s.Position.Swap()) >= simpleTakePoint(s.State) {
			return Answer{Action: Take}, nil
		}
		return Answer{Action: Drop}, nil
	case AskResign:
		if simpleAccepts(s) {
			return Answer{Action: AcceptResign}, nil
		}
		return Answer{Action: RejectResign}, nil
	}
	return Answer{}, fmt.Errorf("decide: unknown question %v", s.Ask)
}

func simplePlay(s Situation) (Answer, error) {
	if lost := hopeless(&s.Position); lost > 0 && s.MayResign {
		return Answer{Action: Resign, Games: lost}, nil
	}
	var buf [64]board.Play
	plays := board.AppendPlays(buf[:0], s.Position, s.Dice)
	if len(plays) == 0 {
		return Answer{}, fmt.Errorf("decide: no legal play for %d-%d", s.Dice.A, s.Dice.B)
	}
	best, bestScore := 0, math.Inf(-1)
	for i := range plays {
		if v := simpleScore(&plays[i].Result); v > bestScore {
			best, bestScore = i, v
		}
	}
	return Answer{Action: Play, Play: plays[best]}, nil
}

// hopeless returns how many games a player on turn can resign without losing anything: the
// opponent needs at most one roll, whatever the dice, and the player cannot end the game
// now. It is 0 if there is still something to play for, including a gammon to save.
func hopeless(p *board.Position) int {
	if p.Contact() || p.Me.Count() <= 4 || p.Opp.Count() > 2 || p.Opp.Rearmost() > 0 {
		return 0
	}
	if p.Me.Count() < board.MaxCheckers {
		return 1
	}
	return 0
}

// simpleScore values the position after a play in rough pips: p.Me has moved, p.Opp is on
// roll. Larger is better for Me.
func simpleScore(p *board.Position) float64 {
	myPips, oppPips := p.Me.Pips(), p.Opp.Pips()
	if p.Me.Count() == 0 {
		return 1e6
	}
	if !p.Contact() {
		// Bring all checkers home, then bear off without gaps.
		me, _ := p.Off()
		v := 12*float64(me) - float64(myPips)
		for i := 6; i < 24; i++ {
			v -= 1.5 * float64(p.Me[i])
		}
		for i := range 6 {
			if p.Me[i] == 0 {
				v -= 0.5
			}
		}
		return v - 0.6*float64(p.Me[0])
	}
	v := float64(oppPips-myPips) * 0.45
	v += structure(&p.Me, &p.Opp) - structure(&p.Opp, &p.Me)
	v -= exposure(p)
	return v
}

// pointValue is the value of holding a point that the opponent still has to pass: points
// of the home board and the bar point block most.
var pointValue = [24]float64{1, 2.5, 4.5, 6.5, 7.5, 6.5, 6, 3.5, 2, 1.5, 1.2, 0.8, 1, 0.5, 0.8, 0.6, 0.6, 2.5, 2.5, 4, 4.5, 3, 2, 1}

// structure returns the value of c's points, primes and anchors against the checkers of o.
func structure(c, o *board.Checkers) float64 {
	v, run, home := 0.0, 0, 0
	back := o.Rearmost()
	for i := range 24 {
		if c[i] < 2 {
			run = 0
			continue
		}
		// A point behind all of the opponent's checkers blocks nothing.
		if 23-i < back || i >= 17 {
			v += pointValue[i]
		}
		if i < 6 {
			home++
		}
		run++
		if run >= 4 && 23-i < back {
			v += float64(run-3) * 3
		}
		if over := int(c[i]) - 3; over > 0 {
			v -= float64(over) * 1.2
		}
	}
	v += float64(o[board.Bar]) * (2 + 2.2*float64(home))
	if home >= 4 {
		for i := range 24 {
			if o[i] == 1 {
				v += 0.7 * float64(home)
			}
		}
	}
	return v
}

// exposure returns the mover's expected loss by being hit on the next roll, in pips.
func exposure(p *board.Position) float64 {
	home := 0
	for i := range 6 {
		if p.Opp[i] >= 2 {
			home++
		}
	}
	v := 0.0
	for i := range 24 {
		if p.Me[i] != 1 {
			continue
		}
		n := shots(p, 23-i)
		// The lost pips are those already travelled; a strong home board adds to the loss.
		loss := float64(24-i)*0.45 + 4 + 2.0*float64(home)
		v += float64(n) / 36 * loss
	}
	return v
}

// shots counts the rolls, out of 36, with which the opponent hits a blot on his own point
// index target, directly or over an open point.
func shots(p *board.Position, target int) int {
	n := 0
	open := func(i int) bool { return i >= 0 && i < 24 && p.Me[23-i] < 2 }
	for _, r := range board.Rolls {
		if rollHits(&p.Opp, int(r.Dice.A), int(r.Dice.B), target, open) {
			n += r.Weight
		}
	}
	return n
}

func rollHits(o *board.Checkers, a, b, target int, open func(int) bool) bool {
	from := func(d int) bool {
		i := target + d
		return i <= board.Bar && o[i] > 0 && (o[board.Bar] == 0 || i == board.Bar)
	}
	switch {
	case from(a) || from(b):
		return true
	case a != b:
		return from(a+b) && (open(target+a) || open(target+b))
	}
	for k := 2; k <= 4; k++ {
		if !open(target + (k-1)*a) {
			return false
		}
		if from(k * a) {
			return true
		}
	}
	return false
}

// simpleChance estimates the winning chance of the player on roll: by Kleinman's formula in
// a race, otherwise by rules of thumb.
func simpleChance(p board.Position) float64 {
	if !p.Contact() {
		return race.Kleinman(p.Me.Pips(), p.Opp.Pips())
	}
	me, opp := float64(p.Me.Pips()), float64(p.Opp.Pips())
	// Being on roll is worth eight pips.
	v := (opp-me+8)*0.45 + structure(&p.Me, &p.Opp) - structure(&p.Opp, &p.Me)
	swapped := p.Swap()
	v += 0.5 * exposure(&swapped) // what the next roll may hit
	return 1 / (1 + math.Exp(-v/22))
}

// simpleTakePoint returns the smallest winning chance for a take: a quarter of the games,
// slightly less if owning the cube matters.
func simpleTakePoint(st match.State) float64 {
	if st.Length == 0 {
		return 0.22
	}
	me, opp := st.Away()
	switch {
	case me <= st.Cube && opp > st.Cube:
		return 0.25 // the cube is dead for us: no recube vigorish, but gammons do not cost more
	case opp <= st.Cube:
		// The opponent wins the match with this game as the cube stands:
		// dropping loses it.
		return 0
	case me <= 2*st.Cube && opp <= 2*st.Cube:
		return 0.3
	}
	return 0.23
}

func simpleDoubles(s Situation) bool {
	p := simpleChance(s.Position)
	me, opp := 9, 9
	if s.State.Length > 0 {
		me, opp = s.State.Away()
	}
	switch {
	case s.State.Length > 0 && opp == 1 && me > 1:
		return true // after the Crawford game the trailer has nothing to lose
	case s.State.Length > 0 && opp <= s.State.Cube:
		return p > 0.5 && me > s.State.Cube
	}
	if p > 0.85 && gammonish(&s.Position) {
		return false // too good: play on for two
	}
	return p >= 0.71
}

// gammonish reports whether a gammon is likely: the opponent has several checkers back and
// none off.
func gammonish(p *board.Position) bool {
	back := 0
	for i := 12; i <= board.Bar; i++ {
		back += int(p.Opp[i])
	}
	_, off := p.Off()
	return off == 0 && back >= 5
}

// simpleAccepts accepts an offer that wins the match, or that leaves little chance of more
// games.
func simpleAccepts(s Situation) bool {
	if s.State.Length > 0 {
		if me, _ := s.State.Away(); s.Offered*s.State.Cube >= me {
			return true
		}
	}
	if s.Offered >= 3 {
		return true
	}
	_, off := s.Position.Off()
	if off > 0 {
		return true // a gammon is no longer possible
	}
	outside := 0
	for i := 6; i <= board.Bar; i++ {
		outside += int(s.Position.Opp[i])
	}
	if s.Offered == 2 {
		// A backgammon needs a checker in our home board or on the bar.
		late := 0
		for i := 18; i <= board.Bar; i++ {
			late += int(s.Position.Opp[i])
		}
		return late == 0 || s.Position.Me.Count() > 6
	}
	// A single game is refused only when a gammon is likely.
	return float64(s.Position.Me.Count())/2 > float64(outside)/2+2 || s.Position.Me.Pips() > 80
}
