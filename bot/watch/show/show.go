package show

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"fibsbot/bot/watch"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// Printer prints decisions and results to Out, the rest to Log. With JSON each decision is
// one object on a line, and nothing else goes to Out. With Boards the position is drawn above
// each decision.
type Printer struct {
	Out, Log     io.Writer
	JSON, Boards bool
	err          error
}

// Err returns the first error of Out.
func (p *Printer) Err() error { return p.err }

// line prints a line of text, which JSON has no place for.
func (p *Printer) line(format string, args ...any) {
	if !p.JSON {
		_, err := fmt.Fprintf(p.Out, format+"\n", args...)
		p.keep(err)
	}
}

func (p *Printer) note(format string, args ...any) {
	fmt.Fprintf(p.Log, "fibsbot: "+format+"\n", args...)
}

// Report prints r; it is a watch.Options.Report.
func (p *Printer) Report(r watch.Report) {
	switch r.Topic {
	case watch.Watching:
		p.note("watching %s", sanitize.Text(r.Text))
	case watch.Note:
		p.note("%s", sanitize.Text(r.Text))
	case watch.Said:
		p.note("said: %s", sanitize.Text(r.Text))
	case watch.Missed:
		p.note("moves of game %d were not seen; continuing from the next board", r.Game+1)
	case watch.Judged:
		if p.JSON {
			enc := json.NewEncoder(p.Out)
			enc.SetEscapeHTML(false)
			p.keep(enc.Encode(EntryOf(r.Judgement)))
		}
		if p.Boards {
			for _, l := range Board(r.Judgement) {
				p.line("%s", l)
			}
		}
		p.line("%s", Line(r.Judgement))
	case watch.Began:
		text := matchTitle(r.Match)
		if r.Joined {
			text += ", joined in the middle"
		}
		p.line("%s", text)
	case watch.GameEnd:
		p.line("%s", gameEnd(r.Match, r.Game))
		if r.Game < len(r.Summary.Games) {
			for i := range 2 {
				p.line("  %s", totalLine(r.Match.Players[i].Name, &r.Summary.Games[r.Game].Players[i]))
			}
		}
	case watch.MatchEnd, watch.BrokenOff:
		p.matchEnd(&r)
		for _, f := range r.Files {
			p.note("wrote %s", f)
		}
	}
}

func (p *Printer) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

func matchTitle(m *record.Match) string {
	length := "unlimited match"
	if m.Length > 0 {
		length = fmt.Sprintf("%d-point match", m.Length)
	}
	return fmt.Sprintf("%s - %s, %s", m.Players[1].Name, m.Players[0].Name, length)
}

func gameEnd(m *record.Match, game int) string {
	g := &m.Games[game]
	if !g.Result.Finished() {
		return fmt.Sprintf("Game %d: not seen to its end", game+1)
	}
	how := ""
	if g.GivenUp() {
		how = " by resignation"
	}
	score := g.Score
	score[g.Result.Winner] += g.Result.Points
	return fmt.Sprintf("Game %d: %s %d%s; %s %d, %s %d", game+1, record.Does(m.Players[g.Result.Winner].Name, "win"), g.Result.Points, how,
		m.Players[1].Name, score[1], m.Players[0].Name, score[0])
}

func totalLine(name string, s *analyse.Sums) string {
	if s.Judged() == 0 {
		return fmt.Sprintf("%-20s not analysed", name)
	}
	rate, luck := s.Rates().PerDecision, "not known"
	if s.LuckKnown() {
		luck = figure.Text("%+.3f", s.Luck.EMG)
	}
	level := ""
	if !math.IsNaN(s.Graded(rate)) {
		level = " (" + strings.ToLower(rating.Word(rate)) + ")"
	}
	return fmt.Sprintf("%-20s lost %.3f in %d decisions, luck %s, %.1f millipoints a decision%s", name, s.Error().EMG, s.Judged(), luck, 1000*rate, level)
}

func (p *Printer) matchEnd(r *watch.Report) {
	score := r.Match.FinalScore()
	end := "Match"
	if r.Topic == watch.BrokenOff {
		end = "Not seen to its end"
	}
	p.line("%s: %s %d, %s %d", end, r.Match.Players[1].Name, score[1], r.Match.Players[0].Name, score[0])
	for i := range 2 {
		p.line("  %s", totalLine(r.Match.Players[i].Name, &r.Summary.Players[i]))
	}
}

// Line returns a decision on one line: player, dice, play, rank, loss, best play, luck, IDs.
func Line(v *watch.Judgement) string {
	dice, rank, opinion, luck := "--", "", "", ""
	if v.Situation.Dice.Valid() && v.Kind == watch.Move {
		d := v.Situation.Dice.Sorted()
		dice = fmt.Sprintf("%d%d", d.A, d.B)
	}
	if v.Rank > 0 {
		rank = fmt.Sprintf("%d/%d", v.Rank, v.Plays)
	}
	switch {
	case v.Err != nil:
		opinion = "not analysed: " + v.Err.Error()
	case v.Forced() || v.Analysis == nil && v.Mark == record.Unmarked && v.Loss == 0 && v.Best == "":
	case v.Loss > 0:
		opinion = fmt.Sprintf("-%.3f%s best %s", v.Loss, markSign(v.Mark), v.Best)
	default:
		opinion = "best"
	}
	if v.CubeLoss > 0 {
		opinion += fmt.Sprintf("; not doubling -%.3f%s", v.CubeLoss, markSign(v.CubeMark))
	}
	if v.Luck != nil {
		luck = figure.Text("luck %+.3f", *v.Luck)
	}
	text := fmt.Sprintf("%-12s %s %-24s %-6s %-36s %-11s %s", v.Name(), dice, v.Did, rank, opinion, luck, v.Situation)
	return strings.TrimRight(text, " ")
}

