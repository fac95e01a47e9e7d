package main

import (
	"encoding/json"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/analyse/report"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

// TestAnalyse_also: another preset's choices are beside ours where they differ, in each form, and ours
// agrees with itself.
func TestAnalyse_also(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	match := reference.Path(t, "formats", "samples", "match3.sgf")
	args := []string{"analyse", match, "--preset", "expert", "--again"}
	code, out, errOut := command(t, "", append(args, "--json", "--also", "beginner")...)
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var d report.Document
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, g := range d.Games {
		for _, r := range g.Decisions {
			o := r.Also
			if o == nil {
				continue
			}
			kinds[r.Kind]++
			if o.By != "beginner" || o.Choice == "" || o.Behind != nil && *o.Behind < 0 || r.Kind != "checker" && o.Own != nil {
				t.Errorf("%d.%d: %+v", g.Number, r.Number, o)
			}
			if len(r.Candidates) > 0 && o.Choice == r.Candidates[0].Play {
				t.Errorf("%d.%d: %s is the best play", g.Number, r.Number, o.Choice)
			}
		}
	}
	if kinds["checker"] < 10 {
		t.Errorf("differences %v", kinds)
	}
	for format, want := range map[string]string{"text": "beginner chooses ", "html": "<p class=why>beginner chooses "} {
		code, out, errOut := command(t, "", append(args, "--format", format, "--also", "beginner")...)
		if code != 0 || strings.Count(out, want) < 10 || !strings.Contains(out, " behind here; by its own figures ") {
			t.Errorf("%s: status %d, %d times, %s", format, code, strings.Count(out, want), errOut)
		}
	}
	if code, out, _ := command(t, "", append(args, "--also", "expert")...); code != 0 || strings.Contains(out, "chooses") {
		t.Errorf("expert: status %d, %s", code, out)
	}
	for also, want := range map[string]string{"hero": "or cmd:COMMAND", "cmd:/no/such/engine": "/no/such/engine", "external:127.0.0.1:1": "--also: external player"} {
		if code, _, errOut := command(t, "", "analyse", match, "--stored", "--also", also); code != cmdline.ExitUsage || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %s", also, code, errOut)
		}
	}
}
