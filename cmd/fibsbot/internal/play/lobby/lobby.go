// Package lobby describes a person's account on a server to pages, which know no server.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package lobby

import (
	"errors"

	"fibsbot/cmd/fibsbot/internal/play"
)

// ErrBusy: an account is logged in.
var ErrBusy = errors.New("an account is logged in already (log out first)")

// Late is the error of an act that the match does not wait for, or no longer.
type Late struct{ Err error }

func (l Late) Error() string { return l.Err.Error() }

// Unwrap returns Err.
func (l Late) Unwrap() error { return l.Err }

// Desk is where a person logs in to a server. One account at a time is logged in. Its errors are
// the person's.
type Desk interface {
	// Login begins to log in. State shows what comes of it.
	Login(Login) error
	// Logout logs out and waits for it.
	Logout()
	// State returns the present state.
	State() State
	// Players returns who is on the server, the highest rated first.
	Players() []Player
	// Command obeys a line as typed in the terminal.
	Command(line string) error
	// Act carries out an act at the board.
	Act(play.Act) error
	// Playing returns why the engine is silent, or "".
	Playing() string
	// Watch sets what is called at each change; it must not block.
	Watch(func())
}

// Login names an account.
type Login struct {
	Server   string `json:"server"`   // host:port
	Protocol string `json:"protocol"` // fibs or bgammon
	Account  string `json:"account"`
	Password string `json:"password"`
	Register bool   `json:"register,omitempty"` // make the account first
}

// State is an account at one moment.
type State struct {
	// At orders states: in microseconds since 1970.
	At int64 `json:"at"`
	// Online is offline, connecting or online; while it connects again it is connecting.
	Online  string `json:"online"`
	Account string `json:"account,omitempty"`
	Server  string `json:"server,omitempty"`
	// Opens reports that matches are opened and joined, and no one is invited.
	Opens bool `json:"opens,omitempty"`
	// Forfeits reports that who leaves a match loses it, and that resigning ends the game at once.
	Forfeits bool `json:"forfeits,omitempty"`
	// Error is why the account is offline.
	Error string `json:"error,omitempty"`
	// Locked is why the engine is silent.
	Locked string `json:"locked,omitempty"`
	// Match is the match at the board, or the one that ended last. Asked reports that the
	// person is to act, Archived is the ID of the ended match in the archive.
	Match    *play.View `json:"match,omitempty"`
	Asked    bool       `json:"asked,omitempty"`
	Archived string     `json:"archived,omitempty"`
	// Watched is what the account watches, or nil.
	Watched *Watched `json:"watched,omitempty"`
	// Invitations of others, and Saved matches.
	Invitations []Offer `json:"invitations"`
	Saved       []Offer `json:"saved"`
	// Opened reports that a match of the account waits for any player.
	Opened bool `json:"opened,omitempty"`
	// News are the last lines of talk and events, the newest last.
	News []Line `json:"news"`
}

// Line is something said or told.
type Line struct {
	Number int    `json:"number"` // of the lines since the login, from 1
	Kind   string `json:"kind"`
	From   string `json:"from,omitempty"` // who said it, or invites
	Text   string `json:"text"`
}

// Kinds of a Line.
const (
	Told       = "told" // by fibsbot or the server
	Says       = "says" // to this account alone
	Kibitzes   = "kibitzes"
	Whispers   = "whispers"
	Shouts     = "shouts"
	Invitation = "invitation"
)

// Offer is a match that may begin.
type Offer struct {
	With string `json:"with"`
	// Length in points, 0 unlimited. Resume reports that a saved match continues.
	Length int  `json:"length"`
	Resume bool `json:"resume,omitempty"`
	// Score of a saved match, the person's first.
	Score [2]int `json:"score"`
}

// Player is a player on the server.
type Player struct {
	Name       string   `json:"name"`
	Rating     *float64 `json:"rating"`     // nil if unknown
	Experience *int     `json:"experience"` // nil if unknown
	Idle       int      `json:"idle"`       // in seconds
	Opponent   string   `json:"opponent,omitempty"`
	Ready      bool     `json:"ready"`
	Away       bool     `json:"away,omitempty"`
}
