package client

import (
	"context"
	"fmt"
	"strings"

	"fibsbot/fibs/clip"
)

// Register registers Options.Name with Options.Password, as a guest does by hand, and hangs up.
// The error wraps ErrBadLogin if the server refuses name or password.
func Register(ctx context.Context, opts Options) error {
	opts = opts.withDefaults()
	opts.Transcript = nil
	// What a login cannot send is refused before there is a connection.
	if _, err := (clip.Login{Client: opts.Program, Name: opts.Name, Password: opts.Password}).Encode(); err != nil {
		return fmt.Errorf("%w: %w", ErrBadLogin, err)
	}
	c, err := open(ctx, opts)
	if err != nil {
		return err
	}
	defer c.abandon()
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	defer stop()
	if err := c.prompt(); err != nil {
		return err
	}
	password := opts.Password.Reveal()
	for _, step := range []struct {
		line   string
		wants  clip.Kind
		prompt string // a word of it
	}{
		{"guest", clip.TelnetPrompt, ""},
		{"name " + opts.Name, clip.PasswordPrompt, "give"},
		{password, clip.PasswordPrompt, "retype"},
		{password, clip.GuestRegistered, ""},
	} {
		if err := c.registers(step.line, step.wants, step.prompt); err != nil {
			return err
		}
	}
	return nil
}

// registers sends a line of a registration and waits for what follows it.
func (c *Client) registers(line string, wants clip.Kind, prompt string) error {
	if err := c.writeLine(line); err != nil {
		return err
	}
	why, ok := "", false
	err := c.must("answer to the registration", func(e *clip.Event) bool {
		switch e.Kind {
		case wants:
			ok = strings.Contains(e.Text, prompt)
			return true
		case clip.TelnetPrompt, clip.PasswordPrompt, clip.LoginPrompt:
			return true
		}
		if strings.TrimSpace(e.Raw) != "" {
			why = e.Raw
		}
		return false
	})
	if err == nil && !ok {
		return fmt.Errorf("%w: %s at %s: the server says %.200q", ErrBadLogin, c.opts.Name, c.opts.Address, why)
	}
	return err
}
