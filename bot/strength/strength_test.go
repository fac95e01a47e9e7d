package strength

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
)

func ptr[T any](v T) *T { return &v }

func TestPreset_ownOnBases(t *testing.T) {
	c := config.Default()
	c.Filters = map[string]config.Filter{"slim": {Stages: []config.FilterStage{{Extra: 3, Threshold: 0.05}}}}
	c.Presets = map[string]config.Preset{
		"lazy":   {Base: "worldclass", Checker: config.Settings{Filter: ptr("slim")}, Cube: config.Settings{Plies: ptr(0)}, Optional: "double"},
		"lazier": {Base: "lazy", Checker: config.Settings{Plies: ptr(0), Noise: ptr(0.02)}},
		"bill":   {Base: "lazier", Style: "human"},
		"deeper": {Base: "worldclass", Checker: config.Settings{Share: ptr(0.4)}, Rollout: config.Rollout{Trials: ptr(72)}},
		"quick":  {Base: "grandmaster", Rollout: config.Rollout{Trials: ptr(0)}},
		"loop":   {Base: "loop"},
		"seeing": {Base: "expert", Checker: config.Settings{Plies: ptr(2)}},
		"bad":    {Base: "expert", Checker: config.Settings{Filter: ptr("nosuch")}},
		"worse":  {Base: "expert", Checker: config.Settings{Plies: ptr(9)}},
	}
	lazy, err := Preset(c, "lazy")
	if err != nil {
		t.Fatal(err)
	}
	if lazy.Checker.Plies != 2 || lazy.Cube.Plies != 0 || !lazy.OptionalDouble || lazy.Checker.Filter.Name != "slim" {
		t.Errorf("lazy is %+v", lazy)
	}
	if diff := cmp.Diff([]search.Cut{{Extra: 3, Threshold: 0.05}, search.Skip}, lazy.Checker.Filter.Cuts[1]); diff != "" {
		t.Error(diff)
	}
	bill, err := Preset(c, "bill")
	if err != nil {
		t.Fatal(err)
	}
	if bill.Name != "bill" || bill.Checker.Noise != 0 || bill.Human != (human.Style{Checker: 0.02}) || bill.Checker.Filter.Name != "slim" {
		t.Errorf("bill is %+v", bill)
	}
	gm, err := preset.ByName("grandmaster")
	if err != nil {
		t.Fatal(err)
	}
	want := gm.Close
	want.Trials = 72
	if p, err := Preset(c, "deeper"); err != nil || p.Checker.Share != 0.4 || p.Cube.Share != 0 || p.Close != want {
		t.Errorf("deeper is %+v, %v", p, err)
	}
	if p, err := Preset(c, "quick"); err != nil || p.Close.Trials != 0 {
		t.Errorf("quick is %+v, %v", p, err)
	}
	if p, err := Preset(c, "seeing"); err != nil || !p.Checker.Prune || p.Cube.Prune {
		t.Errorf("a static preset that looks ahead prunes: %+v, %v", p, err)
	}
	for name, want := range map[string]string{"loop": "leads back to itself", "bad": "filter", "worse": "plies", "nobody": "unknown preset"} {
		if _, err := Preset(c, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want something about %s", name, err, want)
		}
	}
}

func TestAtRating_followsTheTable(t *testing.T) {
	weak, ok1 := AtRating(1500, 5, "noise", "")
	strong, ok2 := AtRating(1800, 5, "noise", "")
	if !ok1 || !ok2 || weak.Checker.Noise <= strong.Checker.Noise {
		t.Errorf("1500 plays with noise %v, 1800 with %v", weak.Checker.Noise, strong.Checker.Noise)
	}
	if p, ok := AtRating(1600, 5, "human", "bold"); !ok || p.Human.Character != human.Bold {
		t.Errorf("bold 1600 is %+v", p)
	}
	bill, ok := AtRating(1600, 5, "human", "")
	if !ok || bill.Human == (human.Style{}) && bill.Checker.Noise == 0 {
		t.Errorf("human 1600 is %+v", bill)
	}
	if _, ok := AtRating(9000, 5, "noise", ""); !ok {
		t.Error("a rating out of reach has no nearest strength")
	}
}

// A filter without stages is refused as `config check` refuses it; commands took it for one
// that keeps nothing.
func TestFilter_withoutStages(t *testing.T) {
	c := config.Default()
	c.Filters = map[string]config.Filter{"none": {}}
	if _, err := Filter(c, "none"); !errors.Is(err, search.ErrSettings) {
		t.Errorf("error %v", err)
	}
}
