package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// trainRun runs `fibslab ARGS` and returns what it printed.
func trainRun(t *testing.T, args ...string) (string, error) {
	t.Helper()
	root := newRootCmd()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(args)
	err := root.Execute()
	return out.String(), err
}

func TestTrain_wrongInputIsAUsageError(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	half := filepath.Join(dir, "half.bin")
	if err := os.WriteFile(half, make([]byte, 33), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"no data":          {"train", "fit", filepath.Join(dir, "a.fit")},
		"bad share":        {"train", "fit", filepath.Join(dir, "a.fit"), "--data", half + "=x"},
		"half a record":    {"train", "fit", filepath.Join(dir, "a.fit"), "--data", half},
		"missing file":     {"train", "label", filepath.Join(dir, "none.bin"), filepath.Join(dir, "out.bin")},
		"too deep":         {"train", "label", os.DevNull, filepath.Join(dir, "out.bin"), "--plies", "99"},
		"bad mix":          {"train", "selfplay", "--out", dir, "--mix", "nosuch=1"},
		"no such weights":  {"bench", "nets", "--weights", filepath.Join(dir, "none.weights")},
		"bench nets":       {"bench", "nets", "--weights", half},
		"pack nothing":     {"train", "pack", filepath.Join(dir, "n.weights")},
		"no such class":    {"train", "fit", filepath.Join(dir, "a.fit"), "--class", "contact/nosuch", "--data", half},
		"no such plan":     {"train", "pack", filepath.Join(dir, "n.weights"), "--net", "contact/nosuch=a.fit"},
		"half a base":      {"train", "pack", filepath.Join(dir, "n.weights"), "--base", half},
		"start of nothing": {"train", "fit", filepath.Join(dir, "a.fit"), "--start", half + ".weights:contact", "--data", os.DevNull},
	} {
		out, err := trainRun(t, args...)
		var usage cmdline.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%s: error %v is not a usage error; output:\n%s", name, err, out)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has more than one line: %q", name, err)
		}
	}
}

// The whole loop on a small scale: positions by the embedded net, labels, a fit, a weights file, and a
// choice that leaves it out.
func TestTrain_loop(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(args ...string) string {
		t.Helper()
		out, err := trainRun(t, args...)
		if err != nil {
			t.Fatalf("fibslab %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return out
	}
	must("train", "selfplay", "--out", dir, "--positions", "3000", "--games", "50", "--mix", "natural=3,race=1")
	must("train", "label", at("sp-contact-mutual.grp"), at("again.bin"), "--plies", "0")
	recs, err := train.ReadRecords(nil, at("again.bin"))
	if err != nil || len(recs) < 100 {
		t.Fatalf("%d records, %v", len(recs), err)
	}
	fit := must("train", "fit", at("c.fit"), "--data", at("again.bin"), "--hidden", "32", "--millions", "0.02", "--report", "0.01")
	if !strings.Contains(fit, "loss") {
		t.Errorf("fit reports %q", fit)
	}
	must("train", "fit", at("r.fit"), "--kind", "race", "--data", at("sp-race.grp"), "--hidden", "32", "--millions", "0.02")
	must("train", "fit", at("p.fit"), "--class", "contact/mutual", "--data", at("sp-contact-mutual.grp"), "--start", at("c.fit"), "--hidden", "32", "--millions", "0.02")
	must("train", "pack", at("base.weights"), "--net", "contact="+at("c.fit"), "--net", "race="+at("r.fit"), "--name", "small")
	must("train", "pack", at("n.weights"), "--base", at("base.weights"), "--net", "contact/mutual="+at("p.fit"), "--name", "small")
	if out := must("train", "choose", at("chosen.weights"), "--net", "contact/mutual="+at("p.fit")); strings.Contains(out, "taken") {
		t.Errorf("a net of 20,000 samples is chosen:\n%s", out)
	}
	if out := must("bench", "nets", "--weights", at("n.weights")); !strings.Contains(out, "small") {
		t.Errorf("bench nets does not name the net:\n%s", out)
	}
}
