package lobby

import "fibsbot/cmd/fibsbot/internal/play"

// States of a Watched.
const (
	Waiting     = "waiting"     // the server has shown no board yet
	NotPlaying  = "not_playing" // the player has no match
	NotOnline   = "not_online"  // never where the server lists matches, not players
	InPlay      = "in_play"
	Ended       = "ended"       // the match is over
	Interrupted = "interrupted" // the match was left, or a player has gone
)

// Watched are the matches of a player that the account watches, with the engine's opinion of the one
// seen last. The watched player is player 1.
type Watched struct {
	Player string `json:"player"`
	State  string `json:"state"`
	// Note is what the server or the archive refused last.
	Note string `json:"note,omitempty"`
	// Match is nil until a board was seen. Joined reports that its beginning was not seen.
	Match  *play.View `json:"match,omitempty"`
	Joined bool       `json:"joined,omitempty"`
	// Keep reports that matches go into the archive when they end; Kept is the ID of the last one.
	Keep bool   `json:"keep"`
	Kept string `json:"kept,omitempty"`
	// Talks reports that the server relays what spectators say. Comments are the texts that
	// fibsbot says by itself: none, whisper (to spectators) or kibitz (to players too).
	Talks    bool   `json:"talks"`
	Comments string `json:"comments"`
	// Last is the decision judged last, or nil. Errors are the marked ones, the newest last.
	Last   *SeenDecision  `json:"last,omitempty"`
	Errors []SeenDecision `json:"errors"`
	Sides  [2]Tally       `json:"sides"`
	// Line has the match winning chances of player 1 after each play, in unlimited matches his
	// equities; only the newest of a long match.
	Line []float64 `json:"line"`
}

// SeenDecision is a judged decision of a watched match. Equities are normalised, from the side of who decided.
type SeenDecision struct {
	Player   int      `json:"player"`
	Game     int      `json:"game"` // counts from 1
	Kind     string   `json:"kind"`
	Dice     []int    `json:"dice,omitempty"`
	Played   string   `json:"played"`
	Best     string   `json:"best,omitempty"`
	Loss     float64  `json:"loss"`
	Mark     string   `json:"mark,omitempty"`
	CubeLoss float64  `json:"cube_loss"` // of not doubling before the roll
	CubeMark string   `json:"cube_mark,omitempty"`
	Luck     *float64 `json:"luck,omitempty"`
	// Plays are the best ones, and Chances those of player 1 after the play made: win, gammon,
	// backgammon, lose a gammon, a backgammon. Both only of the last decision.
	Plays   []Ranked    `json:"plays,omitempty"`
	Chances *[5]float64 `json:"chances,omitempty"`
}

// Ranked is one of the best plays.
type Ranked struct {
	Rank   int     `json:"rank"`
	Move   string  `json:"move"`
	Equity float64 `json:"equity"`
	Diff   float64 `json:"diff"` // to the best
}

// Tally is what one player has given up so far. PR is nil without a counted decision.
type Tally struct {
	PR        *float64 `json:"pr"`
	Decisions int      `json:"decisions"`
	Errors    int      `json:"errors"` // without the blunders
	Blunders  int      `json:"blunders"`
	Lost      float64  `json:"lost"` // in normalised equity
	Luck      *float64 `json:"luck"` // in normalised equity, nil if unknown
}
