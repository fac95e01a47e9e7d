package wire

import "strings"

// Event is one line of the server. The types of this package implement it.
type Event interface{ event() }

// hello is the greeting, the only line that is not JSON.
type hello struct{ Text string }

// Welcome answers a login. Name is the name that the server gave, which may differ
// from the one that was asked for: a guest called beta becomes Guest_beta.
type Welcome struct {
	Name           string
	Clients, Games int
}

// Settings follows the welcome of a registered account. With AutoPlay the server plays forced
// moves by itself.
type Settings struct{ AutoPlay bool }

// Listing is one match of a list.
type Listing struct {
	ID       int
	Password bool
	// Points is the length, Players how many seats are taken (0 to 2).
	Points, Players int
	Rating          int
	Name            string
}

// List is the matches that can be seen from the lobby.
type List struct{ Games []Listing }

// Notice is a text without a type of its own, in the language of the login.
type Notice struct{ Text string }

// MayLeave reports whether the notice says that the opponent of a rated match has been inactive for
// so long that leaving it wins it. Servers write it in English, whatever the language of the login.
func (n Notice) MayLeave() bool {
	return strings.HasPrefix(n.Text, "Your opponent has been inactive") && strings.Contains(n.Text, "receive a win")
}

// Joined reports that the reader or the opponent sat down. Number is the seat, 1 for the
// reader.
type Joined struct {
	Player       string
	Game, Number int
}

// Left reports that a player stood up or lost the connection.
type Left struct{ Player string }

// Refusal is the typed answer to a command that was not carried out. Command is the
// word of the command: create, join, leave, roll, move or ok.
type Refusal struct {
	Command string
	Reason  string
	// Hop is the refused part of a move.
	Hop Hop
}

// Hop is one checker moved by one or more dice, in the reader's numbering: 24 to 1,
// [OwnBar], [TheirBar], [OwnHome], [TheirHome].
type Hop struct{ From, To int }

// Rolled reports a roll. At the opening each player rolls one die: Die1 is the reader's, and a
// die not yet rolled is 0.
type Rolled struct {
	Player     string
	Die1, Die2 int
}

// Moved reports hops, made or (after reset) taken back.
type Moved struct {
	Player string
	Hops   []Hop
}

// Win ends a game. Points is what the winner gets, 0 if the server does not send it (one-point
// matches). Resigned is the player who resigned or passed a double, or "".
type Win struct {
	Player   string
	Points   int
	Rating   int
	Resigned string
}

// Say is chat inside a match.
type Say struct{ Player, Text string }

// Ping must be answered by [Pong] with the same text within 40 seconds.
type Ping struct{ Text string }

// Page is a server's answer about the past: history, replay or achievements. The bot asks for
// none, and the contents are not read.
type Page struct{ Type string }

// Unknown is a line that was not understood.
type Unknown struct {
	// Type is the server's word for the line, or "".
	Type string
	Line string
	// Problem is what is wrong, or "" for a well-formed event of an unknown type.
	Problem string
}

func (hello) event()    {}
func (Welcome) event()  {}
func (Settings) event() {}
func (List) event()     {}
func (Notice) event()   {}
func (Joined) event()   {}
func (Left) event()     {}
func (Refusal) event()  {}
func (Rolled) event()   {}
func (Moved) event()    {}
func (Win) event()      {}
func (Say) event()      {}
func (Ping) event()     {}
func (Page) event()     {}
func (Unknown) event()  {}
func (Board) event()    {}
