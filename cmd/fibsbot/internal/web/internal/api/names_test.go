package api

import (
	"regexp"
	"testing"
)

// otherNames are names that would be a second name of a thing: docs/cli.md has the first one.
var otherNames = map[string]string{
	"std_err": "equity_stderr", "standard_error": "stderr", "probs_err": "probs_stderr", "equity_err": "equity_stderr", "mwc_err": "mwc_stderr",
	"user": "account", "first_day": "since", "last_day": "until",
}

// TestAPI_oneNameForAThing: no field or parameter of the API has a second name of a thing.
func TestAPI_oneNameForAThing(t *testing.T) {
	spec := string(newCaller(t).api.spec)
	seen := 0
	for _, m := range regexp.MustCompile(`"(\w+)": ?\{|"name": ?"(\w+)"`).FindAllStringSubmatch(spec, -1) {
		seen++
		name := m[1] + m[2]
		if want := otherNames[name]; want != "" {
			t.Errorf("a field %s: the name is %s", name, want)
		}
	}
	if seen < 300 {
		t.Errorf("only %d names found", seen)
	}
}
