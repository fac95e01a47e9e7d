package eval

// Index of each outcome in Probs.
const (
	Win = iota
	WinGammon
	WinBackgammon
	LoseGammon
	LoseBackgammon
)

// Probs are the five outcome chances in GNU Backgammon's order, cumulative (a
// backgammon is also a gammon and a win), each within [0,1], seen from the
// player on roll.
type Probs [5]float32

// Invert returns the same chances as the other player sees them.
func (p Probs) Invert() Probs {
	return Probs{1 - p[Win], p[LoseGammon], p[LoseBackgammon], p[WinGammon], p[WinBackgammon]}
}

// Money returns the cubeless money equity in points, without the Jacoby rule:
// 2w-1 + (wg-lg) + (wbg-lbg).
func (p Probs) Money() float32 {
	return 2*p[Win] - 1 + p[WinGammon] - p[LoseGammon] + p[WinBackgammon] - p[LoseBackgammon]
}
