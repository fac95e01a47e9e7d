package ops

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"fibsbot/internal/figure"
)

// Status is what `fibsbot status` shows: the whole process at one moment.
type Status struct {
	Version  string    `json:"version"`
	Started  time.Time `json:"started"`
	Draining bool      `json:"draining"`
	Config   string    `json:"config"`
	// ConfigError is the problem of the last reload, empty when it worked.
	ConfigError string `json:"config_error,omitempty"`
	// IndexError is why the index fails; matches are filed without it.
	IndexError string    `json:"index_error,omitempty"`
	Accounts   []Account `json:"accounts"`
	// Saved, longest waiting first, and Ended, newest first, are set for pages only.
	Saved []Saved `json:"saved,omitempty"`
	Ended []Ended `json:"ended,omitempty"`
}

// Account is the state of one login.
type Account struct {
	Name      string    `json:"name"`
	Server    string    `json:"server"`
	State     string    `json:"state"` // connecting, ready, playing, waiting, stopped
	Connected bool      `json:"connected"`
	LastLine  time.Time `json:"last_line,omitzero"`
	Rating    float64   `json:"rating,omitempty"`
	Opponent  string    `json:"opponent,omitempty"`
	Match     string    `json:"match,omitempty"`  // as "3-2 in 5 points"
	Preset    string    `json:"preset,omitempty"` // or the name of the other engine that plays
	Board     string    `json:"position_id,omitempty"`
	Finished  int       `json:"matches_finished"`
	Won       int       `json:"matches_won"`
	Queue     int       `json:"send_queue"`
	// Paused and Leaving are so by order; Leaving also after the last of the matches to play.
	Paused  bool `json:"paused,omitempty"`
	Leaving bool `json:"leaving,omitempty"`
	// Waiting is why a disconnected account does not try to connect now.
	Waiting string `json:"waiting,omitempty"`
	// NotInviting is why matchmaking invites no one now.
	NotInviting string `json:"not_inviting,omitempty"`
	// Engines are the other engines that may play for the account, by name.
	Engines map[string]Engine `json:"engines,omitempty"`
	// Journal says why the journals cannot be written, empty while they can. The
	// account does not play until they can.
	Journal string `json:"journal_error,omitempty"`
	Error   string `json:"error,omitempty"`
	// LeftAlone are the people whom the account does not play, invite or talk to for now.
	LeftAlone []Person `json:"left_alone,omitempty"`
	// Live is set for pages only.
	Live *Live `json:"live,omitempty"`
}

// Engine is the health of another engine.
type Engine struct {
	Running  bool      `json:"running"`
	Answered uint64    `json:"answered"` // decisions
	Failed   uint64    `json:"failed"`   // decisions and starts
	InARow   int       `json:"in_a_row"` // failures since the last answer
	Fault    string    `json:"fault,omitempty"`
	FaultAt  time.Time `json:"fault_at,omitzero"`
}

// Person is someone whom an account leaves alone.
type Person struct {
	Name  string    `json:"name"`
	Why   string    `json:"why"`
	Until time.Time `json:"until,omitzero"` // zero without an end
}

// Ready reports whether the process can do its work: at least one account is logged in.
func (s Status) Ready() bool {
	return slices.ContainsFunc(s.Accounts, func(a Account) bool { return a.Connected })
}

// Print writes the status for a person: a line for the process and one for each
// account. now is what ages are counted from.
func (s Status) Print(w io.Writer, now time.Time) error {
	state := "running"
	if s.Draining {
		state = "leaving"
	}
	if _, err := fmt.Fprintf(w, "fibsbot %s %s for %s, %s\n", s.Version, state, now.Sub(s.Started).Round(time.Second), s.Config); err != nil {
		return err
	}
	if s.ConfigError != "" {
		fmt.Fprintf(w, "the last reload failed: %s\n", s.ConfigError)
	}
	if s.IndexError != "" {
		fmt.Fprintf(w, "the index does not work: %s\n", s.IndexError)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ACCOUNT\tSTATE\tRATING\tWON\tMATCH\tPRESET\tLAST LINE\tNOTE")
	for _, a := range s.Accounts {
		match := a.Match
		if a.Opponent != "" {
			match = a.Opponent + " " + match
		}
		last := ""
		if !a.LastLine.IsZero() {
			last = now.Sub(a.LastLine).Round(time.Second).String() + " ago"
		}
		note := cmp.Or(a.Error, a.Waiting)
		if a.Journal != "" && a.Waiting == "" {
			note = a.Journal // its end is what it waits for
		}
		for _, name := range slices.Sorted(maps.Keys(a.Engines)) {
			if h := a.Engines[name]; note == "" && h.InARow > 0 {
				note = fmt.Sprintf("engine %s has failed: %s", name, h.Fault)
			}
		}
		switch {
		case note != "":
		case a.Leaving:
			note = "leaving"
		case a.Paused:
			note = "paused"
		}
		if note == "" && a.NotInviting != "" {
			note = "invites no one: " + a.NotInviting
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d/%d\t%s\t%s\t%s\t%s\n", a.Name, a.State, figure.If(a.Rating > 0, a.Rating).Text("%.2f"), a.Won, a.Finished, match, a.Preset, last, note)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, a := range s.Accounts {
		for _, p := range a.LeftAlone {
			until := ""
			if !p.Until.IsZero() {
				until = ", until " + p.Until.Local().Format("2006-01-02 15:04")
			}
			if _, err := fmt.Fprintf(w, "%s leaves %s alone: %s%s\n", a.Name, p.Name, p.Why, until); err != nil {
				return err
			}
		}
	}
	return nil
}

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
	// Record is nil until the archive was read.
	Record *Record `json:"record,omitempty"`
}

// RecordDays is how many days back a Record counts, today included.
const RecordDays = 30

// Record is what is known about an account from all its starts. Lists but Daily have the
// highest number first.
type Record struct {
	// All are the matches of the archive, Daily those of each of the last RecordDays that has
	// any, oldest first, and Opponents those with the players met most often.
	All       Tally   `json:"all"`
	Daily     []Tally `json:"daily"`
	Opponents []Tally `json:"opponents"`
	// Of the last RecordDays: invitations accepted and refused, the latter by the key of bot.yaml
	// that decided, and connections lost by their cause.
	Accepted int     `json:"accepted"`
	Refused  []Count `json:"refused"`
	Lost     []Count `json:"lost"`
}

// Tally sums up matches, as the statistics of the archive do.
type Tally struct {
	Name       string           `json:"name,omitempty"` // the opponent, or the day in UTC as 2026-11-21
	Matches    int              `json:"matches"`
	Won        int              `json:"won"`
	Lost       int              `json:"lost"`
	Unfinished int              `json:"unfinished"`
	WinRate    figure.Figure    `json:"win_rate"` // 0 to 1, of the matches with a winner
	Interval   *figure.Interval `json:"win_rate_interval"`
}

// Count is how often something happened.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
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
	// Course is the account's match winning chance before each roll of the match so far, in
	// unlimited play that of the game. Starts are the places in it where games begin.
	Course []float64 `json:"course,omitempty"`
	Starts []int     `json:"starts,omitempty"`
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
