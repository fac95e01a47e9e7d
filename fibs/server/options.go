package server

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"github.com/sirupsen/logrus"
)

// Options are the options of a server. The zero value means a server in memory with random dice,
// guest registration and FIBS's behaviour.
type Options struct {
	// Name appears in the banner and in the guest texts; "FIBS" by default.
	Name string
	// Data is the directory of accounts and saved matches, a SQLite database.
	// New creates it if it does not exist. Empty keeps everything in memory.
	Data string
	// CheapPasswords hashes new passwords for speed also when they are kept on
	// disk. For tests with thousands of logins.
	CheapPasswords bool
	// Seed makes dice and colours repeatable; 0 takes the system's entropy.
	Seed uint64
	// Dice makes the dice of a match, for tests that need given rolls. The
	// names are inviter and joiner; number counts the matches of the server
	// from 1. Matches with such dice are resumed with fresh ones after a
	// restart. Nil uses Seed. The function and its dice are called under the
	// server's mutex: they must be quick and may not call the server. A user whose
	// command makes them panic is disconnected.
	Dice func(inviter, joiner string, number int) Dice
	// AutoAccounts makes an account of any well-formed name that logs in for
	// the first time, with the password given. For demos and play at home.
	AutoAccounts bool
	// Accounts are made at start: name to password. Existing ones are kept.
	Accounts map[string]string
	// MOTD is the message of the day; each line is one line of at most 76
	// characters. A short welcome by default.
	MOTD []string
	// Quirks switches on defects of the real FIBS.
	Quirks Quirks
	// NoAutoResume leaves an interrupted match saved until one player invites the other.
	// Otherwise it resumes when the player who dropped is back and the opponent is still free,
	// as on FIBS.
	NoAutoResume bool
	// Closing is how long before an announced end of the server logins are refused, with
	// another prompt and no reason. FIBS refuses them for ten minutes; 0 never.
	Closing time.Duration
	// KeepSides gives O to the player whose name sorts first in every game.
	// FIBS draws the sides and swaps them each game.
	KeepSides bool
	// IdleLimit is after how long without a line a user is dropped; one hour
	// by default.
	IdleLimit time.Duration
	// Limits bound what one address or one user may do.
	Limits Limits
	// MaxConns bounds simultaneous connections (1000), MaxAccounts the
	// accounts (100000), KeepMatches the finished matches that Matches
	// remembers (2000).
	MaxConns, MaxAccounts, KeepMatches int
	// Now is the clock; time.Now by default. Idle limits, login times and
	// file dates use it; network deadlines use real time. It is called under the
	// server's mutex and may not call the server.
	Now func() time.Time
	// Log receives logins, matches and trouble; silent by default. Passwords
	// and the lines of clients are never logged.
	Log logrus.FieldLogger
	// OnLine is called for each line a logged-in user sends, before it is
	// carried out, with how many he has sent on this connection. Returning
	// Drop cuts his connection first, Swallow loses the line. It holds up that
	// user only, runs beside the calls for other users, and may call the server.
	// One that panics cuts the connection, and the fault is logged.
	OnLine func(ctx context.Context, user, line string, n int) Fate
	// OnDone is called with the result of each line of a logged-in user that was carried out:
	// one call at a time, in the order in which the lines took effect, before any client reads
	// the answers. All answers wait for it, so it must be quick. It may call the server. A panic
	// in it is logged.
	OnDone func(Done)
}

// Done is a line of a user and its result.
type Done struct {
	User, Line string
	// Answer is what the user was sent because of it, as it goes over the wire.
	Answer string
	// Before and After are how the user's match stood; zero without a match.
	Before, After Standing
}

// Standing is the state of a match as one of its players sees it. Equal values are the same state
// of the same match, except for an offer to resign and for joining the next game.
type Standing struct {
	Match, Game, Actions int    // the match's number, its game's from 1, actions recorded in that
	Board                string // the board in style 3
}

// Fate is what an OnLine hook decides about a line.
type Fate int

// The fates of a line.
const (
	Carry     Fate = iota // carry the line out
	Swallow               // lose it, as FIBS sometimes does
	Drop                  // cut the connection before the line takes effect
	DropAfter             // carry the line out, then cut the connection
)

// Quirks are defects of the real FIBS that a client must survive. Each field is a probability from
// 0 to 1.
type Quirks struct {
	Glued       float64 // a board or a take is not ended: the next text follows on the same line
	LostCommand float64 // a game command vanishes without an answer
	ForgetRoll  float64 // the automatic roll after a resume or a refused resignation does not happen
	Junk        float64 // can-move, forced-move and did-Crawford fields hold nonsense
	ShortList   float64 // oldmoves of a running game lacks up to three of its last lines
	NoBoard     float64 // no board comes after a resume
	Notice      float64 // a notice to all users comes before an answer, or between two lines of oldmoves
	Seed        uint64  // for the decisions above; 0 takes the system's entropy
}

// AllQuirks returns the strongest quirks with which play is still possible.
func AllQuirks(seed uint64) Quirks {
	return Quirks{Glued: 0.2, LostCommand: 0.02, ForgetRoll: 1, Junk: 1, Seed: seed}
}

// Bounds of what one account or connection can make the server store.
const (
	// What one connection may send. A faster client is read more slowly; no one else notices.
	linesPerSecond = 2000
	maxLine        = 1024      // bytes of one input line; FIBS commands are far shorter
	maxQueue       = 512 << 10 // bytes queued for a client that does not read
	maxQueued      = 128 << 20 // for all together; above it no client may have more than fairQueue
	fairQueue      = 32 << 10
	answerCost     = 512      // bytes of an answer that count as one line more
	maxText        = 400      // characters of one chat text or message
	maxMail        = 50       // stored messages a user
	maxMailFrom    = 10       // of them from one sender
	maxList        = 100      // names on a gag, blind or waitfor list
	maxSaved       = 500      // saved matches of one account
	maxMailed      = 32 << 20 // bytes of the messages that wait for absent users
	writeLimit     = 30 * time.Second
	// lastWriteLimit is writeLimit when the server ends.
	lastWriteLimit = time.Second
	maxLoginTries  = 5
)

func (o Options) withDefaults() Options {
	o.Name = cmp.Or(o.Name, "FIBS")
	o.IdleLimit = cmp.Or(o.IdleLimit, time.Hour)
	o.MaxConns = cmp.Or(o.MaxConns, 1000)
	o.MaxAccounts = cmp.Or(o.MaxAccounts, 100_000)
	o.KeepMatches = cmp.Or(o.KeepMatches, 2000)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		l := logrus.New()
		l.SetOutput(io.Discard)
		o.Log = l
	}
	if o.MOTD == nil {
		o.MOTD = strings.Split(texts["MOTD"], "\n")
	}
	return o
}
