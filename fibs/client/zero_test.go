package client_test

import (
	"errors"
	"testing"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
)

// TestZeroValues: a Client that Dial has not made, and a Session of none, are over.
func TestZeroValues(t *testing.T) {
	for range 2 { // closing twice does no harm
		c := new(client.Client)
		c.Close()
		if err := c.Run(t.Context()); !errors.Is(err, client.ErrClosed) {
			t.Errorf("Run: %v", err)
		}
		if err := c.Send(clip.Time{}); !errors.Is(err, client.ErrClosed) {
			t.Errorf("Send: %v", err)
		}
		if err := c.Send(nil); !errors.Is(err, clip.ErrCommand) {
			t.Errorf("Send of nothing: %v", err)
		}
		if _, more := <-c.Events(); more || c.Waiting() != 0 || c.Welcome().Name != "" {
			t.Error("something has happened to the zero Client")
		}
		c.Close()

		ran := c.Start()
		if _, more := <-ran.Events(); more || !errors.Is(ran.Err(), client.ErrClosed) {
			t.Errorf("a session of the zero Client: %v", ran.Err())
		}
		ran.Close()

		s := new(client.Session)
		if _, more := <-s.Events(); more || s.Waiting() != 0 || s.Drained() != nil || s.Err() != nil {
			t.Error("something has happened to the zero Session")
		}
		if err := s.Send(clip.Time{}); err != nil {
			t.Errorf("Send of a session: %v", err)
		}
		s.Close()
	}
}
