package client_test

import (
	"errors"
	"testing"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
)

// TestZeroClient: a Client that Dial has not made has ended.
func TestZeroClient(t *testing.T) {
	c := new(client.Client)
	c.Close()
	c.Close() // twice does no harm
	if err := c.Send(clip.Time{}); !errors.Is(err, client.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
	if err := c.Send(nil); !errors.Is(err, clip.ErrCommand) {
		t.Errorf("Send of nil: %v", err)
	}
	if _, more := <-c.Events(); more || c.Waiting() != 0 || c.Drained() != nil || c.Welcome().Name != "" {
		t.Error("something has happened to the zero Client")
	}
	if err := c.Err(); !errors.Is(err, client.ErrClosed) {
		t.Errorf("Err: %v", err)
	}
}
