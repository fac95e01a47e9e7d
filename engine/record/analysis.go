package record

import (
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Mark is a judgement of a play or cube action.
type Mark uint8

// Marks are the judgements shown beside an action.
type Marks struct {
	// Action judges the play of a Move, or the Double, Take or Drop itself.
	Action Mark
	// NoDouble judges, on a Move, not having doubled before the roll.
	NoDouble Mark
	// Luck is -2 very unlucky to +2 very lucky, for the player who rolled.
	Luck int8
}

// Analysis is what an analysis found about one action.
type Analysis struct {
	// Cube is the doubling decision before the roll of a Move, or the double
	// that is made, taken or dropped; always seen by the player who doubles or
	// might double. Nil when not analysed.
	Cube *CubeAnalysis `json:",omitzero"`
	// Candidates are the plays considered, best first; Played is the index of
	// the play made, -1 when it is not among them.
	Candidates []Candidate `json:",omitzero"`
	Played     int
	// Rank is the place of the play made among all legal plays, from 1, where the list ends
	// before it; 0 where the list has it in its place, UnknownRank where the file does not say.
	Rank int `json:",omitzero"`
	// RolloutMarks are the candidates marked for a rollout, counted from 0.
	RolloutMarks []int `json:",omitzero"`
	// CubeMarked marks the cube decision for a rollout.
	CubeMarked bool `json:",omitzero"`
	// Luck of the roll as normalised equity, nil when not computed. LuckPlies is the depth at
	// which it was judged, nil where the source does not state it.
	Luck      *float64 `json:",omitzero"`
	LuckPlies *int     `json:",omitzero"`
	// Stated are the errors as the program that analysed stated them, nil without.
	Stated *Stated `json:",omitzero"`
	// Own marks what the player who acts thought while playing: an opinion, which judges
	// nothing.
	Own bool `json:",omitzero"`
	// Resigned is what an analysis found about the resignation right after the action, nil
	// without one.
	Resigned *Resigned `json:",omitzero"`
	// Beside are verdicts that do not count, at most one about plays and one about the cube: the
	// evaluation that a rollout took the place of.
	Beside []Replaced `json:",omitzero"`
}

// Replaced is what one program found about plays or about the cube, as in an Analysis.
type Replaced struct {
	By         string // the program; empty if it is not known
	Candidates []Candidate
	Cube       *CubeAnalysis
}

// rolledOut reports whether the cube, or any play, was rolled out.
func (v *Replaced) rolledOut() bool {
	rolled := func(r *Rollout) bool { return r != nil && r.Trials > 0 }
	return v.Cube != nil && rolled(v.Cube.Rollout) || slices.ContainsFunc(v.Candidates, func(c Candidate) bool { return rolled(c.Rollout) })
}

// verdict is the part of a about the cube, or about plays.
func (a *Analysis) verdict(cube bool) Replaced {
	if cube {
		return Replaced{Cube: a.Cube}
	}
	return Replaced{Candidates: a.Candidates}
}

// beside are the verdicts of Beside about the cube, or about plays.
func (a *Analysis) beside(cube bool) (out []Replaced) {
	for _, v := range a.Beside {
		if (v.Cube != nil) == cube {
			out = append(out, v)
		}
	}
	return out
}

// Replace puts what b found about the cube, or about plays, in the place of a's, with the verdict
// beside it. If b has a rollout, an evaluation of a, by the program by, stays beside it.
func (a *Analysis) Replace(b *Analysis, cube bool, by string) {
	had, now := a.verdict(cube), b.verdict(cube)
	had.By = by
	beside := b.beside(cube)
	if len(beside) == 0 && now.rolledOut() {
		if beside = a.beside(cube); len(beside) == 0 && !a.Own && !had.rolledOut() && (had.Cube != nil || len(had.Candidates) > 0) {
			beside = []Replaced{had}
		}
	}
	a.Beside = append(a.beside(!cube), beside...)
	if cube {
		a.Cube = b.Cube
	} else {
		a.Candidates, a.Played, a.Rank, a.RolloutMarks = b.Candidates, b.Played, b.Rank, b.RolloutMarks
	}
}

// UnknownRank is the Rank of a play below the listed ones whose place is not known.
const UnknownRank = -1

// Place is the place of candidate k among all legal plays, from 1, or UnknownRank.
func (a *Analysis) Place(k int) int {
	if k == a.Played && a.Rank != 0 {
		return a.Rank
	}
	return k + 1
}

// Resigned is a resignation as an analysis saw it: normalised equities (EMG) of the player
// who resigned, PlayOn of playing on with the dice and the double on the table,
// Given of what the resignation left.
type Resigned struct {
	Settings      Settings
	PlayOn, Given float64
}

// Stated are the errors of one action in normalised equity, 0 or more, as another
// program stated them; nil where it stated none. Of a Move: Play is that of the play
// and Double that of not having doubled before the roll. Of a Double: Double; of a
// Take or Drop: Answer.
type Stated struct{ Play, Double, Answer *float64 }

// Settings describe how an evaluation was made.
type Settings struct {
	// Level is the other program's name of the way it evaluated, such as "XG Roller++"
	// or "4-ply"; empty for our own and gnubg's.
	Level         string  `json:"l,omitzero"`
	Plies         int     `json:"n,omitzero"`
	Cubeful       bool    `json:"c,omitzero"`
	Deterministic bool    `json:"d,omitzero"` // meaning noise that depends on the position alone
	Noise         float64 `json:"z,omitzero"`
	Prune         bool    `json:"p,omitzero"` // pruning nets were used
}

// Outcome is an estimate of how a game ends.
type Outcome struct {
	// Probs are win, win gammon or better, win backgammon, lose gammon or
	// worse, lose backgammon.
	Probs [5]float64 `json:"p,omitzero"`
	// Cubeless is the cubeless equity. Cubeful is an equity for money and for
	// candidates; for cube decisions in a match it is match winning chance.
	Cubeless float64 `json:"l,omitzero"`
	Cubeful  float64 `json:"c,omitzero"`
}

// Rollout is what a rollout adds to an outcome.
type Rollout struct {
	Trials int
	// StdErr has the standard errors of the outcomes: of the candidate, or of
	// no double and double/take. That of Cubeful belongs to Output, or to the
	// Cubeful of the cube decision.
	StdErr [2]Outcome `json:",omitzero"`
	// Output is the cubeful result for a candidate as it was summed up: an equity
	// for money, match winning chance in a match. Its Outcome has the equity.
	Output float64 `json:",omitzero"`
	// Settings is the rest of the rollout's description, kept as the file has it.
	Settings string `json:",omitzero"`
}

// Sum sets Output and the standard error of it from an equity, as programs state it that
// do not sum up winning chances in a match; st is the mover's before the play.
func (r *Rollout) Sum(st match.State, equity, stdErr float64) {
	r.Output, r.StdErr[0].Cubeful = equity, stdErr
	if st.Length > 0 {
		t := match.DefaultTable()
		r.Output, r.StdErr[0].Cubeful = t.MWC(st, equity), stdErr*t.MWCPerEMG(st)
	}
}

// Candidate is one play with its value.
type Candidate struct {
	Steps    []board.Step `json:"m,omitzero"`
	Settings Settings     `json:"s,omitzero"`
	// Outcome after the play for the mover. Cubeful is normalised equity (EMG).
	Outcome Outcome `json:"o"`
	// Rollout is nil for an evaluation.
	Rollout *Rollout `json:"r,omitzero"`
	// Score holds the two numbers a rollout ranks by: cubeful and cubeless.
	Score [2]float64 `json:"e,omitzero"`
}

// CubeAnalysis is the value of not doubling and of double/take for the doubler.
type CubeAnalysis struct {
	Settings             Settings
	NoDouble, DoubleTake Outcome
	Rollout              *Rollout `json:",omitzero"`
	// Equities are the normalised equities of no double, double/take and double/pass, if
	// the file states them (XG, BGBlitz). The Cubeful of the outcomes then holds the same,
	// in a match as winning chance.
	Equities *[3]float64 `json:",omitzero"`
}

// Value sets Equities, those of no double, double/take and double/pass for the doubler in st, and
// with them the Cubeful of the outcomes.
func (c *CubeAnalysis) Value(st match.State, equities [3]float64) {
	c.Equities = &equities
	for i, of := range [...]*Outcome{&c.NoDouble, &c.DoubleTake} {
		if of.Cubeful = equities[i]; st.Length > 0 {
			of.Cubeful = match.DefaultTable().MWC(st, equities[i])
		}
	}
}

// SumUp sets the cubeless equity to that of the chances.
func (o *Outcome) SumUp() {
	p := o.Probs
	o.Cubeless = 2*p[0] - 1 + p[1] + p[2] - p[3] - p[4]
}

// Judged returns the analysis of the action, a new one if there is none.
func (a *Action) Judged() *Analysis {
	if a.Analysis == nil {
		a.Analysis = &Analysis{Played: -1}
	}
	return a.Analysis
}

// Errors returns the errors that the program stated, new ones if there are none.
func (a *Analysis) Errors() *Stated {
	if a.Stated == nil {
		a.Stated = &Stated{}
	}
	return a.Stated
}

// Cost is an error in normalised equity and in points (money) or match winning
// chance.
type Cost struct{ EMG, Value float64 }

// Statistics are one player's sums over a game, as match files store them.
type Statistics struct {
	// Moves counts all plays, Unforced those with a choice; PlayVeryBad to PlayUnmarked
	// count plays by their mark; PlayError is their loss, 0 or more.
	Unforced, Moves                                  int
	PlayVeryBad, PlayBad, PlayDoubtful, PlayUnmarked int
	PlayError                                        Cost
	// CubeDecisions counts the times when the player could double or had to answer,
	// Doubles, Takes and Drops what he did; Cube has the mistakes by their kind, from
	// MissedDoubleBelowCash to WrongDrop.
	CubeDecisions, Doubles, Takes, Drops int
	Cube                                 [6]CubeErrors
	// VeryUnlucky to VeryLucky count rolls by their mark; Luck is their sum, above 0 for
	// good luck.
	VeryUnlucky, Unlucky, Ordinary, Lucky, VeryLucky int
	Luck                                             Cost
}

// CubeErrors counts the mistakes of one kind and their cost.
type CubeErrors struct {
	Count int
	Cost  Cost
}

// The marks, from good to worst. Limits are the business of the analysis.
const (
	Unmarked Mark = iota
	Doubtful
	Bad
	VeryBad
)

// The kinds of cube mistake that Statistics.Cube counts, by where the position lies: DP is
// the point from which doubling is right, cash the one from which the double is dropped, TG
// the one from which playing on for the gammon is better.
const (
	MissedDoubleBelowCash = iota
	MissedDoubleAboveCash
	WrongDoubleBelowDP
	WrongDoubleAboveTG
	WrongTake
	WrongDrop
)
