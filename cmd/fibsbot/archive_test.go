package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fibsbot/bearoff"
	"fibsbot/internal/testsize"
)

// archiveSamples are matches that gnubg analysed.
const archiveSamples = "../../engine/analyse/testdata/gnubg"

// cli runs one command line and returns what it printed.
func cli(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func sampleArchive(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"match3.sgf", "match5.sgf", "match7.sgf"} {
		data, err := os.ReadFile(filepath.Join(archiveSamples, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestArchive_commands(t *testing.T) {
	testsize.Medium(t)
	dir := sampleArchive(t)
	chart := filepath.Join(t.TempDir(), "rating.svg")
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string // in stdout, or in stderr where code is not 0
	}{
		{"list", []string{"list"}, 0, "Alice"},
		{"list as JSON", []string{"list", "--json", "--length", "5"}, 0, `"opponent":"Alice"`},
		{"nothing fits", []string{"list", "--opponent", "nobody"}, 0, "ID"},
		{"show", []string{"show", "match5"}, 0, "game 3   at 4-0: won 3, Crawford game, not played to the end"},
		{"show what is not there", []string{"show", "zzz"}, 2, "no such match in the archive: zzz"},
		{"stats", []string{"stats", "--by", "opponent"}, 0, "Alice"},
		{"stats by nonsense", []string{"stats", "--by", "weather"}, 2, `--by: unknown value "weather" (use opponent`},
		{"dice", []string{"stats", "--dice"}, 0, "chi-squared"},
		{"rating chart", []string{"stats", "--chart", chart}, 0, "strength by errors"},
		{"chart of another kind", []string{"stats", "--chart", "x.gif"}, 2, "use .svg or .png"},
		{"bad day", []string{"list", "--since", "yesterday"}, 2, `--since: "yesterday" is not a date (use YYYY-MM-DD)`},
		{"bad result", []string{"list", "--result", "drawn"}, 2, "use won, lost or unfinished"},
		{"export", []string{"export"}, 0, "id,started,account"},
		{"export to nowhere", []string{"export", "--format", "mat"}, 2, "needs -o FOLDER"},
		{"import again", []string{"import", "--no-analyse", archiveSamples + "/match5.sgf"}, 0, "0 new matches, 1 already in the archive"},
		{"import another", []string{"import", "--no-analyse", archiveSamples + "/session5.sgf"}, 0, "1 new match"},
		{"import, some unreadable", []string{"import", "--no-analyse", "archive.go", archiveSamples + "/match5.sgf", "no-such.sgf"}, 2, "archive.go"},
		{"PR", []string{"stats", "--pr"}, 0, "PR "},
		{"show a file", []string{"show", archiveSamples + "/match5.sgf"}, 0, "better "},
		{"show no file", []string{"show", "archive.go"}, 2, "nor an .sgf"},
		{"import nothing", []string{"import", "--no-analyse", "archive.go"}, 2, "not a match file"},
		{"rebuild", []string{"rebuild"}, 0, "4 matches indexed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errOut := cli(t, append([]string{"archive", "--archive", dir}, tt.args...)...)
			text := out
			if tt.code != 0 {
				text = errOut
			}
			if code != tt.code || !strings.Contains(text, tt.want) || code != 0 && tt.args[0] == "list" && out != "" {
				t.Errorf("status %d, want %d with %q\nstdout: %s\nstderr: %s", code, tt.code, tt.want, out, errOut)
			}
		})
	}
	if svg, err := os.ReadFile(chart); err != nil || !bytes.Contains(svg, []byte("<svg")) {
		t.Errorf("chart: %v", err)
	}
	// Without an analysis errors are unknown, not 0.
	plain, mat := t.TempDir(), filepath.Join(t.TempDir(), "match5.mat")
	for _, pair := range [][2]string{{archiveSamples + "/match5.sgf", mat}, {mat, filepath.Join(plain, "match5.sgf")}} {
		if code, _, errOut := cli(t, "convert", pair[0], pair[1]); code != 0 {
			t.Fatal(errOut)
		}
	}
	if code, out, errOut := cli(t, "archive", "stats", "--archive", plain); code != 0 || !regexp.MustCompile(`  0( +-){7}\n`).MatchString(out) {
		t.Errorf("stats without an analysis: %d %s%s", code, out, errOut)
	}
	// Importing creates a missing archive.
	fresh := filepath.Join(t.TempDir(), "new", "archive")
	if code, out, errOut := cli(t, "archive", "import", "--no-analyse", "--archive", fresh, mat); code != 0 || !strings.Contains(out, "1 new match") {
		t.Errorf("import into a new archive: %d %s%s", code, out, errOut)
	}
	if code, out, errOut := cli(t, "archive", "analyse", "--archive", fresh, "--plies", "0"); code != 0 || !strings.Contains(out, "1 match analysed, 0 failed, 0 left") {
		t.Errorf("analyse: %d %s%s", code, out, errOut)
	}
	if code, out, errOut := cli(t, "archive", "errors", "--archive", fresh, "--min-loss", "0.05", "--json"); code != 0 || !strings.HasPrefix(out, `{"match":`) || !strings.Contains(out, `"xgid":"XGID=`) {
		t.Errorf("errors: %d %.200s%s", code, out, errOut)
	}
	if code, _, errOut := cli(t, "archive", "errors", "--archive", fresh, "--kind", "foo"); code != 2 || !strings.Contains(errOut, "wrong take") {
		t.Errorf("an unknown kind: %d %s", code, errOut)
	}
	if code, out, errOut := cli(t, "archive", "stats", "--archive", fresh, "--by", "phase"); code != 0 || !strings.Contains(out, "opening") {
		t.Errorf("by phase: %d %s%s", code, out, errOut)
	}
	if code, _, errOut := cli(t, "archive", "list", "--archive", filepath.Join(dir, "none")); code != 2 || !strings.Contains(errOut, "no archive in ") {
		t.Errorf("missing folder: %d %s", code, errOut)
	}
	// With an unavailable PostgreSQL there is no file to move away.
	if code, _, errOut := cli(t, "archive", "list", "--archive", dir, "--dsn", "postgres://bot:correcthorse@127.0.0.1:1/x"); code != 1 ||
		!strings.Contains(errOut, "no server answers there") || strings.Contains(errOut, "moved away") || strings.Contains(errOut, "correcthorse") {
		t.Errorf("no PostgreSQL: %d %s", code, errOut)
	}
}

// The day of a match is that of its file in any time zone.
func TestArchive_dayWestOfGreenwich(t *testing.T) {
	// In other processes, as the time zone is per process.
	west := []string{"TZ=:" + zoneFile(t, -5)}
	dir := t.TempDir()
	list := func(args ...string) (code int, out, errOut string) {
		wholeProcesses(t)
		p := launch(t, os.Args[0], "", west, append([]string{"archive", "list", "--archive", dir}, args...)...)
		code, _ = p.ended()
		return code, p.out.String(), p.err.String()
	}
	text := "(;FF[4]GM[6]CA[UTF-8]MI[length:1][game:0][ws:0][bs:0]PW[bob]PB[robbie]DT[2026-11-21]RE[B+1R];B[31hefe])"
	if err := os.WriteFile(filepath.Join(dir, "m.sgf"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--since", "2026-11-21"}, {"--until", "2026-11-21"}} {
		if code, out, errOut := list(args...); code != 0 || !strings.Contains(out, "  2026-11-21  ") {
			t.Errorf("%v: status %d\n%s%s", args, code, out, errOut)
		}
	}
	if _, out, _ := list("--until", "2026-11-20"); strings.Contains(out, "bob") {
		t.Errorf("a match of the day after:\n%s", out)
	}
}

// zoneFile writes a file of a time zone, RFC 8536, whose clocks are hours ahead of Greenwich
// all year, and returns its path.
func zoneFile(t *testing.T, hours int32) string {
	t.Helper()
	const name = "ZONE\x00"
	data := append([]byte("TZif"), make([]byte, 16)...)
	for _, count := range []uint32{0, 0, 0, 0, 1, uint32(len(name))} { // the last two: types, and characters of their names
		data = binary.BigEndian.AppendUint32(data, count)
	}
	data = binary.BigEndian.AppendUint32(data, uint32(hours*3600))
	data = append(append(data, 0, 0), name...)
	zone, err := time.LoadLocationFromTZData("zone", data)
	if err != nil {
		t.Fatal(err)
	}
	if _, offset := time.Now().In(zone).Zone(); offset != int(hours)*3600 {
		t.Fatalf("%d s from Greenwich, want %d h", offset, hours)
	}
	path := filepath.Join(t.TempDir(), "zone")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnalyse_commands(t *testing.T) {
	testsize.Medium(t)
	out := filepath.Join(t.TempDir(), "r.html")
	annotated, pages := t.TempDir(), t.TempDir()
	sample := filepath.Join(archiveSamples, "match3.sgf")
	bad := filepath.Join(t.TempDir(), "bad.sgf")
	if err := os.WriteFile(bad, []byte("(;FF[4]GM[6]\n;B[31qts"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"what the file holds", []string{"--stored", sample}, 0, "Estimated FIBS rating"},
		{"re-analysed", []string{"--plies", "0", "--again", "--annotate", annotated, sample}, 0, "Unforced moves"},
		{"JSON", []string{"--stored", "--json", sample}, 0, `"error_per_decision"`},
		{"page", []string{"--stored", "--format", "html", "-o", out, sample}, 0, ""},
		{"format", []string{"--format", "docx", sample}, 2, "use text, html, pdf or json"},
		{"marks", []string{"--marks", "0.1,0.05,0.2", sample}, 2, "three growing losses"},
		{"marks that are not numbers", []string{"--marks", "NaN,1,2", sample}, 2, "three growing losses"},
		{"the rest goes on", []string{"--stored", bad, sample}, 2, "1 of 2 files could not be read"},
		{"the place of the error", []string{"--stored", bad}, 2, "bad.sgf:2:"},
		{"no such file", []string{"--stored", "nothing.sgf"}, 2, "nothing.sgf"},
		{"two matches, one page", []string{"--stored", "--format", "html", "-o", out + "2", sample, sample}, 2, "give a folder"},
		{"two matches, pages on stdout", []string{"--stored", "--format", "html", sample, sample}, 2, "give a folder"},
		{"a report over its match", []string{"--stored", "-o", sample, sample}, 2, "would replace the match"},
		{"nothing judged to annotate", []string{"--stored", "--annotate", annotated, sample}, 2, "--stored: does not go with"},
		{"threads", []string{"--threads", "-1", sample}, 2, "--threads: -1"},
		{"no such configuration", []string{"-c", "none.yaml", sample}, 2, "none.yaml"},
		{"files of one name", []string{"--stored", "--format", "html", "-o", pages, sample, sample}, 0, ""},
		{"a folder that is not there, without a slash", []string{"--stored", "--format", "html", "-o", filepath.Join(pages, "reports"), sample, sample}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, errOut := cli(t, append([]string{"analyse"}, tt.args...)...)
			text := stdout
			if tt.code != 0 {
				text = errOut
			}
			if code != tt.code || !strings.Contains(text, tt.want) {
				t.Errorf("status %d, want %d with %q\nstdout: %s\nstderr: %s", code, tt.code, tt.want, stdout, errOut)
			}
		})
	}
	if page, err := os.ReadFile(out); err != nil || !bytes.HasPrefix(page, []byte("<!doctype html>")) {
		t.Errorf("page: %v", err)
	}
	if _, err := os.Stat(filepath.Join(annotated, "match3.sgf")); err != nil {
		t.Error(err)
	}
	// The same match in another format has no analysis of its own.
	bare := filepath.Join(t.TempDir(), "match3.mat")
	if code, _, errOut := cli(t, "convert", sample, bare); code != 0 {
		t.Fatal(errOut)
	}
	if code, _, errOut := cli(t, "analyse", "--plies", "0", "--annotate", annotated, bare); code != 0 || !strings.Contains(errOut, "analysed decisions reused") {
		t.Errorf("the folder of --annotate was not looked at: status %d, %s", code, errOut)
	}
	for _, name := range []string{"match3.html", "match3-2.html", "reports/match3.html", "reports/match3-2.html", "reports/index.html"} {
		if _, err := os.Stat(filepath.Join(pages, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestArchive_exportLeavesUnknownEmpty(t *testing.T) {
	dir := t.TempDir()
	// .mat has no analysis, .sgf of the same match would.
	if code, _, errOut := cli(t, "convert", filepath.Join(archiveSamples, "match3.sgf"), filepath.Join(dir, "bare.mat")); code != 0 {
		t.Fatal(errOut)
	}
	if code, _, errOut := cli(t, "convert", filepath.Join(dir, "bare.mat"), filepath.Join(dir, "bare.sgf")); code != 0 {
		t.Fatal(errOut)
	}
	code, out, errOut := cli(t, "archive", "export", "--archive", dir)
	head, row, _ := strings.Cut(strings.TrimSpace(out), "\n")
	if code != 0 || strings.Count(head, ",") != strings.Count(row, ",") || !strings.HasSuffix(row, ",,,,,,,,,bare.sgf") {
		t.Errorf("status %d\n%s\n%s", code, out, errOut)
	}
	code, out, errOut = cli(t, "archive", "export", "--archive", sampleArchive(t))
	for line := range strings.Lines(out) {
		if code != 0 || strings.Count(line, ",") != strings.Count(head, ",") || strings.Contains(line, ",,,,,,,,,") {
			t.Errorf("status %d\n%s\n%s", code, line, errOut)
		}
	}
}

func TestArchive_closedFolder(t *testing.T) {
	dir := sampleArchive(t)
	if code, _, errOut := cli(t, "archive", "list", "--archive", dir); code != 0 {
		t.Fatal(errOut)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if f, err := os.Create(filepath.Join(dir, "mine")); err == nil {
		_ = f.Close()
		t.Skip("this user may write everywhere")
	}
	// The error must not call the index broken.
	code, _, errOut := cli(t, "archive", "list", "--archive", dir)
	if code != 0 && (!strings.Contains(errOut, "no permission") || strings.Contains(errOut, "rebuild")) {
		t.Errorf("status %d, %s", code, errOut)
	}
}

// Missing bearoff databases are reported.
func TestConfigCheck_bearoff(t *testing.T) {
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "bot.yaml"), filepath.Join(dir, "big")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.BuildOneSided(t.Context(), 3, 6, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "small.bearoff")
	if err := db.Save(path); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FIBSBOT_PASSWORD", "correcthorse")
	text := "accounts: [{name: robbie, password_env: FIBSBOT_PASSWORD}]\nengine: {bearoff_dir: '" + folder + "'}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := cli(t, "config", "check", file); code != 0 || errOut != "" {
		t.Errorf("sound: %d %s", code, errOut)
	}
	st, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, st.Size()/2)
	}
	if err != nil {
		t.Fatal(err)
	}
	code, _, errOut := cli(t, "config", "check", file)
	if code != 2 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "bot.yaml:2:") || !strings.Contains(errOut, "engine.bearoff_dir") || !strings.Contains(errOut, "small.bearoff") {
		t.Errorf("cut short: %d %s", code, errOut)
	}
}

func TestConfig_commands(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.yaml")
	if code, out, errOut := cli(t, "config", "init", file); code != 0 || !strings.Contains(out, "written") {
		t.Fatalf("init: %d %s", code, errOut)
	}
	// As in a clone of the source, which has the file.
	if code, out, errOut := cli(t, "config", "init", file); code != 0 || !strings.Contains(out, "unchanged") {
		t.Errorf("init again: %d %s", code, errOut)
	}
	changed := filepath.Join(t.TempDir(), "bot.yaml")
	if err := os.WriteFile(changed, []byte("accounts: [{name: robbie}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := cli(t, "config", "init", changed); code != 2 || !strings.Contains(errOut, "--force") {
		t.Errorf("init over a changed file: %d %s", code, errOut)
	}
	t.Setenv("FIBSBOT_PASSWORD", "correcthorse")
	if code, out, errOut := cli(t, "config", "check", file); code != 0 || !strings.Contains(out, "no problems; 1 account") {
		t.Errorf("check: %d %s", code, errOut)
	}
	if code, out, _ := cli(t, "config", "show", "-c", file); code != 0 || !strings.Contains(out, "password_env: FIBSBOT_PASSWORD") || strings.Contains(out, "correcthorse") {
		t.Errorf("show: %d %s", code, out)
	}
	if code, out, _ := cli(t, "config", "show", "--json", file); code != 0 || !strings.Contains(out, `"password_env": "FIBSBOT_PASSWORD"`) || !json.Valid([]byte(out)) {
		t.Errorf("show --json: %d %s", code, out)
	}
	if code, out, _ := cli(t, "config", "schema"); code != 0 || !strings.Contains(out, `"drain_limit"`) || !json.Valid([]byte(out)) {
		t.Errorf("schema: %d %.200s", code, out)
	}
	if err := os.WriteFile(file, []byte("accounts: [{name: robbie, password: correcthorse}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := cli(t, "config", "check", file); code != 0 || !strings.Contains(errOut, "warning: "+file+":1:37: accounts[0].password") || strings.Contains(errOut, "correcthorse") {
		t.Errorf("a password in the file: %d %s", code, errOut)
	}
	if err := os.WriteFile(file, []byte("servr: {}\nengine: {threads: many}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := cli(t, "config", "check", file); code != 2 || !strings.Contains(errOut, "bot.yaml:1:1: servr") || !strings.Contains(errOut, "bot.yaml:2:19: engine.threads") {
		t.Errorf("check of a bad file: %d %s", code, errOut)
	}
}
