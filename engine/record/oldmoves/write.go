package oldmoves

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
)

// Write writes one match with player 0 as X: X counts down, O up, as FIBS does.
// What the format cannot hold is left out: see Lost. The error is w's.
func Write(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	out := bufio.NewWriter(w)
	length := "an unlimited match"
	if m.Length > 0 {
		length = fmt.Sprintf("a %d point match", m.Length)
	}
	for i := range m.Games {
		g := &m.Games[i]
		for line := range strings.Lines(g.Comment) {
			// Before the score: other programs pass over it there.
			fmt.Fprintf(out, "# %s\n", charset.Tame(strings.TrimSpace(line), ' '))
		}
		fmt.Fprintf(out, "Score is %d-%d in %s.\n", g.Score[0], g.Score[1], length)
		fmt.Fprintf(out, "%s is X - %s is O\n", name(m, 0), name(m, 1))
		for k := range g.Actions {
			writeAction(out, &g.Actions[k], k == len(g.Actions)-1)
		}
		if g.Result.Finished() {
			if g.GivenUp() {
				fmt.Fprintf(out, "%c: wants to resign\n", letter(1-g.Result.Winner))
			}
			fmt.Fprintf(out, "%c: wins %d\n", letter(g.Result.Winner), g.Result.Points)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// writeSetUp writes a set-up as comments: FIBS has no lines for it.
func writeSetUp(w *bufio.Writer, a *record.Action) {
	e := a.SetUp
	switch {
	case e == nil:
	case e.Board != nil:
		fmt.Fprintf(w, "# Board %s", board.Position{Me: e.Board[0], Opp: e.Board[1]}.ID())
		if a.Player == 0 || a.Player == 1 {
			fmt.Fprintf(w, ", %c on roll", letter(a.Player))
		}
		fmt.Fprintln(w)
	case e.SetOwner && e.Owner == record.NoPlayer:
		fmt.Fprintln(w, "# Cube in the middle")
	case e.SetOwner:
		fmt.Fprintf(w, "# Cube with %c\n", letter(e.Owner))
	case e.Cube > 0:
		fmt.Fprintf(w, "# Cube %d\n", e.Cube)
	}
}

// name is a player's name without blanks or what would end it.
func name(m *record.Match, player int) string {
	n := charset.Tame(strings.ReplaceAll(strings.TrimSpace(m.Players[player].Name), " ", "_"), '_')
	if n == "" {
		return "player" + strconv.Itoa(player+1)
	}
	if len(n) > maxName {
		n = strings.ToValidUTF8(n[:maxName], "")
	}
	return n
}

// maxName is how many bytes a name may have: FIBS allows fewer, and gnubg's importer ends
// in a crash above it.
const maxName = 31

func letter(player int) byte { return "XO"[player&1] }

func writeAction(w *bufio.Writer, a *record.Action, last bool) {
	who := letter(a.Player)
	switch a.Kind {
	case record.Move:
		fmt.Fprintf(w, "%c: (%d %d) ", who, a.Dice.A, a.Dice.B)
		if len(a.Steps) == 0 {
			fmt.Fprint(w, "can't move\n")
			return
		}
		for i, s := range a.Steps[:min(len(a.Steps), 4)] {
			if i > 0 {
				fmt.Fprint(w, " ")
			}
			fmt.Fprintf(w, "%s-%s", point(a.Player, s.From), point(a.Player, s.To))
		}
		fmt.Fprintln(w)
	case record.SetUp:
		writeSetUp(w, a)
	case record.Roll:
		if last {
			fmt.Fprintf(w, "%c: (%d %d) \n", who, a.Dice.A, a.Dice.B)
		}
	default:
		fmt.Fprintf(w, "%c: %s\n", who, map[record.Kind]string{record.Double: "doubles", record.Take: "accepts", record.Drop: "rejects"}[a.Kind])
	}
}

func point(player int, i int8) string {
	switch {
	case i == board.Bar:
		return "bar"
	case i < 0:
		return "off"
	case player == 1:
		return strconv.Itoa(24 - int(i))
	}
	return strconv.Itoa(int(i) + 1)
}

// Lost names what m has and the format cannot hold; empty when it holds everything.
func Lost(m *record.Match) []string { return record.Missing(m, record.OldmovesText) }
