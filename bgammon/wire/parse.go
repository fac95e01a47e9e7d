package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLine is the longest line that is read, in bytes. A board has about 900; the list of a
// crowded lobby is the longest line that a bot needs.
const MaxLine = 256 << 10

// Bounds of what a line may hold, so that one line cannot make much work.
const (
	maxGames = 2048
	maxHops  = 16
	// maxName is generous: the server allows 18 and puts Guest_ before some.
	maxName = 64
	maxText = 4096
)

// raw has every key that an event of the server uses.
type raw struct {
	Type         string
	Player       string
	PlayerName   string
	Clients      int
	Games        json.RawMessage
	Message      string
	Reason       string
	GameID       int
	PlayerNumber int
	From, To     int
	Roll1, Roll2 int
	Moves        []Hop
	Points       int
	Rating       int
	Resigned     string
	AutoPlay     bool
}

// Parse reads one line, without its end. It always returns an event, an [Unknown] for a line
// that it cannot read.
func Parse(line string) Event {
	if strings.HasPrefix(line, "hello ") || line == "hello" {
		return hello{text(strings.TrimPrefix(line, "hello"))}
	}
	if len(line) > MaxLine {
		return Unknown{Line: line[:maxText], Problem: fmt.Sprintf("a line of %d bytes", len(line))}
	}
	if !strings.HasPrefix(line, "{") {
		return Unknown{Line: line, Problem: "not a JSON object"}
	}
	// Some events use the same key with another JSON type, so the event's type is read first.
	var head struct{ Type string }
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return Unknown{Line: line, Problem: err.Error()}
	}
	ev, err := read(head.Type, line)
	if err != nil {
		return Unknown{Type: head.Type, Line: line, Problem: err.Error()}
	}
	return ev
}

func read(kind, line string) (Event, error) {
	switch kind {
	case "board":
		return readBoard(line)
	case "history", "replay", "achievements":
		return Page{kind}, nil
	}
	reader, known := readers[kind]
	if !known {
		return Unknown{Type: text(kind), Line: line}, nil
	}
	var r raw
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return nil, err
	}
	return reader(&r)
}

var readers = map[string]func(*raw) (Event, error){
	"welcome":      readWelcome,
	"settings":     func(r *raw) (Event, error) { return Settings{AutoPlay: r.AutoPlay}, nil },
	"list":         readList,
	"notice":       func(r *raw) (Event, error) { return Notice{text(r.Message)}, nil },
	"joined":       readJoined,
	"left":         func(r *raw) (Event, error) { return Left{name(r.Player)}, nil },
	"failedcreate": refusal("create"),
	"failedjoin":   refusal("join"),
	"failedleave":  refusal("leave"),
	"failedroll":   refusal("roll"),
	"failedok":     refusal("ok"),
	"failedmove":   refusal("move"),
	"rolled":       readRolled,
	"moved":        readMoved,
	"win":          readWin,
	"say":          func(r *raw) (Event, error) { return Say{name(r.Player), text(r.Message)}, nil },
	"ping":         func(r *raw) (Event, error) { return Ping{text(r.Message)}, nil },
}

func readWelcome(r *raw) (Event, error) {
	if r.PlayerName == "" {
		return nil, fmt.Errorf("no PlayerName")
	}
	w := Welcome{Name: name(r.PlayerName), Clients: r.Clients}
	if len(r.Games) > 0 {
		if err := json.Unmarshal(r.Games, &w.Games); err != nil {
			return nil, fmt.Errorf("key Games: %w", err)
		}
	}
	return w, nil
}

func readList(r *raw) (Event, error) {
	var l List
	if len(r.Games) == 0 || string(r.Games) == "null" {
		return l, nil
	}
	if err := json.Unmarshal(r.Games, &l.Games); err != nil {
		return nil, fmt.Errorf("key Games: %w", err)
	}
	if len(l.Games) > maxGames {
		l.Games = l.Games[:maxGames]
	}
	for i := range l.Games {
		l.Games[i].Name = text(l.Games[i].Name)
	}
	return l, nil
}

