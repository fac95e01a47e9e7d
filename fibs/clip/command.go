package clip

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrCommand is wrapped by every error of [Command.Encode]: the server would not understand
// the command, or it would take more than one line.
var ErrCommand = errors.New("bad command")

// MaxCommand is the longest line, in bytes and without its end, that a
// command may become. The longest useful one is a chat sentence; the server
// cuts or drops what is much longer.
const MaxCommand = 512

// Command is one line that the client sends.
type Command interface {
	// Encode is the line without its end. It is printable ASCII, at most
	// MaxCommand bytes. The error wraps ErrCommand.
	Encode() (string, error)
}

// Class orders commands by what they are for: the send queue sends game
// commands before all others and chat last.
type Class uint8

// The classes of commands.
const (
	// ClassGame: what the opponent waits for.
	ClassGame Class = iota
	// ClassLobby: invitations, settings, questions to the server.
	ClassLobby
	// ClassChat: words to people.
	ClassChat
)

// ClassOf says what a command is for.
func ClassOf(c Command) Class {
	switch c.(type) {
	case Roll, Move, Double, Redouble, Accept, Reject, Resign, Join, Leave, AskBoard:
		return ClassGame
	case Tell, Kibitz, Whisper:
		return ClassChat
	default:
		return ClassLobby
	}
}

// PlainText makes text fit for FIBS, a 7-bit server: tabs and line ends become blanks, other
// control characters are dropped, and a character outside ASCII becomes a question mark.
func PlainText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case r < ' ' || r == 0x7f:
		case r > 0x7f:
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
	}
	return strings.TrimSpace(b.String())
}

func commandError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCommand, fmt.Sprintf(format, args...))
}

// encode joins words to a line and checks it.
func encode(words ...string) (string, error) {
	line := words[0]
	if len(words) > 1 {
		line = strings.Join(words, " ")
	}
	for i := 0; i < len(line); i++ {
		if c := line[i]; c < ' ' || c > '~' {
			return "", commandError("%s: byte %#02x is not printable ASCII", words[0], c)
		}
	}
	if len(line) > MaxCommand {
		return "", commandError("%s: %d bytes, more than %d", words[0], len(line), MaxCommand)
	}
	return line, nil
}

// named is encode for a command whose first argument must be a name.
func named(verb, name string, more ...string) (string, error) {
	if !isName(name) {
		return "", commandError("%s: %.30q is not a name", verb, name)
	}
	return encode(append([]string{verb, name}, more...)...)
}

// spoken is encode for a command whose last argument is free text.
func spoken(text string, words ...string) (string, error) {
	words = append(words, text)
	if strings.TrimSpace(text) == "" {
		return "", commandError("%s: no text", words[0])
	}
	return encode(words...)
}

// Game commands.
type (
	// Roll rolls the dice.
	Roll struct{}
	// Move plays Steps in the server's numbering: bar entries first, one step
	// a die, never abbreviated.
	Move struct{ Steps []Step }
	// Double offers the cube.
	Double struct{}
	// Redouble answers a double by turning the cube again.
	Redouble struct{}
	// Accept takes a double or a resignation.
	Accept struct{}
	// Reject drops a double or refuses a resignation.
	Reject struct{}
	// Resign offers to lose 1 (single), 2 (gammon) or 3 (backgammon) times
	// the cube.
	Resign struct{ Worth int }
	// Join accepts the invitation of Name, or the next game of a match when
	// Name is empty.
	Join struct{ Name string }
	// Leave ends the match and saves it.
	Leave struct{}
	// AskBoard asks for the board of our own or the watched match.
	AskBoard struct{}
)

// Encode implements [Command].
func (Roll) Encode() (string, error) { return "roll", nil }

// Encode implements [Command]. It checks the shape of the steps, not that
// they are legal.
func (m Move) Encode() (string, error) {
	if len(m.Steps) == 0 || len(m.Steps) > MaxSteps {
		return "", commandError("move: %d steps", len(m.Steps))
	}
	line := []byte("move")
	for _, s := range m.Steps {
		if s.From == Off || s.From > Bar || s.To >= Bar || s.From == s.To {
			return "", commandError("move: step from %d to %d", s.From, s.To)
		}
		line = append(line, ' ')
		line = s.append(line)
	}
	return string(line), nil
}

// String is the step as the server writes it, such as "bar-21" or "6-off".
func (s Step) String() string { return string(s.append(nil)) }

func (s Step) append(dst []byte) []byte {
	if s.From == Bar {
		dst = append(dst, "bar"...)
	} else {
		dst = strconv.AppendUint(dst, uint64(s.From), 10)
	}
	dst = append(dst, '-')
	if s.To == Off {
		return append(dst, "off"...)
	}
	return strconv.AppendUint(dst, uint64(s.To), 10)
}

// Encode implements [Command].
func (Double) Encode() (string, error) { return "double", nil }

// Encode implements [Command].
func (Redouble) Encode() (string, error) { return "redouble", nil }

// Encode implements [Command].
func (Accept) Encode() (string, error) { return "accept", nil }

// Encode implements [Command].
func (Reject) Encode() (string, error) { return "reject", nil }

// Encode implements [Command].
func (r Resign) Encode() (string, error) {
	if r.Worth < 1 || r.Worth > 3 {
		return "", commandError("resign: worth %d, not 1 to 3", r.Worth)
	}
	return "resign " + "ngb"[r.Worth-1:r.Worth], nil
}

// Encode implements [Command].
func (j Join) Encode() (string, error) {
	if j.Name == "" {
		return "join", nil
	}
	return named("join", j.Name)
}

// Encode implements [Command].
func (Leave) Encode() (string, error) { return "leave", nil }

// Encode implements [Command].
func (AskBoard) Encode() (string, error) { return "board", nil }

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

// Chat commands.
type (
	// Tell says Text to Name alone. It is written as tellx, which does not
	// complete names: tell bob could reach bobby after bob logged out.
	Tell struct{ Name, Text string }
	// Kibitz says Text to players and watchers.
	Kibitz struct{ Text string }
	// Whisper says Text to the watchers.
	Whisper struct{ Text string }
	// Line is any other command.
	Line struct{ Text string }
)

// Encode implements [Command].
func (l Line) Encode() (string, error) { return spoken(l.Text) }

// Encode implements [Command].
func (t Tell) Encode() (string, error) { return spokenTo("tellx", t.Name, t.Text) }

// Encode implements [Command].
func (k Kibitz) Encode() (string, error) { return spoken(k.Text, "kibitz") }

// Encode implements [Command].
func (w Whisper) Encode() (string, error) { return spoken(w.Text, "whisper") }

func spokenTo(verb, name, text string) (string, error) {
	if !isName(name) {
		return "", commandError("%s: %.30q is not a name", verb, name)
	}
	return spoken(text, verb, name)
}
