package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/mat"

	"pgregory.net/rapid"
)

// habits are ways in which programs and people write a .mat otherwise, all of which
// gnubg imports (shared/formats/quirks.md). Each changes the text or leaves it.
var habits = []struct {
	name string
	do   func(rng *rand.Rand, text string) string
}{
	{"bar in other words", words(`\bbar/`, "Bar/", "BAR/", "b/", "25/", "bar/")},
	{"off in other words", words(`/off`, "/Off", "/0", "/o", "/off")},
	{"no stars", words(`\*`, "", "*")},
	{"star behind the count", words(`\*\((\d)\)`, "($1)*", "*($1)")},
	{"dice turned", words(`\b([1-6])([1-6]): `, "$2$1: ", "$1$2: ")},
	{"doubles otherwise", words(`Doubles =+> \d+`, "Doubles => 2", "Doubles ==> 4", "Doubles to 2", "doubles => 8", "Double", "Doubles")},
	{"takes in lower case", words(` Takes`, " takes", " take", "  Takes")},
	{"rows close to the edge", words(`(?m)^ *(\d+\)) `, "$1 ", "   $1 ", "$1  ")},
	{"blanks at ends", words(`(?m)$`, "", "  ", "")},
	{"blank lines", words(`(?m)\n( *\d+\))`, "\n$1", "\n\n$1", "\n$1", "\n$1")},
	{"a dance in no words", words(`Cannot Move`, "", "Cannot Move")},
	{"game at the edge", words(`(?m)^ Game (\d+)$`, "Game $1", " Game $1 ", " Game $1")},
	{"score beside the name", words(` : (\d+)`, ": $1", " : $1")},
	{"points", words(`Wins (\d+) point`, "Wins $1 points", "Wins $1 point and the match", "wins $1 point")},
	{"a title", words(`\A`, "=== The Cup ===\n\n", "; [Event \"Cup\"]\n", "# from the club\n", "")},
	{"CR LF", words(`\n`, "\r\n")},
	{"words of the length", words(`(?i)(\d+) point match`, "$1 Point Match", " $1 point match", "$1 point match")},
}

// words replaces each match of a pattern by one of the words, drawn for each.
func words(pattern string, by ...string) func(*rand.Rand, string) string {
	re := regexp.MustCompile(pattern)
	return func(rng *rand.Rand, text string) string {
		whole := rng.IntN(2) == 0 // the same word all over the file
		one := by[rng.IntN(len(by))]
		return re.ReplaceAllStringFunc(text, func(s string) string {
			w := one
			if !whole {
				w = by[rng.IntN(len(by))]
			}
			if !strings.Contains(w, "$") {
				return w
			}
			return re.ReplaceAllString(s, w)
		})
	}
}

// damage breaks one place in the rows of a file.
func damage(rng *rand.Rand, text string) string {
	first := strings.Index(text, " 1)")
	if first < 0 || first+10 >= len(text) {
		return text
	}
	at := first + rng.IntN(len(text)-first-1)
	switch rng.IntN(3) {
	case 0:
		return text[:at] + text[at+1:]
	case 1:
		return text[:at] + string("x :/*9\n)("[rng.IntN(9)]) + text[at+1:]
	}
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return text
	}
	return text[:at] + text[at+end:]
}

// TestGnubg_equalPlies writes matches as many programs do and has gnubg import them:
// what it takes without a complaint is read here with the same plies.
// FIBSBOT_GNUBG_LOOP is how many files, FIBSBOT_GNUBG_SEED another series.
func TestGnubg_equalPlies(t *testing.T) {
	n, seed := 40, uint64(1)
	if v, err := strconv.Atoi(os.Getenv("FIBSBOT_GNUBG_LOOP")); err == nil {
		n = v
	}
	if v, err := strconv.ParseUint(os.Getenv("FIBSBOT_GNUBG_SEED"), 10, 64); err == nil {
		seed = v
	}
	silent, damaged, odd := 0, 0, 0
	for from := 0; from < n && !t.Failed(); from += 60 {
		s, d, o := gnubgRound(t, seed, from, min(n, from+60))
		silent, damaged, odd = silent+s, damaged+d, odd+o
	}
	t.Logf("%d files, %d of them damaged; gnubg took %d without a complaint, %d of them in no legal way", n, damaged, silent, odd)
	if !t.Failed() && silent-odd < n/2 {
		t.Errorf("gnubg took only %d of %d files", silent, n)
	}
}

