package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// accounts maps the accounts of an archive to their number of matches.
func accounts(t *testing.T, dir string) map[string]int {
	t.Helper()
	code, out, errOut := cli(t, "archive", "--archive", dir, "list", "--json", "--account", "*")
	if code != 0 {
		t.Fatal(errOut)
	}
	got := map[string]int{}
	for line := range strings.Lines(out) {
		var m struct{ Account string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		got[m.Account]++
	}
	return got
}

// meFile writes a match file of two players.
func meFile(t *testing.T, dir, name, first, second string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	text := " 1 point match\n\n Game 1\n " + first + " : 0                     " + second + " : 0\n" +
		"  1) 31: 8/5 6/5                   42: 8/4 6/4\n  2)  Drops                         Wins 1 point and the match\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestArchive_me(t *testing.T) {
	testsize.Medium(t)
	files, dir := t.TempDir(), filepath.Join(t.TempDir(), "archive")
	config := filepath.Join(files, "me.yaml")
	if err := os.WriteFile(config, []byte("accounts: [{name: robbie, password: secret}]\narchive: {me: [ali*]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must := func(want string, args ...string) string {
		t.Helper()
		code, out, errOut := cli(t, append([]string{"archive", "--archive", dir}, args...)...)
		if code != 0 || !strings.Contains(out+errOut, want) {
			t.Fatalf("%v: status %d, want %q:\n%s%s", args, code, want, out, errOut)
		}
		return out
	}
	// My name decides, then an account of the configuration.
	must("1 new match", "import", "--no-analyse", "-c", config, meFile(t, files, "a.mat", "alison", "bob"))
	must("1 new match", "import", "--no-analyse", "-c", config, meFile(t, files, "b.mat", "robbie", "carl"))
	if got := accounts(t, dir); got["alison"] != 1 || got["robbie"] != 1 {
		t.Fatalf("%v", got)
	}
	// Statistics are about me; * is everyone.
	must("all  1 ", "stats", "-c", config)
	must("all  2 ", "stats", "-c", config, "--account", "*")
	// An account of this archive, without a configuration.
	must("1 new match", "import", "--no-analyse", meFile(t, files, "c.mat", "alison", "dora"))
	// The most frequent name, which is printed.
	two := filepath.Join(files, "two")
	if err := os.Mkdir(two, 0o755); err != nil {
		t.Fatal(err)
	}
	meFile(t, two, "d.mat", "eve", "fred")
	g := meFile(t, two, "e.mat", "eve", "gina")
	must("2 matches filed under eve, the most frequent name", "import", "--no-analyse", two)
	if got := accounts(t, dir); got["alison"] != 2 || got["eve"] != 2 {
		t.Fatalf("%v", got)
	}
	// Importing again with --account corrects it, and so does the command.
	must("1 filed under another account", "import", "--no-analyse", "--account", "gin?", g)
	if got := accounts(t, dir); got["gina"] != 1 || got["eve"] != 1 {
		t.Fatalf("%v", got)
	}
	var row struct{ ID string }
	if err := json.Unmarshal([]byte(must("", "list", "--account", "gina", "--json")), &row); err != nil {
		t.Fatal(err)
	}
	must("eve", "account", row.ID, "EVE")
	must("5 matches indexed", "rebuild")
	if got := accounts(t, dir); got["eve"] != 2 {
		t.Fatalf("after rebuild: %v", got)
	}
	if code, _, errOut := cli(t, "archive", "--archive", dir, "account", row.ID, "nobody"); code != 2 || !strings.Contains(errOut, "not a player of the match") {
		t.Fatalf("%d %s", code, errOut)
	}
}

func TestArchive_comparesPlayers(t *testing.T) {
	dir := sampleArchive(t)
	code, out, errOut := cli(t, "archive", "--archive", dir, "stats", "--player", "alice", "--player", "bob", "--json")
	if code != 0 {
		t.Fatal(errOut)
	}
	type sum struct {
		Key                      string
		Matches, Won, Lost       int
		PR                       float64 `json:"pr"`
		OpponentPR               float64 `json:"opponent_pr"`
		PointsFor, PointsAgainst int
	}
	var got []sum
	for line := range strings.Lines(out) {
		var s sum
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		got = append(got, s)
	}
	if len(got) != 3 {
		t.Fatal(out)
	}
	a, b, both := got[0], got[1], got[2]
	if a.Matches != 3 || a.Won != b.Lost || a.Lost != b.Won || a.PR != b.OpponentPR || b.PR != a.OpponentPR || a.PR == b.PR || both.PR != a.PR || both.Key != "alice against bob" {
		t.Errorf("%+v", got)
	}
	if code, _, _ := cli(t, "archive", "--archive", dir, "stats", "--player", "a", "--by", "month"); code != 2 {
		t.Errorf("--player with --by: status %d", code)
	}
}

func TestArchive_editAndDelete(t *testing.T) {
	testsize.Medium(t)
	files, dir := t.TempDir(), filepath.Join(t.TempDir(), "archive")
	file := meFile(t, files, "a.mat", "anna", "bob")
	do := func(want int, in string, args ...string) string {
		t.Helper()
		code, out, errOut := cli(t, append([]string{"archive", "--archive", dir}, args...)...)
		if code != want || !strings.Contains(out+errOut, in) {
			t.Fatalf("%v: status %d, want %d and %q:\n%s%s", args, code, want, in, out, errOut)
		}
		return out
	}
	do(0, "1 new match", "import", "--no-analyse", "--account", "anna", file)
	var row struct{ ID, File string }
	if err := json.Unmarshal([]byte(do(0, "anna", "list", "--json")), &row); err != nil {
		t.Fatal(err)
	}
	do(0, "Anna B", "edit", row.ID, "--names", "Anna B,Bob C", "--event", "Nordic Open", "--round", "Final", "--place", "Copenhagen", "--annotator", "Carl", "--date", "2026-04-05", "--swap")
	code, out, errOut := cli(t, "analyse", "--stored", filepath.Join(dir, filepath.FromSlash(row.File)))
	if code != 0 || !strings.Contains(out, "Nordic Open, Final, Copenhagen, annotated by Carl") || !strings.Contains(out, "2026-04-05") {
		t.Errorf("report: %d\n%s%s", code, out, errOut)
	}
	do(0, "0 new matches, 1 already in the archive", "import", "--no-analyse", file)
	do(2, "nothing to change", "edit", row.ID)
	do(2, "no match against", "rename", "nobody", "Bob")
	do(2, "not a name", "rename", "bob c", "")
	do(0, "1 match changed", "rename", "BOB C", "Robert")
	do(0, "1 match changed", "rename", "Robert", "Bob C")
	do(2, "is not a date", "edit", row.ID, "--date", "tomorrow")
	do(2, "two names", "edit", row.ID, "--names", "one")
	do(0, "Anna B", "delete", row.ID)
	do(2, "no such match", "show", row.ID)
	do(0, "0 matches indexed", "rebuild")
	do(0, row.ID[:8], "undelete")
	do(0, "Anna B", "undelete", row.ID[:8])
	do(0, "Bob C", "show", row.ID)
	do(2, "not in the trash", "undelete", row.ID)
}
