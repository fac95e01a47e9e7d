package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// maxCandidates is how many plays are listed besides the one made.
const maxCandidates = 5

// Write writes a whole match. The error is w's.
func Write(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	out := &writer{w: bufio.NewWriter(w), m: m}
	out.head()
	for i := range m.Games {
		out.game(&m.Games[i])
	}
	score := m.FinalScore()
	out.printf("The score is: %s %d, %s %d", out.name(0), score[0], out.name(1), score[1])
	if winner := m.Winner(); winner != record.NoPlayer {
		out.printf(". %s wins the match.", out.name(winner))
	}
	out.printf("\n")
	return out.w.Flush()
}

type writer struct {
	w *bufio.Writer
	m *record.Match
}

func (o *writer) printf(format string, args ...any) {
	fmt.Fprintf(o.w, format, args...)
}

func (o *writer) name(player int) string {
	return cmp.Or(clean(o.m.Players[player&1].Name), [2]string{"Player 1", "Player 2"}[player&1])
}

// clean removes characters that a terminal obeys.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && sanitize.Obeyed(r) {
			return -1
		}
		return r
	}, s)
}

func (o *writer) head() {
	m := o.m
	for _, f := range []struct{ name, value string }{
		{"Date", m.Date}, {"Event", m.Event}, {"Round", m.Round}, {"Place", m.Place},
		{"Annotator", m.Annotator}, {"Rating of " + o.name(0), m.Players[0].Rating}, {"Rating of " + o.name(1), m.Players[1].Rating},
		{"Rules", strings.Join(m.Unusual(), ", ")}, {"Comment", m.Comment},
	} {
		if f.value != "" {
			o.printf("%s: %s\n", f.name, clean(f.value))
		}
	}
}

func (o *writer) game(g *record.Game) {
	what := "unlimited match"
	if o.m.Length > 0 {
		what = fmt.Sprintf("match to %d points", o.m.Length)
		if o.m.Length == 1 {
			what = "match to 1 point"
		}
		if g.Crawford {
			what += ", Crawford game"
		}
	}
	o.printf("\nGame %d\nThe score (after %d games) is: %s %d, %s %d (%s)\n\n",
		g.Number+1, g.Number, o.name(0), g.Score[0], o.name(1), g.Score[1], what)
	if g.Comment != "" {
		o.printf("%s\n\n", clean(g.Comment))
	}
	n := 0
	for t := range o.m.Turns(g) {
		if t.Action.Kind != record.SetUp {
			n++
		}
		o.turn(n, &t)
	}
	switch r := g.Result; {
	case !r.Finished():
		o.printf("The game is unfinished.\n")
	default:
		how := ""
		if g.GivenUp() {
			how = o.name(1-r.Winner) + " resigns. "
		}
		o.printf("%s%s wins %s.\n", how, o.name(r.Winner), figure.Count(r.Points, "point"))
	}
}

func (o *writer) turn(n int, t *record.Turn) {
	a := t.Action
	who := o.name(t.Player)
	if a.Kind == record.SetUp {
		o.printf("The position is edited.\n")
		o.comment(a)
		return
	}
	asks := "on roll"
	switch a.Kind {
	case record.Move, record.Roll:
		asks = fmt.Sprintf("to play %d%d", a.Dice.A, a.Dice.B)
	case record.Take, record.Drop:
		asks = "to answer the double"
	}
	o.printf("Move number %d:  %s %s\n\n", n, who, asks)
	o.board(t)
	switch a.Kind {
	case record.Roll:
		o.printf("* %s rolls %d%d\n", who, a.Dice.A, a.Dice.B)
	case record.Move:
		switch play := board.FormatSteps(t.Position, a.Steps); {
		case a.Raw != "":
			o.printf("* %s plays %q\n", who, clean(a.Raw))
		case play == "":
			o.printf("* %s cannot move\n", who)
		default:
			o.printf("* %s moves %s\n", who, play)
		}
	default:
		o.printf("* %s %s\n", who, cubeWords[a.Kind])
	}
	if a.Illegal {
		o.printf("  (illegal: %s)\n", cmp.Or(t.Problem, "no play of these dice"))
	}
	o.marks(a)
	o.analysis(t)
	o.comment(a)
	o.printf("\n")
}

var cubeWords = map[record.Kind]string{record.Double: "doubles", record.Take: "accepts", record.Drop: "rejects"}

func (o *writer) comment(a *record.Action) {
	if a.Comment != "" {
		o.printf("\n%s\n", clean(a.Comment))
	}
}