func readJoined(r *raw) (Event, error) {
	if r.PlayerNumber != 1 && r.PlayerNumber != 2 {
		return nil, fmt.Errorf("key PlayerNumber = %d", r.PlayerNumber)
	}
	return Joined{Player: name(r.Player), Game: r.GameID, Number: r.PlayerNumber}, nil
}

func refusal(command string) func(*raw) (Event, error) {
	return func(r *raw) (Event, error) {
		return Refusal{Command: command, Reason: text(r.Reason), Hop: Hop{r.From, r.To}}, nil
	}
}

func readRolled(r *raw) (Event, error) {
	if r.Roll1 < 0 || r.Roll1 > 6 || r.Roll2 < 0 || r.Roll2 > 6 {
		return nil, fmt.Errorf("rolled %d %d", r.Roll1, r.Roll2)
	}
	return Rolled{name(r.Player), r.Roll1, r.Roll2}, nil
}

func readMoved(r *raw) (Event, error) {
	return Moved{name(r.Player), r.Moves}, checkHops("Moves", r.Moves)
}

func readWin(r *raw) (Event, error) {
	if r.Points < 0 || r.Points > 3*maxCube {
		return nil, fmt.Errorf("key Points = %d", r.Points)
	}
	return Win{Player: name(r.Player), Points: r.Points, Rating: r.Rating, Resigned: name(r.Resigned)}, nil
}

// UnmarshalJSON reads a pair of places.
func (h *Hop) UnmarshalJSON(data []byte) error {
	var pair [2]int
	err := json.Unmarshal(data, &pair)
	h.From, h.To = pair[0], pair[1]
	return err
}

// checkHops returns what is wrong with the hops of a key.
func checkHops(key string, list []Hop) error {
	if len(list) > maxHops*Places {
		return fmt.Errorf("key %s: %d hops", key, len(list))
	}
	for _, h := range list {
		if h.From < 0 || h.From >= Places || h.To < 0 || h.To >= Places {
			return fmt.Errorf("key %s: hop %d/%d", key, h.From, h.To)
		}
	}
	return nil
}

func readBoard(line string) (Event, error) {
	var r struct {
		Board
		Places []int `json:"Board"`
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return nil, err
	}
	if len(r.Places) != Places {
		return nil, fmt.Errorf("key Board has %d numbers, want %d", len(r.Places), Places)
	}
	b := r.Board
	copy(b.Checkers[:], r.Places)
	b.Own.Name, b.Opponent.Name = name(b.Own.Name), name(b.Opponent.Name)
	return b, b.check()
}

// name keeps only the characters that a name may hold: names go into file names and onto
// terminals. The server itself allows letters, digits and _.
func name(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.'", r) {
			return r
		}
		return -1
	}, s)
	return cut(s, maxName)
}

// text drops control and format characters, which could steer a terminal.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.Is(unicode.C, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
	return cut(strings.TrimSpace(s), maxText)
}

// cut shortens to at most n bytes without dividing a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Event is one line of the server: a value of one of the types below.
type Event any

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

// Places of the 28 numbers of a board that are not points.
const (
	OwnHome   = 0
	TheirHome = 25
	OwnBar    = 26
	TheirBar  = 27
	// Places is how many numbers a board has.
	Places = 28
)

// Mirror returns a place as the other player numbers it.
func Mirror(place int) int {
	switch place {
	case OwnHome:
		return TheirHome
	case TheirHome:
		return OwnHome
	case OwnBar:
		return TheirBar
	case TheirBar:
		return OwnBar
	}
	return 25 - place
}

// MaxPoints is the longest match of the protocol.
const MaxPoints = 127

// maxCube bounds the cube: a match of MaxPoints is over before it gets there.
const maxCube = 1 << 12

// Seat is a player on a board.
type Seat struct {
	Name string
	// Points is the score, Rating 0 for guests.
	Points, Rating int
	// Inactive is the time in seconds that the player has taken in all.
	Inactive int
}

// Crawford is the state of the Crawford rule, as the server counts it.
type Crawford int

