package table

import (
	"context"
	"fmt"
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/race"
)

// Simple is a Decider that plays like eval.Pubeval and handles the cube by rules of thumb.
// It needs no weights and answers in microseconds: it plays when an engine cannot be opened
// or fails, and in tests. The zero value is ready to use and safe for concurrent use.
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
		// The doubler is on roll. Owning the cube is worth a little.
		if 1-simpleChance(s.Position.Swap()) >= match.DefaultTable().TakePoint(s.State)-0.03 {
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
	return Answer{Action: Play, Play: plays[eval.Pubeval{}.Best(&s.Position, plays)]}, nil
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

// simpleChance estimates the winning chance of the player on roll by the pips: with
// Kleinman's formula in a race, otherwise by an S-curve, being on roll counting eight pips.
func simpleChance(p board.Position) float64 {
	me, opp := p.Me.Pips(), p.Opp.Pips()
	if !p.Contact() {
		return race.Kleinman(me, opp)
	}
	return 1 / (1 + math.Exp(-float64(opp-me+8)/50))
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
