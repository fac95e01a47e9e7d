package tune

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/figure"
)

// Strength is a setting that plays at a wanted rating.
type Strength struct {
	Setting Setting
	// Preset plays it.
	Preset preset.Preset
	// Rating is the expected one, with its 90 % interval.
	Rating rating.Interval
}

// ErrOutOfReach means that no measured setting plays at a rating.
var ErrOutOfReach = errors.New("out of reach")

// Range is the weakest and the strongest rating that can be ordered.
func (s *Surface) Range(length int, style Style) (low, high float64) {
	low, high = s.Table.Anchor, s.Table.Anchor
	if c, ok := s.path(length, style); ok {
		low = s.Table.Anchor - c(math.Inf(1))
	}
	for _, name := range preset.Names() {
		if r, _, ok := s.estimate(Setting{Deep: name}, length); ok {
			high = math.Max(high, r)
		}
	}
	return low, high
}

// path returns the loss over the amount along the path on which checker play and
// cube err alike, for any length.
func (s *Surface) path(length int, style Style) (loss func(amount float64) float64, ok bool) {
	a, b, share, ok := s.neighbours(length, func(n int) bool { return s.paths[pathKey{style, n}] != nil })
	if !ok {
		return nil, false
	}
	ca, cb := s.paths[pathKey{style, a}], s.paths[pathKey{style, b}]
	last := math.Min(ca.x[len(ca.x)-1], cb.x[len(cb.x)-1])
	return func(v float64) float64 {
		v = math.Min(v, last)
		la, _ := ca.at(v)
		lb, _ := cb.at(v)
		return (1-share)*la + share*lb
	}, true
}

// Order says which strength is wanted.
type Order struct {
	Rating float64
	Length int // of the match, 0 unlimited
	Style  Style
	// Character is how the errors of the style human lean.
	Character human.Character
	// Cube fixes the amount of error in cube decisions; negative makes it that of checker play.
	Cube float64
}

// Find returns the setting expected to play at a rating. The error wraps ErrOutOfReach and states
// the possible ratings, or wraps ErrSetting or match.ErrScore.
func (s *Surface) Find(o Order) (Strength, error) {
	o.Style = cmp.Or(o.Style, Noise)
	if o.Style != Noise && o.Style != Human {
		return Strength{}, fmt.Errorf("%w: style %.40q (use noise or human)", ErrSetting, o.Style)
	}
	if !o.Character.Known() || o.Character != human.Plain && o.Style != Human {
		return Strength{}, fmt.Errorf("%w: style %s with character %.40q (use human with %s)", ErrSetting, o.Style, o.Character, human.CharacterNames())
	}
	if o.Length < 0 || o.Length > MaxLength {
		return Strength{}, fmt.Errorf("%w: a match of %d points", match.ErrScore, o.Length)
	}
	if !finite(o.Rating) || o.Cube > maxNoise {
		return Strength{}, fmt.Errorf("%w: rating %v, cube error %v", ErrSetting, o.Rating, o.Cube)
	}
	low, high := s.Range(o.Length, o.Style)
	// A printed bound, which is rounded to whole points, can be ordered.
	if o.Rating < low-0.5 || o.Rating > high+0.5 {
		return Strength{}, fmt.Errorf("rating %.0f is %w: the measured settings play between %.0f and %.0f %s", o.Rating, ErrOutOfReach, low, high, AtLength(o.Length))
	}
	beyond := fmt.Errorf("rating %.0f is %w with a cube error of %v %s", o.Rating, ErrOutOfReach, o.Cube, AtLength(o.Length))
	if o.Rating > s.Table.Anchor {
		if o.Cube > 0 {
			return Strength{}, beyond
		}
		return s.strength(s.above(o.Rating, o.Length), o.Length)
	}
	want := s.Table.Anchor - o.Rating
	loss := func(v float64) (float64, bool) {
		x := Setting{Style: o.Style, Checker: v, Cube: v}
		if o.Cube >= 0 {
			x.Cube = o.Cube
		}
		r, _, ok := s.estimate(x.Canonical(), o.Length)
		return s.Table.Anchor - r, ok
	}
	if o.Cube >= 0 {
		if l, ok := loss(0); !ok || l > want+0.1 {
			return Strength{}, beyond
		}
	}
	lo, hi := 0.0, maxNoise
	for range 50 {
		mid := (lo + hi) / 2
		if l, ok := loss(mid); ok && l < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	x := Setting{Style: o.Style, Checker: round4(lo), Cube: round4(lo)}
	if o.Cube >= 0 {
		x.Cube = o.Cube
	}
	if l, ok := loss(x.Checker); !ok || math.Abs(l-want) > 10 {
		return Strength{}, beyond
	}
	x = x.Canonical()
	if x.Style == Human {
		x = x.as(o.Character)
	}
	return s.strength(x, o.Length)
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// AtLength names matches by their length; 0 is unlimited ones.
func AtLength(n int) string {
	if n == 0 {
		return "in unlimited matches"
	}
	return "in matches of " + figure.Count(n, "point")
}

// above is the setting for a rating above the anchor: the weakest preset that looks ahead, in the
// share of its decisions that reaches the rating; beyond it the nearest of the presets that look
// further, which are within a few points of each other. A slower one must be nearer by worth.
func (s *Surface) above(r float64, length int) Setting {
	best, gap := Expert, math.Inf(1)
	for _, name := range DeepPresets {
		x := Setting{Deep: name}
		v, _, ok := s.estimate(x, length)
		if !ok {
			continue
		}
		if best == Expert && r < v {
			x.Share = round4((r - s.Table.Anchor) / (v - s.Table.Anchor))
			if x.Share == 0 {
				return Expert
			}
			return x.Canonical()
		}
		if d := math.Abs(v - r); d < gap-worth {
			best, gap = x, d
		}
	}
	return best
}

// worth is by how many rating points a preset must be nearer to an order than a faster one, for
// its time.
const worth = 1

func (s *Surface) strength(x Setting, length int) (Strength, error) {
	iv, _ := s.At(x, length)
	p, err := x.Preset(fmt.Sprintf("rating %.0f", iv.Estimate))
	return Strength{Setting: x, Preset: p, Rating: iv}, err
}

// PresetForRating returns the strength that plays at rating r in matches of length points (0
// unlimited), by the table in the program. For a rating out of reach it returns the nearest
// strength and an error that wraps ErrOutOfReach: a bot plays on with it, a command stops.
func PresetForRating(r float64, length int, style Style) (Strength, error) {
	return PresetForOrder(Order{Rating: r, Length: length, Style: style, Cube: -1})
}

// PresetForOrder is PresetForRating for an order.
func PresetForOrder(o Order) (Strength, error) {
	s, err := Measured()
	if err != nil {
		return Strength{}, err
	}
	found, err := s.Find(o)
	if errors.Is(err, ErrOutOfReach) {
		o.Style = cmp.Or(o.Style, Noise)
		low, high := s.Range(o.Length, o.Style)
		o.Rating = math.Max(low, math.Min(high, o.Rating))
		near, e := s.Find(o)
		if e == nil {
			return near, err
		}
	}
	return found, err
}

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
