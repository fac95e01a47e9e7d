package protocol

import "fibsbot/engine/board"

// Command is one thing the bot wants done. The set is closed: the types below.
type Command interface{ command() }

// Commands of a match.
type (
	// Roll rolls the dice.
	Roll struct{}
	// Move plays Steps, in our own numbering, entries first and bear-offs last.
	// Down is true if we move from 24 to 1 on the server's board.
	Move struct {
		Steps []board.Step
		Down  bool
	}
	// Double offers the cube.
	Double struct{}
	// Take takes a double.
	Take struct{}
	// Beaver takes a double and turns the cube again at once.
	Beaver struct{}
	// Drop passes a double and loses the game.
	Drop struct{}
	// Resign offers to lose 1 (single), 2 (gammon) or 3 (backgammon) games.
	Resign struct{ Games int }
	// AcceptResign accepts the opponent's offer to resign.
	AcceptResign struct{}
	// RefuseResign refuses the opponent's offer to resign.
	RefuseResign struct{}
	// Next starts the next game of the match.
	Next struct{}
	// Leave leaves the match. A server with saved matches saves it.
	Leave struct{}
	// AskBoard asks for the board of our own or the watched match.
	AskBoard struct{}
	// AskMoves asks for the list of moves of the game with Name.
	AskMoves struct{ Name string }
)

// Commands of the lobby.
type (
	// Invite invites Name to a match of Length points, 0 unlimited.
	Invite struct {
		Name   string
		Length int
	}
	// Resume invites Name to resume the saved match.
	Resume struct{ Name string }
	// Open opens a match of Length points for any player, if Rules.Opens. With a Password
	// only players who know it may join.
	Open struct {
		Length   int
		Password string
	}
	// Rematch offers the last opponent another match of the same kind.
	Rematch struct{}
	// Join takes the invitation of Name.
	Join struct{ Name string }
	// AskSaved asks for the list of our saved matches.
	AskSaved struct{}
	// AskSavedCount asks how many saved matches Name has.
	AskSavedCount struct{ Name string }
	// AskUsers asks who is on line.
	AskUsers struct{}
	// Bye logs out.
	Bye struct{}
)

// Talk and watching.
type (
	// Tell says Text to Name alone.
	Tell struct{ Name, Text string }
	// Kibitz says Text to players and watchers of the match we watch.
	Kibitz struct{ Text string }
	// Whisper says Text to the watchers of our match, or of the match we watch.
	Whisper struct{ Text string }
	// Watch watches the match of Name.
	Watch struct{ Name string }
	// Unwatch stops watching.
	Unwatch struct{}
	// Raw sends a line of the server's own language that asks or says something and changes no
	// match.
	Raw struct{ Line string }
)

func (Roll) command()          {}
func (Move) command()          {}
func (Double) command()        {}
func (Take) command()          {}
func (Beaver) command()        {}
func (Drop) command()          {}
func (Resign) command()        {}
func (AcceptResign) command()  {}
func (RefuseResign) command()  {}
func (Next) command()          {}
func (Leave) command()         {}
func (AskBoard) command()      {}
func (AskMoves) command()      {}
func (Invite) command()        {}
func (Resume) command()        {}
func (Open) command()          {}
func (Rematch) command()       {}
func (Join) command()          {}
func (AskSaved) command()      {}
func (AskSavedCount) command() {}
func (AskUsers) command()      {}
func (Bye) command()           {}
func (Tell) command()          {}
func (Kibitz) command()        {}
func (Whisper) command()       {}
func (Watch) command()         {}
func (Unwatch) command()       {}
func (Raw) command()           {}

// Dated reports whether c was decided for the present state of a match, or leads to one. It
// must not be sent after the state has changed.
func Dated(c Command) bool {
	switch c.(type) {
	case Roll, Move, Double, Take, Beaver, Drop, Resign, AcceptResign, RefuseResign, Next, Join, Invite, Resume, Open:
		return true
	}
	return false
}

// OfGame reports whether c belongs to a game or leads to one. Such a command is never
// dropped, however many wait.
func OfGame(c Command) bool {
	switch c.(type) {
	case Roll, Move, Double, Take, Beaver, Drop, Resign, AcceptResign, RefuseResign, Next, Join, Leave, AskBoard:
		return true
	}
	return false
}
