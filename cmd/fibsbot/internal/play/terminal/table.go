package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
)

// ErrSave: the match could not be kept, so that going on might lose it.
var ErrSave = errors.New("the match cannot be saved")

// Table is a match with all that a display needs beside it. Its methods are called
// by one goroutine at a time, but for Think, Weigh and Review, which may run beside
// the others.
type Table struct {
	Match  *play.Match
	Engine *engine.Engine
	// Store keeps the match; nil keeps nothing.
	Store *play.Store
	// Judge gives hints, warns and reviews.
	Judge preset.Preset
	// Tutor is the loss in EMG from which the tutor speaks before it is too late, 0 for
	// never.
	Tutor float64
	// Pause is how long an act of the opponent is shown on a screen.
	Pause time.Duration
}

// Think lets the opponent do one thing; done is false when it is the person's turn and
// there is something to decide: who cannot move passes. The match is saved after each.
func (t *Table) Think(ctx context.Context) (done bool, err error) {
	if v := t.Match.View(); v.Phase == play.ToMove && v.Turn == play.You && len(legalPlays(&v)) == 0 {
		return true, t.Do(play.Act{Kind: play.Move})
	}
	done, err = t.Match.Think(ctx, t.Engine)
	if errors.Is(err, play.ErrStale) {
		return true, nil
	}
	if err != nil || !done {
		return done, err
	}
	return true, t.save()
}

// Do carries out an act of the person and saves the match.
func (t *Table) Do(a play.Act) error {
	if err := t.Match.Do(a, -1); err != nil {
		return err
	}
	return t.save()
}

// Undo takes the last decision back.
func (t *Table) Undo() error {
	if err := t.Match.Undo(-1); err != nil {
		return err
	}
	return t.save()
}

func (t *Table) save() error {
	if t.Store == nil || t.Match.View().Phase == play.MatchOver {
		return nil
	}
	if err := t.Store.Save(t.Match); err != nil {
		return fmt.Errorf("%w: %w", ErrSave, err)
	}
	return nil
}

// Weigh asks the tutor about an act: what he says, "" when he has nothing against it.
func (t *Table) Weigh(ctx context.Context, a play.Act) (play.Cost, bool) {
	if t.Tutor <= 0 {
		return play.Cost{}, false
	}
	j, err := t.Match.Cost(ctx, t.Engine, a, t.Judge)
	return j, err == nil && j.Loss >= t.Tutor
}

// Hint says in lines what the engine thinks of the person's decision.
func (t *Table) Hint(ctx context.Context) ([]string, error) {
	h, err := t.Match.Hint(ctx, t.Engine, t.Judge)
	if err != nil {
		return nil, err
	}
	var out []string
	switch {
	case h.Accept != nil && *h.Accept:
		out = append(out, "Accept the resignation.")
	case h.Accept != nil:
		out = append(out, "Reject the resignation: playing on is worth more.")
	case h.Cube != nil:
		for line := range strings.SplitSeq(strings.TrimRight(advice.DescribeCube(*h.Cube, h.Situation.State), "\n"), "\n") {
			out = append(out, line)
		}
		if h.Answer {
			out = append(out, map[play.Kind]string{play.Take: "Take.", play.Drop: "Drop.", play.Beaver: "Beaver.", play.Raccoon: "Raccoon."}[h.Best()])
		}
		if h.Resign > 0 {
			out = append(out, "The game is lost: "+[]string{"", "resign", "resign a gammon", "resign a backgammon"}[h.Resign]+" loses nothing.")
		}
	}
	for i, c := range h.Plays {
		if i == 5 {
			break
		}
		// The equity of the best play, and by how much the others are worse.
		value := c.Equity
		if i > 0 {
			value -= h.Plays[0].Equity
		}
		out = append(out, fmt.Sprintf("%d. %-16s %s", i+1, board.FormatPlay(h.Situation.Position, c.Play), figure.Text("%+.3f", value)))
	}
	if len(out) == 0 {
		out = append(out, "Roll: there is nothing else to decide.")
	}
	return out, nil
}

// MayEnd says why money play cannot be ended now: between two games it can. A match ends
// by its score.
func MayEnd(v *play.View) error {
	switch {
	case v.Length > 0:
		return errors.New("end is for money play: a match is over when somebody has its points; quit leaves it, resign gives a game up")
	case v.Phase != play.GameOver:
		return errors.New("money play ends between two games: play this one out or resign it")
	}
	return nil
}

// Ended is how money play has ended.
func Ended(v *play.View) string {
	return fmt.Sprintf("Money play is over: you %d, %s %d.", v.Score[play.You], v.Names[play.Opponent], v.Score[play.Opponent])
}

