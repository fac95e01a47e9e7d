package bot

import (
	"context"
	"math"

	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/race"
)

// thumbs plays the seeded matches of these tests: by race, points, primes, anchors and exposed
// blots. Another player would play other matches with the same dice.
type thumbs struct{}

// Decide implements table.Decider.
func (thumbs) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	switch s.Ask {
	case table.AskPlay:
		return thumbPlay(ctx, s)
	case table.AskRoll:
		if s.MayDouble && thumbDoubles(s) {
			return table.Answer{Action: table.Double}, nil
		}
		return table.Answer{Action: table.Roll}, nil
	case table.AskTake:
		if 1-thumbChance(s.Position.Swap()) >= thumbTakePoint(s.State) {
			return table.Answer{Action: table.Take}, nil
		}
		return table.Answer{Action: table.Drop}, nil
	}
	return table.Simple{}.Decide(ctx, s)
}

func thumbPlay(ctx context.Context, s table.Situation) (table.Answer, error) {
	d, err := table.Simple{}.Decide(ctx, s)
	if d.Action != table.Play || err != nil {
		return d, err
	}
	best := math.Inf(-1)
	for _, p := range board.AppendPlays(nil, s.Position, s.Dice) {
		if v := thumbScore(&p.Result); v > best {
			best, d.Play = v, p
		}
	}
	return d, nil
}

// thumbScore values the position after a play in rough pips: p.Me has moved, p.Opp is on
// roll. Larger is better for Me.
func thumbScore(p *board.Position) float64 {
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

// thumbChance estimates the winning chance of the player on roll: by Kleinman's formula in
// a race, otherwise by rules of thumb.
func thumbChance(p board.Position) float64 {
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

// thumbTakePoint returns the smallest winning chance for a take: a quarter of the games,
// slightly less if owning the cube matters.
func thumbTakePoint(st match.State) float64 {
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

func thumbDoubles(s table.Situation) bool {
	p := thumbChance(s.Position)
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
