// Package recordtest has what the tests of the match file formats share: where
// the samples are, and running GNU Backgammon on what was written.
package recordtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/internal/reference"
)

// Gnubg is where Debian installs GNU Backgammon.
const Gnubg = "/usr/games/gnubg"

// Samples returns the sample files that match the pattern.
func Samples(t testing.TB, pattern string) []string {
	t.Helper()
	return reference.Glob(t, "formats/samples", pattern)
}

// RunGnubg feeds commands to GNU Backgammon in an empty folder and returns what
// it printed. The test is skipped where the program is absent.
func RunGnubg(t testing.TB, commands string) string {
	t.Helper()
	if _, err := os.Stat(Gnubg); err != nil {
		t.Skip("no gnubg on this machine")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "commands")
	if err := os.WriteFile(script, []byte(commands), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, Gnubg, "-t", "-q", "-r", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("gnubg: %v\n%s", err, out)
	}
	return string(out)
}

// Damages is how many times a file is damaged: usually few, or as FIBSBOT_DAMAGE says.
func Damages(t testing.TB, few int) int {
	t.Helper()
	text := os.Getenv("FIBSBOT_DAMAGE")
	switch {
	case text != "":
	case testing.Short():
		return (few + 4) / 5
	default:
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("FIBSBOT_DAMAGE: %v", err)
	}
	return n
}

// Reading is what a damaged file is compared by: its actions in any order, and its numbers of
// games and results.
type Reading struct {
	done           map[string]int
	actions        int
	games, results int
}

// Sum returns the Reading of matches.
func Sum(all []*record.Match) Reading {
	r := Reading{done: map[string]int{}}
	for _, m := range all {
		for i := range m.Games {
			g := &m.Games[i]
			r.games++
			if g.Result.Finished() {
				r.results++
			}
			for t := range m.Turns(g) {
				a := t.Action
				if a.Kind == record.SetUp {
					continue
				}
				r.actions++
				var steps []string
				for _, st := range t.Play.Steps[:t.Play.N] {
					steps = append(steps, fmt.Sprint(st.From, "/", st.To))
				}
				slices.Sort(steps)
				d := a.Dice.Sorted()
				r.done[fmt.Sprintf("%d %v %d%d %v", t.Player, a.Kind, d.A, d.B, steps)]++
			}
		}
	}
	return r
}

// missing are the actions of r that other has not.
func (r Reading) missing(other Reading) (out []string) {
	for k, n := range r.done {
		for range n - other.done[k] {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// Less says what other lacks of r but for the given number of actions; empty if nothing.
func (r Reading) Less(other Reading, gone, changed int) string {
	switch {
	case other.actions < r.actions-gone:
		return fmt.Sprintf("%d actions of %d; missing %.300q", other.actions, r.actions, r.missing(other))
	case other.games < r.games && (gone == 0 || other.games < r.games-1):
		return fmt.Sprintf("%d games of %d", other.games, r.games)
	case other.results < r.results && gone == 0:
		return fmt.Sprintf("%d results of %d", other.results, r.results)
	}
	if lost := r.missing(other); len(lost) > gone+changed {
		return fmt.Sprintf("missing %.300q", lost)
	}
	return ""
}

// odds are bytes that take the place of others.
const odds = "#!?x/0123456789:;()[]-.,*XOWBNab \t|="

// Hurt damages a text in one place: a character or a line, or some of them, is changed,
// lost, doubled, exchanged, cut or broken. It says what it did, and how many lines are
// gone as a whole. The same generator makes the same damage.
func Hurt(r *rand.Rand, text string) (bad, what string, lines int) {
	for bad == "" || bad == text {
		bad, what, lines = hurt(r, text)
	}
	return bad, what, lines
}

func hurt(r *rand.Rand, text string) (bad, what string, lines int) {
	i := r.IntN(len(text))
	k := min(i+2+r.IntN(6), len(text))
	odd := string(odds[r.IntN(len(odds))])
	l := strings.SplitAfter(text, "\n")
	a, b := r.IntN(len(l)), r.IntN(len(l))
	switch r.IntN(12) {
	case 0, 1:
		return text[:i] + odd + text[i+1:], fmt.Sprintf("byte %d, %q, is %q", i, text[i], odd), 0
	case 2, 3:
		return text[:i] + text[i+1:], fmt.Sprintf("byte %d, %q, lost", i, text[i]), 0
	case 4:
		return text[:i] + odd + text[i:], fmt.Sprintf("byte %q at %d added", odd, i), 0
	case 5:
		return text[:i] + text[k:], fmt.Sprintf("%q lost at %d", text[i:k], i), strings.Count(text[i:k], "\n")
	case 6:
		return strings.Join(slices.Delete(slices.Clone(l), a, a+1), ""), fmt.Sprintf("line %d lost", a+1), 1
	case 7:
		return strings.Join(slices.Insert(slices.Clone(l), a, l[b]), ""), fmt.Sprintf("line %d doubled at %d", b+1, a+1), 0
	case 8:
		l[a], l[b] = l[b], l[a]
		return strings.Join(l, ""), fmt.Sprintf("lines %d and %d exchanged", a+1, b+1), 0
	case 9:
		l[a] = strings.TrimRight(l[a], "\r\n") + []string{"", " ", "\t"}[r.IntN(3)]
		return strings.Join(l, ""), fmt.Sprintf("line %d joined to the next", a+1), 0
	case 10:
		return text[:i] + "\n" + text[i:], fmt.Sprintf("broken at byte %d", i), 0
	}
	return text[:i], fmt.Sprintf("cut at byte %d", i), strings.Count(text[i:], "\n")
}

// Diagram is a position that a game leads to, from the opening to the last checkers, with
// names, score, cube and perhaps dice. Nothing in it is odd.
func Diagram(r *rand.Rand) record.Diagram {
	for {
		if d := diagram(r); len(d.Odd()) == 0 {
			return d
		}
	}
}

func diagram(r *rand.Rand) record.Diagram {
	p := board.Start
	for range r.IntN(90) {
		d := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
		next := p
		if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
			next = plays[r.IntN(len(plays))].Result
		}
		if next.Result() != 0 {
			break
		}
		p = next.Swap()
	}
	d := record.Diagram{
		Players: [2]record.Player{{Name: "anna"}, {Name: "bert"}}, Length: r.IntN(4) * 5, OnRoll: r.IntN(2), Cube: 1, Owner: record.NoPlayer,
	}
	d.Boards[d.OnRoll], d.Boards[1-d.OnRoll] = p.Me, p.Opp
	if r.IntN(2) == 0 {
		d.Cube, d.Owner = 2<<r.IntN(2), r.IntN(2)
	}
	if d.Length > 0 {
		d.Score = [2]int{r.IntN(d.Length - 1), r.IntN(d.Length - 1)}
		if d.Cube == 1 && r.IntN(3) == 0 {
			d.Score[r.IntN(2)], d.Crawford = d.Length-1, true
		}
	} else {
		d.Jacoby, d.Beavers = true, 3
	}
	if r.IntN(2) == 0 {
		d.Dice = board.Dice{A: 6, B: uint8(1 + r.IntN(6))}
	}
	return d
}
