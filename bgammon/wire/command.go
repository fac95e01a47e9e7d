package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// ErrCommand: a command that cannot be written as a line.
var ErrCommand = errors.New("bad command")

// BotPrefix begins the name of every account that a program plays.
const BotPrefix = "BOT_"

// maxOwnName is the longest name that the server takes.
const maxOwnName = 18

// CheckBotName returns why a name cannot be a bot's: it must begin with [BotPrefix] and consist
// of at most 18 letters, digits and _.
func CheckBotName(s string) error {
	switch {
	case !strings.HasPrefix(s, BotPrefix):
		return fmt.Errorf("the name %q must begin with %s (the server's rule for programs)", s, BotPrefix)
	case len(s) == len(BotPrefix):
		return fmt.Errorf("the name %q has nothing after %s", s, BotPrefix)
	}
	return checkName(s)
}

// CheckPersonName returns why a name cannot be a person's.
func CheckPersonName(s string) error {
	switch {
	case strings.HasPrefix(s, BotPrefix):
		return fmt.Errorf("the name %q is a program's (people have names without %s)", s, BotPrefix)
	case strings.Trim(s, "0123456789") == "":
		return fmt.Errorf("the name %q has no letter", s)
	}
	return checkName(s)
}

func checkName(s string) error {
	if len(s) > maxOwnName {
		return fmt.Errorf("the name %q has %d characters, at most %d are allowed", s, len(s), maxOwnName)
	}
	for _, r := range s {
		if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return fmt.Errorf("the name %q holds %q; letters, digits and _ are allowed", s, r)
		}
	}
	return nil
}

// Command is a line that the client sends. The types of this package implement it. Only [Join]
// joins a match that a person opened: a bot opens matches and waits, or joins a bot.
type Command interface {
	// Line returns the command as it is sent, without the line end. The error wraps
	// ErrCommand and never shows a password.
	Line() (string, error)
}

// Secret is a Command that holds a password. Masked is its line without it, for
// transcripts.
type Secret interface{ Masked() string }

// Login logs in with JSON events. An empty Password is a guest's.
type Login struct {
	// Client names the program and its version, Language the notices' language.
	Client, Language string
	Name             string
	Password         string
}

// Line implements Command.
func (c Login) Line() (string, error) {
	// The server turns blanks of a password into underscores; so it is sent that way.
	password := strings.ReplaceAll(c.Password, " ", "_")
	for _, w := range []string{c.Client, c.Language, c.Name} {
		if err := word(w); err != nil {
			return "", err
		}
	}
	line := "lj " + c.Client + "/" + c.Language + " " + c.Name
	if password == "" {
		return line, nil
	}
	if word(password) != nil {
		return "", fmt.Errorf("%w: a password with control characters", ErrCommand)
	}
	return line + " " + password, nil
}

// Masked is the line without the password, for transcripts.
func (c Login) Masked() string {
	line, err := Login{Client: c.Client, Language: c.Language, Name: c.Name}.Line()
	if err != nil {
		return "lj"
	}
	if c.Password != "" {
		line += " ********"
	}
	return line
}

// Create opens a match of backgammon and sits down in it. An empty Password makes it
// public. Title is shown in the list.
type Create struct {
	Points   int
	Password string
	Title    string
}

// Line implements Command.
func (c Create) Line() (string, error) {
	if c.Points < 1 || c.Points > MaxPoints {
		return "", fmt.Errorf("%w: a match of %d points", ErrCommand, c.Points)
	}
	access := "public"
	if c.Password != "" {
		if word(c.Password) != nil {
			return "", fmt.Errorf("%w: a match password with blanks or control characters", ErrCommand)
		}
		access = "private " + c.Password
	}
	line := fmt.Sprintf("create %s %d 0", access, c.Points)
	if c.Title != "" {
		line += " " + text(c.Title)
	}
	return line, nil
}

// Masked implements Secret.
func (c Create) Masked() string {
	if c.Password != "" {
		c.Password = "********"
	}
	line, err := c.Line()
	if err != nil {
		return "create"
	}
	return line
}

// JoinBot joins the open match of a bot, by its name only: a bot's open seat is in its own or
// another bot's match.
type JoinBot string

// Line implements Command.
func (c JoinBot) Line() (string, error) {
	if err := CheckBotName(string(c)); err != nil {
		return "", fmt.Errorf("%w: %w", ErrCommand, err)
	}
	return "join " + string(c), nil
}

// Join joins the open match of any player, for the account of a person.
type Join string

// Line implements Command.
func (c Join) Line() (string, error) {
	if strings.Trim(string(c), "0123456789") == "" {
		return "", fmt.Errorf("%w: %q is not a name", ErrCommand, string(c))
	}
	if err := checkName(string(c)); err != nil {
		return "", fmt.Errorf("%w: %w", ErrCommand, err)
	}
	return "join " + string(c), nil
}

// Simple is a command of one word.
type Simple string

// Commands of one word. [OK] ends a turn or takes a double. [Resign] passes a double or
// resigns the game at once.
const (
	Roll       Simple = "roll"
	Double     Simple = "double"
	OK         Simple = "ok"
	Resign     Simple = "resign"
	Reset      Simple = "reset"
	Leave      Simple = "leave"
	Rematch    Simple = "rematch"
	Disconnect Simple = "disconnect"
	ListGames  Simple = "ls"
	// ShowBoard asks for the board once more.
	ShowBoard Simple = "board"
)

// Line implements Command.
func (c Simple) Line() (string, error) {
	if err := word(string(c)); err != nil {
		return "", err
	}
	return string(c), nil
}

// Move moves checkers, in the own numbering.
type Move []Hop

// Line implements Command.
func (c Move) Line() (string, error) {
	if len(c) == 0 || len(c) > 4 {
		return "", fmt.Errorf("%w: a move of %d hops", ErrCommand, len(c))
	}
	words := []string{"move"}
	for _, h := range c {
		from, to := strconv.Itoa(h.From), strconv.Itoa(h.To)
		if h.From == OwnBar {
			from = "bar"
		} else if h.From < 1 || h.From > 24 {
			return "", fmt.Errorf("%w: a hop from %d", ErrCommand, h.From)
		}
		if h.To == OwnHome {
			to = "off"
		} else if h.To < 1 || h.To > 24 {
			return "", fmt.Errorf("%w: a hop to %d", ErrCommand, h.To)
		}
		words = append(words, from+"/"+to)
	}
	return strings.Join(words, " "), nil
}

// Chat is said to the opponent.
type Chat string

// Line implements Command.
func (c Chat) Line() (string, error) {
	said := text(string(c))
	if said == "" {
		return "", fmt.Errorf("%w: nothing to say", ErrCommand)
	}
	return "say " + cut(said, 512), nil
}

// Pong answers a [Ping].
type Pong string

// Line implements Command.
func (c Pong) Line() (string, error) { return strings.TrimRight("pong "+text(string(c)), " "), nil }

// word returns an error if s is not one word that a line can hold.
func word(s string) error {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.C, r) }) {
		return fmt.Errorf("%w: %q is not a word", ErrCommand, s)
	}
	return nil
}
