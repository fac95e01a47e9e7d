package record

import "fibsbot/engine/board"

// apply makes the steps one after the other, leaving out those that cannot be
// made at all. Entering steps go first, for files need not order them; a step
// whose origin is still empty waits for the others.
func apply(p board.Position, steps []board.Step) (result board.Position, made []board.Step, whole bool) {
	left := append(make([]board.Step, 0, 4), steps[:min(len(steps), 4)]...)
	for len(left) > 0 {
		at := -1
		for i, s := range left {
			if !possible(&p, s) {
				continue
			}
			if at < 0 || s.From > left[at].From {
				at = i
			}
		}
		if at < 0 {
			break
		}
		s := left[at]
		p.Me[s.From]--
		if s.To >= 0 {
			p.Me[s.To]++
			if hit := &p.Opp[23-s.To]; *hit > 0 {
				p.Opp[board.Bar] += *hit
				*hit = 0
			}
		}
		made = append(made, s)
		left = append(left[:at], left[at+1:]...)
	}
	return p, made, len(left) == 0 && len(steps) <= 4
}

// possible reports whether a step could be carried out on a real board: there is
// a checker, it goes forward, and the point is not held by two or more.
func possible(p *board.Position, s board.Step) bool {
	return s.From >= 0 && s.From <= board.Bar && s.To >= board.Off && s.To < s.From &&
		p.Me[s.From] > 0 && (s.To < 0 || p.Opp[23-s.To] < 2)
}

// legalOrder reports whether each step uses up one of the dice.
func legalOrder(p board.Position, d board.Dice, steps []board.Step) bool {
	dice := []int{int(d.A), int(d.B)}
	if d.Double() {
		dice = append(dice, dice...)
	}
	for _, s := range steps {
		at := -1
		for i, die := range dice {
			n := int(s.From - s.To)
			if n == die || s.To < 0 && die > n && (at < 0 || die < dice[at]) {
				at = i
				if n == die {
					break
				}
			}
		}
		if at < 0 || p.Me[board.Bar] > 0 && s.From != board.Bar {
			return false
		}
		dice = append(dice[:at], dice[at+1:]...)
		p.Me[s.From]--
		if s.To >= 0 {
			p.Me[s.To]++
		}
	}
	return true
}

// Apply returns the position after the steps of a play, seen by the same player. Steps
// that cannot be made are left out.
func Apply(p board.Position, steps []board.Step) board.Position {
	after, _, _ := apply(p, steps)
	return after
}
