package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// NoPlayer stands where no player is meant: a centred cube, a game without
// a winner.
const NoPlayer = -1

// Variation is the game played. The zero value is ordinary backgammon.
type Variation string

// Variations with the names that SGF files use.
const (
	Backgammon  Variation = ""
	Nackgammon  Variation = "Nackgammon"
	Hypergammon Variation = "Hypergammon3" // also Hypergammon1 and Hypergammon2
	// Longgammon begins with all checkers on the 24 point. gnubg does not know it.
	Longgammon Variation = "Longgammon"
)

// ParseVariation reads the name of a variation as programs write it, in any case;
// false for one that is not known.
func ParseVariation(name string) (Variation, bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "", "backgammon", "standard":
		return Backgammon, true
	case "nackgammon":
		return Nackgammon, true
	case "hypergammon", "hypergammon3":
		return Hypergammon, true
	case "hypergammon1":
		return "Hypergammon1", true
	case "hypergammon2":
		return "Hypergammon2", true
	case "longgammon":
		return Longgammon, true
	}
	return "", false
}

// Start returns the position that the variation begins with, for either player
// on roll. An unknown variation begins like backgammon.
func (v Variation) Start() board.Position {
	var c board.Checkers
	switch v {
	case Nackgammon:
		c = board.Checkers{5: 4, 7: 3, 12: 4, 22: 2, 23: 2}
	case "Hypergammon1":
		c = board.Checkers{23: 1}
	case "Hypergammon2":
		c = board.Checkers{23: 1, 22: 1}
	case Hypergammon:
		c = board.Checkers{23: 1, 22: 1, 21: 1}
	case Longgammon:
		c = board.Checkers{23: board.MaxCheckers}
	default:
		return board.Start
	}
	return board.Position{Me: c, Opp: c}
}

// Checkers returns how many checkers each side has.
func (v Variation) Checkers() int {
	p := v.Start()
	return p.Me.Count()
}

// Player is one of the two players.
type Player struct {
	Name string
	// Rating is the rating before the match as the file writes it, such as
	// "1500.50"; empty when unknown.
	Rating string
}

// RatingValue returns the leading number of Rating, false when there is none. Some
// sites write a decimal comma, and the experience behind a stroke.
func (p Player) RatingValue() (float64, bool) {
	f := strings.FieldsFunc(p.Rating, func(r rune) bool { return r == ' ' || r == '/' || r == '\t' })
	if len(f) == 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.Replace(f[0], ",", ".", 1), 64)
	return v, err == nil && v >= 0 && v < 1e6
}

// Rules are the rules of the match.
type Rules struct {
	NoCube    bool // nobody may double
	CubeLimit int  // highest value of the cube, 0 without a limit
	Crawford  bool // match play: no cube in the first game at 1-away
	Jacoby    bool // money play: gammons count only after a double
	Beavers   int  // money play: instant redoubles allowed; files do not say, 3 is usual
	// Drops says what giving up costs, as the server where the match was played counts.
	Drops     match.DropRule
	Variation Variation
}

// Match is a match or, with Length 0, a money session (FIBS: unlimited match).
type Match struct {
	Players [2]Player
	Length  int
	Rules   Rules
	// Date is the day of play as YYYY-MM-DD, empty when unknown.
	Date string
	// Event, Round, Annotator and Comment describe the match; Place says where
	// it was played, which may be the name of a server.
	Event, Round, Place, Annotator, Comment string
	// Time is the time of day when the match began, HH:MM as the file writes it,
	// empty when unknown.
	Time string
	// Tags are what the head of a .mat file says besides: "Match ID", "TimeControl".
	Tags  []Tag
	Games []Game
	// Other are properties of the SGF file, before its first game, that mean nothing here.
	Other []Property
}

// Tag is a named value in the head of a match file.
type Tag struct{ Name, Value string }

// Property is a property of an SGF file that means nothing to this package. It is
// kept so that a file comes out of here with all that went in.
type Property struct {
	Name   string
	Values []string
}

