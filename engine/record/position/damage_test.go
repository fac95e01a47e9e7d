package position

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
)

// situations are some that games lead to, from the openings to the last checkers.
func situations(r *rand.Rand, n int) (out []match.Situation, who []int) {
	for len(out) < n {
		p := board.Start
		for range r.IntN(90) {
			d := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
			if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
				p = plays[r.IntN(len(plays))].Result
			}
			if p.Result() != 0 {
				break
			}
			p = p.Swap()
		}
		if p.Result() != 0 {
			continue
		}
		s := match.Situation{Position: p, State: match.State{Length: r.IntN(4) * 5, Cube: 1}}
		if r.IntN(2) == 0 {
			s.State.Cube, s.State.Owner = 2<<r.IntN(2), match.Owner(1+r.IntN(2))
		}
		if s.State.Length > 0 {
			s.State.Score = [2]int{r.IntN(s.State.Length), r.IntN(s.State.Length)}
		} else {
			s.State.Jacoby = true
		}
		switch r.IntN(3) {
		case 0:
			s.Dice = board.Dice{A: 6, B: uint8(1 + r.IntN(6))}
		case 1:
			s.Doubled = s.State.MayDouble()
		}
		out, who = append(out, s), append(who, r.IntN(2))
	}
	return out, who
}

// page is what eXtreme Gammon writes of a position.
func (p pageOf) String() string {
	s, who := p.s, p.who
	me, opp := s.Position.Me.Pips(), s.Position.Opp.Pips()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nX:anna   O:bert\nScore is X:%d O:%d %d pt.(s) match.\n", XGID(s, who), s.State.Score[0], s.State.Score[1], s.State.Length)
	b.WriteString(" +13-14-15-16-17-18------19-20-21-22-23-24-+\n |                  |BAR|                  |\n +12-11-10--9--8--7-------6--5--4--3--2--1-+\n")
	fmt.Fprintf(&b, "Pip count  X: %d  O: %d X-O: %d-%d/%d\nCube: %d\n", me, opp, s.State.Score[0], s.State.Score[1], s.State.Length, s.State.Cube)
	if s.Dice.Valid() {
		fmt.Fprintf(&b, "X to play %d%d\n", s.Dice.A, s.Dice.B)
	}
	b.WriteString("\n    1. 3-ply       8/5 6/5                      eq:+0.160\n\neXtreme Gammon Version: 2.19\n\n")
	return b.String()
}

type pageOf struct {
	s   match.Situation
	who int
}

// blitzPage is what BGBlitz writes of one.
func blitzPage(s match.Situation, who int) string {
	return " +13-14-15-16-17-18------19-20-21-22-23-24-+      O: Green 167\n |                  |BAR|                  |\n +12-11-10--9--8--7-------6--5--4--3--2--1-+      X: Red 167\n\n" +
		" Position-ID: " + s.Position.ID() + "    Match-ID: " + s.MatchID() + "\n " + XGID(s, who) + "\n\n Green - 0 Red - 0\n\n"
}

// positions are those of matches, each as its XGID, with how often they occur.
func positions(all []*record.Match) map[string]int {
	out := map[string]int{}
	for _, m := range all {
		out[XGID(Last(m, &m.Games[0]))]++
	}
	return out
}

// plain writes the IDs of a text so that two ways of writing one are the same: checkers in
// order, no last field of little meaning.
func plain(text string) string {
	var out []string
	for _, word := range strings.Fields(text) {
		f := strings.Split(strings.TrimPrefix(word, "OGID="), ":")
		if len(f) > 2 && !strings.Contains(word, "XGID") {
			if len(f) > 8 {
				f[8] = strings.TrimRight(f[8], "L") // many leave it out
			}
			for _, i := range []int{0, 1, min(3, len(f)-1)} {
				c := strings.Split(f[i], "")
				slices.Sort(c)
				f[i] = strings.Join(c, "")
			}
		}
		if len(f) > 9 { // plays so far, the highest cube
			f = f[:9]
		}
		for i := 5; i < len(f); i++ {
			f[i] = strings.TrimLeft(f[i], "0")
		}
		out = append(out, strings.TrimRight(strings.Join(f, ":"), ":"))
	}
	return strings.Join(out, " ") + " "
}

// written reports whether the text contains the ID, so that the reader invented no part of it.
func written(text string, m *record.Match) bool {
	s, who := Last(m, &m.Games[0])
	for _, form := range []string{XGID(s, who), OGID(s, who)} {
		if s.State.Length == 0 { // scores of money play are not kept
			form = form[:strings.Index(form, ":")+4]
		}
		if strings.Contains(plain(text), strings.TrimSpace(plain(form))) {
			return true
		}
	}
	return false
}

// TestRead_damage damages texts with positions in every way. The reader must report what is
// missing and must not return what is not in the text. FIBSBOT_DAMAGE sets the number of
// damages of each kind.
func TestRead_damage(t *testing.T) {
	n := recordtest.Damages(t, 150)
	for _, f := range []struct {
		name  string
		lines bool // every line is a position: one that is gone cannot be missed
		write func(match.Situation, int) string
	}{
		{"XGIDs", true, func(s match.Situation, who int) string { return XGID(s, who) + "\n" }},
		{"OGIDs", true, func(s match.Situation, who int) string { return OGID(s, who) + "\n" }},
		{"pages of eXtreme Gammon", false, func(s match.Situation, who int) string { return pageOf{s, who}.String() }},
		{"pages of BGBlitz", false, blitzPage},
	} {
		t.Run(f.name, func(t *testing.T) {
			silent, refused := 0, 0
			for k := range n {
				r := rand.New(rand.NewPCG(19, uint64(k)))
				list, who := situations(r, 3)
				text := ""
				for i := range list {
					text += f.write(list[i], who[i])
				}
				before, ws, err := Read(strings.NewReader(text))
				if err != nil || len(before) != len(list) {
					t.Fatalf("%v\n%s", err, text)
				}
				told := len(ws)
				bad, what, lines := recordtest.Hurt(r, text)
				got, ws, err := Read(strings.NewReader(bad))
				if err != nil || len(ws) > told {
					refused++
					continue
				}
				want, is := positions(before), positions(got)
				lost, made := 0, ""
				for p, k := range want {
					lost += max(k-is[p], 0)
				}
				for _, m := range got {
					if p := XGID(Last(m, &m.Games[0])); want[p] == 0 {
						lost--
						if !written(bad, m) {
							made = p
						}
					}
				}
				if f.lines || strings.HasPrefix(what, "cut") {
					lost -= lines
				}
				if lost > 0 || made != "" {
					if silent++; silent < 20 {
						t.Errorf("damage %d: %s: %d positions lost, made up %q\n%s", k, what, lost, made, bad)
					}
				}
			}
			t.Logf("%d damages, %d reported, %d silent", n, refused, silent)
		})
	}
}
