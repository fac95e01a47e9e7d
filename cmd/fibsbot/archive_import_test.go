package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

func TestArchiveImport_analyses(t *testing.T) {
	testsize.Medium(t)
	files := t.TempDir()
	file := meFile(t, files, "a.mat", "anna", "bob")
	off := filepath.Join(files, "off.yaml")
	if err := os.WriteFile(off, []byte("accounts: [{name: robbie, password: secret}]\narchive: {analyse: \"off\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		args     []string
		analysed string
	}{
		{"without being asked", nil, `"analysed":1`},
		{"not with the flag", []string{"--no-analyse"}, `"analysed":0`},
		{"not with archive.analyse: off", []string{"-c", off}, `"analysed":0`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			code, out, errOut := cli(t, append([]string{"archive", "import", "--archive", dir, file}, tt.args...)...)
			if code != 0 || strings.Contains(out, "1 match analysed, 0 failed, 0 left") != (tt.args == nil) {
				t.Errorf("import: status %d\n%s%s", code, out, errOut)
			}
			if code, out, errOut := cli(t, "archive", "stats", "--archive", dir, "--json"); code != 0 || !strings.Contains(out, tt.analysed) {
				t.Errorf("want %s, status %d:\n%s%s", tt.analysed, code, out, errOut)
			}
		})
	}
}

// With --json the import prints one document.
func TestArchiveImport_json(t *testing.T) {
	file := meFile(t, t.TempDir(), "a.mat", "anna", "bob")
	for _, tt := range []struct{ flag, analysis string }{{"--json", `{"judged":1,"failed":0,"left":0}`}, {"--no-analyse", "null"}} {
		code, out, errOut := cli(t, "archive", "import", "--json", "--archive", t.TempDir(), "--account", "anna", file, tt.flag)
		var got bytes.Buffer
		want := `{"new":1,"joined":0,"merged":0,"known":0,"corrected":0,"undated":1,"unreadable":0,"positions":0,"guessed":[],"perhaps":[],"analysis":` + tt.analysis + `}`
		if err := json.Compact(&got, []byte(out)); err != nil || code != 0 || strings.TrimSpace(got.String()) != want {
			t.Errorf("status %d, %v: %s%s", code, err, out, errOut)
		}
	}
}
