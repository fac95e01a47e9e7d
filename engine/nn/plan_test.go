package nn

import (
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
)

// planSlow is planOf told again by loops over the points.
func planSlow(p *board.Position) Plan {
	type view struct{ back, anchors, deep, homePoints, run, rear, count, bar int }
	look := func(c, o *board.Checkers) (v view) {
		front := 24 // index of the opponent's rearmost checker as c numbers the points
		for i := range 25 {
			if o[i] > 0 {
				front = 23 - i
			}
		}
		run := 0
		for i := range 25 {
			n := int(c[i])
			v.count += n
			if n > 0 {
				v.rear = i
			}
			if i >= 18 {
				v.back += n
			}
			if i == board.Bar {
				v.bar = n
				continue
			}
			if n >= 2 && i >= 18 {
				v.anchors++
				if i >= 21 {
					v.deep++
				}
			}
			if n >= 2 && i < 6 {
				v.homePoints++
			}
			if n >= 2 && i > front && i < 17 {
				run++
			} else {
				run = 0
			}
			v.run = max(v.run, run)
		}
		return v
	}
	m, o := look(&p.Me, &p.Opp), look(&p.Opp, &p.Me)
	// side returns mine if the player on roll does f, theirs if the opponent does.
	side := func(f func(a, b *view) bool, mine, theirs Plan) Plan {
		switch {
		case f(&m, &o):
			return mine
		case f(&o, &m):
			return theirs
		}
		return NumPlans
	}
	for _, plan := range []Plan{
		side(func(a, _ *view) bool { return a.anchors >= 2 }, PlanBackgame, PlanBackgameTheirs),
		side(func(a, _ *view) bool { return a.count < 15 || a.rear < 6 }, PlanBearoff, PlanBearoffTheirs),
		side(func(a, b *view) bool { return b.back > 0 && (a.run >= 5 || b.bar > 0 && a.homePoints >= 4) }, PlanContainment, PlanContainmentTheirs),
		side(func(a, b *view) bool { return b.bar > 0 || b.back >= 2 && b.anchors == 0 && a.homePoints >= 3 }, PlanAttack, PlanAttackTheirs),
	} {
		barred := map[Plan]Plan{PlanContainment: PlanShutout, PlanAttack: PlanBlitz}
		if with, ok := barred[plan]; ok && o.bar > 0 {
			return with
		}
		barred = map[Plan]Plan{PlanContainmentTheirs: PlanShutoutTheirs, PlanAttackTheirs: PlanBlitzTheirs}
		if with, ok := barred[plan]; ok && m.bar > 0 {
			return with
		}
		if plan < NumPlans {
			return plan
		}
	}
	switch {
	case m.anchors > 0 && o.anchors > 0:
		return PlanMutual
	case m.deep > 0:
		return PlanHoldingDeep
	case m.anchors > 0:
		return PlanHolding
	case o.deep > 0:
		return PlanHeldDeep
	case o.anchors > 0:
		return PlanHeld
	case m.back > 0 && o.back > 0:
		return PlanLoose
	case o.back > 0:
		return PlanAttack
	case m.back > 0:
		return PlanAttackTheirs
	}
	return PlanOpen
}

func TestPlanOf_agreesWithTheWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	var seen [NumPlans]int
	var enc Encoder
	var f Features
	for range 200000 {
		// Random boards: few checkers on few points, some off, some on the bar.
		var p board.Position
		for _, c := range []*board.Checkers{&p.Me, &p.Opp} {
			o := &p.Opp
			if c == o {
				o = &p.Me
			}
			high := 6 + rng.IntN(19)
			for n := 15 - max(rng.IntN(12)-9, 0); n > 0; {
				i, k := rng.IntN(high), min(1+rng.IntN(3), n)
				if i < 24 && o[23-i] > 0 {
					if rng.IntN(50) == 0 {
						c[board.Bar]++
						n--
					}
					continue
				}
				c[i] += uint8(k)
				n -= k
			}
		}
		if rng.IntN(2) == 0 { // the second side is the one with checkers on the bar
			p = p.Swap()
		}
		if p.Validate() != nil || !p.Contact() {
			continue
		}
		got, want := PlanOf(&p), planSlow(&p)
		seen[want]++
		if got != want {
			t.Fatalf("%s is %s, want %s", p.ID(), got, want)
		}
		if enc.Encode(&p, &f); f.Plan != want {
			t.Fatalf("%s is encoded as %s, want %s", p.ID(), f.Plan, want)
		}
	}
	for plan, n := range seen {
		if n < 20 {
			t.Errorf("only %d boards of plan %s", n, Plan(plan))
		}
	}
	if got := PlanOf(&board.Start); got != PlanMutual {
		t.Errorf("the start position is %s, want mutual", got)
	}
}

// TestWider: a plan comes after the wider one, so that nets are filled in from there, and has
// a name of its own.
func TestWider(t *testing.T) {
	names := map[string]Plan{}
	for p := range NumPlans {
		if w, ok := widerPlan[p]; ok && w >= p {
			t.Errorf("%s is cut from %s, which comes behind it", p, w)
		}
		if other, twice := names[p.String()]; twice || p.String() == "" {
			t.Errorf("plans %d and %d are %q", other, p, p)
		}
		names[p.String()] = p
	}
}