// markSign returns the annotation symbol of a mark.
func markSign(m record.Mark) string {
	return [...]string{"", " ?!", " ?", " ??"}[min(int(m), 3)]
}

// Board draws the position before a decision from the watched player's side.
func Board(v *watch.Judgement) []string {
	m := v.Match()
	s := v.Situation
	// The player whose side the situation has: on roll, or offering to resign.
	view := v.Player
	if s.Doubled || v.Kind == watch.AcceptResign || v.Kind == watch.RejectResign {
		view = 1 - v.Player
	}
	if view == 0 {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	notes := make([]string, board.DrawLines)
	side := func(player, points int, turn bool) string {
		text := fmt.Sprintf("%s  %d", m.Players[player].Name, points)
		if turn {
			text += "  on roll"
			if s.Dice.Valid() {
				text = strings.TrimSuffix(text, "on roll") + fmt.Sprintf("rolled %d%d", s.Dice.A, s.Dice.B)
			}
		}
		return text
	}
	notes[0] = "O: " + side(0, s.State.Score[1], view == 0)
	notes[len(notes)-1] = "X: " + side(1, s.State.Score[0], view == 1)
	cube := fmt.Sprintf("cube %d", s.State.Cube)
	switch {
	case s.Doubled:
		cube = fmt.Sprintf("cube offered at %d", 2*s.State.Cube)
	case s.State.Crawford:
		cube = "Crawford game"
	case s.State.Owner == match.Mine:
		cube += ", " + m.Players[1].Name
	case s.State.Owner == match.Theirs:
		cube += ", " + m.Players[0].Name
	}
	notes[len(notes)/2] = cube
	return m.Rules.Board().Draw(s.Position, notes...)
}

// Entry is one decision as printed by `fibsbot watch --json`. Equities are normalised (EMG),
// from the side of the player who decided.
type Entry struct {
	Players    [2]string `json:"players"` // the watched one second
	Length     int       `json:"length"`  // 0 unlimited
	Game       int       `json:"game"`    // from 1
	Score      [2]int    `json:"score"`   // before the game, in the order of players
	Crawford   bool      `json:"crawford"`
	Player     string    `json:"player"` // who decided
	Kind       string    `json:"kind"`
	PositionID string    `json:"position_id"`
	MatchID    string    `json:"match_id"`
	Dice       []int     `json:"dice,omitempty"`
	Played     string    `json:"played"`
	Best       string    `json:"best,omitempty"`
	Rank       int       `json:"rank,omitempty"`
	Plays      int       `json:"plays,omitempty"`
	Equity     *float64  `json:"equity,omitempty"`
	BestEquity *float64  `json:"best_equity,omitempty"`
	Loss       float64   `json:"loss"`
	Mark       string    `json:"mark,omitempty"`
	CubeLoss   float64   `json:"cube_loss"` // of not doubling before the roll
	CubeMark   string    `json:"cube_mark,omitempty"`
	Why        string    `json:"why,omitempty"` // why best beats what was played, in a sentence
	CubeWhy    string    `json:"cube_why,omitempty"`
	Luck       *float64  `json:"luck,omitempty"`
	Judged     bool      `json:"judged"`
}

// EntryOf returns v as an Entry.
func EntryOf(v *watch.Judgement) Entry {
	m := v.Match()
	g := &m.Games[min(v.Number, len(m.Games))-1]
	d := Entry{
		Players: [2]string{m.Players[0].Name, m.Players[1].Name}, Length: m.Length, Game: v.Number, Score: g.Score,
		Crawford: v.Situation.State.Crawford, Player: v.Name(), Kind: string(v.Kind),
		PositionID: v.Situation.Position.ID(), MatchID: v.Situation.MatchID(), Played: v.Did, Best: v.Best,
		Rank: v.Rank, Loss: sixDigits(v.Loss), Mark: markWord(v.Mark), CubeLoss: sixDigits(v.CubeLoss), CubeMark: markWord(v.CubeMark), Why: v.Why, CubeWhy: v.CubeWhy,
		Judged: v.Err == nil && (v.Analysis != nil || v.Best != ""),
	}
	if dice := v.Situation.Dice.Sorted(); dice.Valid() {
		d.Dice = []int{int(dice.A), int(dice.B)}
	}
	if v.Kind == watch.Move {
		d.Plays = v.Plays
	}
	if v.Rank > 0 {
		e, b := sixDigits(v.Equity), sixDigits(v.BestEquity)
		d.Equity, d.BestEquity = &e, &b
	}
	if v.Luck != nil {
		l := sixDigits(*v.Luck)
		d.Luck = &l
	}
	return d
}

func markWord(m record.Mark) string {
	return [...]string{"", "doubtful", "bad", "very_bad"}[min(int(m), 3)]
}

func sixDigits(x float64) float64 { return math.Round(x*1e6) / 1e6 }
