package tune

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
)

// Style is how a weakened setting errs.
type Style string

// The styles.
const (
	Noise Style = "noise"
	Human Style = "human"
)

// ErrSetting means a text or value that is not a Setting.
var ErrSetting = errors.New("no such setting")

// Setting is a strength that can be measured. It is comparable.
type Setting struct {
	// Deep is the name of a built-in preset that looks ahead; Style, Checker and
	// Cube are unused then. Otherwise the setting plays at 0 plies.
	Deep string
	// Share is the part of the decisions in which Deep looks ahead, between 0 and 1; it makes the
	// others as expert does. 0 means all of them.
	Share float64
	// Style is the meaning of Checker and Cube: the deviation of the noise on the winning chance (0
	// to 1), or the amounts of a human.Style.
	Style         Style
	Checker, Cube float64
	// Character is how the errors of the style human lean.
	Character human.Character
}

// Expert is the anchor of all measurements: 0 plies, no noise.
var Expert = Setting{Style: Noise}

// maxNoise bounds the amounts of a Setting.
const maxNoise = 1.0

// ParseSetting parses the result of String, the name of a built-in preset, noise:C:Q, human:C:Q or
// human:C:Q:CHARACTER with the amounts for checker play and the cube, or PRESET:SHARE of one that
// looks ahead in a share of its decisions. The error wraps ErrSetting.
func ParseSetting(text string) (Setting, error) {
	if style, rest, ok := strings.Cut(text, ":"); ok {
		if p, err := preset.ByName(style); err == nil {
			return parseShare(p, rest, text)
		}
		s := Setting{Style: Style(style)}
		c, q, two := strings.Cut(rest, ":")
		q, character, _ := strings.Cut(q, ":")
		s.Character = human.Character(character)
		var errC, errQ error
		s.Checker, errC = strconv.ParseFloat(c, 64)
		s.Cube, errQ = strconv.ParseFloat(q, 64)
		if !two || errC != nil || errQ != nil {
			return Setting{}, fmt.Errorf("%w: %.60q, write noise:0.03:0.03, human:0.1:0.1 or worldclass:0.5", ErrSetting, text)
		}
		return s.Canonical(), s.Validate()
	}
	p, err := preset.ByName(text)
	if err != nil {
		return Setting{}, fmt.Errorf("%w: %w, or noise:C:Q, or human:C:Q, or PRESET:SHARE", ErrSetting, err)
	}
	return OfPreset(p)
}

// parseShare parses the share of a preset that looks ahead; text is the whole setting.
func parseShare(p preset.Preset, share, text string) (Setting, error) {
	v, err := strconv.ParseFloat(share, 64)
	if p.Checker.Plies == 0 || err != nil || !(v > 0 && v <= 1) {
		return Setting{}, fmt.Errorf("%w: %.60q, a share goes with a preset that looks ahead and is above 0 and at most 1", ErrSetting, text)
	}
	return Setting{Deep: p.Name, Share: v}.Canonical(), nil
}

// OfPreset returns the setting of a preset. The error wraps ErrSetting if no setting plays like
// it: configured presets that look ahead, or play without regard to the cube.
func OfPreset(p preset.Preset) (Setting, error) {
	if !p.Close.Any() && p.Checker.Plies == 0 && p.Cube.Plies == 0 && p.Checker.Cubeful && p.Cube.Cubeful && !p.Checker.Deterministic && !p.Cube.Deterministic {
		s := Setting{Style: Noise, Checker: p.Checker.Noise, Cube: p.Cube.Noise}
		if p.Human != (human.Style{}) {
			if s != Expert {
				return Setting{}, fmt.Errorf("%w: preset %q errs by noise and as people do", ErrSetting, p.Name)
			}
			s = Setting{Style: Human, Checker: p.Human.Checker, Cube: p.Human.Cube, Character: p.Human.Character}
		}
		return s, s.Validate()
	}
	for _, name := range DeepPresets {
		x := Setting{Deep: name, Share: p.Checker.Share}
		if like, err := x.Canonical().Preset(p.Name); err == nil && samePlay(&like, &p) {
			return x.Canonical(), nil
		}
	}
	return Setting{}, fmt.Errorf("%w: preset %q is neither a 0-ply one nor one that looks ahead as %s do", ErrSetting, p.Name, strings.Join(DeepPresets, ", "))
}

// samePlay reports whether two presets make the same decisions, whatever their names.
func samePlay(a, b *preset.Preset) bool {
	same := func(a, b search.Settings) bool {
		a.Seed, a.Budget = b.Seed, b.Budget
		return reflect.DeepEqual(a, b)
	}
	return same(a.Checker, b.Checker) && same(a.Cube, b.Cube) && a.Human == b.Human && a.Close == b.Close
}

// Canonical returns the one form of settings that play alike.
func (s Setting) Canonical() Setting {
	if s.Share == 1 {
		s.Share = 0
	}
	if s.Deep == "" && s.Checker == 0 && s.Cube == 0 {
		return Expert
	}
	return s
}

// as returns a setting of the style human as the character that is as strong, and plain the
// reverse.
func (s Setting) as(c human.Character) Setting {
	f := c.Factor()
	s.Character, s.Checker, s.Cube = c, round4(min(maxNoise, s.Checker*f)), round4(min(maxNoise, s.Cube*f))
	return s
}

func (s Setting) plain() Setting {
	f := s.Character.Factor()
	s.Character, s.Checker, s.Cube = human.Plain, s.Checker/f, s.Cube/f
	return s
}