// Game is one game of a match.
type Game struct {
	// Number counts from 0; a file of one game out of a session keeps the number.
	Number int
	// Score holds both players' points before the game.
	Score [2]int
	// Crawford marks the Crawford game.
	Crawford bool
	// Cube is the value at the start: 1, or more after automatic doubles. 0 is read as 1.
	Cube    int
	Actions []Action
	Result  Result
	// Comment belongs to the game as a whole.
	Comment string
	// Statistics are the sums of an analysis by player, nil without one.
	Statistics *[2]Statistics
	// Other are properties of the game's root that mean nothing here.
	Other []Property
}

// Result is the end of a game. The zero value is an unfinished game.
type Result struct {
	// Points are what the winner scored, cube included; 0 while unfinished.
	Points int
	// Winner is meaningful when Points is not 0.
	Winner int
	// Resigned says that the loser resigned. A dropped double is not a
	// resignation.
	Resigned bool
}

// Finished tells whether somebody won.
func (r Result) Finished() bool { return r.Points > 0 }

//go:generate go run golang.org/x/tools/cmd/stringer@v0.52.0 -linecomment -output=string.go -type=Kind

// Kind is what an action does; its String is the word for it.
type Kind uint8

// The kinds of action.
const (
	// Move is a roll and the play made with it. No steps: the player could not
	// move, or, marked illegal, did not.
	Move Kind = iota // move
	// Roll is dice on the table with no play: the player resigned after
	// rolling, the file ends there, or a set-up position begins with a roll.
	Roll // roll
	// Double offers the cube at twice its value. Directly after a Double of the
	// other player it is a beaver, after that a raccoon, and so on.
	Double // double
	// Take accepts and Drop refuses the double before it.
	Take // take
	Drop // drop
	// SetUp changes the position, the cube or who is on roll by hand.
	SetUp // set-up
)

// Action is one thing that happened in a game.
type Action struct {
	Kind   Kind
	Player int        // who acts, 0 or 1; for SetUp who is on roll after it, or NoPlayer
	Dice   board.Dice // Move and Roll, in the order of the file
	// Steps are the single steps of a Move in the mover's numbering, 0 to 4 of them.
	Steps []board.Step
	// Illegal is set by a reader when the rules did not allow the action in
	// that position.
	Illegal bool
	// Raw is the text of an illegal play that steps cannot express.
	Raw     string
	SetUp   *Setup
	Comment string
	Marks   Marks
	// Analysis is nil when the action was not analysed.
	Analysis *Analysis
	// Other are properties of the SGF node that mean nothing here.
	Other []Property
}

// Setup is one edit. What is zero or nil stays as it was.
type Setup struct {
	// Board holds the checkers of player 0 and player 1, each in its owner's
	// numbering.
	Board *[2]board.Checkers
	Cube  int
	// Owner is who holds the cube, or NoPlayer for the centre, when SetOwner is true.
	Owner    int
	SetOwner bool
}

// Mark is a judgement of a play or cube action.
type Mark uint8

// The marks, from good to worst. Limits are the business of the analysis.
const (
	Unmarked Mark = iota
	Doubtful
	Bad
	VeryBad
)

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
	Cube *CubeAnalysis
	// Candidates are the plays considered, best first; Played is the index of
	// the play made, -1 when it is not among them.
	Candidates []Candidate
	Played     int
	// RolloutMarks are the candidates marked for a rollout, counted from 0.
	RolloutMarks []int
	// CubeMarked marks the cube decision for a rollout.
	CubeMarked bool
	// Luck of the roll as normalised equity, nil when not computed.
	Luck *float64
	// Stated are the errors as the program that analysed stated them, nil without.
	Stated *Stated
}

// Stated are the errors of one action in normalised equity, 0 or more, as another
// program stated them; nil where it stated none. Of a Move: Play is that of the play
// and Double that of not having doubled before the roll. Of a Double: Double; of a
// Take or Drop: Answer.
type Stated struct{ Play, Double, Answer *float64 }

// Settings tell how an evaluation was made.
type Settings struct {
	// Level is the other program's name of the way it evaluated, such as "XG Roller++"
	// or "4-ply"; empty for our own and gnubg's.
	Level         string
	Plies         int
	Cubeful       bool
	Deterministic bool // meaning noise that depends on the position alone
	Noise         float64
	Prune         bool // pruning nets were used
}