// States of the Crawford rule.
const (
	CrawfordToCome Crawford = iota
	CrawfordNow
	CrawfordOver
)

// Turns of a board.
const (
	// TurnNobody: both players must roll one die for the opening.
	TurnNobody = 0
	// TurnOwn is the reader's turn.
	TurnOwn = 1
	// TurnTheirs is the opponent's.
	TurnTheirs = 2
)

// Board is the state of a match, seen from its reader. Only boards are believed.
type Board struct {
	// Own and Opponent are the players; an empty name is an empty seat.
	Own      Seat `json:"Player1"`
	Opponent Seat `json:"Player2"`
	// Points is the length of the match, 1 to [MaxPoints].
	Points int
	// Variant is 0 for backgammon.
	Variant int
	// Checkers are the 28 places: positive for the reader's, negative for the
	// opponent's, the homes and bars included.
	Checkers [Places]int `json:"-"`
	// Turn is one of the Turn constants.
	Turn int
	// Die1 and Die2 are 0 while nothing is rolled; one of them is at the opening.
	Die1 int `json:"Roll1"`
	Die2 int `json:"Roll2"`
	// Hops were made in this turn, Available are the legal single hops now, both in
	// the reader's numbering also for the opponent's turn.
	Hops      []Hop `json:"Moves"`
	Available []Hop
	// Winner is 0, 1 for the reader or 2.
	Winner   int
	Crawford Crawford
	// Cube is the value, CubeOwner 0 for the centre, 1 for the reader or 2. Offered reports
	// that the player on turn has doubled and waits for an answer.
	Cube      int  `json:"DoubleValue"`
	CubeOwner int  `json:"DoublePlayer"`
	Offered   bool `json:"DoubleOffered"`
	// Started and Ended are unix seconds, 0 for not yet. A board between two games
	// may have an end.
	Started, Ended int64
	Spectating     bool
}

// MatchOver reports whether the score has reached the length.
func (b *Board) MatchOver() bool { return b.Own.Points >= b.Points || b.Opponent.Points >= b.Points }

// Full reports whether both seats are taken.
func (b *Board) Full() bool { return b.Own.Name != "" && b.Opponent.Name != "" }

// check returns an error for an impossible board, with the field. Fewer than 15 checkers are
// allowed: other variants have fewer.
func (b *Board) check() error {
	own, theirs := 0, 0
	for place, n := range b.Checkers {
		if n > 15 || n < -15 {
			return fmt.Errorf("key Board[%d] = %d", place, n)
		}
		if n > 0 {
			own += n
		} else {
			theirs -= n
		}
	}
	if b.Checkers[OwnHome] < 0 || b.Checkers[OwnBar] < 0 || b.Checkers[TheirHome] > 0 || b.Checkers[TheirBar] > 0 {
		return fmt.Errorf("key Board: a checker in the wrong home or on the wrong bar")
	}
	for _, v := range []struct {
		field         string
		value, lo, hi int
	}{
		{"checkers", own, 0, 15}, {"opposing checkers", theirs, 0, 15},
		{"Turn", b.Turn, 0, 2}, {"Roll1", b.Die1, 0, 6}, {"Roll2", b.Die2, 0, 6},
		{"Points", b.Points, 1, MaxPoints}, {"Winner", b.Winner, 0, 2},
		{"Crawford", int(b.Crawford), 0, 2}, {"DoubleValue", b.Cube, 1, maxCube}, {"DoublePlayer", b.CubeOwner, 0, 2},
		{"Player1.Points", b.Own.Points, 0, 3 * maxCube}, {"Player2.Points", b.Opponent.Points, 0, 3 * maxCube},
	} {
		if v.value < v.lo || v.value > v.hi {
			return fmt.Errorf("%s = %d, not %d to %d", v.field, v.value, v.lo, v.hi)
		}
	}
	if b.Cube&(b.Cube-1) != 0 {
		return fmt.Errorf("DoubleValue = %d, not a power of two", b.Cube)
	}
	return cmp.Or(checkHops("Moves", b.Hops), checkHops("Available", b.Available))
}
