package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/sanitize"
)

// NoPlayer stands where no player is meant: a centred cube, a game without
// a winner.
const NoPlayer = match.NoSide

// Player is one of the two players.
type Player struct {
	Name string
	// Rating is the rating before the match as the file writes it, such as
	// "1500.50"; empty when unknown.
	Rating string
}

// The ratings that servers and programs give lie between these.
const (
	lowestRating  = 300
	highestRating = 4000
)

// RatingValue returns the rating that Rating states, or false if it does not state one: it is no
// number, no rating has such a value, or it comes with an experience of 0, as of a player who
// was never rated. Some sites write a decimal comma, and the experience after a stroke.
func (p Player) RatingValue() (float64, bool) {
	f := strings.FieldsFunc(p.Rating, func(r rune) bool { return r == ' ' || r == '/' || r == '\t' })
	if len(f) == 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.Replace(f[0], ",", ".", 1), 64)
	if err != nil || !(v >= lowestRating && v <= highestRating) {
		return 0, false
	}
	if len(f) > 1 {
		if games, err := strconv.ParseFloat(strings.Replace(f[1], ",", ".", 1), 64); err == nil && games <= 0 {
			return 0, false
		}
	}
	return v, true
}

// settleRating drops a number that is not a rating: many programs write one for every player.
func (p *Player) settleRating() {
	if _, ok := p.RatingValue(); !ok && strings.IndexAny(p.Rating, "0123456789") == 0 {
		p.Rating = ""
	}
}

// Rules are the rules of the match.
type Rules struct {
	NoCube    bool // no doubles
	CubeLimit int  // highest value of the cube, 0 without a limit
	Crawford  bool // match play: no cube in the first game at 1-away
	Jacoby    bool // money play: gammons count only after a double
	Beavers   int  // money play: instant redoubles allowed; files do not say, 3 is usual
	// Drops says what giving up costs, as the server where the match was played counts.
	Drops     match.DropRule
	Variation Variation
	// Egyptian: at most five checkers on a point.
	Egyptian bool
}

// NoLimit is the highest cube that programs write where they mean that there is no limit.
const NoLimit = 1024

// Limited reports whether the cube may be turned up to a limit.
func (r *Rules) Limited() bool { return !r.NoCube && r.CubeLimit > 0 && r.CubeLimit < NoLimit }

// Board returns the rules of moving and winning.
func (r *Rules) Board() board.Rules { return r.Variation.Board(r.Egyptian) }

// Match is a match or, with Length 0, a money session (FIBS: unlimited match).
type Match struct {
	Players [2]Player
	Length  int
	Rules   Rules
	// Date is the day of play as YYYY-MM-DD, empty when unknown.
	Date string
	// Days is what the files that the match was read from prove about the order of day and month.
	Days Days
	// Event, Round, Annotator and Comment describe the match; Place says where
	// it was played, which may be the name of a server.
	Event, Round, Place, Annotator, Comment string
	// Time is the time of day when the match began, HH:MM as the file writes it,
	// empty when unknown.
	Time string
	// Judge is what made the analysis of the match.
	Judge Provenance
	// Tags are what the head of a .mat file says besides: "Match ID", "TimeControl".
	Tags  []Tag
	Games []Game
	// Other are properties of the SGF file, before its first game, that mean nothing here.
	Other []Property
}

// Provenance names the program that made an analysis; unknown fields are empty.
type Provenance struct {
	// Program ends with its version: "fibsbot v1.2.3", "GNU Backgammon 1.07".
	Program string
	// Preset is the strength, Nets names the weights, Table the match equity table.
	Preset, Nets, Table string
	// Date is the day of the analysis, YYYY-MM-DD.
	Date string
	// SameDepth marks players who searched as deep while playing as the analysis does: it
	// finds few of their errors.
	SameDepth [2]bool
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
	// EndUnknown says that the file does not tell how a game ended whose result is marked
	// Resigned: by a resignation, on time, by leaving or by a ruling.
	EndUnknown bool
	// Disputed says in words which statements of the file about the result contradict each
	// other; empty if they agree.
	Disputed string
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
	// Resigned says that the game ended without its last checker borne off and without a
	// dropped double: see Game.EndUnknown.
	Resigned bool
}

// GivenUp reports whether the loser is known to have resigned.
func (g *Game) GivenUp() bool { return g.Result.Finished() && g.Result.Resigned && !g.EndUnknown }

// Finished reports whether the game was won.
func (r Result) Finished() bool { return r.Points > 0 }

// Kind is what an action does; its String is the word for it.
type Kind uint8

// The kinds of action.
const (
	// Move is a roll and the play made with it. No steps: the player could not
	// move, or, marked illegal, did not.
	Move Kind = iota
	// Roll is dice on the table with no play: the player resigned after
	// rolling, the file ends there, or a set-up position begins with a roll.
	Roll
	// Double offers the cube at twice its value. Directly after a Double of the
	// other player it is a beaver, after that a raccoon, and so on.
	Double
	// Take accepts and Drop refuses the double before it.
	Take
	Drop
	// SetUp changes the position, the cube or who is on roll by hand.
	SetUp
)

// String is the word for it.
func (k Kind) String() string {
	if k > SetUp {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return [...]string{"move", "roll", "double", "take", "drop", "set-up"}[k]
}

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

// Setup is one edit. Fields that are zero or nil change nothing.
type Setup struct {
	// Board holds the checkers of player 0 and player 1, each in its owner's
	// numbering.
	Board *[2]board.Checkers
	Cube  int
	// Owner is who holds the cube, or NoPlayer for the centre, when SetOwner is true.
	Owner    int
	SetOwner bool
}

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
// *SyntaxError, "name: ..." otherwise, in one line whatever the name holds. It wraps
// err; nil stays nil.
func InFile(name string, err error) error {
	var syntax *SyntaxError
	name = sanitize.Text(name)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return fmt.Errorf("%s:%w", name, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// FinalScore returns the points of both players after all finished games; points beyond the
// length of the match do not count.
func (m *Match) FinalScore() [2]int {
	var s [2]int
	if len(m.Games) == 0 {
		return s
	}
	return m.capped(m.Games[len(m.Games)-1].after())
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
