package play

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
)

// Pubeval names Tesauro's benchmark player in place of a preset.
const Pubeval = "pubeval"

// UsualRating is that of a character without one.
const UsualRating = 1500

// Strength is how the opponent plays: by a preset or [Pubeval], or at a rating and as a
// character. The zero value is UsualPreset.
type Strength struct {
	Preset string `json:"preset,omitempty"`
	// Rating on FIBS, 0 for none; Style is how an opponent of a rating or a level errs: human
	// (the default) or noise.
	Rating float64 `json:"rating,omitempty"`
	Style  string  `json:"style,omitempty"`
	// Character names one of Characters, who plays at Rating, or at UsualRating without one.
	Character string `json:"character,omitempty"`
	// Own is the preset if it is not built in, see FindPreset. Not saved.
	Own *preset.Preset `json:"-"`
}

// Presets finds a preset by name, as those of bot.yaml.
type Presets func(name string) (preset.Preset, error)

// FindPreset sets Own if Preset names a preset that is not built in. The error wraps
// ErrOptions.
func (s *Strength) FindPreset(presets Presets) error {
	if s.Own != nil || s.Preset == "" || strings.EqualFold(s.Preset, Pubeval) {
		return nil
	}
	if _, err := preset.ByName(s.Preset); err == nil || presets == nil {
		return nil // resolve reports an unknown one
	}
	p, err := presets(s.Preset)
	if err != nil {
		return wrong("preset", "%v", err)
	}
	s.Own = &p
	return nil
}

// Foe is the opponent as it plays.
type Foe struct {
	// Name for a score board: "expert", "human-like 1600".
	Name   string
	Preset preset.Preset
	// Benchmark plays the checkers as Tesauro's pubeval ([eval.Pubeval]), which does not
	// know the cube: it never doubles and always takes. Preset judges resignations.
	Benchmark bool
}

// resolve finds how to play. Errors wrap ErrOptions, see wrong.
func (s Strength) resolve(length int) (Foe, error) {
	rated := s.Rating != 0 || s.Character != ""
	named := cmp.Or(s.Preset, UsualPreset)
	if s.Own != nil {
		if _, ok := tune.LevelOf(s.Own); !ok {
			return Foe{Name: s.Own.Name, Preset: *s.Own}, nil
		}
		named = s.Own.Name
	}
	switch {
	case rated && s.Preset != "":
		return Foe{}, wrong("preset", "give a preset, or a rating and a character, not both")
	case rated:
		return s.rated(length)
	}
	return s.preset(named, length)
}

// preset is the opponent of a preset's name. A level errs as people do unless the style is noise.
func (s Strength) preset(name string, length int) (Foe, error) {
	bench := strings.EqualFold(name, Pubeval)
	if bench {
		name = UsualPreset
	}
	p, err := preset.ByName(name)
	if err != nil {
		return Foe{}, wrong("preset", "%v", err)
	}
	l, isLevel := tune.LevelOf(&p)
	switch style := tune.Style(s.Style); {
	case style != "" && style != tune.Human && style != tune.Noise:
		return Foe{}, wrong("style", "unknown style %.40q (use human or noise)", s.Style)
	case style != "" && !isLevel:
		return Foe{}, wrong("style", "%s does not err (give a rating or a weaker preset)", name)
	case isLevel && style != tune.Noise:
		found, err := tune.PresetForRating(l.Rating, length, tune.Human)
		if err != nil && found.Preset.Name == "" {
			return Foe{}, wrong("preset", "%v", err)
		}
		p = found.Preset
		p.Name, p.Summary = l.Name, l.Summary
	}
	if bench {
		p.Name = Pubeval
	}
	return Foe{Name: p.Name, Preset: p, Benchmark: bench}, nil
}

