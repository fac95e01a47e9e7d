package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"fibsbot/bgammon/wire"
)

// Why a connection ended or could not be made. Errors of Dial and Err wrap one of these, or
// are the error of dialling.
var (
	// ErrBadLogin: the server refused the name or the password. Do not try the same ones
	// again.
	ErrBadLogin = errors.New("login refused")
	// ErrName: the account may not have that name, or the server gave another one.
	ErrName = errors.New("unusable name")
	// ErrInUse: the name is logged in, possibly by an earlier connection of ours that the
	// server has not given up yet. Try again later.
	ErrInUse = errors.New("name in use")
	// ErrSilent: the server said nothing for too long.
	ErrSilent = errors.New("server is silent")
	// ErrTerminated: the server announced the end of the connection.
	ErrTerminated = errors.New("connection terminated by the server")
	// ErrLost: the connection broke.
	ErrLost = errors.New("connection lost")
	// ErrFlood: the server sent a line without end.
	ErrFlood = errors.New("server floods")
	// ErrQueueFull: too many commands wait to be sent.
	ErrQueueFull = errors.New("send queue is full")
	// ErrCrash: a fault of this program while it read a line. The error has the line.
	ErrCrash = errors.New("program fault while reading a line of the server")
)

// Line is a line on the wire, for transcripts, with the password masked.
type Line struct {
	// Sent is true for our lines, false for the server's.
	Sent bool
	Time time.Time
	Text string
}

// Options say where to log in and how. Zero values mean the defaults.
type Options struct {
	// Address is host:port for TCP, or a ws:// or wss:// address.
	Address string
	// Name has to begin with BOT_, unless Person says that a person plays. An empty Password
	// logs in as a guest.
	Name     string
	Password string
	Person   bool
	// Client names the program and its version, default "fibsbot"; Language the notices'
	// language, default "en".
	Client, Language string
	// TLS, when set, is used on the connection. On TCP the server needs a TLS proxy in front
	// of it. A wss:// address uses TLS with or without it.
	TLS *tls.Config
	// Dialer opens the connection, default a net.Dialer.
	Dialer func(ctx context.Context, network, address string) (net.Conn, error)
	// Transcript, when set, gets every line in both directions. Our lines and the
	// server's may come from two goroutines at once.
	Transcript func(Line)
	// Deliver gets the server's lines in order, from the first of the login, without pings, and
	// at last nil; then Err says why. One goroutine calls it; while it waits, the server does.
	// After Close it gets only nil. Default: nothing is done with them.
	Deliver func(*Event)
	// Login is the longest time for connecting and logging in, default 30 s.
	Login time.Duration
	// Idle is the longest silence of the server, default 60 s: it pings.
	Idle time.Duration
	// Keepalive is the time without a line of ours after which one is sent, default
	// 20 s: the server disconnects a client that is silent for 40 s.
	Keepalive time.Duration
	// Gap is the shortest time between two lines, default 100 ms, negative for none;
	// ChatGap between a line and the chat line after it, default 1.5 s.
	Gap, ChatGap time.Duration
	// Goodbye is the longest wait for the server to close after we leave, default 1 s.
	Goodbye time.Duration
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&o.Login, 30 * time.Second}, {&o.Idle, time.Minute}, {&o.Keepalive, 20 * time.Second},
		{&o.Gap, 100 * time.Millisecond}, {&o.ChatGap, 1500 * time.Millisecond}, {&o.Goodbye, time.Second},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	o.Client = cmp.Or(o.Client, "fibsbot")
	o.Language = cmp.Or(o.Language, "en")
	if o.Dialer == nil {
		o.Dialer = (&net.Dialer{}).DialContext
	}
	if o.Transcript == nil {
		o.Transcript = func(Line) {}
	}
	if o.Deliver == nil {
		o.Deliver = func(*Event) {}
	}
	return o
}

// webSocket reports whether the address is a WebSocket's.
func (o Options) webSocket() bool {
	return strings.HasPrefix(o.Address, "ws://") || strings.HasPrefix(o.Address, "wss://")
}

// check refuses a name that is not a bot's: the server's rules forbid programs to use others.
// For a person it refuses a bot's.
func (o Options) check() error {
	check := wire.CheckBotName
	if o.Person {
		check = wire.CheckPersonName
	}
	if err := check(o.Name); err != nil {
		return fmt.Errorf("%w: %w", ErrName, err)
	}
	return nil
}
