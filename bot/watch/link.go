package watch

import (
	"context"
	"errors"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
)

// Connection is a Link of the real client for an account that only watches: it is
// not ready to play. Make one with Connect and Close it.
type Connection struct{ *client.Session }

// Connect logs in and makes the settings a spectator needs. The errors are those
// of client.Dial.
func Connect(ctx context.Context, opt client.Options) (Connection, error) {
	opt.Ready = false
	c, err := client.Dial(ctx, opt)
	if err != nil {
		return Connection{}, err
	}
	return Connection{c.Start()}, nil
}

// Send implements Link. A comment for which there is no room is not worth a
// connection either.
func (l Connection) Send(c clip.Command) error {
	if err := l.Session.Send(c); !errors.Is(err, client.ErrQueueFull) {
		return err
	}
	return nil
}
