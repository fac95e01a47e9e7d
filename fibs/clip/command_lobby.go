package clip

import (
	"strconv"
	"strings"
)

// Lobby commands.
type (
	// Invite invites Name to Length points, to an unlimited match when Length
	// is Unlimited, or to resume the saved match when Length is 0. Accepting
	// a new match destroys a saved one with the same player.
	Invite struct {
		Name   string
		Length int
	}
	// Toggle flips switches; the server has no command to set them.
	Toggle struct{ Names []string }
	// Set gives a variable a value.
	Set struct{ Name, Value string }
	// AskVariable asks for the value of a variable.
	AskVariable struct{ Name string }
	// Back ends the state of being away.
	Back struct{}
	// ShowSaved lists our saved matches.
	ShowSaved struct{}
	// ShowSavedCount asks how many saved games Name has.
	ShowSavedCount struct{ Name string }
	// RawWho asks for the row of Name, or for all users if Name is empty.
	RawWho struct{ Name string }
	// Oldmoves asks for the moves of the current or last game with Name.
	Oldmoves struct{ Name string }
	// Watch watches Name; Unwatch ends it.
	Watch struct{ Name string }
	// Unwatch stops watching.
	Unwatch struct{}
	// Address sets our mail address.
	Address struct{ Email string }
	// Time asks for the server's clock: the keepalive during a match.
	Time struct{}
	// Bye logs out; a running match is saved.
	Bye struct{}
)

// Encode implements [Command].
func (i Invite) Encode() (string, error) {
	switch {
	case i.Length == 0:
		return named("invite", i.Name)
	case i.Length == Unlimited:
		return named("invite", i.Name, "unlimited")
	case i.Length < 1 || i.Length > 99:
		return "", commandError("invite: %d points, not 1 to 99", i.Length)
	default:
		return named("invite", i.Name, strconv.Itoa(i.Length))
	}
}

// Encode implements [Command].
func (t Toggle) Encode() (string, error) {
	words := []string{"toggle"}
	for _, n := range t.Names {
		if !isName(n) {
			return "", commandError("toggle: %.30q is not a switch", n)
		}
		words = append(words, n)
	}
	return encode(words...)
}

// Encode implements [Command].
func (s Set) Encode() (string, error) {
	if s.Value == "" || strings.ContainsAny(s.Value, " ") {
		return "", commandError("set %.30q: value %.30q", s.Name, s.Value)
	}
	return named("set", s.Name, s.Value)
}

// Encode implements [Command].
func (a AskVariable) Encode() (string, error) { return named("set", a.Name) }

// Encode implements [Command].
func (Back) Encode() (string, error) { return "back", nil }

// Encode implements [Command].
func (ShowSaved) Encode() (string, error) { return "show saved", nil }

// Encode implements [Command].
func (s ShowSavedCount) Encode() (string, error) { return named("show savedcount", s.Name) }

// Encode implements [Command].
func (r RawWho) Encode() (string, error) {
	if r.Name == "" {
		return "rawwho", nil
	}
	return named("rawwho", r.Name)
}

// Encode implements [Command].
func (o Oldmoves) Encode() (string, error) { return named("oldmoves", o.Name) }

// Encode implements [Command].
func (w Watch) Encode() (string, error) { return named("watch", w.Name) }

// Encode implements [Command].
func (Unwatch) Encode() (string, error) { return "unwatch", nil }

// Encode implements [Command].
func (a Address) Encode() (string, error) {
	if a.Email == "" || strings.ContainsAny(a.Email, " ") {
		return "", commandError("address: %.60q", a.Email)
	}
	return encode("address", a.Email)
}

// Encode implements [Command].
func (Time) Encode() (string, error) { return "time", nil }

// Encode implements [Command].
func (Bye) Encode() (string, error) { return "bye", nil }
