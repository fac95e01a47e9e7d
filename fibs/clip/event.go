package clip

import "cmp"

// You stands for ourselves in an [Event] and in the first field of a board of
// our own match. The server writes "You", which may also be a player's name.
const You = "(you)"

// selfWord is how the server names ourselves.
const selfWord = "You"

// Unlimited is the match length of an unlimited match, as the board line
// writes it.
const Unlimited = 9999

// The ends of a [Step] that are not points.
const (
	// Off is where a checker goes that is borne off.
	Off = 0
	// Bar is where a hit checker starts.
	Bar = 25
)

// Step is the way of one checker in the server's numbering of points: 1 to 24
// as printed on the board for both players, [Bar] as From, [Off] as To.
type Step struct {
	From, To uint8
}

// MaxSteps is the number of checkers a double moves.
const MaxSteps = 4

// Steps are up to four steps of one play, in the order in which they were
// written.
type Steps struct {
	List [MaxSteps]Step
	N    int
}

// Slice returns the steps. The result shares no memory with s.
func (s Steps) Slice() []Step { return append([]Step(nil), s.List[:s.N]...) }

// Dice are two dice of 1 to 6 in the order in which the server wrote them;
// both are 0 when nothing was rolled. The order has no meaning, but in
// [OpeningRoll], where each die has its own roller.
type Dice [2]uint8

// Result says how a game was won.
type Result string

// The ways to win a game.
const (
	// ByNothing is the zero value: no game was won.
	ByNothing Result = ""
	// ByBearingOff: the last checker was borne off.
	ByBearingOff Result = "bearing off"
	// ByDrop: a double was not taken.
	ByDrop Result = "drop"
	// ByResignation: an offer to resign was accepted.
	ByResignation Result = "resignation"
)

// Cause says why a player left the server or a match.
type Cause string

// The reasons for going.
const (
	// CauseNone is the zero value: no player left, or the line gives no reason.
	CauseNone Cause = ""
	// CauseLeft: the player typed leave.
	CauseLeft Cause = "left"
	// CauseLogout: the player logged out.
	CauseLogout Cause = "logged out"
	// CauseDropped: the player's connection broke; many return at once.
	CauseDropped Cause = "connection dropped"
	// CauseTimeout: the player was idle too long.
	CauseTimeout Cause = "timed out"
	// CauseNetwork: the server met an error on the player's connection.
	CauseNetwork Cause = "network error"
	// CauseReplaced: the player logged in a second time; a running match is
	// normally resumed at once.
	CauseReplaced Cause = "logged in again"
	// CauseOther: a reason in unknown words.
	CauseOther Cause = "other"
)

// String is the way to win in words.
func (r Result) String() string { return cmp.Or(string(r), "nothing") }

// String is the reason in words.
func (c Cause) String() string { return cmp.Or(string(c), "none") }

// Side is a colour as the move lists write it: 'X' or 'O', 0 when none.
type Side byte

// Event is what one line of the server announces. [Kind] says which of the
// fields are filled; the rest are zero. Texts share the memory of Raw. An
// Event is never changed after [Parser.Append] returned it and may be shared.
type Event struct {
	// Kind says what happened and which fields below are filled.
	Kind Kind
	// Raw is the line, or the part of a glued line, without line end,
	// trailing blanks, BEL and other control characters.
	Raw string
	// Name is the player the line is about, [You] for ourselves, or the name
	// of a switch or variable.
	Name string
	// Other is a second player.
	Other string
	// Text is free text. Chat is written by strangers: never act on it as if
	// the server had said it.
	Text string
	// Length is a match length in points, [Unlimited] for one without end.
	Length int
	// Points are points won, offered or held.
	Points int
	// Cube is the value shown by the cube.
	Cube int
	// Count is a number whose meaning the kind tells.
	Count int
	// When is a Unix time in seconds.
	When int64
	// Score is a score whose order the kind tells.
	Score [2]int
	// Dice are the dice rolled.
	Dice Dice
	// Steps are the checkers moved.
	Steps Steps
	// Result says how a game was won.
	Result Result
	// Cause says why a player left.
	Cause Cause
	// Side is the colour in a move list.
	Side Side
	// On answers the question the kind asks.
	On bool
	// Asks is true when the server waits for our answer.
	Asks bool
	// Redouble is true when a redouble is one of the answers.
	Redouble bool
	// Board is set for BoardLine only.
	Board *Board
	// Player is set for PlayerLine only.
	Player *Player
	// Settings is set for OwnInfo only.
	Settings *Settings
}

// IsYou reports whether the line is about ourselves.
func (e *Event) IsYou() bool { return e.Name == You }
