package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

func TestEval_forPeople(t *testing.T) {
	testsize.Medium(t)
	file := filepath.Join(t.TempDir(), "map.svg")
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"money", []string{"4HPwATDgc/ABMA", "--board", "--windows", "--counts"},
			[]string{"+13-14-15-16-17-18------19-20-21-22-23-24-+", "X: on roll  pips 167", "dead cube              30.",
				"gammon price 0.000 won", "without contact"}},
		{"a race", []string{"2G4HAADYbgcAAA", "--counts", "--windows"}, []string{"dead cube              25.00%   50.00%   75.00%", "pips          110      74", "Kleinman", "Thorp      147.40   95.00  no double, take", "Keith", "Ward", "Isight     "}},
		{"a score", []string{"4HPwATDgc/ABMA:cAmgAAAAAAAA", "--windows"}, []string{"dead cube              30.", "gammon price 0.457 won, 0.457 lost", "cube efficiency at 0-ply: 0.", " own cube, 0.", " opponent's"}},
		{"a map", []string{"4HPwATDgc/ABMA", "--map", "text"}, []string{"best 66 +0.", "mean +0."}},
		{"all rolls", []string{"4HPwATDgc/ABMA", "--rolls"}, []string{"31    8/5 6/5", "mean  ", "of 36 throws lose the market"}},
		{"a drawn map", []string{"4HPwATDgc/ABMA", "--map", file}, []string{"equity "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errOut bytes.Buffer
			code := run(context.Background(), append([]string{"eval", "--plies", "0"}, tt.args...), strings.NewReader(""), &out, &errOut)
			if code != cmdline.ExitDone {
				t.Fatalf("exit status %d: %s", code, errOut.String())
			}
			for _, want := range tt.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, out.String())
				}
			}
		})
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(data, []byte("<svg ")) {
		t.Errorf("the drawn map: %v %.20q", err, data)
	}
}

func TestEval_forPeopleAsJSON(t *testing.T) {
	var out, errOut bytes.Buffer
	code := run(context.Background(), []string{"eval", "2G4HAADYbgcAAA", "--plies", "0", "--json", "--windows", "--counts", "--map", "text"},
		strings.NewReader(""), &out, &errOut)
	if code != cmdline.ExitDone {
		t.Fatalf("exit status %d: %s", code, errOut.String())
	}
	var got struct {
		Windows struct {
			Dead struct{ Take, Double, Cash float64 }
		}
		Counts struct{ Pips [2]int }
		Map    struct {
			Mean  float64
			Rolls []struct{ Equity float64 }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	// Without a cube that can be turned again and without gammons the points are
	// a quarter, a half and three quarters.
	d := got.Windows.Dead
	if math.Abs(d.Take-0.25) > 1e-6 || math.Abs(d.Double-0.5) > 1e-6 || math.Abs(d.Cash-0.75) > 1e-6 {
		t.Errorf("dead cube for money: %+v", d)
	}
	if got.Counts.Pips != [2]int{110, 74} || len(got.Map.Rolls) != 21 {
		t.Errorf("counts %v, %d rolls", got.Counts, len(got.Map.Rolls))
	}
}

// TestHint_within: a decision ends with its time, however many trials its preset wants.
func TestHint_within(t *testing.T) {
	testsize.Medium(t)
	file := filepath.Join(t.TempDir(), "deep.yaml")
	if err := os.WriteFile(file, []byte("presets: {deep: {base: legend, rollout: {trials: 100000, plays: 5, within: 0.5}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for within, want := range map[string]int{"300ms": cmdline.ExitDone, "1ns": cmdline.ExitDone, "-1s": cmdline.ExitUsage} {
		code, out, errOut := cli(t, "hint", "4HPwATDgc/ABMA", "--dice", "43", "--config", file, "--preset", "deep", "--within", within)
		if code != want || want == cmdline.ExitDone && !strings.Contains(out, "  1. ") || want != cmdline.ExitDone && !strings.Contains(errOut, "budget -1s") {
			t.Errorf("%s: status %d, %q, %q", within, code, out, errOut)
		}
	}
}

// The equities of --rolls count the cube, so --cubeless is refused.
func TestEval_rollsCubeless(t *testing.T) {
	code, _, errOut := cli(t, "eval", "4HPwATDgc/ABMA", "--plies", "0", "--rolls", "--cubeless")
	if code != cmdline.ExitUsage || !strings.Contains(errOut, "--rolls: needs the cube") {
		t.Errorf("status %d, %q", code, errOut)
	}
}

func TestEval_badMap(t *testing.T) {
	testsize.Medium(t)
	for _, file := range []string{"map.png", filepath.Join(t.TempDir(), "none", "map.svg")} {
		var out, errOut bytes.Buffer
		code := run(context.Background(), []string{"eval", "4HPwATDgc/ABMA", "--plies", "0", "--map", file}, strings.NewReader(""), &out, &errOut)
		if code != cmdline.ExitUsage || !strings.Contains(errOut.String(), "--map") || strings.Count(errOut.String(), "\n") != 1 {
			t.Errorf("%s: exit status %d, stderr %q", file, code, errOut.String())
		}
	}
}
