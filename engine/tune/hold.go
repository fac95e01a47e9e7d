package tune

import (
	"math"

	"fibsbot/engine/rating"
)

// Hold keeps an account's own rating near a target by choosing how strong to play, for
// strength.target_rating. It is a pure function of its history; its state can be kept in a
// file between runs. Make it with NewHold.
//
// A rating under the FIBS formula follows true strength like a spring: each point of match
// length moves it by about 1/870 of the distance, and luck shakes it by some 40 points. Hold
// therefore leans against the distance at once (the proportional part, which also halves the
// shaking) and learns slowly, over thousands of points, by how much the server's scale differs
// from ours (the integral part, Bias). Luck averages out over that time.
type Hold struct {
	Target float64 `json:"target"`
	// Low and High bound the strengths asked for.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Bias is by how much stronger than the target the account has to play, on our scale, to hold
	// it on the server's.
	Bias float64 `json:"bias"`
	// Strength is the present one. It changes only between matches.
	Strength float64 `json:"strength"`
	// Playing reports that a match is under way.
	Playing bool `json:"playing"`
}

// The control. pull is the rating distance corrected at once; spring is what a point of match
// length takes off the distance between rating and strength, ln(10)/2000 by the FIBS formula at
// K 4; learn, how much of the distance a point adds to the bias, is about a seventh of the value
// at which the loop would begin to overshoot.
const (
	pull   = 0.8
	spring = math.Ln10 / 2000
	learn  = spring * (1 + pull) / 16
	// maxLean bounds the proportional part: a losing streak must not make the bot another player.
	maxLean = 120
	maxBias = 400
	// settle is by how much the wanted strength must change before the present one follows.
	settle = 10
)

// NewHold begins to hold a target with strengths between low and high.
func NewHold(target, low, high float64) Hold {
	h := Hold{Target: target, Low: low, High: math.Max(low, high)}
	h.Strength = h.clamp(target)
	return h
}

func (h Hold) clamp(v float64) float64 { return math.Max(h.Low, math.Min(h.High, v)) }

// Begin is called when a match begins (or is resumed), with the account's rating before it. It
// returns the state with the strength for the whole match. During a match it changes nothing. A
// rating of NaN counts as unknown and changes nothing but Playing.
func (h Hold) Begin(account float64) Hold {
	if h.Playing {
		return h
	}
	h.Playing = true
	if !finite(account) || account <= 0 {
		return h
	}
	lean := math.Max(-maxLean, math.Min(maxLean, pull*(h.Target-account)))
	want := h.clamp(h.Target + h.Bias + lean)
	if math.Abs(want-h.Strength) >= settle || want == h.Low || want == h.High {
		h.Strength = want
	}
	return h
}

// End is called after a match of length points (0 unlimited), with the account after it. It
// returns the state with what it learned about the bias. Matches broken off end with a length of
// 0, from which it learns nothing.
func (h Hold) End(after rating.Account, length int) Hold {
	h.Playing = false
	if length <= 0 || !finite(after.Rating) || after.Rating <= 0 {
		return h
	}
	gap := h.Target - after.Rating
	// With the strength at its bound more bias would change nothing now and take long to unlearn.
	if (h.Strength >= h.High && gap > 0) || (h.Strength <= h.Low && gap < 0) {
		return h
	}
	// A new account's rating moves up to five times as fast and says less.
	speed := math.Max(1, 5-float64(after.Experience)/100)
	gap = math.Max(-200, math.Min(200, gap))
	h.Bias = math.Max(-maxBias, math.Min(maxBias, h.Bias+learn*math.Min(float64(length), 25)*gap/speed))
	return h
}
