package wire

// Event is one line of the server. The types of this package implement it.
type Event interface{ event() }

// Hello is the greeting, the only line that is no JSON.
type Hello struct{ Text string }

// Welcome answers a login. Name is the name that the server gave, which may differ
// from the one that was asked for: a guest called beta becomes Guest_beta.
type Welcome struct {
	Name           string
	Clients, Games int
}

// Settings follows the welcome of a registered account. AutoPlay tells that the
// server plays forced moves by itself.
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

// Notice is everything without a type of its own, in the language of the login.
type Notice struct{ Text string }

// Joined tells of a player who sat down: oneself or the opponent. Number is the
// seat, 1 for the reader.
type Joined struct {
	Player       string
	Game, Number int
}

// Left tells of a player who stood up or whose line broke.
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

// Rolled tells of a throw. At the opening each player throws one die, and the other
// one is 0 while it is not thrown; Die1 is the reader's then.
type Rolled struct {
	Player     string
	Die1, Die2 int
}

// Moved tells of hops, made or (after reset) taken back.
type Moved struct {
	Player string
	Hops   []Hop
}

// Win ends a game. Points is what the winner gets, 0 when the server does not say
// (one-point matches). Resigned names who gave up or declined a double, "" when the
// game was played out.
type Win struct {
	Player   string
	Points   int
	Rating   int
	Resigned string
}

// Say is chat inside a match.
type Say struct{ Player, Text string }

// Ping wants [Pong] with the same text within the server's patience of 40 seconds.
type Ping struct{ Text string }

// Page is what a server with a database answers to questions about the past: history,
// replay and achievements. They are never asked here, and their contents are not read.
type Page struct{ Type string }

// Unknown is a line that was not understood.
type Unknown struct {
	// Type is the server's word for it, "" when there was none.
	Type string
	Line string
	// Problem says what was wrong, "" for a well-formed event of a type that this
	// package does not know.
	Problem string
}

func (Hello) event()    {}
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
