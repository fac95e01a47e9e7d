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

// ErrSave means that the match could not be saved, so playing on might lose it.
var ErrSave = errors.New("the match cannot be saved")

// Table is a match with what a display needs. One goroutine at a time calls its methods;
// Think, Weigh and File may run beside the others.
type Table struct {
	Match  *play.Match
	Engine *engine.Engine
	// Store saves the match; nil saves nothing.
	Store *play.Store
	// Judge gives hints and warns.
	Judge preset.Preset
	// Tutor is the loss in EMG from which the tutor warns of Warned acts, 0 for never.
	Tutor  float64
	Warned Warned
	// Auto names what is done automatically.
	Auto Auto
	// Analysis is archive.analyse of the configuration: "off" leaves finished matches
	// without an analysis.
	Analysis string
	// Filed is the state of a match that is over.
	Filed Filed
	// Pause is how long a screen shows an act of the opponent.
	Pause time.Duration

	hands int           // decisions that the engine still makes for the person
	hint  []advice.Play // the plays of the last hint
	asked int           // version of the match at the last hint
}

// Warned is what the tutor looks at.
type Warned string

// What a tutor may look at.
const (
	warnAll   Warned = ""
	warnPlays Warned = "plays"
	warnCube  Warned = "cube"
)

// Auto is what is done without asking.
type Auto struct {
	Forced  bool // the only legal play
	Bearoff bool // the one play that takes the most checkers off in a race
	Roll    bool // a roll when the cube cannot be turned
	Next    bool // the next game of a match
}

// AutoNames are the names of Auto's fields for flags.
var AutoNames = []string{"forced", "bearoff", "roll", "next"}

// Set turns on what a name means; unknown names change nothing and return false.
func (a *Auto) Set(name string) bool {
	to := map[string]*bool{"forced": &a.Forced, "bearoff": &a.Bearoff, "roll": &a.Roll, "next": &a.Next}[name]
	if to != nil {
		*to = true
	}
	return to != nil
}

// automatic is the act that needs no decision, such as a roll that cannot be moved.
func (t *Table) automatic(v *Faced) (a play.Act, ok bool) {
	switch {
	case v.Phase == play.ToMove && v.Turn == play.You && len(LegalPlays(v)) == 0:
		return play.Act{Kind: play.Move}, true
	case v.Phase == play.ToMove && v.Turn == play.You && v.Easy != nil && (v.Easy.Why == "forced" && t.Auto.Forced || v.Easy.Why == "bearoff" && t.Auto.Bearoff):
		return play.Act{Kind: play.Move, Play: v.Easy.Play}, true
	case v.Phase == play.ToRoll && v.Turn == play.You && t.Auto.Roll && !v.MayDouble && !v.ByHand:
		return play.Act{Kind: play.Roll}, true
	case v.Phase == play.GameOver && t.Auto.Next && v.MayNext && v.Length > 0 && !v.Posed:
		return play.Act{Kind: play.Next}, true
	}
	return a, false
}

// SetTutor carries out a command of the tutor: on, off, plays or cube.
func (t *Table) SetTutor(word string) string {
	if word == "off" {
		t.Tutor = 0
		return "The tutor is off."
	}
	if t.Tutor <= 0 {
		t.Tutor = play.DefaultTutor
	}
	t.Warned = map[string]Warned{"on": warnAll, "plays": warnPlays, "cube": warnCube}[word]
	of := map[Warned]string{warnAll: "decisions", warnPlays: "plays", warnCube: "cube actions"}[t.Warned]
	return fmt.Sprintf("The tutor warns of %s that lose %.3f or more.", of, t.Tutor)
}

