package nets

import (
	"strings"
	"testing"

	"fibsbot/engine"
	"fibsbot/engine/preset"
)

// TestPlays_withoutGnubg has neither a column nor a ratio of what was not measured.
func TestPlays_withoutGnubg(t *testing.T) {
	e, err := engine.Open(engine.Options{CacheMB: -1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	o := Truth{GnubgDir: t.TempDir(), Warn: func(text string) { said = append(said, text) }}
	losses, err := o.Plays(t.Context(), e, expert)
	if err != nil || len(losses) == 0 {
		t.Fatalf("%d losses, %v", len(losses), err)
	}
	if l := losses[0]; o.Gnubg != -1 || l.Mean <= 0 || l.Teacher != 0 || l.Ratio != 0 || l.Paired != 0 || len(said) != 1 {
		t.Errorf("gnubg at %d plies, %+v, told %q", o.Gnubg, l, said)
	}
	for other, want := range map[string]bool{"": false, "present": true} {
		var out strings.Builder
		PrintLosses(&out, losses, other)
		if got := strings.Contains(out.String(), "ratio"); got != want {
			t.Errorf("beside %q:\n%s", other, out.String())
		}
	}
}