// Filed is what became of a match that is over.
type Filed struct {
	// Identity under which the archive has it, "" without one.
	Identity string
	// Review is the analysis in lines.
	Review []string
}

// File puts the finished match into the archive and reviews it.
func (t *Table) File(ctx context.Context) (f Filed, err error) {
	rec := t.Match.Record()
	a := analyse.New(t.Engine.RolloutOptions(), t.Judge)
	s, aerr := a.Analyse(ctx, rec)
	if aerr == nil {
		f.Review = review(rec, s)
	}
	if t.Store != nil {
		if f.Identity, err = t.Store.Finish(context.WithoutCancel(ctx), t.Match); err != nil {
			return f, fmt.Errorf("file the match: %w", err)
		}
	}
	return f, aerr
}

// review is a match in a few lines: how well both played and the worst errors of the
// person.
func review(m *record.Match, s *analyse.Summary) []string {
	var out []string
	// As wide as there is room beside the board in 80 columns.
	const cells = "%-12s%7s%8s"
	foe := []rune(m.Players[play.Opponent].Name)
	if len(foe) > 7 {
		foe = append(foe[:6], '…')
	}
	out = append(out, fmt.Sprintf(cells, "", "you", string(foe)))
	row := func(name, format string, known func(*analyse.Sums) bool, f func(*analyse.Sums) float64) {
		cell := func(side int) string {
			if !known(&s.Players[side]) {
				return "-"
			}
			return figure.Text(format, f(&s.Players[side]))
		}
		out = append(out, fmt.Sprintf(cells, name, cell(play.You), cell(play.Opponent)))
	}
	row("error rate", "%.1f", func(x *analyse.Sums) bool { return x.Judged() > 0 }, func(x *analyse.Sums) float64 { return 1000 * x.Rates().PerDecision })
	row("checker play", "%.3f", (*analyse.Sums).PlaysKnown, func(x *analyse.Sums) float64 { return x.PlayError.EMG })
	row("cube", "%.3f", (*analyse.Sums).CubeKnown, func(x *analyse.Sums) float64 { return x.CubeError().EMG })
	row("luck", "%+.3f", (*analyse.Sums).LuckKnown, func(x *analyse.Sums) float64 { return x.Luck.EMG })
	type slip struct {
		game int
		loss float64
		text string
	}
	var worst []slip
	for _, g := range s.Games {
		for _, d := range g.Decisions {
			if d.Turn.Player != play.You {
				continue
			}
			loss := max(d.Loss, d.CubeLoss)
			if loss >= analyse.DefaultLimits.Doubtful {
				worst = append(worst, slip{g.Number + 1, loss, slipText(&d)})
			}
		}
	}
	slices.SortStableFunc(worst, func(a, b slip) int { return cmp.Compare(b.loss, a.loss) })
	if len(worst) > 0 {
		out = append(out, "", "Your costliest decisions:")
	}
	for i, w := range worst {
		if i == 5 {
			out = append(out, fmt.Sprintf("  and %d more", len(worst)-i))
			break
		}
		out = append(out, fmt.Sprintf("-%.3f game %d, %s", w.loss, w.game, w.text))
	}
	return out
}

// slipText is a decision and what would have been right.
func slipText(d *analyse.Judged) string {
	a := d.Turn.Action
	if d.CubeLoss >= d.Loss && a.Kind == record.Move {
		return "no double"
	}
	switch a.Kind {
	case record.Double, record.Take, record.Drop:
		return a.Kind.String()
	}
	text := fmt.Sprintf("%d%d: %s", a.Dice.A, a.Dice.B, board.FormatPlay(d.Turn.Position, d.Turn.Play))
	if an := a.Analysis; an != nil && len(an.Candidates) > 0 {
		best := board.Play{N: uint8(min(len(an.Candidates[0].Steps), 4))}
		copy(best.Steps[:], an.Candidates[0].Steps)
		text += ", best " + board.FormatPlay(d.Turn.Position, best)
	}
	return text
}

// Describe names a match for somebody who is to go on with it: length, score, what is
// played, against whom, since when.
func Describe(v *play.View) string {
	kind := "money game"
	if v.Length > 0 {
		kind = fmt.Sprintf("%d-point match, %d-%d,", v.Length, v.Score[play.You], v.Score[play.Opponent])
	}
	if g := game(v); g != "" {
		kind += " of " + g
	}
	return fmt.Sprintf("%s against %s of %s", kind, v.Names[play.Opponent], v.Created.Local().Format("2 January 15:04"))
}

