package client

import (
	"context"
	"fmt"

	"fibsbot/fibs/clip"
	"fibsbot/internal/sanitize"
)

// Register creates the account opts.Name with opts.Password on the server at
// opts.Address through the guest login, and logs out. No command of fibsbot
// does so: FIBS allows one account per person, who takes it by hand. It is for
// servers of one's own, and tests hold the guest login of fibs/server against
// it. The error wraps ErrNameTaken, ErrNameRefused or ErrPasswordRefused
// for what the person can mend.
func Register(ctx context.Context, opts Options) error {
	opts = opts.withDefaults()
	if _, err := (clip.ChooseName{Name: opts.Name}).Encode(); err != nil {
		return err
	}
	if _, err := (clip.GivePassword{Password: opts.Password}).Encode(); err != nil {
		return err
	}
	c, err := open(ctx, opts)
	if err != nil {
		return err
	}
	defer c.abandon()
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	err = c.register()
	if !stop() && ctx.Err() != nil {
		err = fmt.Errorf("register at %s: %w", opts.Address, ctx.Err())
	}
	return err
}

// register walks through the prompts of a guest login.
func (c *Client) register() error {
	is := func(k clip.Kind) func(*Event) bool {
		return func(e *Event) bool { return e.Kind == k }
	}
	if err := c.must("login prompt", is(clip.LoginPrompt)); err != nil {
		return err
	}
	if err := c.writeCommand(clip.GuestLogin{}); err != nil {
		return err
	}
	if err := c.must("prompt for guests", is(clip.TelnetPrompt)); err != nil {
		return err
	}
	if err := c.giveName(); err != nil {
		return err
	}
	// The password is asked for twice.
	for _, last := range []bool{false, true} {
		if err := c.givePassword(last); err != nil {
			return err
		}
	}
	// The account exists; a server that is slow to say goodbye changes nothing.
	if c.writeCommand(clip.Bye{}) == nil {
		_, _ = c.await(c.opts.Goodbye, func(*Event) bool { return false })
	}
	return nil
}

func (c *Client) giveName() error {
	if err := c.writeCommand(clip.ChooseName{Name: c.opts.Name}); err != nil {
		return err
	}
	var refusal error
	err := c.must("answer to the name", func(e *Event) bool {
		switch e.Kind {
		case clip.PasswordPrompt:
			return true
		case clip.GuestNameTaken:
			refusal = fmt.Errorf("%w: %s", ErrNameTaken, c.opts.Name)
		case clip.GuestNameBad, clip.GuestNameLong, clip.Refused, clip.Usage, clip.UnknownCommand:
			refusal = fmt.Errorf("%w: %s", ErrNameRefused, e.Raw)
		}
		return refusal != nil
	})
	if refusal != nil {
		return refusal
	}
	return err
}

func (c *Client) givePassword(last bool) error {
	if err := c.writeCommand(clip.GivePassword{Password: c.opts.Password}); err != nil {
		return err
	}
	var refusal error
	err := c.must("answer to the password", func(e *Event) bool {
		switch e.Kind {
		case clip.GuestPasswordEmpty, clip.GuestPasswordShort, clip.GuestPasswordColon, clip.GuestPasswordsDiffer:
			refusal = fmt.Errorf("%w: %s", ErrPasswordRefused, sanitize.Secret(e.Raw, c.opts.Password.Reveal()))
			return true
		case clip.GuestRegistered:
			return true
		case clip.PasswordPrompt:
			return !last
		}
		return false
	})
	if refusal != nil {
		return refusal
	}
	return err
}
