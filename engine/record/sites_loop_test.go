package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"

	"pgregory.net/rapid"
)

// The formats of servers and old programs that are read and not written, rendered here
// apart from package sites, from the descriptions in shared/formats/other.md.

func pick[T any](r *rand.Rand, v ...T) T { return v[r.IntN(len(v))] }

// ownSteps writes the steps of a play in the mover's own numbers.
func ownSteps(t *record.Turn, bar, off, sep, between string, stars bool) string {
	p := t.Position
	var parts []string
	for _, st := range t.Play.Steps[:t.Play.N] {
		f := func(i int8) string {
			switch {
			case i == board.Bar:
				return bar
			case i < 0:
				return off
			}
			return fmt.Sprint(i + 1)
		}
		w := f(st.From) + sep + f(st.To)
		if st.To >= 0 && p.Opp[23-st.To] > 0 {
			p.Opp[23-st.To] = 0
			if stars {
				w += "*"
			}
		}
		parts = append(parts, w)
	}
	return strings.Join(parts, between)
}

// upSteps writes them in the numbers of the player who counts the other way.
func upSteps(t *record.Turn, bar, off, sep, between string) string {
	var parts []string
	for _, st := range t.Play.Steps[:t.Play.N] {
		f := func(i int8) string {
			switch {
			case i == board.Bar:
				return bar
			case i < 0:
				return off
			}
			return fmt.Sprint(24 - i)
		}
		parts = append(parts, f(st.From)+sep+f(st.To))
	}
	return strings.Join(parts, between)
}

// one is a name without blanks.
func one(s string) string { return strings.ReplaceAll(s, " ", "_") }

// oldmovesText writes a match as FIBS, whose players change places does.
func oldmovesText(r *rand.Rand, m *record.Match) string {
	var b strings.Builder
	end := pick(r, "", ".")
	for i := range m.Games {
		g := &m.Games[i]
		x := r.IntN(2)
		if i == 0 {
			x = 0
		}
		length := fmt.Sprintf("a %d point match", m.Length)
		if m.Length == 8 || m.Length == 11 {
			length = fmt.Sprintf("an %d point match", m.Length)
		}
		if m.Length == 0 {
			length = "an unlimited match"
		}
		fmt.Fprintf(&b, "Score is %d-%d in %s%s\n", g.Score[x], g.Score[1-x], length, pick(r, ".", "", "."))
		fmt.Fprintf(&b, "%s is X - %s is O%s\n", one(m.Players[x].Name), one(m.Players[1-x].Name), end)
		if r.IntN(3) == 0 {
			b.WriteString("")
		}
		l := func(p int) string {
			if p == x {
				return "X"
			}
			return "O"
		}
		for t := range m.Turns(g) {
			switch a := t.Action; a.Kind {
			case record.Move:
				text := "can't move"
				if t.Play.N > 0 {
					if t.Player == x {
						text = ownSteps(&t, "bar", "off", "-", " ", false)
					} else {
						text = upSteps(&t, "bar", "off", "-", " ")
					}
				}
				fmt.Fprintf(&b, "%s: (%d %d) %s%s\n", l(t.Player), a.Dice.A, a.Dice.B, text, pick(r, "", " "))
			case record.Double:
				fmt.Fprintf(&b, "%s: doubles\n", l(t.Player))
			case record.Take:
				fmt.Fprintf(&b, "%s: accepts\n", l(t.Player))
			case record.Drop:
				fmt.Fprintf(&b, "%s: rejects\n", l(t.Player))
			}
		}
		if g.Result.Finished() {
			if g.Result.Resigned {
				fmt.Fprintf(&b, "%s: wants to resign\n", l(1-g.Result.Winner))
				if r.IntN(2) == 0 {
					fmt.Fprintf(&b, "%s: accepts\n", l(g.Result.Winner))
				}
			}
			fmt.Fprintf(&b, "%s: wins %d\n", l(g.Result.Winner), g.Result.Points)
		}
		b.WriteString(pick(r, "\n", "\n\n"))
	}
	return b.String()
}

