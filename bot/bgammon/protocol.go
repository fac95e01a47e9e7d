package bgammon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/engine/match"
)

// Name is the word for the protocol in bot.yaml and in journals.
const Name = "bgammon"

var _ protocol.Protocol = Protocol{}

// maxKeepalive stays well below the 40 s after which the server disconnects a silent client.
const maxKeepalive = 30 * time.Second

// maxText is the longest text of one line.
const maxText = 400

// seat is how long the server keeps the seat of a player whose connection broke.
const seat = 15 * time.Minute

// Protocol is that of bgammon.org. The zero value is ready for use.
type Protocol struct {
	// Client changes the client's options before each login, for tests.
	Client func(*client.Options)
	// Connect opens connections; a plain dialer by default.
	Connect protocol.Connect
	// Person is for the account of a person, who has a person's name and may join people.
	Person bool
}

// Name implements protocol.Protocol.
func (Protocol) Name() string { return Name }

// Rules implements protocol.Protocol. The server has no lists of moves, no saved and no
// unlimited matches. A resignation ends the game at once and costs what the position says.
func (Protocol) Rules() protocol.Rules {
	return protocol.Rules{ResignsAtOnce: true, Drops: match.DropByPosition, Opens: true, SeatKept: seat, MaxText: maxText}
}

// Plain implements protocol.Protocol: the server speaks UTF-8.
func (Protocol) Plain(text string) string { return text }

// Reader implements protocol.Protocol.
func (Protocol) Reader() protocol.Reader { return &reader{} }

// CheckName returns a one-line error for a name that cannot be used here.
func (p Protocol) CheckName(name string) error {
	if p.Person {
		return wire.CheckPersonName(name)
	}
	return wire.CheckBotName(name)
}

// CheckAddress returns a one-line error for an address that is not HOST:PORT, tls://HOST:PORT,
// ws://HOST/PATH or wss://HOST/PATH.
func (Protocol) CheckAddress(address string) error {
	hostport, secure := strings.CutPrefix(address, "tls://")
	if !secure && strings.Contains(address, "://") {
		if u, err := url.Parse(address); err != nil || u.Scheme != "ws" && u.Scheme != "wss" || u.Host == "" || u.User != nil {
			return fmt.Errorf("%q is not an address (use host:port, tls://host:port or wss://host/path)", address)
		}
		return nil
	}
	host, port, err := net.SplitHostPort(hostport)
	if n, e := strconv.Atoi(port); err != nil || host == "" || e != nil || n < 1 || n > 65535 {
		return fmt.Errorf("%q is not an address (use host:port, tls://host:port or wss://host/path)", address)
	}
	return nil
}

// options turns a login into the client's options.
func (p Protocol) options(l protocol.Login) client.Options {
	o := client.Options{
		Address: l.Address, Name: l.Name, Client: l.Program, Dialer: p.Connect,
		Person: p.Person, Keepalive: l.Keepalive, Idle: l.Silence, Gap: l.Gap, ChatGap: l.ChatGap,
	}
	// A configuration for FIBS may allow more than this server does.
	if o.Keepalive > maxKeepalive {
		o.Keepalive = 0
	}
	if l.Password != nil {
		o.Password = l.Password.Reveal()
	}
	if rest, ok := strings.CutPrefix(l.Address, "tls://"); ok {
		o.Address, o.TLS = rest, &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if tell := l.Transcript; tell != nil {
		o.Transcript = func(line client.Line) { tell(protocol.Line(line)) }
	}
	if p.Client != nil {
		p.Client(&o)
	}
	return o
}

// Dial implements protocol.Protocol.
func (p Protocol) Dial(ctx context.Context, l protocol.Login) (protocol.Link, error) {
	link, err := p.dial(ctx, p.options(l))
	if err != nil {
		if errors.Is(err, client.ErrBadLogin) || errors.Is(err, client.ErrName) {
			return nil, fmt.Errorf("%w: %w", protocol.ErrBadLogin, err)
		}
		return nil, failure(err)
	}
	return link, nil
}

// Knock implements protocol.Protocol.
func (p Protocol) Knock(ctx context.Context, l protocol.Login) error {
	address := strings.TrimPrefix(l.Address, "tls://")
	if u, err := url.Parse(l.Address); err == nil && (u.Scheme == "ws" || u.Scheme == "wss") {
		if address = u.Host; u.Port() == "" {
			address = net.JoinHostPort(u.Hostname(), map[string]string{"ws": "80", "wss": "443"}[u.Scheme])
		}
	}
	return protocol.Knock(ctx, p.Connect, address)
}

// failure adds the cause to an error of the client.
func failure(err error) error {
	return protocol.Blame(err, []protocol.Failure{
		{Err: client.ErrInUse, Cause: protocol.CauseLost}, {Err: client.ErrSilent, Cause: protocol.CauseSilent},
		{Err: client.ErrFlood, Cause: protocol.CauseFlood}, {Err: client.ErrCrash, Cause: protocol.CauseCrash},
		{Err: client.ErrTerminated, Cause: protocol.CauseLost}, {Err: client.ErrLost, Cause: protocol.CauseLost},
		{Err: err, Cause: protocol.CauseDial},
	})
}
