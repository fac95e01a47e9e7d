package human

import (
	"math"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/search"
	"fibsbot/internal/splitmix"
)

// Style says how a weaker player errs. The zero value never errs.
type Style struct {
	// Checker and Cube are the amounts for the two kinds of decision, 0 to MaxAmount: about the
	// performance rating of such a player over 100.
	Checker, Cube float64
	// Character is how the errors lean.
	Character Character
}

// MaxAmount is the largest amount with a meaning: beyond it equity hardly counts.
const MaxAmount = 1.0

// choose picks one of several plays from p, in the generator's order. losses[i] is the loss of
// plays[i] against the best one, in EMG, at least 0, without noise; some play must lose 0. The
// result is an index and depends on the arguments alone; seed changes from decision to decision.
// The amount must be above 0, as in all decisions.
func (s Style) choose(p *board.Position, plays []board.Play, losses []float64, seed uint64) int {
	m, lean := &fitted.Checker, s.Character.lean()
	plan, crowded := PlanOf(p), crowd(len(losses))
	amount, blind := s.Checker, realAmount(s.Checker, largePower)
	overlooks := uniform(seed, overlookStream) < amount/blind*m.overlooking(plan, crowded, blind)
	if overlooks {
		amount = blind
	}
	weight := math.Exp(m.sharpness(plan, crowded, amount, overlooks))
	w, was := m.natural(amount, &lean.natural, overlooks), look(&p.Me, &p.Opp)
	best, top := 0, math.Inf(-1)
	for i, loss := range losses {
		f := featuresOf(p, &plays[i].Result, &was)
		// A Gumbel deviate on each value makes the choice a softmax over the plays (R. D. Luce's
		// choice axiom).
		if v := attraction(weight, loss, &w, &f) + gumbel(seed, uint64(i)); v > top {
			best, top = i, v
		}
	}
	return best
}

// The streams of random numbers of a decision besides those of its plays.
const (
	overlookStream = 1 << 32
	cubeStream     = 2 << 32
)

// The limits of cube errors. Below the no-double equity leastDouble a player doubles only for a gain
// above his amount of error: of 92 wrong doubles in the matches of the fit two were made below it. No one
// doubles at a loss above mostLoss or passes at one above mostPass. No one takes at a loss above
// mostTake plus perTake times the amount.
const (
	leastDouble = 0.1
	mostLoss    = 0.4
	mostPass    = 0.8
	mostTake    = 0.3
	perTake     = 2.5
)

// Plain reports whether the limits of errors decide, and how: whether the player doubles or takes.
func (v *CubeView) Plain(doubling bool, amount float64) (acts, plain bool) {
	gain := v.gain(doubling)
	if doubling {
		return false, gain < -mostLoss || v.NoDouble < leastDouble && gain < amount
	}
	return gain >= 0, gain > mostPass || gain < -mostTake-perTake*amount
}

// doubles decides a double.
func (s Style) doubles(v *CubeView, seed uint64) bool {
	return s.decides(v, &fitted.Cube.Double, true, s.Character.lean().double-hesitation, seed)
}

// takes answers a double; v is the doubler's view.
func (s Style) takes(v *CubeView, seed uint64) bool {
	return s.decides(v, &fitted.Cube.Take, false, s.Character.lean().take, seed)
}

// decides draws a cube action; the character changes its log odds by lean.
func (s Style) decides(v *CubeView, w *CubeWeights, doubling bool, lean float64, seed uint64) bool {
	amount := realAmount(s.Cube, 1)
	if acts, plain := v.Plain(doubling, amount); plain {
		return acts
	}
	chance := v.Chance(w, doubling, amount)
	return uniform(seed, cubeStream) < logistic(math.Log(chance/(1-chance))+lean)
}

// realAmount is the amount of error of the real player whose oversights and cube errors a setting
// makes. A setting plays at 0 plies and loses by that too, in many small errors. It therefore makes
// the oversights of a weaker player, but fewer. Below the usual amount that player's amount follows
// the power smallPower, above it the power large, up to mostReal times the setting's.
func realAmount(amount, large float64) float64 {
	x := ScaleOf(amount)
	return amount * math.Min(mostReal, math.Exp((large-1)*max(0, x))) * math.Exp((smallPower-1)*min(0, x))
}

