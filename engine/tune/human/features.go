package human

import "fibsbot/engine/board"

// The features of a play are what a person sees at first glance, each counted so that it is
// about 0 to 2. Their weights say how much the play attracts (model.go).
const (
	featHit         = iota // checkers hit
	featLooseHit           // a hit in the own home that leaves a blot there
	featDeepHit            // a hit on the ace, deuce or three point
	featHomePoint          // points made at home
	featBlockPoint         // points made on the six points before home
	featAnchor             // points made in the other's home
	featPointBroken        // points at home or before it given up
	featAnchorLost         // points in the other's home given up
	featShot               // more blots within six pips of a checker behind them
	featBackShot           // the same in the other's home
	featEscape             // checkers brought out of the other's home
	featStack              // checkers beyond the third on a point
	featDead               // checkers on the ace and deuce points
	featPrime              // length of the longest row of points
	featSources            // points that checkers leave
	featOff                // checkers borne off
	// NumFeatures is how many there are.
	NumFeatures
)

// Features is what a play shows.
type Features [NumFeatures]float64

// seen is what the features of a side's checkers are told from.
type seen struct {
	shots, backShots, stack, dead, prime, back int
}

// look counts what there is to see in the checkers of the player who has moved. opp are the
// other side's.
func look(me, opp *board.Checkers) (s seen) {
	row := 0
	nearest := -7 // the nearest checker of the other behind point i
	if opp[board.Bar] > 0 {
		nearest = -1
	}
	for i := range board.Bar {
		n := int(me[i])
		switch {
		case n == 1 && i-nearest <= 6:
			if i >= 18 {
				s.backShots++
			} else {
				s.shots++
			}
		case n > 3:
			s.stack += n - 3
		}
		if i < 2 {
			s.dead += n
		}
		if i < 18 {
			if n >= 2 {
				row++
				s.prime = max(s.prime, row)
			} else {
				row = 0
			}
		} else {
			s.back += n
		}
		if opp[23-i] > 0 {
			nearest = i
		}
	}
	s.back += int(me[board.Bar])
	return s
}

// featuresOf returns what the play from p to q shows; was is look of p.
func featuresOf(p, q *board.Position, was *seen) (f Features) {
	hit := int(q.Opp[board.Bar]) - int(p.Opp[board.Bar])
	f[featHit] = float64(hit)
	off, sources := 0, 0
	for i := range board.Bar + 1 {
		a, b := p.Me[i], q.Me[i]
		off += int(a) - int(b)
		if b < a {
			sources++
		}
		if i < 3 && hit > 0 && b > 0 && p.Opp[23-i] == 1 {
			f[featDeepHit]++
		}
		if i == board.Bar || a >= 2 == (b >= 2) {
			if i < 6 && hit > 0 && b == 1 && p.Opp[23-i] == 1 {
				f[featLooseHit]++
			}
			continue
		}
		made := b >= 2
		switch {
		case i >= 18 && made:
			f[featAnchor]++
		case i >= 18:
			f[featAnchorLost]++
		case i < 6 && made:
			f[featHomePoint]++
		case i < 12 && made:
			f[featBlockPoint]++
		case i < 12:
			f[featPointBroken]++
		}
	}
	now := look(&q.Me, &q.Opp)
	f[featShot] = float64(now.shots - was.shots)
	f[featBackShot] = float64(now.backShots - was.backShots)
	f[featEscape] = float64(was.back - now.back)
	f[featStack] = float64(now.stack-was.stack) / 2
	f[featDead] = float64(now.dead-was.dead) / 2
	f[featPrime] = float64(now.prime - was.prime)
	f[featSources] = float64(sources) / 2
	f[featOff] = float64(off) / 2
	return f
}
