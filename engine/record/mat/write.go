package mat

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
	"fibsbot/internal/figure"
)

// Write writes a match as GNU Backgammon exports it. What the format cannot
// hold is left out: see Lost. The error is w's.
func Write(w io.Writer, m *record.Match) error { return write(w, m, style{}) }

// WriteXG writes a match with the head that eXtreme Gammon and the servers write: tags
// for players, ratings, rules and the time, and the position that a game begins with.
// The plays are in the same rows. What the format cannot hold is left out: see LostXG. The error
// is w's.
func WriteXG(w io.Writer, m *record.Match) error {
	return write(w, m, style{tags: true, positions: true})
}

// WriteSnowie writes a match as Snowie does: an illegal play as the position after it. The
// error is w's.
func WriteSnowie(w io.Writer, m *record.Match) error { return write(w, m, style{positions: true}) }

// WriteGam writes games as Jellyfish keeps them: two names, then rows, without a length
// or a score. The error is w's.
func WriteGam(w io.Writer, m *record.Match) error { return write(w, m, style{bare: true}) }

// style is which of the programs that write this layout is followed.
type style struct {
	tags      bool // of eXtreme Gammon
	positions bool // set-up positions are written
	bare      bool // neither head nor scores
}

func write(w io.Writer, m *record.Match, st style) error {
	if m == nil {
		return record.ErrNoMatch
	}
	out := bufio.NewWriter(w)
	switch {
	case st.tags:
		writeTags(out, m)
	case !st.bare:
		writeHead(out, m)
	}
	for i := range m.Games {
		g := &m.Games[i]
		if st.bare {
			fmt.Fprintf(out, " %s%s\n", column(name(m, 0)), name(m, 1))
		} else {
			fmt.Fprintf(out, " Game %d\n", g.Number+1)
			fmt.Fprintf(out, " %s%s : %d\n", column(fmt.Sprintf("%s : %d", name(m, 0), g.Score[0])), name(m, 1), g.Score[1])
		}
		if n, d := record.Begins(m, g); n > 0 && st.positions {
			writeSetPos(out, &d)
		}
		writeRows(out, m, g, st)
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// column is the left half of a line of names: as wide as gnubg's, and apart from the right
// half however long it is.
func column(left string) string {
	return fmt.Sprintf("%-*s", max(31, utf8.RuneCountInString(left)+2), left)
}

// writeHead writes what gnubg puts above the games.
func writeHead(out *bufio.Writer, m *record.Match) {
	tag := func(name, value string) {
		if value != "" {
			fmt.Fprintf(out, "; [%s \"%s\"]\n", name, oneLine(value))
		}
	}
	tag("Site", m.Place)
	tag("Event", m.Event)
	tag("Round", m.Round)
	tag("EventDate", strings.ReplaceAll(m.Date, "-", "."))
	tag("Transcriber", m.Annotator)
	tag("Variation", variation(m.Rules.Variation))
	tag("Player 1 Elo", m.Players[0].Rating)
	tag("Player 2 Elo", m.Players[1].Rating)
	if m.Length > 0 && !m.Rules.Crawford {
		tag("Crawford", "Off")
	}
	tag(dropsTag, drops(m))
	writeLength(out, m)
}

// writeLength writes the comment of a match and its length, the end of its head.
func writeLength(out *bufio.Writer, m *record.Match) {
	fmt.Fprintln(out)
	for line := range strings.Lines(m.Comment) {
		fmt.Fprintf(out, "; %s\n", oneLine(strings.TrimRight(line, "\r\n")))
	}
	fmt.Fprintf(out, " %d point match\n\n", m.Length)
}

// dropsTag is what giving up costs, in files of this program alone; others ignore it.
const dropsTag, dropsByPosition = "Drops", "ByPosition"

func drops(m *record.Match) string {
	if m.Rules.Drops == match.DropByPosition {
		return dropsByPosition
	}
	return ""
}

// variation is the name that gnubg writes and reads: it takes any other for backgammon or
// Nackgammon.
func variation(v record.Variation) string {
	g, _ := v.Info()
	return cmp.Or(g.GNU, string(v))
}

// oneLine keeps a value on its line and free of what would end it.
func oneLine(s string) string { return charset.Tame(s, ' ') }

// name is a player's name as a row of names can hold it: a colon would split it.
func name(m *record.Match, player int) string {
	n := strings.Join(strings.Fields(strings.ReplaceAll(oneLine(m.Players[player].Name), ":", ".")), " ")
	if n == "" {
		return fmt.Sprintf("Player%d", player+1)
	}
	return n
}

// rows lays out cells in two columns.
type rows struct {
	w    *bufio.Writer
	n    int
	left bool // the left cell of the current row is written, the right one not
}

const leftWidth = 27

func (r *rows) put(player int, cell string) {
	if player == 0 {
		r.end()
		r.n++
		fmt.Fprintf(r.w, "%3d) %-*s ", r.n, leftWidth, cell)
		r.left = true
		return
	}
	if !r.left {
		r.n++
		fmt.Fprintf(r.w, "%3d) %-*s ", r.n, leftWidth, "")
	}
	fmt.Fprintf(r.w, "%s\n", cell)
	r.left = false
}

func (r *rows) end() {
	if r.left {
		fmt.Fprintln(r.w)
		r.left = false
	}
}

func writeRows(w *bufio.Writer, m *record.Match, g *record.Game, st style) {
	r := rows{w: w}
	doubles, cube := 0, 0
	dropped := false
	for t := range m.Turns(g) {
		a := t.Action
		switch a.Kind {
		case record.Move:
			text := plays(&t)
			if next := t.Index + 1; st.positions && next < len(g.Actions) && g.Actions[next].Kind == record.SetUp && g.Actions[next].SetUp != nil && g.Actions[next].SetUp.Board != nil {
				text = illegalPlay + "(" + after(m, g, next) + ")"
			}
			r.put(t.Player, fmt.Sprintf("%d%d: %s", a.Dice.A, a.Dice.B, text))
		case record.Roll:
			// A roll before a set-up position was not played.
			if t.Index == len(g.Actions)-1 {
				r.put(t.Player, fmt.Sprintf("%d%d: ????", a.Dice.A, a.Dice.B))
			}
		case record.Double:
			if t.Pending == 0 {
				doubles, cube = 0, t.State.Cube
			}
			doubles++
			word := "Doubles"
			if doubles > 1 {
				word = "Beavers"
			}
			r.put(t.Player, fmt.Sprintf(" %s => %d", word, cube<<doubles))
		case record.Take:
			// Who takes a beaver rolls next; the row shows the roll alone.
			if doubles <= 1 {
				r.put(t.Player, " Takes")
			} else if t.Player == 1 && r.left {
				r.put(1, "  ")
			}
			doubles = 0
		case record.Drop:
			r.put(t.Player, " Drops")
			dropped = t.Player == 0
		}
	}
	if !g.Result.Finished() {
		r.end()
		return
	}
	wins := "Wins " + figure.Count(g.Result.Points, "point")
	switch {
	case dropped && g.Result.Winner == 1 && r.left:
		fmt.Fprintf(w, " %s \n", wins)
	case g.Result.Winner == 1:
		r.end()
		fmt.Fprintf(w, "%34s%s\n", "", wins)
	default:
		r.end()
		fmt.Fprintf(w, "%6s%s\n", "", wins)
	}
}

// illegalPlay precedes a play that cannot be written as steps.
const illegalPlay = "Illegal play "

// plays writes the steps of a turn one by one, with a blank after the last one
// where there is room for more, as gnubg does.
func plays(t *record.Turn) string {
	a := t.Action
	if a.Raw != "" {
		// Characters that would be read as a cell or an end are replaced.
		raw := oneLine(strings.NewReplacer(":", " ", ")", " ", "(", " ").Replace(a.Raw))
		return illegalPlay + "(" + strings.Join(strings.Fields(raw), " ") + ")"
	}
	var b strings.Builder
	p := t.Position
	steps := a.Steps[:min(len(a.Steps), 4)]
	for i, s := range steps {
		fmt.Fprintf(&b, "%d/%d", s.From+1, s.To+1)
		if s.To >= 0 && s.To < board.Bar && p.Opp[23-s.To] > 0 {
			b.WriteByte('*')
			p.Opp[23-s.To] = 0
		}
		if i < 3 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Lost names what m has and the format cannot hold; empty when it holds everything.
func Lost(m *record.Match) []string { return record.Missing(m, record.MatText) }

// LostGam names what m has and WriteGam cannot write; empty when it writes everything.
func LostGam(m *record.Match) []string { return record.Missing(m, record.GamText) }

// LostXG names what m has and WriteXG cannot write; empty when it writes everything.
func LostXG(m *record.Match) []string { return record.Missing(m, record.XGText) }