// board draws the position with player 0 above and player 1 below, whoever acts.
func (o *writer) board(t *record.Turn) {
	s := t.State
	cube := fmt.Sprintf("(Cube: %d)", s.Cube)
	names := [2]string{"O: " + o.name(0), "X: " + o.name(1)}
	middle := ""
	switch s.Owner {
	case match.Mine:
		names[t.Player] += " " + cube
	case match.Theirs:
		names[1-t.Player] += " " + cube
	default:
		middle = cube
	}
	if s.Length > 0 {
		middle = strings.TrimSpace(fmt.Sprintf("%d points match %s", s.Length, middle))
	}
	where := match.Situation{Position: t.Position, State: s, Doubled: t.Pending > 0}
	if t.Action.Kind == record.Move || t.Action.Kind == record.Roll {
		where.Dice, where.Doubled = t.Action.Dice, false
	}
	if where.Doubled {
		// IDs are written for the player who doubled.
		where.Position, where.State = t.Position.Swap(), s.Swap()
	}
	o.printf(" Position ID: %s\n", where.Position.ID())
	if s.Cube <= match.MaxCube && s.Length <= match.MaxLength && max(s.Score[0], s.Score[1]) <= match.MaxPoints {
		o.printf(" Match ID   : %s\n", where.MatchID())
	}
	var points [2]string
	for i := range points {
		n := s.Score[i]
		points[i^t.Player] = figure.Count(n, "point")
	}
	notes := [board.DrawLines]string{0: names[0], 1: points[0], 6: middle, 11: points[1], 12: names[1]}
	if t.Action.Dice.Valid() {
		notes[2+8*t.Player] = fmt.Sprintf("Rolled %d%d", t.Action.Dice.A, t.Action.Dice.B)
	}
	rules := o.m.Rules.Board()
	lines, pips := rules.Draw(t.Position, notes[:]...), [2]int{t.Position.Opp.Pips(), t.Position.Me.Pips()}
	if t.Player == 0 {
		lines = rules.DrawAbove(t.Position, notes[:]...)
		pips[0], pips[1] = pips[1], pips[0]
	}
	for _, line := range lines {
		o.printf("%s\n", line)
	}
	o.printf("Pip counts: O %d, X %d\n\n", pips[0], pips[1])
}

func (o *writer) marks(a *record.Action) {
	words := map[record.Mark]string{record.Doubtful: "doubtful", record.Bad: "bad", record.VeryBad: "very bad"}
	if w := words[a.Marks.Action]; w != "" {
		o.printf("Alert: %s %s\n", w, map[bool]string{true: "move", false: a.Kind.String()}[a.Kind == record.Move])
	}
	if w := words[a.Marks.NoDouble]; w != "" {
		o.printf("Alert: %s not to double\n", w)
	}
	if l := a.Marks.Luck; l != 0 {
		o.printf("Alert: %s roll\n", map[int8]string{2: "very lucky", 1: "lucky", -1: "unlucky", -2: "very unlucky"}[max(-2, min(l, 2))])
	}
}

func (o *writer) analysis(t *record.Turn) {
	an := t.Action.Analysis
	if an == nil {
		return
	}
	if c := an.Cube; c != nil {
		unit := "equities"
		if o.m.Length > 0 {
			unit = "match winning chances"
		}
		o.printf("\nCube analysis (%s, cubeful %s)\n", how(&c.Settings, c.Rollout), unit)
		o.printf("  no double    %s  %s\n", chances(&c.NoDouble), figure.Text("%+.4f", c.NoDouble.Cubeful))
		o.printf("  double, take %s  %s\n", chances(&c.DoubleTake), figure.Text("%+.4f", c.DoubleTake.Cubeful))
	}
	if an.Luck != nil {
		o.printf("\nLuck of the roll: %s\n", figure.Text("%+.3f", *an.Luck))
	}
	if len(an.Candidates) == 0 {
		return
	}
	o.printf("\n")
	best := an.Candidates[0].Outcome.Cubeful
	for i := range an.Candidates {
		if i >= maxCandidates && i != an.Played {
			continue
		}
		c := &an.Candidates[i]
		mark := " "
		if i == an.Played {
			mark = "*"
		}
		diff := ""
		if i > 0 {
			diff = figure.Text(" (%+.3f)", c.Outcome.Cubeful-best)
		}
		rank := "  ??"
		if n := an.Place(i); n > 0 {
			rank = fmt.Sprintf("%4d.", n)
		}
		o.printf("%s%-5s %-16s %-28s Eq.: %s%s\n", mark, rank, how(&c.Settings, c.Rollout),
			board.FormatSteps(t.Position, c.Steps), figure.Text("%+.3f", c.Outcome.Cubeful), diff)
		o.printf("       %s\n", chances(&c.Outcome))
	}
}

func how(s *record.Settings, r *record.Rollout) string {
	switch {
	case r != nil:
		return fmt.Sprintf("Rollout %d", r.Trials)
	case s.Cubeful:
		return fmt.Sprintf("Cubeful %d-ply", s.Plies)
	}
	return fmt.Sprintf("Cubeless %d-ply", s.Plies)
}

func chances(x *record.Outcome) string {
	p := x.Probs
	return fmt.Sprintf("%.3f %.3f %.3f - %.3f %.3f %.3f", p[0], p[1], p[2], 1-p[0], p[3], p[4])
}
