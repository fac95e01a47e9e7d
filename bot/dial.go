package bot

import (
	"context"

	"fibsbot/bot/protocol"
)

// Dialer returns an Account.Dial that logs in as login says, which is asked anew
// each time.
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