// sggText writes a match as GamesGrid, which writes lines twice does.
func sggText(r *rand.Rand, m *record.Match) string {
	var b strings.Builder
	name := [2]string{one(m.Players[0].Name), one(m.Players[1].Name)}
	// left = player 1
	fmt.Fprintf(&b, "%s vs. %s\n%sSaturday, June 1, 2024\nGamesGrid, Lounge\nELO: 1520.50 210 1604.25 480\nJacoby: %s\nCrawford: Yes\nMatch Length: %d\nVariant: Backgammon\n",
		name[1], name[0], pick(r, "", "\n"), map[bool]string{true: "Yes", false: "No"}[m.Rules.Jacoby], m.Length)
	for i := range m.Games {
		g := &m.Games[i]
		star := func(p int) string {
			if g.Crawford && g.Score[p] == m.Length-1 {
				return "*"
			}
			return ""
		}
		fmt.Fprintf(&b, "Game %d.%d%s-%d%s", i+1, g.Score[1], star(1), g.Score[0], star(0))
		if m.Length > 0 {
			fmt.Fprintf(&b, "/%d", m.Length)
		}
		b.WriteString("\n")
		n := 1
		put := func(p int, s string) {
			tab := "\t"
			if p == 0 {
				tab = "\t\t"
			}
			fmt.Fprintf(&b, "%d%s%s\n", n, tab, s)
			if r.IntN(12) == 0 {
				fmt.Fprintf(&b, "%d%s%s\n", n, tab, s) // twice
			}
		}
		for t := range m.Turns(g) {
			if t.Index%2 == 1 {
				n++
			}
			switch a := t.Action; a.Kind {
			case record.Move:
				if t.Play.N == 0 {
					put(t.Player, fmt.Sprintf("%d%d: O-O", a.Dice.A, a.Dice.B))
					continue
				}
				put(t.Player, fmt.Sprintf("%d%d: ", a.Dice.A, a.Dice.B))
				put(t.Player, fmt.Sprintf("%d%d: %s", a.Dice.A, a.Dice.B, ownSteps(&t, pick(r, "bar", "25"), pick(r, "off", "0"), "/", ", ", r.IntN(2) == 0)))
			case record.Double:
				put(t.Player, fmt.Sprintf("Double to %d", 2*t.State.Cube))
			case record.Take:
				put(t.Player, "Accept")
			case record.Drop:
				put(t.Player, "Pass")
			}
			if r.IntN(40) == 0 {
				b.WriteString("what a roll :)\n")
			}
		}
		res := g.Result
		if res.Finished() {
			if res.Resigned {
				put(1-res.Winner, "Resign")
			}
			fmt.Fprintf(&b, "\n%s  wins %d points.\n\n", name[res.Winner], res.Points)
		}
	}
	return b.String()
}

// tmgText writes a match as TrueMoneyGames does.
func tmgText(r *rand.Rand, m *record.Match) string {
	var b strings.Builder
	bit := map[bool]int{true: 1}
	fmt.Fprintf(&b, "MatchID: 4711\nPlayer1: 101 %s 4.00\nPlayer2: 102 %s 4.00\nStake: 1.00\nRakePct: 0.05\nStartdate: 2005-06-01 12:30:00\nJacoby: %d\nAutoDistrib: 0\nBeavers: 0\nRaccoons: 0\nCrawford: 1\nCube: 1\nMaxCube: 64\nLength: %d\nMaxGames: 0\nVariant: 1\nPlayMoney: 0\n", m.Players[1].Name, m.Players[0].Name, bit[m.Rules.Jacoby], m.Length)
	for i := range m.Games {
		g := &m.Games[i]
		fmt.Fprintf(&b, "Game %d: %d-%d\n", i+1, g.Score[1], g.Score[0])
		b.WriteString("0 19 4.00 0.0 4.00 0.0 Settlement\n")
		n := 1
		put := func(p, k int, s string) {
			v := n
			if p == 0 {
				v = -n
			}
			fmt.Fprintf(&b, "%s%d %d %s\n", pick(r, "", " ", "   "), v, k, s)
		}
		for t := range m.Turns(g) {
			if t.Index%2 == 1 {
				n++
			}
			switch a := t.Action; a.Kind {
			case record.Move:
				put(t.Player, 1, fmt.Sprintf("%d%d:", a.Dice.A, a.Dice.B))
				if t.Play.N == 0 {
					put(t.Player, 4, "0/0")
				} else {
					put(t.Player, 4, ownSteps(&t, "25", "0", "/", " ", false))
				}
			case record.Double:
				put(t.Player, 5, fmt.Sprintf("Double to %d", 2*t.State.Cube))
			case record.Take:
				put(t.Player, 7, "Take")
			case record.Drop:
				put(t.Player, 10, "Pass")
			}
		}
		res := g.Result
		if res.Finished() {
			put(res.Winner, pick(r, 14, 14, 15, 16), fmt.Sprintf("%d %s wins %d points", res.Points, m.Players[res.Winner].Name, res.Points))
		}
	}
	return b.String()
}

