package ops

import "time"

// Live is what an account has before it: its board and those who talk to it. Lists
// have the newest first, but for the moves.
type Live struct {
	Table *Table `json:"table,omitempty"` // nil between two matches
	// Invitations that were answered, and who waits for an answer.
	Invitations []Invitation `json:"invitations"`
	Waiting     []string     `json:"waiting"`
	Said        []Said       `json:"said"`
	Troubles    []Trouble    `json:"troubles"`
	// Ratings of the account after its last matches, oldest first.
	Ratings []float64 `json:"ratings,omitempty"`
}

// Table is the match that an account plays. Sides are "me" for the account, "opponent", or
// empty for neither. Arrays have the account first.
type Table struct {
	Opponent   string  `json:"opponent"`
	Rating     float64 `json:"rating,omitempty"` // of the opponent, 0 unknown
	Experience int     `json:"experience,omitempty"`
	Length     int     `json:"length"` // 0 unlimited
	Game       int     `json:"game"`   // from 1; 0 before the first
	Score      [2]int  `json:"score"`
	Crawford   bool    `json:"crawford"`
	Turn       string  `json:"turn"`
	Dice       []int   `json:"dice"`
	Cube       int     `json:"cube"`
	Owner      string  `json:"owner"`    // me, opponent or centre
	Doubled    string  `json:"doubled"`  // who waits for the answer to a double
	Resigned   string  `json:"resigned"` // who waits for the answer to an offer of Offer points
	Offer      int     `json:"offer,omitempty"`
	// Board has the checkers of each side by own point, the bar last; nil while it
	// is unknown.
	Board *[2][25]int `json:"board,omitempty"`
	Pips  [2]int      `json:"pips"`
	// Moves are the last ones of the game, oldest first.
	Moves []Moved `json:"moves"`
	// Chances of the account: win, gammon, backgammon; lose a gammon, a backgammon.
	Chances *[5]float64 `json:"chances,omitempty"`
}

// Moved is one act of a game.
type Moved struct {
	Side string `json:"side"`
	What string `json:"what"` // plays, cannot move, rolls, doubles, takes, drops, resigns, plays on
	Dice []int  `json:"dice,omitempty"`
	Play string `json:"play,omitempty"`
}

// Invitation is one that was answered.
type Invitation struct {
	At       time.Time `json:"at"`
	From     string    `json:"from"`
	Rating   float64   `json:"rating,omitempty"` // of the inviter, 0 unknown
	Length   int       `json:"length"`           // 0 unlimited, -1 not told
	Resume   bool      `json:"resume"`
	Accepted bool      `json:"accepted"`
	Rule     string    `json:"rule"`           // the key of bot.yaml that decided
	Said     string    `json:"said,omitempty"` // what a refusal told him
}

// Said is a line of talk. To is empty if all at the board hear it.
type Said struct {
	At   time.Time `json:"at"`
	From string    `json:"from"`
	To   string    `json:"to,omitempty"`
	How  string    `json:"how"` // says, kibitzes, whispers
	Text string    `json:"text"`
}

// Trouble is something that went wrong, so many times in a row.
type Trouble struct {
	At    time.Time `json:"at"`
	Text  string    `json:"text"`
	Times int       `json:"times"`
}

// Saved is a match that waits at the server.
type Saved struct {
	Account  string    `json:"account"`
	Opponent string    `json:"opponent"`
	At       time.Time `json:"at"` // when it was interrupted
}

// Ended is a match of the archive.
type Ended struct {
	At       time.Time `json:"at"`
	Account  string    `json:"account"`
	Opponent string    `json:"opponent"`
	Length   int       `json:"length"` // 0 unlimited
	Result   string    `json:"result"` // won, lost or unfinished
	Score    [2]int    `json:"score"`  // account, opponent
	Rating   float64   `json:"rating,omitempty"`
	// PR is the account's performance rating in the match, or nil before an analysis.
	PR *float64 `json:"pr,omitempty"`
	// Shallow says that the analysis searched no deeper than the account did while playing.
	Shallow bool `json:"shallow,omitempty"`
}

// Matches are the account's matches that pages show beside the status: saved ones,
// longest waiting first, and ended ones, newest first.
type Matches struct {
	Saved []Saved
	Ended []Ended
}
