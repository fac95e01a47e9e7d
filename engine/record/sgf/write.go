package sgf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Application is the name:version that written files carry.
const Application = "fibsbot:1"

// Write writes a whole match as GNU Backgammon would save it. Everything a
// record holds has its place in this format, except the text of illegal plays that are not
// steps: such an action is written as its dice alone. The error is w's.
func Write(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	out := &writer{w: bufio.NewWriter(w)}
	for i := range m.Games {
		out.game(m, &m.Games[i], i == 0)
	}
	return out.w.Flush()
}

type writer struct{ w *bufio.Writer }

func (o *writer) text(parts ...string) {
	for _, s := range parts {
		o.w.WriteString(s) //nolint:errcheck // a bufio.Writer keeps its first error for Flush
	}
}

// codec writes the words of a value.
func (o *writer) codec() *codec { return &codec{out: o.w} }

var escape = strings.NewReplacer(`\`, `\\`, `]`, `\]`)

// property writes a text property unless it is empty.
func (o *writer) property(name, value string) {
	if value != "" {
		o.text(name, "[", escape.Replace(value), "]")
	}
}

func colour(player int) string {
	if player == 1 {
		return "B"
	}
	return "W"
}

// ruleNames are the values of RU for a game.
func ruleNames(m *record.Match, g *record.Game) (rules []string) {
	add := func(on bool, name string) {
		if on {
			rules = append(rules, name)
		}
	}
	add(m.Rules.NoCube, "NoCube")
	add(m.Rules.Crawford && m.Length > 0, "Crawford")
	add(g.Crawford, "CrawfordGame")
	add(m.Rules.Jacoby && m.Length == 0, "Jacoby")
	add(m.Rules.Variation != "", string(m.Rules.Variation))
	add(m.Rules.Egyptian, egyptian)
	add(m.Length == 0 && !m.Rules.NoCube && m.Rules.Beavers != match.DefaultBeavers, beaverRule+strconv.Itoa(m.Rules.Beavers))
	add(m.Rules.Limited(), limitRule+strconv.Itoa(m.Rules.CubeLimit))
	add(m.Rules.Drops == match.DropByPosition, dropRule)
	return rules
}

func (o *writer) game(m *record.Match, g *record.Game, first bool) {
	o.text("(;FF[4]GM[6]CA[UTF-8]AP[", escape.Replace(Application), "]")
	fmt.Fprintf(o.w, "MI[length:%d][game:%d][ws:%d][bs:%d]", m.Length, g.Number, g.Score[0], g.Score[1])
	for _, v := range extra(g.Other, "MI") {
		o.text("[", escape.Replace(v), "]")
	}
	// gnubg writes names even when they are empty.
	o.text("PW[", escape.Replace(m.Players[0].Name), "]PB[", escape.Replace(m.Players[1].Name), "]")
	if first {
		for _, f := range ofMatch {
			o.property(f.property, *f.field(m))
		}
		o.judge(m.Judge)
		o.tags(m.Tags)
	}
	rules := ruleNames(m, g)
	if first {
		rules = append(rules, extra(g.Other, "RU")...)
	}
	o.property("RU", strings.Join(rules, ":"))
	if g.Cube > 1 {
		fmt.Fprintf(o.w, "CV[%d]", g.Cube)
	}
	if g.Result.Finished() {
		o.text("RE[", colour(g.Result.Winner), "+", strconv.Itoa(g.Result.Points))
		if g.Result.Resigned {
			o.text("R")
		}
		o.text("]")
		if g.Result.Resigned && g.EndUnknown {
			o.text(endUnknownProperty, "[1]")
		}
	}
	o.property(disputedProperty, g.Disputed)
	if g.Statistics != nil {
		o.statistics(g.Statistics)
	}
	if g.Comment != "" {
		o.property("C", g.Comment)
	}
	also := []string{"CP"}
	if !first {
		also = append(also, judgeProperty)
		for _, f := range ofMatch {
			also = append(also, f.property)
		}
	}
	if !g.Result.Finished() {
		also = append(also, "RE")
	}
	o.others(g.Other, also...)
	for i := range g.Actions {
		o.action(&g.Actions[i])
	}
	o.text(")\n")
}

func (o *writer) statistics(s *[2]record.Statistics) {
	o.text("GS")
	c := *s
	for _, part := range statisticParts {
		o.text("[", part.letter, ":")
		o.codec().statistics(&c, &part)
		o.text("]")
	}
}

func (o *writer) action(a *record.Action) {
	switch a.Kind {
	case record.SetUp:
		o.setUp(a)
		return
	case record.Roll:
		fmt.Fprintf(o.w, "\n;PL[%s]DI[%d%d]", colour(a.Player), a.Dice.A, a.Dice.B)
	case record.Double:
		o.text("\n;", colour(a.Player), "[double]")
	case record.Take:
		o.text("\n;", colour(a.Player), "[take]")
	case record.Drop:
		o.text("\n;", colour(a.Player), "[drop]")
	default:
		if !a.Dice.Valid() {
			// No reader could make anything of it.
			o.property("\n;C", strings.TrimSpace(a.Raw+" "+a.Comment))
			return
		}
		fmt.Fprintf(o.w, "\n;%s[%d%d%s]", colour(a.Player), a.Dice.A, a.Dice.B, letters(a.Player, a.Steps))
	}
	o.analysis(a)
	o.marks(a)
	o.property("C", a.Comment)
	o.others(a.Other)
}

func letters(player int, steps []board.Step) string {
	b := make([]byte, 0, 8)
	for _, s := range steps[:min(len(steps), 4)] {
		b = append(b, letter(player, s.From), letter(player, s.To))
	}
	return string(b)
}

// setUp writes one node for each kind of edit, the player on roll first, as
// gnubg needs them.
func (o *writer) setUp(a *record.Action) {
	s := a.SetUp
	if s == nil {
		s = &record.Setup{}
	}
	player := ""
	if a.Player == 0 || a.Player == 1 {
		player = "PL[" + colour(a.Player) + "]"
	}
	wrote := false
	node := func(text string) {
		o.text("\n;", text)
		wrote = true
	}
	if s.Board != nil {
		var b strings.Builder
		b.WriteString(player + "AE[a:y]")
		for side, name := range []string{"AW", "AB"} {
			if s.Board[side].Count() > 0 {
				b.WriteString(name)
			}
			for i, n := range s.Board[side] {
				for range n {
					b.WriteString("[" + string(rune(letter(side, int8(i)))) + "]")
				}
			}
		}
		node(b.String())
	}
	if s.Cube > 0 {
		node(fmt.Sprintf("CV[%d]", s.Cube))
	}
	if s.SetOwner {
		owner := "c"
		if s.Owner == 0 || s.Owner == 1 {
			owner = strings.ToLower(colour(s.Owner))
		}
		node("CP[" + owner + "]")
	}
	switch {
	case a.Dice.Valid():
		node(fmt.Sprintf("%sDI[%d%d]", player, a.Dice.A, a.Dice.B))
	case !wrote:
		node(player)
	}
	o.analysis(a)
	o.property("C", a.Comment)
	o.others(a.Other)
}

func (o *writer) marks(a *record.Action) {
	if l := a.Marks.Luck; l != 0 {
		lucky := a.Player
		if l < 0 {
			lucky, l = 1-lucky, -l
		}
		fmt.Fprintf(o.w, "G%s[%d]", colour(lucky), min(l, 2))
	}
	mark := func(m record.Mark, bad, doubtful string) {
		switch m {
		case record.VeryBad:
			o.text(bad, "[2]")
		case record.Bad:
			o.text(bad, "[1]")
		case record.Doubtful:
			o.text(doubtful, "[]")
		}
	}
	mark(a.Marks.Action, "BM", "DO")
	mark(a.Marks.NoDouble, "BC", "DC")
}

func (o *writer) analysis(a *record.Action) {
	an := a.Analysis
	if an == nil {
		return
	}
	if an.CubeMarked {
		o.text("CR[]")
	}
	if an.Cube != nil {
		o.text("DA[")
		o.codec().cube(an.Cube)
		o.text("]")
	}
	if len(an.Candidates) > 0 {
		fmt.Fprintf(o.w, "A[%d]", an.Played)
		for i := range an.Candidates {
			o.text("[")
			o.codec().candidate(a.Player, &an.Candidates[i])
			o.text("]")
		}
		o.text("MR[")
		for _, k := range an.RolloutMarks {
			o.text(strconv.Itoa(k+1), " ")
		}
		o.text("]")
	}
	if an.Luck != nil {
		o.text("LU[", strconv.FormatFloat(*an.Luck, 'f', 5, 64), "]")
	}
	o.foreign(a.Player, an)
}
