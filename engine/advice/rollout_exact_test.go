package advice

import (
	"strings"
	"testing"

	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/internal/figure"
)

// TestRollout_exactDifference: where both arms are known exactly, how many deviations of
// rounding lie between them says nothing: it was 254356792.1.
func TestRollout_exactDifference(t *testing.T) {
	for err, deviations := range map[float64]bool{0: false, 1e-9: false, 0.01: true} {
		r := Rollout{Trials: 36, Arms: []rollout.Result{{Name: "no double", Trials: 36}, {Name: "double/take", Trials: 36, Diff: 0.3412, DiffErr: figure.Figure(err), JSD: 34}}}
		text := r.Text(match.Money(false, 0))
		if !strings.Contains(text, "behind by 0.3412") || strings.Contains(text, "standard deviations") != deviations {
			t.Errorf("error %v: %s", err, text)
		}
	}
}
