package client

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"fibsbot/fibs/clip"
)

// await reads events until want reports that one is the answer, or limit has passed; done is
// false then. An error ends the connection.
func (c *Client) await(limit time.Duration, want func(*clip.Event) bool) (done bool, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case e, ok := <-c.login:
			if !ok {
				return false, c.explain(c.readErr)
			}
			if len(c.heard) >= maxHeard {
				return false, fmt.Errorf("%w: %d lines during the login", ErrFlood, maxHeard)
			}
			c.heard = append(c.heard, e)
			if c.note(&e); c.kicked {
				return false, ErrKicked
			}
			if want(&e) {
				return true, nil
			}
		case <-timer.C:
			return false, nil
		}
	}
}

// must is await for an answer that the login needs.
func (c *Client) must(what string, want func(*clip.Event) bool) error {
	done, err := c.await(c.opts.Login, want)
	if err == nil && !done {
		err = fmt.Errorf("%w: no %s for %v", ErrSilent, what, c.opts.Login)
	}
	return err
}

// prompt waits for the login prompt. The error has the last line of a server that closes instead,
// such as one that is full.
func (c *Client) prompt() error {
	said := ""
	err := c.must("login prompt", func(e *clip.Event) bool {
		said = cmp.Or(strings.TrimSpace(e.Raw), said)
		return e.Kind == clip.LoginPrompt
	})
	if errors.Is(err, ErrLost) && said != "" {
		err = fmt.Errorf("%w: the server says %.200q", ErrLost, said)
	}
	return err
}

// writeCommand sends a command at once, at the pace of the queue.
func (c *Client) writeCommand(command clip.Command) error {
	line, err := command.Encode()
	if err != nil {
		return err
	}
	if wait := c.queue.Wait(time.Now(), int(clip.ClassLobby)); wait > 0 {
		if _, err := c.await(wait, func(*clip.Event) bool { return false }); err != nil {
			return err
		}
	}
	return c.writeLine(line)
}

// logIn waits for the prompt, sends the login line and reads up to the end of
// the greeting.
func (c *Client) logIn(login clip.Login) error {
	if err := c.prompt(); err != nil {
		return err
	}
	if err := c.writeCommand(login); err != nil {
		return err
	}
	var refused bool
	var why string // in the server's words
	err := c.must("answer to the login", func(e *clip.Event) bool {
		switch e.Kind {
		case clip.Welcome:
			c.welcome.Name, c.welcome.LastLogin, c.welcome.LastHost = e.Name, e.When, e.Text
			return true
		case clip.AlreadyLoggedIn:
			c.welcome.Replaced = true
		case clip.LoginPrompt, clip.PasswordPrompt, clip.LoginRefused, clip.TelnetPrompt, clip.BogusLine:
			refused = true
			return true
		default:
			if e.Kind == clip.GuestWelcome || e.Kind.Refusal() {
				why = e.Raw
			}
		}
		return false
	})
	switch {
	case err != nil:
		return err
	case refused && c.attention != nil:
		return fmt.Errorf("%w: it refuses logins", ErrShutdown)
	case refused && why != "":
		return fmt.Errorf("%w: %s at %s: the server says %.200q", ErrBadLogin, c.opts.Name, c.opts.Address, why)
	case refused:
		return fmt.Errorf("%w: wrong name or password for %s at %s (%w)", ErrBadLogin, c.opts.Name, c.opts.Address, ErrNoReason)
	}
	return c.greeting()
}

// greeting reads our settings, the message of the day and the rows of the
// players. Servers leave out one or the other, so only the time to wait for
// them is bounded.
func (c *Client) greeting() error {
	var playersEnd bool
	_, err := c.await(c.opts.Answer, func(e *clip.Event) bool {
		if e.Kind == clip.OwnInfo {
			c.welcome.Settings = e.Settings
			c.ready = e.Settings.Ready
		}
		playersEnd = e.Kind == clip.PlayersEnd
		return e.Kind == clip.MotdEnd || playersEnd
	})
	if err != nil || playersEnd {
		return err
	}
	_, err = c.await(min(c.opts.Answer, 2*time.Second), func(e *clip.Event) bool { return e.Kind == clip.PlayersEnd })
	return err
}