// Ahead is the part of the decisions in which a setting with a Deep preset looks ahead.
func (s Setting) Ahead() float64 {
	if s.Share == 0 {
		return 1
	}
	return s.Share
}

// Whole is s looking ahead in all its decisions.
func (s Setting) Whole() Setting {
	s.Share = 0
	return s
}

func (s Setting) Validate() error {
	if s.Deep != "" {
		if s.Style != "" || s.Checker != 0 || s.Cube != 0 || s.Character != human.Plain {
			return fmt.Errorf("%w: %q with an amount of error", ErrSetting, s.Deep)
		}
		if !(s.Share >= 0 && s.Share < 1) {
			return fmt.Errorf("%w: %q in a share %v of the decisions, which is not between 0 and 1", ErrSetting, s.Deep, s.Share)
		}
		return nil
	}
	if s.Share != 0 {
		return fmt.Errorf("%w: a share of decisions that look ahead, and no preset that does", ErrSetting)
	}
	if s.Style != Noise && s.Style != Human {
		return fmt.Errorf("%w: style %.40q (use noise or human)", ErrSetting, s.Style)
	}
	if !s.Character.Known() || s.Character != human.Plain && s.Style != Human {
		return fmt.Errorf("%w: style %s with character %.40q (use human with %s)", ErrSetting, s.Style, s.Character, human.CharacterNames())
	}
	for _, v := range [...]float64{s.Checker, s.Cube} {
		if !(v >= 0 && v <= maxNoise) {
			return fmt.Errorf("%w: amount %v is not between 0 and %v", ErrSetting, v, maxNoise)
		}
	}
	return nil
}

// String names the setting in the form of ParseSetting.
func (s Setting) String() string {
	switch {
	case s.Deep != "" && s.Share > 0:
		return s.Deep + ":" + amount(s.Share)
	case s.Deep != "":
		return s.Deep
	case s == Expert:
		return "expert"
	}
	name := string(s.Style) + ":" + amount(s.Checker) + ":" + amount(s.Cube)
	if s.Character != human.Plain {
		name += ":" + string(s.Character)
	}
	return name
}

func amount(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Preset returns the engine's preset, with that name, which plays the setting.
func (s Setting) Preset(name string) (preset.Preset, error) {
	if s.Deep != "" {
		p, err := preset.ByName(s.Deep)
		p.Name = name
		if s.Share > 0 {
			p.Checker.Share, p.Cube.Share = s.Share, s.Share
			p.Summary = s.String()
		}
		return p, err
	}
	if err := s.Validate(); err != nil {
		return preset.Preset{}, err
	}
	p, err := preset.ByName("expert")
	p.Name, p.Summary = name, s.String()
	if s.Style == Human {
		p.Human = human.Style{Checker: s.Checker, Cube: s.Cube, Character: s.Character}
		return p, err
	}
	p.Checker.Noise, p.Cube.Noise = s.Checker, s.Cube
	return p, err
}

// Fingerprint is that of the preset which plays the setting. The error is Preset's.
func (s Setting) Fingerprint() (string, error) {
	p, err := s.Preset("")
	return p.Fingerprint(), err
}

// MarshalText returns the name.
func (s Setting) MarshalText() ([]byte, error) { return []byte(s.String()), s.Validate() }

// UnmarshalText parses the result of MarshalText.
func (s *Setting) UnmarshalText(text []byte) error {
	v, err := ParseSetting(string(text))
	*s = v
	return err
}

// MaxLength is the longest match that is simulated.
const MaxLength = match.MaxLength

// DeepPresets are the presets that look ahead, the strongest last.
var DeepPresets = []string{"worldclass", "supremo", "champion", "grandmaster", "legend"}

// Kind is the kind of a parameter of the fit.
type Kind string

// The kinds. The loss of a 0-ply setting is the sum of its checker and its cube part; a setting
// that looks ahead has one of its own (negative, as a rule).
const (
	NoiseChecker Kind = "noise checker"
	NoiseCube    Kind = "noise cube"
	HumanChecker Kind = "human checker"
	HumanCube    Kind = "human cube"
	DeepPreset   Kind = "preset"
)

// Param is one loss in rating points against the anchor, at one match length.
type Param struct {
	Kind   Kind    `json:"kind"`
	At     float64 `json:"at,omitempty"`     // the amount
	Preset string  `json:"preset,omitempty"` // of DeepPreset
	Length int     `json:"length"`
}

// Level is an opponent below expert: it has the name of a preset and errs as people of its
// rating do.
type Level struct {
	Name    string  `json:"name"`
	Rating  float64 `json:"rating"`
	Summary string  `json:"summary"`
}

// Levels lists the levels, weakest first.
func Levels() []Level {
	return []Level{
		{"beginner", 1280, "overlooks whole plays, leaves shots for nothing, rarely doubles"},
		{"casual", 1380, "blunders now and then, doubles when the market is long lost, takes too much"},
		{"intermediate", 1500, "finds the usual plays, misses the quiet ones, doubles too late"},
		{"advanced", 1700, "errs in crowded positions, doubles a little late"},
	}
}

// LevelOf returns the human level of a preset. It is false for the presets from expert on and
// for those of bot.yaml, which have none.
func LevelOf(p *preset.Preset) (Level, bool) {
	for _, l := range Levels() {
		if l.Name != p.Name {
			continue
		}
		builtIn, err := preset.ByName(p.Name)
		return l, err == nil && builtIn.Fingerprint() == p.Fingerprint()
	}
	return Level{}, false
}
