package match

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// gnubg prints the same equities of its explicit tables, up to 25 points and with the
// post-Crawford row.
func TestReadXML_asGnubgPrints(t *testing.T) {
	testsize.Medium(t)
	files, _ := filepath.Glob("/usr/share/gnubg/met/*.xml")
	if _, err := os.Stat("/usr/games/gnubg"); err != nil || len(files) == 0 {
		t.Skip("gnubg or its tables are not installed")
	}
	row := regexp.MustCompile(`^ +(\d+)-away +(\d.*)$`)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		table, err := ReadXML(f)
		f.Close()
		if err != nil {
			continue // a catalogue or a formula
		}
		n := min(table.Published, 25)
		cmd := exec.CommandContext(t.Context(), "/usr/games/gnubg", "-t", "-q", "-r")
		cmd.Stdin = strings.NewReader("set matchequitytable \"" + name + "\"\nshow matchequitytable " + strconv.Itoa(n) + "\n")
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "LC_ALL=C")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		pre, post := [][]float64{}, [][]float64{}
		for line := range strings.Lines(string(out)) {
			m := row.FindStringSubmatch(strings.TrimRight(line, "\n"))
			if m == nil || strings.Contains(m[2], "away") {
				continue
			}
			var values []float64
			for _, w := range strings.Fields(m[2]) {
				v, err := strconv.ParseFloat(w, 64)
				if err != nil {
					t.Fatalf("%s: %q", name, line)
				}
				values = append(values, v/100)
			}
			if len(pre) < n {
				pre = append(pre, values)
			} else {
				post = append(post, values)
			}
		}
		if len(pre) != n || len(post) != 2 {
			t.Fatalf("%s: %d and %d rows in\n%s", name, len(pre), len(post), out)
		}
		worst, at := 0.0, ""
		differ := func(what string, got, want float64) {
			if d := math.Abs(got - want); d > worst {
				worst, at = d, what+": "+strconv.FormatFloat(got, 'f', 6, 64)+", gnubg's "+strconv.FormatFloat(want, 'f', 6, 64)
			}
		}
		for i := range n {
			for j := range n {
				// A Table is for equal players: of two chances it has the mean.
				differ("pre "+strconv.Itoa(i+1)+" "+strconv.Itoa(j+1), table.Equity(i+1, j+1, false), (pre[i][j]+1-pre[j][i])/2)
			}
			if i == n-1 && n == table.Published {
				continue // gnubg computes this one although the file has it; a Table has the file's
			}
			differ("post "+strconv.Itoa(i+1), table.Equity(i+1, 1, true), (post[0][i]+post[1][i])/2)
		}
		t.Logf("%s: %d points, %.6f %s", filepath.Base(name), n, worst, at)
		if worst > 2e-6 {
			t.Errorf("%s: %s", name, at)
		}
	}
}
