package bot

import (
	"context"
	"errors"
	"fmt"

	"fibsbot/fibs/client"
)

// Dialer returns an Account.Dial that logs in with the real client.
func Dialer(opts client.Options) func(context.Context) (Link, error) {
	return DialerOf(func() (client.Options, error) { return opts, nil })
}

// DialerOf is Dialer for options that may change between two connections.
func DialerOf(options func() (client.Options, error)) func(context.Context) (Link, error) {
	return func(ctx context.Context) (Link, error) {
		opts, err := options()
		if err != nil {
			return nil, err
		}
		opts.Ready = true
		c, err := client.Dial(ctx, opts)
		if err != nil {
			if errors.Is(err, client.ErrBadLogin) {
				return nil, fmt.Errorf("%w: %w", ErrBadLogin, err)
			}
			return nil, err
		}
		return clientLink{c.Start()}, nil
	}
}

// clientLink is a session of the real client as a QueuedLink.
type clientLink struct{ *client.Session }

var _ QueuedLink = clientLink{}

// Close implements Link. A session ends without an error of its own.
func (l clientLink) Close() error {
	l.Session.Close()
	return nil
}