// partyText writes a match as PartyGammon does.
func partyText(r *rand.Rand, m *record.Match) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s=12345\n%s=anna\nMATCHLENGTH=%d\nSTAKE=2\n", pick(r, "BoardID", "BOARDID", "boardid"), pick(r, "Creator", "creator"), m.Length)
	for i := range m.Games {
		g := &m.Games[i]
		k := i + 1
		fmt.Fprintf(&b, "GAME_%d_PLAYER_1=%s\nGAME_%d_PLAYER_2=%s\n", k, m.Players[0].Name, k, m.Players[1].Name)
		var cells []string
		for t := range m.Turns(g) {
			p := t.Player + 1
			switch a := t.Action; a.Kind {
			case record.Move:
				two := pick(r, "1 1 ", "1 1 ", "")
				cells = append(cells, strings.TrimSpace(fmt.Sprintf("%d %s%d%d %s", p, two, a.Dice.A, a.Dice.B, ownSteps(&t, "bar", "off", "/", " ", false))))
			case record.Double:
				cells = append(cells, fmt.Sprintf("%d Doubles", p))
			case record.Take:
				cells = append(cells, fmt.Sprintf("%d Takes", p))
			case record.Drop:
				cells = append(cells, fmt.Sprintf("%d Drops", p))
			}
		}
		fmt.Fprintf(&b, "GAME_%d_GAMEPLAY=%s\n", k, strings.Join(cells, "#"))
		sc := g.Score
		if g.Result.Finished() {
			sc[g.Result.Winner] += g.Result.Points
		}
		fmt.Fprintf(&b, "GAME_%d_SCORE1=%d\nGAME_%d_SCORE2=%d\n", k, sc[0], k, sc[1])
	}
	return b.String()
}

// roomText writes a match as BackGammonRoom does.
func roomText(r *rand.Rand, m *record.Match) string {
	var b strings.Builder
	b.WriteString("BGF version 1.2\n")
	g := &m.Games[0]
	first := r.IntN(2)
	sign := [2]string{"X", "0"}
	fmt.Fprintf(&b, "Game 1 - %s (%s) vs. %s (%s)\nSingle match\n", m.Players[first].Name, sign[first], m.Players[1-first].Name, sign[1-first])
	n := 0
	for t := range m.Turns(g) {
		switch a := t.Action; a.Kind {
		case record.Move:
			n++
			text := "can't move"
			if t.Play.N > 0 {
				text = ownSteps(&t, "bar", "off", "/", " ", false)
			}
			fmt.Fprintf(&b, "%d.%s:(%d %d)%s\n", n, sign[t.Player], a.Dice.A, a.Dice.B, text)
		case record.Double:
			n++
			fmt.Fprintf(&b, "%d.%s:Double\n", n, sign[t.Player])
		}
	}
	b.WriteString("\nWin the Match\n")
	return b.String()
}

// bkgText writes a match as BKG does.
func bkgText(r *rand.Rand, m *record.Match) string {
	var b strings.Builder
	b.WriteString("a title line\n\n")
	colour := [2]string{"Black", "White"}
	for i := range m.Games {
		g := &m.Games[i]
		dbl := -1
		for t := range m.Turns(g) {
			switch a := t.Action; a.Kind {
			case record.Move:
				text := ""
				if t.Player == 0 {
					text = ownSteps(&t, "25", "0", "-", pick(r, " ", ", ", "; "), false)
				} else {
					text = upSteps(&t, "0", "25", "-", pick(r, " ", ", ", "; "))
				}
				fmt.Fprintf(&b, "%s  %d %d   %s\n", colour[t.Player], a.Dice.A, a.Dice.B, text)
			case record.Double:
				dbl = t.Player
			case record.Take:
				fmt.Fprintf(&b, "%s Doubles         Accepted\n", colour[dbl])
			case record.Drop:
				fmt.Fprintf(&b, "%s Doubles         Declined\n", colour[dbl])
			}
		}
		if g.Result.Finished() {
			w := [...]string{"", "", "   gammon", "   backgammon"}
			k := 1
			if g.Result.Resigned {
				st := record.NewReplay(m, g)
				for {
					if _, ok := st.Next(); !ok {
						break
					}
				}
				k = g.Result.Points / st.State(0).Cube
			}
			fmt.Fprintf(&b, "%s wins%s\n", colour[g.Result.Winner], w[k])
		}
	}
	return b.String()
}

