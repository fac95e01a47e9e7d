package advice

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
)

// TestRollout_oneTrial: one game has no standard error.
func TestRollout_oneTrial(t *testing.T) {
	e := enginetest.Open(t)
	sit := match.Situation{Position: board.Start, State: match.State{Length: 5, Cube: 1}}
	s := rollout.Default()
	s.Trials, s.Truncate = 1, 3
	job, err := rollout.New(t.Context(), e.RolloutOptions(), sit.Position, sit.State, s)
	if err == nil {
		err = job.AddCube()
	}
	if err == nil {
		err = job.Run(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := RolloutOf(job, sit)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Arms []map[string]any }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for _, arm := range doc.Arms {
		for _, key := range []string{"cubeless_stderr", "equity_stderr", "mwc_stderr", "diff_stderr"} {
			if v, ok := arm[key]; !ok || v != nil {
				t.Errorf("%s: %s is %v, want null", arm["name"], key, v)
			}
		}
		for _, v := range arm["probs_stderr"].([]any) {
			if v != nil {
				t.Errorf("%s: probs_stderr %v, want null", arm["name"], arm["probs_stderr"])
			}
		}
	}
	for _, text := range []string{r.Text(sit.State), r.Live(1, 2, time.Second)} {
		if strings.Contains(text, "±") || strings.Contains(text, "NaN") || regexp.MustCompile(`-0\.0+\b`).MatchString(text) {
			t.Errorf("a standard error of one game, or a negative zero:\n%s", text)
		}
	}
}
