package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

const testTable = `{"nets":"test","signature":"x","anchor":1900,"ratings":[
{"setting":"noise:0.03:0.03","length":5,"rating":1600,"stderr":10},
{"setting":"noise:0.06:0.06","length":5,"rating":1200,"stderr":12},
{"setting":"human:0.1:0.1","length":5,"rating":1300,"stderr":12},
{"setting":"worldclass","length":5,"rating":1929.7,"stderr":8}]}`

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTune_targetRating(t *testing.T) {
	table := writeFile(t, "table.json", testTable)
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string // in stdout, or in stderr where code is not 0
	}{
		{"at a measured point", []string{"--target-rating", "1600", "--style", "noise"}, 0, "Expected rating 1600 in matches of 5 points, 90 % interval 1584 to 1616, as noise:0.03:0.03"},
		{"human is the default", []string{"--target-rating", "1300"}, 0, "human errors: checker 0.1, cube 0.1"},
		{"one point", []string{"--target-rating", "1350", "--length", "1"}, 0, " in matches of 1 point, "},
		{"a character", []string{"--target-rating", "1400", "--character", "bold"}, 0, ":bold\n"},
		{"a character of noise", []string{"--target-rating", "1400", "--character", "bold", "--style", "noise"}, 2, "use human with bold, careful, racer"},
		{"no character", []string{"--target-rating", "1400", "--character", "odd"}, 2, "use human with bold, careful, racer"},
		{"above expert", []string{"--target-rating", "1915"}, 0, "Expected rating 1915 in matches of 5 points, 90 % interval 1908 to 1922, as worldclass:0.5051\n2 plies in 50.51 % of the decisions"},
		{"unlimited", []string{"--target-rating", "1600", "--length", "0"}, 0, "in unlimited matches"},
		{"above expert with poor cubes", []string{"--target-rating", "1915", "--cube-error", "0.1"}, 2, "rating 1915 is out of reach with a cube error of 0.1"},
		{"the strongest, as it is told", []string{"--target-rating", "1930"}, 0, "as worldclass\n"},
		{"too strong", []string{"--target-rating", "2100", "--style", "noise"}, 2, "rating 2100 is out of reach: the measured settings play between 1200 and 1930 in matches of 5 points"},
		{"too weak", []string{"--target-rating", "900", "--length", "0"}, 2, "out of reach"},
		{"no rating", nil, 2, "no rating (give --target-rating R)"},
		{"no style", []string{"--target-rating", "1600", "--style", "odd"}, 2, "use noise or human"},
		{"half an order to write", []string{"--target-rating", "1600", "--as", "x"}, 2, "both or none"},
		{"bad length", []string{"--target-rating", "1600", "--length", "-3"}, 2, "-3 is not a match length"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errOut := command(t, "", append([]string{"tune", "--table", table}, tt.args...)...)
			text := out
			if tt.code != 0 {
				text = errOut
				if out != "" || strings.Count(errOut, "\n") != 1 {
					t.Errorf("want one line on stderr: %q %q", out, errOut)
				}
			}
			if code != tt.code || !strings.Contains(text, tt.want) {
				t.Errorf("status %d, %q; want %d, %q", code, text, tt.code, tt.want)
			}
		})
	}
	if code, out, errOut := command(t, "", "tune", "--target-rating", "1700", "--json"); code != 0 || !strings.Contains(out, `"checker_noise"`) {
		t.Errorf("with the table in the program: status %d, %s %s", code, out, errOut)
	}
}

func TestTune_writesAPresetAndKeepsTheRest(t *testing.T) {
	testsize.Medium(t)
	table := writeFile(t, "table.json", testTable)
	const before = "# my bot\naccounts:\n  - name: robot # the account\n    password_env: X\n\n# own presets\npresets: {}\nstrength:\n  preset: expert # default\n"
	path := writeFile(t, "bot.yaml", before)
	t.Setenv("X", "secret")
	for _, style := range []string{"noise", "human"} { // the second time it is changed
		code, _, errOut := command(t, "", "tune", "--table", table, "--target-rating", "1600", "--style", style, "--write", path, "--as", "club")
		if code != 0 {
			t.Fatalf("status %d: %s", code, errOut)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, keep := range []string{"# my bot", "# the account", "# own presets", "preset: expert # default", "club:", "base: expert"} {
			if !strings.Contains(text, keep) {
				t.Errorf("%s: %q is lost in\n%s", style, keep, text)
			}
		}
		if strings.Count(text, "club:") != 1 || strings.Contains(text, "style: human") != (style == "human") {
			t.Errorf("%s:\n%s", style, text)
		}
		if code, out, errOut := command(t, "", "config", "check", "-c", path); code != 0 {
			t.Errorf("%s: config check: %d %s %s", style, code, out, errOut)
		}
	}
	for name, args := range map[string][]string{
		"built-in name": {"--write", path, "--as", "expert"}, "bad name": {"--write", path, "--as", "No Way"},
		"no file": {"--write", path + "x", "--as", "club"}, "no map": {"--write", writeFile(t, "list.yaml", "- a\n"), "--as", "club"},
	} {
		if code, _, errOut := command(t, "", append([]string{"tune", "--table", table, "--target-rating", "1600"}, args...)...); code != 2 || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %s", name, code, errOut)
		}
	}
}