// rated finds settings that play at the rating in matches of length points.
func (s Strength) rated(length int) (Foe, error) {
	style := cmp.Or(tune.Style(s.Style), tune.Human)
	if style != tune.Human && style != tune.Noise {
		return Foe{}, wrong("style", "unknown style %.40q (use human or noise)", s.Style)
	}
	c, known := character(s.Character)
	if !known {
		return Foe{}, wrong("character", "unknown character %.40q (use %s)", s.Character, human.CharacterNames())
	}
	if c != human.Plain && style != tune.Human {
		return Foe{}, wrong("character", "%s errs as people do (leave out the style %s)", c, style)
	}
	r := cmp.Or(s.Rating, UsualRating)
	if math.IsNaN(r) || r < 0 || r > 4000 {
		return Foe{}, wrong("rating", "%v is not between 0 and 4000", r)
	}
	found, err := tune.PresetForOrder(tune.Order{Rating: r, Length: length, Style: style, Character: c, Cube: -1})
	if err != nil {
		return Foe{}, wrong("rating", "%v", err)
	}
	name := fmt.Sprintf("rating %.0f", r)
	switch {
	case c != human.Plain:
		name = fmt.Sprintf("%s %.0f", c, r)
	case style == tune.Human:
		name = fmt.Sprintf("human-like %.0f", r)
	}
	return Foe{Name: name, Preset: found.Preset}, nil
}

// Character is a manner of erring, at any rating.
type Character struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// Characters lists the characters.
func Characters() (list []Character) {
	for _, c := range human.Characters() {
		list = append(list, Character{Name: string(c), Summary: c.Summary()})
	}
	return list
}

// character finds a character; case, blanks and hyphens do not matter.
func character(name string) (human.Character, bool) {
	c := human.Character(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name)))
	return c, c.Known()
}

// Standing is the approximate rating of an opponent on FIBS. The zero value is unknown.
type Standing struct {
	// Rating on FIBS, rounded to ten.
	Rating int `json:"rating,omitempty"`
	// Beyond reports that the rating was not measured. Rating is then that of the strongest
	// measured preset, which errs more.
	Beyond bool `json:"beyond,omitempty"`
}

// String is a few words, "" if unknown.
func (s Standing) String() string {
	switch {
	case s.Rating == 0:
		return ""
	case s.Beyond:
		return fmt.Sprintf("above %d on FIBS", s.Rating)
	}
	return fmt.Sprintf("about %d on FIBS", s.Rating)
}

// StandingOf returns the measured rating of a preset in matches of length points, 0 for
// money play (docs/strength.md). It is unknown for presets of bot.yaml that search.
func StandingOf(p preset.Preset, length int) Standing {
	surface, err := tune.Measured()
	if err != nil {
		return Standing{}
	}
	return standingBy(surface, p, length)
}

// standingBy is StandingOf by a table that lacks some presets at some lengths.
func standingBy(surface *tune.Surface, p preset.Preset, length int) Standing {
	at := func(p preset.Preset) int {
		x, err := tune.OfPreset(p)
		if err != nil {
			return 0
		}
		iv, ok := surface.At(x, length)
		if !ok {
			return 0
		}
		return 10 * int(math.Round(iv.Estimate/10))
	}
	// Built-in presets are ordered by strength. The steps between those that search are below
	// the error of measurement, so a preset never gets less than a weaker one.
	best := 0
	for _, known := range preset.All() {
		r := at(known)
		best = max(best, r)
		if known.Fingerprint() == p.Fingerprint() {
			return Standing{Rating: best, Beyond: r == 0}
		}
	}
	return Standing{Rating: at(p)}
}

// standing is the standing of the opponent. Ratings are for backgammon.
func (o *Options) standing(f Foe) Standing {
	switch {
	case o.Two || o.Variation != record.Backgammon || o.Egyptian || o.NoCube || f.Benchmark:
		return Standing{}
	case o.Rating > 0:
		return Standing{Rating: int(math.Round(o.Rating))}
	}
	return StandingOf(f.Preset, o.Length)
}

// Strengths lists the built-in presets, weakest first, one per line: name, FIBS rating in
// matches of 5 points, summary.
func Strengths() string {
	var b strings.Builder
	for _, p := range preset.All() {
		s := StandingOf(p, 5)
		if l, ok := tune.LevelOf(&p); ok {
			s, p.Summary = Standing{Rating: int(l.Rating)}, l.Summary
		}
		above := ""
		if s.Beyond {
			above = "above"
		}
		fmt.Fprintf(&b, "  %-13s %5s %4d  %s\n", p.Name, above, s.Rating, p.Summary)
	}
	return b.String()
}
