package strength

import (
	"testing"
	"time"

	"fibsbot/bot/policy"
	"fibsbot/config"
	"fibsbot/engine/preset"
)

func TestFor(t *testing.T) {
	rated := func(rating float64, length int, style, _ string) (preset.Preset, bool) {
		p := preset.Preset{Name: style}
		return p, rating >= 1000 && length == 7
	}
	for _, tt := range []struct {
		name       string
		general    string // strength.preset
		st         policy.Strength
		want, rule string
	}{
		{"a rating", "expert", policy.Strength{Rating: 1600, Rule: "r"}, "noise", "r"},
		{"a rating out of reach", "expert", policy.Strength{Rating: 900, Rule: "r"}, "expert", "r"},
		{"a preset", "expert", policy.Strength{Preset: "grandmaster", Rule: "r"}, "grandmaster", "r"},
		{"an own preset", "expert", policy.Strength{Preset: "mine", Rule: "r"}, "mine", "r"},
		{"a preset that has gone", "expert", policy.Strength{Preset: "gone", Rule: "r"}, "expert", "r"},
		{"the general one has gone too", "gone", policy.Strength{Preset: "gone", Rule: "r"}, "worldclass", "default"},
		{"nothing chosen", "", policy.Strength{Rule: "r"}, "worldclass", "default"},
	} {
		c := config.Default()
		c.Presets = map[string]config.Preset{"mine": {Base: "expert"}}
		c.Strength.Preset, c.Strength.Style = tt.general, "noise"
		if p, rule := For(c, tt.st, 7, rated); p.Name != tt.want || rule != tt.rule {
			t.Errorf("%s: %s by %s, want %s by %s", tt.name, p.Name, rule, tt.want, tt.rule)
		}
	}
}

// A preset below expert errs as people do of the rating of its level, unless strength.style is
// noise; own presets, and those that do not err, play as they are.
func TestFor_levels(t *testing.T) {
	for _, tt := range []struct {
		preset, style string
		human         bool
	}{
		{"beginner", "human", true}, {"advanced", "human", true}, {"advanced", "noise", false}, {"expert", "human", false}, {"mine", "human", false},
	} {
		c := config.Default()
		c.Presets = map[string]config.Preset{"mine": {Base: "advanced"}}
		c.Strength.Preset, c.Strength.Style = tt.preset, tt.style
		p, rule := For(c, policy.Strength{Preset: tt.preset, Rule: "r"}, 7, AtRating)
		if p.Name != tt.preset || rule != "r" {
			t.Fatalf("%s by %s: %s by %s", tt.preset, tt.style, p.Name, rule)
		}
		if got := p.Human.Checker > 0; got != tt.human || tt.human && p.Checker.Noise != 0 {
			t.Errorf("%s by %s: human %v, noise %v", tt.preset, tt.style, p.Human, p.Checker.Noise)
		}
	}
}

// strength.within and the keys under resign hold whatever the preset.
func TestWithLimits(t *testing.T) {
	p, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Strength.Within, c.Resign.Offer, c.Resign.Certainty = config.Duration(3*time.Second), true, 0.9
	got := WithLimits(c, p)
	if got.Checker.Budget != 3*time.Second || got.Cube.Budget != 3*time.Second {
		t.Errorf("strength.within: budgets %v and %v", got.Checker.Budget, got.Cube.Budget)
	}
	// Certain to 0.9 gives away at most 0.2 points.
	if got.Resign.Never || got.Resign.Offer < 0.199 || got.Resign.Offer > 0.201 {
		t.Errorf("resign.certainty: %+v", got.Resign)
	}
	c.Resign.Offer = false
	if got := WithLimits(c, p); !got.Resign.Never {
		t.Error("resign.offer: false still resigns")
	}
}
