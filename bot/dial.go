package bot

import (
	"context"

	"fibsbot/bot/protocol"
)

// Dialer returns an Account.Dial that calls login before each connection and logs in with
// its result.
func Dialer(p protocol.Protocol, login func() (protocol.Login, error)) func(context.Context) (Link, error) {
	return func(ctx context.Context) (Link, error) {
		l, err := login()
		if err != nil {
			return nil, err
		}
		l.Plays = true
		return p.Dial(ctx, l)
	}
}