// Outcome is an estimate of how a game ends.
type Outcome struct {
	// Probs are win, win gammon or better, win backgammon, lose gammon or
	// worse, lose backgammon.
	Probs [5]float64
	// Cubeless is the cubeless equity. Cubeful is an equity for money and for
	// candidates; for cube decisions in a match it is match winning chance.
	Cubeless, Cubeful float64
}

// Rollout is what a rollout adds to an outcome.
type Rollout struct {
	Trials int
	// StdErr has the standard errors of the outcomes: of the candidate, or of
	// no double and double/take. That of Cubeful belongs to Output, or to the
	// Cubeful of the cube decision.
	StdErr [2]Outcome
	// Output is the cubeful result for a candidate as it was summed up: an equity
	// for money, match winning chance in a match. Its Outcome has the equity.
	Output float64
	// Settings is the rest of the rollout's description, kept as the file has it.
	Settings string
}

// Candidate is one play with its value.
type Candidate struct {
	Steps    []board.Step
	Settings Settings
	// Outcome after the play for the mover. Cubeful is normalised equity (EMG).
	Outcome Outcome
	// Rollout is nil for an evaluation.
	Rollout *Rollout
	// Score holds the two numbers a rollout ranks by: cubeful and cubeless.
	Score [2]float64
}

// CubeAnalysis is the value of not doubling and of double/take for the doubler.
type CubeAnalysis struct {
	Settings             Settings
	NoDouble, DoubleTake Outcome
	Rollout              *Rollout
	// Equities are no double, double/take and double/pass in normalised equity where
	// the file states them so (XG). The Cubeful of the outcomes then holds the same,
	// in a match as winning chance by the default match equity table.
	Equities *[3]float64
}

// Cost is an error in normalised equity and in points (money) or match winning
// chance.
type Cost struct{ EMG, Value float64 }

// Statistics are one player's sums over a game, as match files store them.
type Statistics struct {
	Unforced, Moves                                  int
	PlayVeryBad, PlayBad, PlayDoubtful, PlayUnmarked int
	PlayError                                        Cost
	CubeDecisions, Doubles, Takes, Drops             int
	Cube                                             [6]CubeErrors // in the order of the CubeFault constants
	VeryUnlucky, Unlucky, Ordinary, Lucky, VeryLucky int
	Luck                                             Cost
}

// CubeErrors counts the mistakes of one kind and their cost.
type CubeErrors struct {
	Count int
	Cost  Cost
}

// The kinds of cube mistake that Statistics.Cube counts: around the doubling
// point (DP), the cash point (CP) and the too good point (TG).
const (
	MissedDoubleBelowCash = iota
	MissedDoubleAboveCash
	WrongDoubleBelowDP
	WrongDoubleAboveTG
	WrongTake
	WrongDrop
)

// Warning is something a reader noticed and went on from. Line and Column count
// from 1; 0 means unknown.
type Warning struct {
	Line, Column int
	Text         string
}

func (w Warning) String() string {
	switch {
	case w.Line > 0 && w.Column > 0:
		return fmt.Sprintf("%d:%d: %s", w.Line, w.Column, w.Text)
	case w.Line > 0:
		return fmt.Sprintf("%d: %s", w.Line, w.Text)
	}
	return w.Text
}

// SyntaxError is the error of a reader that could not go on.
type SyntaxError struct {
	Line, Column int
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Problem)
}

// InFile says in which file a reader met err: "name:line:column: ..." where it is a
// *SyntaxError, "name: ..." otherwise. It wraps err; nil stays nil.
func InFile(name string, err error) error {
	var syntax *SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return fmt.Errorf("%s:%w", name, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// FinalScore returns the points of both players after all finished games.
func (m *Match) FinalScore() [2]int {
	var s [2]int
	if len(m.Games) == 0 {
		return s
	}
	g := &m.Games[len(m.Games)-1]
	s = g.Score
	if g.Result.Finished() {
		s[g.Result.Winner&1] += g.Result.Points
	}
	return s
}

// Winner returns who won the match, or NoPlayer while it is unfinished. A money
// session has no winner.
func (m *Match) Winner() int {
	if m.Length == 0 {
		return NoPlayer
	}
	for i, v := range m.FinalScore() {
		if v >= m.Length {
			return i
		}
	}
	return NoPlayer
}