// carryOut carries out a command that needs no answer of the engine. note is what to tell the
// person instead of going on with the match.
func (t *Table) carryOut(c Command) (note string) {
	var err error
	switch c.Verb {
	case Tutor:
		return t.SetTutor(c.Word)
	case Hands:
		t.hands = c.N
	case Fix:
		err = t.Fix(c.Act.Play, c.Act.Dice)
	case Undo:
		err = t.Undo()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Nth returns the play of rank n, from 1, of the hint. It asks for a hint first if necessary.
func (t *Table) Nth(ctx context.Context, n int) (play.Act, error) {
	if t.asked != t.Match.View().Version || t.hint == nil {
		if _, err := t.Hint(ctx, 0); err != nil {
			return play.Act{}, err
		}
	}
	if len(t.hint) == 0 {
		return play.Act{}, errors.New("=N plays the N-th hint (there is no roll to play)")
	}
	if n < 1 || n > len(t.hint) {
		return play.Act{}, fmt.Errorf("=%d: there are %d plays", n, len(t.hint))
	}
	return play.Act{Kind: play.Move, Play: t.hint[n-1].Move}, nil
}

// Fix corrects the last play of two people: its play, and its dice if d is not zero.
func (t *Table) Fix(text string, d [2]uint8) error {
	acts := t.Match.View().Acts
	for i := len(acts) - 1; i >= 0; i-- {
		if acts[i].Kind == play.Move {
			if err := t.Match.Correct(play.Correction{Act: acts[i].Number, Play: &text, Dice: d}, -1); err != nil {
				return err
			}
			return t.save()
		}
	}
	return errors.New("fix: no play of this game to correct")
}

// Think carries out one act of the opponent, or passes for a person who cannot move; done
// is false when the person has something to decide. It saves the match.
func (t *Table) Think(ctx context.Context) (done bool, err error) {
	v := t.View()
	if a, ok := t.automatic(&v); ok {
		return true, t.Do(a)
	}
	side := play.Opponent
	if v.Turn == play.You && t.hands > 0 && v.Result == nil {
		side = play.You
		t.hands--
	}
	done, err = t.Match.ThinkFor(ctx, t.Engine, side)
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
	if t.Store == nil || t.View().Phase == play.MatchOver {
		return nil
	}
	if err := t.Store.Save(t.Match); err != nil {
		return fmt.Errorf("%w: %w", ErrSave, err)
	}
	return nil
}

// Weigh asks the tutor about an act; it reports whether the loss is one to warn of.
func (t *Table) Weigh(ctx context.Context, a play.Act) (play.Cost, bool) {
	plays := a.Kind == play.Move
	if t.Tutor <= 0 || t.Warned == warnPlays && !plays || t.Warned == warnCube && plays {
		return play.Cost{}, false
	}
	j, err := t.Match.Cost(ctx, t.Engine, a, t.Judge)
	return j, err == nil && j.Loss >= t.Tutor
}

// Hint returns the engine's view of the person's decision in lines of at most width, 0 for
// any.
func (t *Table) Hint(ctx context.Context, width int) ([]string, error) {
	t.hint, t.asked = nil, t.Match.View().Version
	h, err := t.Match.Hint(ctx, t.Engine, t.Judge)
	if err != nil {
		return nil, err
	}
	var out []string
	switch {
	case h.Accept != nil && *h.Accept:
		out = append(out, "Accept the resignation.")
	case h.Accept != nil:
		out = append(out, "Reject the resignation: playing on is better.")
	case h.Cube != nil:
		for line := range strings.SplitSeq(strings.TrimRight(advice.DescribeCube(*h.Cube, h.Situation.State), "\n"), "\n") {
			out = append(out, line)
		}
		if h.Answer {
			out = append(out, map[play.Kind]string{play.Take: "Take.", play.Drop: "Pass.", play.Beaver: "Beaver.", play.Raccoon: "Raccoon."}[h.Best()])
		}
		if h.Resign > 0 {
			out = append(out, "The game is lost: "+[]string{"", "resign", "resign a gammon", "resign a backgammon"}[h.Resign]+" loses nothing.")
		}
	}
	if len(h.Plays) > 0 {
		o := t.Match.Options()
		t.hint = advice.PlaysOf(o.Variation.Board(o.Egyptian), h.Situation, h.Plays).Moves
		out = append(out, ranked(t.hint, width)...)
	}
	if len(out) == 0 {
		out = append(out, "Roll: you cannot double.")
	}
	return out, nil
}

// mayEnd returns why money play cannot be ended now, or nil between two games. A match ends
// by its score.
func mayEnd(v *Faced) error {
	switch {
	case v.Posed && v.Phase == play.GameOver:
		return nil
	case v.Length > 0:
		return errors.New("end is for money play (quit leaves a match, resign ends its game)")
	case v.Phase != play.GameOver:
		return errors.New("money play ends between two games (play this one out or resign it)")
	}
	return nil
}

// Ended is the line about the end of money play.
func Ended(v *Faced) string {
	if v.Posed {
		return "The games from this position are over. " + tally(v)
	}
	return fmt.Sprintf("Money play is over: %s %d, %s %d.", you(v), v.Score[play.You], v.Names[play.Opponent], v.Score[play.Opponent])
}

// Filed is a match in the archive.
type Filed struct {
	// Identity names it, "" if the match is not archived.
	Identity string
	// PR is one line with the performance ratings of both, "" before the analysis has ended.
	PR string
	// Review is the analysis in lines.
	Review []string
}

// File archives the finished match and then analyses it. progress may be nil. When ctx ends,
// File returns nil and leaves the rest of the analysis for later.
func (t *Table) File(ctx context.Context, progress func(done, total int)) error {
	if t.Store == nil {
		return nil
	}
	var err error
	if t.Filed.Identity, err = t.Store.Finish(context.WithoutCancel(ctx), t.Match); err != nil {
		return fmt.Errorf("archive the match: %w", err)
	}
	return t.Filed.Analyse(ctx, t.Store, t.Engine, t.Analysis, t.Match.Options().Name, progress)
}

// Analyse analyses the match, in which name is the person, and sets PR and Review. setting and
// progress are those of [play.Store.Analyse].
func (f *Filed) Analyse(ctx context.Context, store *play.Store, e *engine.Engine, setting, name string, progress func(done, total int)) error {
	m, err := store.Analyse(ctx, e, f.Identity, setting, progress)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil || m == nil:
		return err
	}
	s := analyse.Summarise(m, e.Table(), analyse.DefaultLimits)
	you := slices.IndexFunc(m.Players[:], func(p record.Player) bool { return p.Name == name })
	if you < 0 {
		you = play.You
	}
	f.PR = fmt.Sprintf("PR: you %s, %s %s.", pr(&s.Players[you]), m.Players[1-you].Name, pr(&s.Players[1-you]))
	f.Review = review(m, s, you)
	return nil
}

// pr is a performance rating in text, n/a if no decision counts.
func pr(s *analyse.Sums) string {
	if !s.Known() {
		return "n/a"
	}
	return figure.Text("%.1f", s.PR())
}

// review is an analysed match in a few lines: figures of both players and the costliest
// errors of the person, who is player you.
func review(m *record.Match, s *analyse.Summary, you int) []string {
	var out []string
	// As wide as there is room beside the board in 80 columns.
	const cells = "%-12s%7s%8s"
	foe := []rune(m.Players[1-you].Name)
	if len(foe) > 7 {
		foe = append(foe[:6], '…')
	}
	out = append(out, fmt.Sprintf(cells, "", "you", string(foe)))
	row := func(name, format string, known func(*analyse.Sums) bool, f func(*analyse.Sums) float64) {
		cell := func(side int) string {
			if !known(&s.Players[side]) {
				return "n/a"
			}
			return figure.Text(format, f(&s.Players[side]))
		}
		out = append(out, fmt.Sprintf(cells, name, cell(you), cell(1-you)))
	}
	row("PR", "%.1f", (*analyse.Sums).Known, (*analyse.Sums).PR)
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
			if d.Turn.Player != you {
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

// slipText describes a wrong decision and the best one.
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

// Describe names an unfinished match: length, score, game, opponent, start.
func Describe(v *play.View) string {
	kind := "money game"
	if v.Length > 0 {
		kind = fmt.Sprintf("%d-point match, %d-%d,", v.Length, v.Score[play.You], v.Score[play.Opponent])
	}
	if g := game(&Faced{View: *v}); g != "" {
		kind += " of " + g
	}
	return fmt.Sprintf("%s against %s of %s", kind, v.Names[play.Opponent], v.Created.Local().Format("2 January 15:04"))
}

// game names the game, "" for backgammon.
func game(v *Faced) string {
	if !v.Egyptian && v.Variation == record.Backgammon {
		return ""
	}
	g, _ := v.Variation.Info()
	if v.Egyptian {
		return g.Title + " (Egyptian rule)"
	}
	return g.Title
}

// LegalPlays is the plays of a view in words, in the order of the tree.
func LegalPlays(v *Faced) []string {
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

// you is the person in a sentence.
func you(v *Faced) string {
	if v.Two {
		return v.Names[play.You]
	}
	return "you"
}

// tally is the count of the games from a position.
func tally(v *Faced) string {
	t := v.Tally
	if t.Games == 0 {
		return "No game from this position is finished."
	}
	net := t.Points[play.You] - t.Points[play.Opponent]
	return fmt.Sprintf("From this position: %s %d, %s %d of %d; %s points a game.", you(v), t.Won[play.You], v.Names[play.Opponent], t.Won[play.Opponent], t.Games,
		figure.Text("%+.2f", float64(net)/float64(t.Games)))
}
