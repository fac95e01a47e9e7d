package client

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/fibs/clip"
)

// rounds is how often a step of setting up is tried: FIBS loses commands.
const rounds = 3

// setUp brings the account into the state a bot needs, one command at a time:
// board style, switches, variables, address, saved matches, a running match,
// and ready last, when everything else is done.
func (c *Client) setUp() error {
	for _, step := range []func() error{
		c.findSettings, func() error { return c.setVariable("boardstyle", "3") },
		c.setSwitches, c.setRedoubles, c.setAddress, c.askSaved, c.askBoard, c.comeBack, c.setReady,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// ask sends a command and waits for its answer, up to three times. done is
// false when none came.
func (c *Client) ask(command clip.Command, want func(*clip.Event) bool) (done bool, err error) {
	for range rounds {
		if err := c.writeCommand(command); err != nil {
			return false, err
		}
		if done, err = c.await(c.opts.Answer, want); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// refused notes a setting that the server did not take. answered reports whether it said anything
// about it.
func (c *Client) refused(name string, answered bool) error {
	switch {
	case !essential[name] && name != "boardstyle":
	case answered:
		return fmt.Errorf("%w: %s", ErrSettings, name)
	default:
		return fmt.Errorf("%w: no answer to the setting of %s", ErrSilent, name)
	}
	c.welcome.Refused = append(c.welcome.Refused, name)
	return nil
}

func (c *Client) setVariable(name, value string) error {
	var set bool
	done, err := c.ask(clip.Set{Name: name, Value: value}, func(e *clip.Event) bool {
		set = e.Kind == clip.VariableSet && e.Name == name && e.Text == value
		return set || e.Kind == clip.SetRefused
	})
	switch {
	case err != nil:
		return err
	case done && set:
		return nil
	default:
		return c.refused(name, done)
	}
}

// setSwitches flips the switches that differ from the wanted state. The server has no command
// to set a switch, and its list and its texts may disagree, so only the answer to a flip counts.
func (c *Client) setSwitches() error {
	now, err := c.switches()
	if err != nil {
		return err
	}
	for _, name := range clip.Switches() {
		want, wanted := c.opts.Switches[name]
		is, known := now[name]
		if !wanted || !known || is == want || name == "ready" {
			continue
		}
		if err := c.flip(name, want); err != nil {
			return err
		}
	}
	return nil
}

// switches is the state of the switches, from the login or from a question.
func (c *Client) switches() (map[string]bool, error) {
	now := map[string]bool{}
	if s := c.welcome.Settings; s != nil {
		for _, name := range clip.Switches() {
			if on, ok := s.Switch(name); ok {
				now[name] = on
			}
		}
		return now, nil
	}
	all := clip.Switches()
	_, err := c.ask(clip.Toggle{}, func(e *clip.Event) bool {
		if e.Kind == clip.ToggleRow {
			now[e.Name] = e.On
		}
		return e.Kind == clip.ToggleRow && e.Name == all[len(all)-1]
	})
	return now, err
}

// flip toggles one switch until it is as wanted.
func (c *Client) flip(name string, want bool) error {
	answered := false
	for range rounds {
		var is bool
		if err := c.writeCommand(clip.Toggle{Names: []string{name}}); err != nil {
			return err
		}
		var refused bool
		done, err := c.await(c.opts.Answer, func(e *clip.Event) bool {
			refused = e.Kind == clip.ToggleUnknown
			is = e.On
			return refused || e.Kind == clip.Toggled && e.Name == name
		})
		answered = answered || done
		switch {
		case err != nil:
			return err
		case refused:
			return c.refused(name, true)
		case done && is == want:
			return nil
		case !done:
			// The command or the answer was lost, or the server answers with
			// the text of another switch. Toggling blindly again could undo
			// it, so ask.
			if is, err = c.switchIs(name, !want); err != nil {
				return err
			}
			if is == want {
				return nil
			}
		}
	}
	return c.refused(name, answered)
}

// switchIs asks the server for the state of one switch; otherwise is the
// answer when it does not tell.
func (c *Client) switchIs(name string, otherwise bool) (bool, error) {
	is := otherwise
	_, err := c.ask(clip.Toggle{}, func(e *clip.Event) bool {
		if e.Kind != clip.ToggleRow || e.Name != name {
			return false
		}
		is = e.On
		return true
	})
	return is, err
}

func (c *Client) setRedoubles() error {
	if s := c.welcome.Settings; s != nil {
		if s.Redoubles == c.opts.Redoubles || c.opts.Redoubles == "none" && s.Redoubles == "0" {
			return nil
		}
	}
	return c.setVariable("redoubles", c.opts.Redoubles)
}

func (c *Client) setAddress() error {
	if c.opts.Email == "" || slices.ContainsFunc(c.heard, func(e clip.Event) bool {
		return e.Kind == clip.PlayerLine && e.Name == c.welcome.Name && e.Player.Email == c.opts.Email
	}) {
		return nil
	}
	var set bool
	done, err := c.ask(clip.Address{Email: c.opts.Email}, func(e *clip.Event) bool {
		set = e.Kind == clip.AddressSet
		return set || e.Kind == clip.Refused || e.Kind == clip.NotImplemented
	})
	if err == nil && !set {
		err = c.refused("address", done)
	}
	return err
}

// askSaved asks for the list of saved matches. It has no end mark, so its rows
// are collected until the question for the board, the next step, is answered.
func (c *Client) askSaved() error {
	_, err := c.ask(clip.ShowSaved{}, func(e *clip.Event) bool {
		return e.Kind == clip.SavedHeader || e.Kind == clip.SavedNone
	})
	return err
}

// listSaved collects the rows of the last list of saved matches.
func (c *Client) listSaved() {
	for _, e := range c.heard {
		switch e.Kind {
		case clip.SavedHeader:
			c.welcome.Saved = nil
		case clip.SavedRow:
			c.welcome.Saved = append(c.welcome.Saved, SavedMatch{
				Opponent: e.Name, Length: e.Length, Ours: e.Score[0], Theirs: e.Score[1], Here: e.Count > 0,
			})
		}
	}
}

// askBoard finds out whether a match is running: after a lost connection the server may
// resume it without announcing that.
func (c *Client) askBoard() error {
	_, err := c.ask(clip.AskBoard{}, func(e *clip.Event) bool {
		if e.Kind == clip.BoardLine && e.Board.Own() {
			c.welcome.Running = e.Board
			return true
		}
		return e.Kind == clip.NotPlayingYou
	})
	c.listSaved()
	return err
}

// comeBack ends the state of being away, in which an earlier user of the account may have left
// it: the server shows it to everyone, and answers every command with a reminder.
func (c *Client) comeBack() error {
	away := c.welcome.Settings != nil && c.welcome.Settings.Away || slices.ContainsFunc(c.heard, func(e clip.Event) bool {
		return e.Kind == clip.PlayerLine && e.Name == c.welcome.Name && e.Player.Away || strings.HasPrefix(e.Raw, "You're away.")
	})
	if !away || !c.opts.Ready {
		return nil
	}
	_, err := c.ask(clip.Back{}, func(e *clip.Event) bool {
		return e.Kind == clip.Known && (strings.HasPrefix(e.Raw, "Welcome back") || strings.HasPrefix(e.Raw, "** You're not away"))
	})
	return err
}

func (c *Client) setReady() error {
	if c.ready == c.opts.Ready {
		return nil
	}
	return c.flip("ready", c.opts.Ready)
}