func gnubgRound(t *testing.T, seed uint64, from, to int) (silent, damaged, odd int) {
	t.Helper()
	dir := t.TempDir()
	var commands strings.Builder
	commands.WriteString("set confirm new off\nset confirm save off\n")
	type file struct {
		name, text string
		broken     bool
	}
	var files []file
	for i := from; i < to; i++ {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		var m *record.Match
		for k := 0; m == nil || m.Length == 0; k++ {
			m = rapid.Custom(randomMatch).Example(int(seed)*100_000 + 10*i + k)
		}
		d := dialects[rng.IntN(len(dialects))]
		for !d.gnubg {
			d = dialects[rng.IntN(len(dialects))]
		}
		d.column = []int{28, 33, 34, 41, 60}[rng.IntN(5)]
		f := file{text: strings.ReplaceAll(d.write(m), "\r", ""), name: d.name}
		for range rng.IntN(4) {
			h := habits[rng.IntN(len(habits))]
			f.text, f.name = h.do(rng, f.text), f.name+", "+h.name
		}
		// gnubg loses a row at a lone CR, which is read here.
		if rng.IntN(3) == 0 && !strings.Contains(f.text, "\r") {
			f.text, f.name, f.broken = damage(rng, f.text), f.name+", damaged", true
			damaged++
		}
		in := filepath.Join(dir, fmt.Sprintf("%d.mat", i))
		if err := os.WriteFile(in, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&commands, "marker%dx\nnew match 1\nimport mat %s\nexport match mat %s.out\n", i, in, in)
		files = append(files, f)
	}
	printed := recordtest.RunGnubg(t, commands.String())
	for k, f := range files {
		i := from + k
		_, said, _ := strings.Cut(printed, fmt.Sprintf("marker%dx", i))
		said, _, _ = strings.Cut(said, fmt.Sprintf("marker%dx", i+1))
		if regexp.MustCompile(`(?i)unrecognised|illegal|warning|error|not a valid|invalid`).MatchString(said) {
			continue
		}
		silent++
		out, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.mat.out", i)))
		if err != nil {
			t.Errorf("file %d (%s): %v", i, f.name, err)
			continue
		}
		want, _, err := mat.Read(bytes.NewReader(out))
		if err != nil {
			t.Errorf("file %d (%s): gnubg's own: %v", i, f.name, err)
			continue
		}
		all, _, ws, err := detect.Read(strings.NewReader(f.text))
		if err != nil {
			t.Errorf("file %d (%s): gnubg takes it: %v\n%s", i, f.name, err, f.text)
			continue
		}
		if strings.Contains(plies(want), " true\n") {
			// gnubg itself made something illegal of it: a result right below a take or a
			// drop becomes a double to it (quirks.md, section D).
			odd++
			continue
		}
		// In a damaged file gnubg loses in silence what is read here: a game without its
		// line of names, for one.
		a, b := plies(want), plies(all[0])
		more := strings.Count(b, " move ") > strings.Count(a, " move ")
		if a != b && !(f.broken && (more || len(ws) > 0)) {
			t.Errorf("file %d (%s), warnings %v:\ngnubg %.3000s\nhere  %.3000s\n%s", i, f.name, ws, a, b, f.text)
		}
	}
	return silent, damaged, odd
}

// plies are the rolls and positions of a match.
func plies(m *record.Match) string {
	var b strings.Builder
	for i := range m.Games {
		fmt.Fprintf(&b, "\ngame %d %v\n%s", i+1, m.Games[i].Score, lines(m, &m.Games[i]))
	}
	return b.String()
}