// bgammonText writes a match as bgammon.org does.
func bgammonText(r *rand.Rand, m *record.Match) string {
	var b strings.Builder
	for i := range m.Games {
		g := &m.Games[i]
		w, pts := 0, 0
		if g.Result.Finished() {
			w, pts = g.Result.Winner+1, g.Result.Points
		}
		fmt.Fprintf(&b, "i %d %s %s %d %d %d %d %d 0\n", 1717228800+i*600, one(m.Players[0].Name), one(m.Players[1].Name), m.Length, g.Score[0], g.Score[1], w, pts)
		dbl := -1
		for t := range m.Turns(g) {
			p := t.Player + 1
			switch a := t.Action; a.Kind {
			case record.Move:
				d := a.Dice.Sorted()
				text := ""
				if t.Player == 0 {
					text = ownSteps(&t, "bar", "off", "/", " ", false)
				} else {
					text = upSteps(&t, "bar", "off", "/", " ")
				}
				fmt.Fprintf(&b, "%s\n", strings.TrimSpace(fmt.Sprintf("%d r %d-%d %s", p, d.A, d.B, text)))
			case record.Double:
				dbl = t.State.Cube * 2
			case record.Take:
				fmt.Fprintf(&b, "%d d %d 1\n", 2-t.Player, dbl)
			case record.Drop:
				fmt.Fprintf(&b, "%d d %d 0\n", 2-t.Player, dbl)
			}
		}
		if g.Result.Finished() && g.Result.Resigned {
			fmt.Fprintf(&b, "%d t\n", 2-g.Result.Winner)
		}
	}
	return b.String()
}

// site is one of those formats with what it keeps of a match.
type site struct {
	format detect.Format
	write  func(*rand.Rand, *record.Match) string
	scores bool // of games and match, and the length
	sizes  bool // of resignations
	first  bool // one game only
}

var siteFormats = []site{
	{"oldmoves", oldmovesText, true, true, false},
	{"gamesgrid", sggText, true, true, false},
	{"truemoneygames", tmgText, true, true, false},
	{"partygammon", partyText, true, true, false},
	{"backgammonroom", roomText, false, false, true},
	{"bkg", bkgText, false, true, false},
	{"bgammon", bgammonText, true, false, false},
}

// TestSites_equalPlies reads random matches back from every such format, play by play and
// without a false warning.
func TestSites_equalPlies(t *testing.T) {
	for _, s := range siteFormats {
		for i := range 12 {
			rng := rand.New(rand.NewPCG(3, uint64(i)))
			m := rapid.Custom(randomMatch).Example(3_000_000 + i)
			for k := 0; beavers(m) || endsOpen(m); k++ {
				m = rapid.Custom(randomMatch).Example(3_500_000 + 1000*k + i)
			}
			if s.first {
				m.Games = m.Games[:1]
			}
			text := s.write(rng, m)
			if i%3 == 0 {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			all, f, ws, err := detect.Read(bytes.NewReader([]byte(text)))
			if s.format == "backgammonroom" && m.Games[0].Result.Resigned && len(ws) == 1 && strings.Contains(ws[0].Text, "who won") {
				ws = nil // it does not say who gave up
			}
			if err != nil || f != s.format || len(all) != 1 || len(ws) > 0 || len(all[0].Games) != len(m.Games) {
				t.Errorf("%s %d: %s, %d matches, %v %v\n%.800s", s.format, i, f, len(all), err, ws, text)
				continue
			}
			sameGames(t, &s, m, all[0], text)
		}
	}
}

// endsOpen reports whether a game stops between a double and what follows it, which
// BackGammonRoom cannot write.
func endsOpen(m *record.Match) bool {
	for i := range m.Games {
		a := m.Games[i].Actions
		if n := len(a); n == 0 || a[n-1].Kind == record.Take || a[n-1].Kind == record.Double {
			return true
		}
	}
	return false
}

func sameGames(t *testing.T, s *site, want, got *record.Match, text string) {
	t.Helper()
	if s.format != "bkg" && (one(got.Players[0].Name) != want.Players[0].Name || one(got.Players[1].Name) != want.Players[1].Name) {
		t.Errorf("%s: players %+v", s.format, got.Players)
	}
	for k := range want.Games {
		a, b := &want.Games[k], &got.Games[k]
		if s.scores && (a.Score != b.Score || a.Crawford != b.Crawford || want.Length != got.Length) || s.scores && s.sizes && a.Result != b.Result {
			t.Errorf("%s, game %d: %v %+v, want %v %+v\n%.800s", s.format, k+1, b.Score, b.Result, a.Score, a.Result, text)
		}
		if x, y := rolls(want, k), rolls(got, k); x != y {
			t.Errorf("%s, game %d:\n%s, want\n%s\n%.800s", s.format, k+1, y, x, text)
		}
	}
}