// These were chosen by what settings of four strengths do beside matches 001 to 088, to which the
// model is fitted (docs/strength.md): smallPower by the cube's share of the loss and missed doubles
// at PR 3, largePower and mostReal by the share of large errors at PR 10 and 14. hesitation is taken
// from the log odds of doubling: a setting sees the cube at 0 plies, whose errors add more wrong
// doubles than missed ones.
const (
	smallPower = 0.8
	largePower = 1.4
	mostReal   = 1.3
	hesitation = 0.05
)

func gumbel(seed, i uint64) float64 { return -math.Log(-math.Log(uniform(seed, i))) }

// uniform is a number strictly between 0 and 1.
func uniform(seed, i uint64) float64 {
	return (float64(splitmix.At(seed, i)>>11) + 0.5) / (1 << 53)
}

// Character is how the errors of a player lean, at any amount.
type Character string

// The characters. Plain is the average of real players.
const (
	Plain   Character = ""
	Bold    Character = "bold"
	Careful Character = "careful"
	Racer   Character = "racer"
)

// Characters lists the characters except Plain.
func Characters() []Character { return []Character{Bold, Careful, Racer} }

// CharacterNames lists the names of Characters for a sentence.
func CharacterNames() string {
	var names []string
	for _, c := range Characters() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// Summary says in one line what a character does wrong.
func (c Character) Summary() string { return c.lean().summary }

// lean is what a character adds: to the weights of features, and to the log odds of doubling and
// taking. factor is the amount at which it is as strong as Plain at amount 1.
type lean struct {
	summary      string
	natural      Features
	double, take float64
	factor       float64
}

// Factor is by how much the amounts of the character are multiplied to be as strong as Plain.
func (c Character) Factor() float64 { return c.lean().factor }

var leans = map[Character]*lean{
	Plain: {summary: "errs as the average player of its rating", factor: 1},
	Bold: {
		summary: "hits loose and leaves shots, doubles early and takes too much",
		natural: Features{featHit: 0.5, featLooseHit: 0.8, featHomePoint: 0.2, featShot: 0.55, featBackShot: 0.3, featEscape: -0.2, featSources: 0.25},
		double:  0.9, take: 1, factor: 0.91,
	},
	Careful: {
		summary: "never leaves a shot that can be helped, doubles late and passes too much",
		natural: Features{featHit: -0.3, featLooseHit: -0.8, featShot: -0.55, featBackShot: -0.3, featStack: 0.2, featPointBroken: -0.3, featAnchorLost: -0.5},
		double:  -0.7, take: -1, factor: 0.8,
	},
	Racer: {
		summary: "runs for home, gives up anchors and blocks, and misjudges contact",
		natural: Features{featEscape: 0.9, featAnchorLost: 0.8, featAnchor: -0.4, featBlockPoint: -0.3, featPrime: -0.3, featPointBroken: 0.3, featHomePoint: -0.2, featStack: 0.15},
		double:  0.2, take: -0.2, factor: 0.9,
	},
}

// lean returns that of the character; an unknown one is Plain.
func (c Character) lean() *lean {
	if l := leans[c]; l != nil {
		return l
	}
	return leans[Plain]
}

// Known reports whether there is such a character.
func (c Character) Known() bool { return leans[c] != nil }

// Pick returns the index in list of the play that the style chooses for roll d at p. list is the
// result of search.Engine.Plays, without noise, and not empty. Its order does not matter.
func (s Style) Pick(p *board.Position, d board.Dice, list []search.Candidate, seed uint64) int {
	best := list[0].Equity
	for i := range list {
		best = max(best, list[i].Equity)
	}
	// The deviates belong to the plays in the generator's order.
	plays := board.AppendPlays(nil, *p, d)
	known := plays[:0]
	losses, at := make([]float64, 0, len(plays)), make([]int, 0, len(plays))
	for k := range plays {
		for i := range list {
			if list[i].Play.Result == plays[k].Result {
				known, losses, at = append(known, plays[k]), append(losses, best-list[i].Equity), append(at, i)
				break
			}
		}
	}
	if len(losses) == 0 {
		return 0
	}
	return at[s.choose(p, known, losses, seed)]
}

// Offers decides a double from a decision without noise.
func (s Style) Offers(d *cube.Decision, seed uint64) bool {
	v := ViewOf(d)
	return s.doubles(&v, seed)
}

// Accepts answers a double from the doubler's decision without noise.
func (s Style) Accepts(d *cube.Decision, seed uint64) bool {
	v := ViewOf(d)
	return s.takes(&v, seed)
}