// game is what is played, "" for backgammon.
func game(v *play.View) string {
	name := map[record.Variation]string{
		record.Nackgammon: "nackgammon", record.Longgammon: "longgammon", record.Hypergammon: "hypergammon",
		"Hypergammon2": "hypergammon (2 checkers)", "Hypergammon1": "hypergammon (1 checker)",
	}[v.Variation]
	switch {
	case !v.Egyptian:
		return name
	case name == "":
		return "backgammon (Egyptian rule)"
	}
	return name + " (Egyptian rule)"
}

// Say is one act in words, as both displays tell it.
func Say(v *play.View, e play.Entry) string {
	who := v.Names[e.Side]
	verb := func(you, other string) string {
		if e.Side == play.You {
			return "You " + you
		}
		return who + " " + other
	}
	switch e.Kind {
	case play.Start:
		return fmt.Sprintf("%s the opening roll, %d-%d", verb("win", "wins"), e.Dice[0], e.Dice[1])
	case play.Tie:
		text := fmt.Sprintf("Both throw %d", e.Dice[0])
		if e.Cube > 1 {
			text += fmt.Sprintf(", the cube is at %d", e.Cube)
		}
		return text
	case play.Roll:
		if e.Dice == [2]uint8{} { // thrown by hand, and told then
			return ""
		}
		return fmt.Sprintf("%s %d-%d", verb("roll", "rolls"), e.Dice[0], e.Dice[1])
	case play.Move:
		if e.Play == "" {
			return verb("cannot move", "cannot move")
		}
		return verb("play", "plays") + " " + e.Play
	case play.Double:
		return fmt.Sprintf("%s to %d", verb("double", "doubles"), e.Cube)
	case play.Beaver:
		return fmt.Sprintf("%s to %d", verb("beaver", "beavers"), e.Cube)
	case play.Raccoon:
		return fmt.Sprintf("%s to %d", verb("raccoon", "raccoons"), e.Cube)
	case play.Take:
		return verb("take", "takes")
	case play.Drop:
		return verb("drop", "drops")
	case play.Resign:
		return verb("offer to resign ", "offers to resign ") + []string{"", "the game", "a gammon", "a backgammon"}[min(max(e.Level, 0), 3)]
	case play.Accept:
		return verb("accept", "accepts")
	case play.Reject:
		return verb("play on", "plays on")
	}
	return ""
}

// Outcome is how a game or match has ended.
func Outcome(v *play.View) string {
	r := v.Result
	if r == nil {
		return ""
	}
	what := []string{"", "a single game", "a gammon", "a backgammon"}[min(max(r.Level, 0), 3)]
	who, verb := v.Names[r.Winner], "wins"
	if r.Winner == play.You {
		who, verb = "You", "win"
	}
	text := fmt.Sprintf("%s %s %s, %s.", who, verb, what, points(r.Points))
	if v.Phase == play.MatchOver {
		mine, theirs := v.Score[play.You], v.Score[play.Opponent]
		text += fmt.Sprintf(" The match is over: you %d, %s %d.", mine, v.Names[play.Opponent], theirs)
	}
	return text
}

func points(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}

// Prompt says what the match waits for.
func Prompt(v *play.View) string {
	switch v.Phase {
	case play.ToRoll:
		if v.MayDouble {
			return "roll or double"
		}
		return "roll"
	case play.ToThrow:
		switch {
		case v.Opening:
			return fmt.Sprintf("opening roll: your die and that of %s, as 31", v.Names[play.Opponent])
		case v.Turn == play.You:
			return "your dice, as 31"
		}
		return fmt.Sprintf("dice of %s, as 31", v.Names[play.Opponent])
	case play.ToMove:
		return fmt.Sprintf("play %d-%d", v.Dice[0], v.Dice[1])
	case play.ToAnswer:
		did, may := map[int]string{2: "doubles", 4: "beavers", 8: "raccoons"}[v.Offered/v.Cube], "take or drop"
		if v.MayBeaver {
			may = "take, drop or beaver"
		} else if v.MayRaccoon {
			may = "take, drop or raccoon"
		}
		return fmt.Sprintf("%s %s to %d: %s", v.Names[play.Opponent], did, v.Offered, may)
	case play.ToAnswerResign:
		return fmt.Sprintf("%s offers to resign %s: accept or reject", v.Names[play.Opponent],
			[]string{"", "the game", "a gammon", "a backgammon"}[min(max(v.Resign, 0), 3)])
	case play.GameOver:
		if v.Length == 0 {
			return "next game or end"
		}
		return "next game"
	}
	return "over"
}

// legalPlays is the plays of a view in words, in the order of the tree.
func legalPlays(v *play.View) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range v.Moves {
		if n.End && n.Play != "" && !seen[n.Play] {
			seen[n.Play] = true
			out = append(out, n.Play)
		}
	}
	return out
}

// UsualPause lets people see what the opponent does.
const UsualPause = 700 * time.Millisecond
