package demo

import (
	"context"
	"errors"
	"net"

	bgammonclient "fibsbot/bgammon/client"
	bgammonserver "fibsbot/bgammon/server"
	"fibsbot/bgammon/wire"
	"fibsbot/bot"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// venue is a kind of server that a demo can be played on.
type venue struct {
	protocol string
	prefix   string // of the names of bots
	// serve makes an embedded server that lets everyone in.
	serve func(seed uint64) (func(context.Context, net.Listener) error, error)
	// connect sets the account's Protocol and Dial. A fast account waits for nothing between
	// lines.
	connect func(a *bot.Account, addr string, fast bool)
}

// program is the name of the client that others see.
const program = "fibsbot_demo"

// venues are all of them; the first is the usual one.
var venues = []venue{
	{
		protocol: fibs.Name,
		serve: func(seed uint64) (func(context.Context, net.Listener) error, error) {
			srv, err := server.New(server.Options{Seed: seed, AutoAccounts: true})
			if err != nil {
				return nil, err
			}
			return srv.Serve, nil
		},
		connect: func(a *bot.Account, addr string, fast bool) {
			opts := client.Options{Address: addr, Name: a.Name, Password: clip.NewSecret("demo"), Program: program}
			if fast {
				// The embedded server loses nothing that comes close together.
				opts.Pace = client.Pace{Gap: -1, ChatGap: -1, Burst: -1}
			}
			a.Protocol, a.Dial = fibs.Protocol{}, fibs.Dialer(opts)
		},
	},
	{
		protocol: bgammon.Name,
		prefix:   wire.BotPrefix,
		serve: func(seed uint64) (func(context.Context, net.Listener) error, error) {
			srv := bgammonserver.New(bgammonserver.Options{Seed: seed})
			return func(ctx context.Context, ln net.Listener) error {
				if err := srv.Serve(ctx, ln); !errors.Is(err, context.Canceled) {
					return err
				}
				return nil
			}, nil
		},
		connect: func(a *bot.Account, addr string, _ bool) {
			name := a.Name
			p := bgammon.Protocol{Client: func(o *bgammonclient.Options) { o.Gap = -1 }}
			a.Protocol = p
			a.Dial = bot.Dialer(p, func() (protocol.Login, error) {
				return protocol.Login{Address: addr, Name: name, Program: program, Plays: true}, nil
			})
		},
	},
}

// Protocols are the protocols that a demo can be played in.
func Protocols() (names []string) {
	for _, v := range venues {
		names = append(names, v.protocol)
	}
	return names
}

// venue returns the venue of f.Protocol, or nil if it is unknown.
func (f Options) venue() *venue {
	for i := range venues {
		if venues[i].protocol == f.Protocol {
			return &venues[i]
		}
	}
	return nil
}

// names are the two players as the server wants them.
func (v *venue) names() (lower, upper string) { return v.prefix + lowerName, v.prefix + upperName }
