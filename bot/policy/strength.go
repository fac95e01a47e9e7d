package policy

import (
	"cmp"
	"math"

	"fibsbot/config"
)

// Opponent is the opponent of a match about to begin.
type Opponent struct {
	Player
	Known  bool // Rating and Experience are from the server's lists
	Length int  // of the match, or Unlimited
	Won    int  // matches this opponent has won against us
}

// Strength is the answer of Choose. Exactly one of Preset and Rating is set.
type Strength struct {
	Preset string // or the name of another engine
	// Rating asks for the preset that plays at this rating. The measured table of presets
	// turns it into settings.
	Rating float64
	// Character is how errors at the rating lean, or empty.
	Character string
	Rule      string // the key in bot.yaml that decided
}

// Choose picks the strength for a match, once: when the match begins, or is resumed without
// a remembered choice. account is the account's own preset or engine or empty, held the rating last chosen
// for the opponent, for hysteresis, or 0. Of f, Choose reads only
// Now and Me.
func Choose(c *config.Config, account string, o Opponent, f Facts, held float64) Strength {
	for i := range c.Strength.Rules {
		r := &c.Strength.Rules[i]
		if fits(&r.When, o, f) {
			st := Strength{Preset: cmp.Or(r.Engine, r.Preset), Rating: r.Rating, Rule: ruleKey("strength", i)}
			if r.Rating > 0 {
				st.Character = cmp.Or(r.Character, c.Strength.Character)
			}
			return st
		}
	}
	if account != "" {
		return Strength{Preset: account, Rule: "accounts.preset"}
	}
	m := c.Strength.MatchOpponent
	if m.Enabled && o.Known {
		want := math.Max(m.Min, math.Min(m.Max, o.Rating+m.Offset))
		// Ratings move by a few points a match. Following each change would give the
		// same opponent another bot every time.
		if held > 0 && math.Abs(want-held) < m.Hysteresis && held >= m.Min && held <= m.Max {
			want = held
		}
		return Strength{Rating: want, Character: c.Strength.Character, Rule: "strength.match_opponent"}
	}
	return Strength{Preset: c.Strength.Preset, Rule: "strength.preset"}
}

// ruleKey returns the key of the i-th rule of a section.
func ruleKey(section string, i int) string { return section + ".rules[" + itoa(i) + "]" }

// fits reports whether all conditions of w hold for a match with o. A condition on a rating
// or an experience does not hold while that is unknown (see Facts.Known). Of f, it reads only
// Now and Me.
func fits(w *config.When, o Opponent, f Facts) bool {
	if w.Name != "" && !config.MatchName(w.Name, o.Name) {
		return false
	}
	lo, hi, limited := ratingLimits(w.Rating, f.Me.Rating)
	if limited && (!o.Known || o.Rating <= 0 || o.Rating < lo || o.Rating > hi) {
		return false
	}
	if w.Experience != (config.IntRange{}) && (!o.Known || o.Experience < 0 || !within(w.Experience, o.Experience)) {
		return false
	}
	hours, err := config.ParseHours(w.Hours)
	return err == nil && hours.Open(f.Now) && within(w.Length, o.Length) && within(w.Won, o.Won)
}

func within(r config.IntRange, n int) bool { return n >= r.Min && (r.Max == 0 || n <= r.Max) }
