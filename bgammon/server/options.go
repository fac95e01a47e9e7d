package server

import (
	"math/rand/v2"
	"time"

	"github.com/sirupsen/logrus"
)

// Faults are defects of servers that can be switched on.
type Faults struct {
	// DoubleBoards: every board is sent twice.
	DoubleBoards bool
	// LateBoards: one board in so many is followed by one of the last that came before it,
	// as when a board waits while others are sent; 0 for none.
	LateBoards int
	// PlaysOn: rolls, moves and the end of a turn are taken while the opponent is away.
	PlaysOn bool
	// Language of the notices: "" for English; anything else makes them unreadable for
	// a client that parses them.
	Language string
}

// Options say how the server behaves. Zero values mean the defaults.
type Options struct {
	// Greeting is the first line, default "Welcome.".
	Greeting string
	// Accounts are registered names with their passwords. All other names are guests.
	Accounts map[string]string
	// Seed makes the dice repeatable; 0 means random dice.
	Seed uint64
	// Ping is the time between two pings, default 10 s; Patience how long a client may
	// be silent, default 40 s; Login how long a login may take, default 40 s.
	Ping, Patience, Login time.Duration
	// First is the number of the first match, default 1: a high one is that of a server that
	// has run for long.
	First int
	// EmptySeat is how long a player waits for an opponent who is away, default 15 minutes;
	// Sweep the time between two looks for matches without a player, default 1 minute.
	EmptySeat, Sweep time.Duration
	// Inactive is how long a player may keep the opponent waiting: then that one may leave and has
	// won. Real servers grant it in rated matches, after 10 minutes; 0 never does.
	Inactive time.Duration
	// MaxConns bounds the connections, default 1,000; MaxMatches the matches that are
	// open at a time, default 1,000.
	MaxConns, MaxMatches int
	Faults               Faults
	// Log, when set, receives logins, matches and their ends.
	Log logrus.FieldLogger
}

func (o Options) withDefaults() Options {
	if o.Greeting == "" {
		o.Greeting = "Welcome."
	}
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&o.Ping, 10 * time.Second}, {&o.Patience, 40 * time.Second}, {&o.EmptySeat, 15 * time.Minute}, {&o.Sweep, time.Minute}, {&o.Login, 40 * time.Second}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	if o.MaxConns <= 0 {
		o.MaxConns = 1000
	}
	if o.MaxMatches <= 0 {
		o.MaxMatches = 1000
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	o.First = max(1, o.First)
	if o.Log == nil {
		silent := logrus.New()
		silent.SetLevel(logrus.PanicLevel)
		o.Log = silent
	}
	return o
}
