package server

import (
	"slices"

	"fibsbot/bgammon/wire"
)

// places is a position seen from the player on turn, as a wire.Board has it.
type places [wire.Places]int

// start is the opening position.
var start = places{1: -2, 6: 5, 8: 3, 12: -5, 13: 5, 17: -3, 19: -5, 24: 2}

// mirror is the same position seen from the other side.
func (p places) mirror() places {
	var m places
	for i := range p {
		m[wire.Mirror(i)] = -p[i]
	}
	return m
}

func mirrorHops(hops []wire.Hop) []wire.Hop {
	out := slices.Clone(hops)
	for i, h := range out {
		out[i] = wire.Hop{From: wire.Mirror(h.From), To: wire.Mirror(h.To)}
	}
	return out
}

// target is where a checker on from lands with a die; ok is false when it may not.
func (p *places) target(from, die int) (to int, ok bool) {
	if p[from] < 1 || p[wire.OwnBar] > 0 && from != wire.OwnBar {
		return 0, false
	}
	at := from
	if from == wire.OwnBar {
		at = 25
	}
	to = at - die
	if to > 0 {
		return to, p[to] >= -1
	}
	highest := p.highest()
	return wire.OwnHome, highest <= 6 && (to == 0 || at == highest)
}

// highest is the rearmost own checker: 25 on the bar, 0 when all are off.
func (p *places) highest() int {
	if p[wire.OwnBar] > 0 {
		return 25
	}
	for at := 24; at > 0; at-- {
		if p[at] > 0 {
			return at
		}
	}
	return 0
}

// after is the position behind a legal hop.
func (p places) after(h wire.Hop) places {
	p[h.From]--
	if h.To != wire.OwnHome && p[h.To] == -1 {
		p[h.To] = 0
		p[wire.TheirBar]--
	}
	p[h.To]++
	return p
}

// sources are the places that a checker can be on, the bar first.
var sources = func() []int {
	out := []int{wire.OwnBar}
	for at := 24; at > 0; at-- {
		out = append(out, at)
	}
	return out
}()

// longest is the largest number of dice of the list that can be used, and the
// largest single die that can be when that number is one.
func (p places) longest(dice []int) (used, die int) {
	for i, d := range dice {
		if slices.Index(dice, d) != i {
			continue // the same die again
		}
		rest := slices.Delete(slices.Clone(dice), i, i+1)
		for _, from := range sources {
			to, ok := p.target(from, d)
			if !ok {
				continue
			}
			n, _ := p.after(wire.Hop{From: from, To: to}).longest(rest)
			if n+1 > used {
				used, die = n+1, 0
			}
			if n+1 == used && used == 1 {
				die = max(die, d)
			}
			if used == len(dice) {
				return used, 0
			}
		}
	}
	return used, die
}

// legal is the single hops that may be made next with the dice that are left: those
// from which as many dice can be used as at all, and with only one to be used the
// larger where both could be. It names for each the die that it takes.
func (p places) legal(dice []int) (hops []wire.Hop, with []int) {
	used, largest := p.longest(dice)
	if used == 0 {
		return nil, nil
	}
	for i, d := range dice {
		if slices.Index(dice, d) != i || used == 1 && len(dice) == 2 && d != largest {
			continue
		}
		rest := slices.Delete(slices.Clone(dice), i, i+1)
		for _, from := range sources {
			to, ok := p.target(from, d)
			h := wire.Hop{From: from, To: to}
			if !ok {
				continue
			}
			if n, _ := p.after(h).longest(rest); n+1 == used && !slices.Contains(hops, h) {
				hops, with = append(hops, h), append(with, d)
			}
		}
	}
	return hops, with
}

// worth returns what the loser pays for resigning or losing, in times of the cube: 3 with a
// checker on the bar or in the winner's home board, else 2 with no checker off, else 1. p is
// seen from the loser.
func (p places) worth() int {
	if p[wire.OwnBar] > 0 {
		return 3
	}
	for at := 19; at <= 24; at++ {
		if p[at] > 0 {
			return 3
		}
	}
	if p[wire.OwnHome] == 0 {
		return 2
	}
	return 1
}

// pool is the dice of a throw: four for a double.
func pool(a, b int) []int {
	if a == b {
		return []int{a, a, a, a}
	}
	return []int{a, b}
}
