package config

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"fibsbot/internal/subprocess"
)

// textPlaceholders are the names that texts may hold in braces, by the tag text of their key.
var textPlaceholders = map[string][]string{
	"manners": {"me", "opponent", "length", "preset", "version", "reason"},
	"say":     sayPlaceholders,
	"error":   {"player", "move", "best", "loss", "luck", "why"},
	"right":   {"player", "move", "luck"},
	"game":    append([]string{"game", "points"}, sumPlaceholders...),
	"match":   sumPlaceholders,
	"none":    nil,
}

var sumPlaceholders = []string{
	"winner", "winner_score", "winner_lost", "winner_decisions", "winner_rate", "winner_level", "winner_luck",
	"loser", "loser_score", "loser_lost", "loser_decisions", "loser_rate", "loser_level", "loser_luck",
}

// watchWords are the words that watch.texts.words may translate: decisions and
// levels of play. Plays are written in numbers and need no translation.
var watchWords = []string{
	"double", "no double", "not doubling", "take", "drop", "beaver", "raccoon", "otter", "redouble",
	"resign", "resign a gammon", "resign a backgammon", "play on", "accept", "refuse", "cannot move",
	"supernatural", "world class", "expert", "advanced", "intermediate", "casual player", "beginner", "awful!",
}

// placeholder is anything in braces, so that a misspelt name is found too.
var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// Fill replaces the placeholders of a template. Names that values does not have
// stay as they are; Check has refused them before.
func Fill(template string, values map[string]string) string {
	return placeholder.ReplaceAllStringFunc(template, func(m string) string {
		if v, ok := values[m[1:len(m)-1]]; ok {
			return v
		}
		return m
	})
}

func unknownPlaceholder(template string, allowed []string) (name string, found bool) {
	for _, m := range placeholder.FindAllStringSubmatch(template, -1) {
		if !slices.Contains(allowed, m[1]) {
			return m[1], true
		}
	}
	return "", false
}

// Hours is a time of day window in minutes since midnight. From after To goes
// over midnight. The zero value is always open.
type Hours struct {
	From, To int
	set      bool
}

// ParseHours reads 08:00-23:30. Empty text gives the window that is always open.
func ParseHours(text string) (Hours, error) {
	if text == "" {
		return Hours{}, nil
	}
	a, b, ok := strings.Cut(text, "-")
	from, err1 := time.Parse("15:04", strings.TrimSpace(a))
	to, err2 := time.Parse("15:04", strings.TrimSpace(b))
	if !ok || err1 != nil || err2 != nil {
		return Hours{}, fmt.Errorf("%q is not a time of day (use 08:00-23:30)", text)
	}
	h := Hours{From: from.Hour()*60 + from.Minute(), To: to.Hour()*60 + to.Minute(), set: true}
	if h.From == h.To {
		return Hours{}, fmt.Errorf("%q has no length (start and end are equal)", text)
	}
	return h, nil
}

// Open reports whether t, in its own zone, is in the window.
func (h Hours) Open(t time.Time) bool {
	if !h.set {
		return true
	}
	m := t.Hour()*60 + t.Minute()
	if h.From < h.To {
		return m >= h.From && m < h.To
	}
	return m >= h.From || m < h.To
}

// MatchName reports whether a player's name fits a pattern with * and ?, without
// regard to case. A bad pattern fits no name.
func MatchName(pattern, name string) bool {
	ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(name))
	return err == nil && ok
}

// IsBot reports whether a player is a bot, by name or by the client that who lists show, which
// may be empty.
func (o *Opponents) IsBot(name, client string) bool {
	return MatchAny(o.BotNames, name) || client != "" && MatchAny(o.BotClients, client)
}

// MatchAny reports whether name fits one of the patterns.
func MatchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return MatchName(p, name) })
}

// maxNames bounds a block list: FIBS never had so many users at once.
const maxNames = 100_000

// ReadNames reads a list of names or patterns, one a line; # starts a comment.
func ReadNames(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	sc := bufio.NewScanner(io.LimitReader(f, 4<<20))
	for line := 1; sc.Scan(); line++ {
		name, _, _ := strings.Cut(strings.TrimPrefix(sc.Text(), bom), "#")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if _, err := path.Match(name, "x"); err != nil || strings.ContainsAny(name, " \t") {
			return nil, fmt.Errorf("%s:%d: %q is not a name or pattern", file, line, name)
		}
		if len(names) == maxNames {
			return nil, fmt.Errorf("%s: more than %d names", file, maxNames)
		}
		names = append(names, name)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return names, nil
}

// ErrNoPassword is returned by Resolve when an account names no password at all.
var ErrNoPassword = errors.New("no password (give password_env, password_file or password_command)")

// Resolve fetches the account's password from where the configuration says. No
// error it returns contains the password or the output of the command.
func (a *Account) Resolve() (Secret, error) {
	switch n := given(a.PasswordEnv, a.PasswordFile, a.PasswordCommand, a.Password.Reveal()); {
	case n == 0:
		return "", ErrNoPassword
	case n > 1:
		return "", errors.New("more than one of password, password_env, password_file, password_command")
	case a.PasswordEnv != "":
		v, err := fromEnv(a.PasswordEnv)
		return checkPassword(v, "environment variable "+a.PasswordEnv, err)
	case a.PasswordFile != "":
		line, err := fromFile("password_file", a.PasswordFile)
		return checkPassword(line, "password_file "+a.PasswordFile, err)
	case a.PasswordCommand != "":
		return PasswordOf(a.PasswordCommand)
	}
	return checkPassword(a.Password.Reveal(), "password", nil)
}

// commandLimit bounds a keyring command: one that asks a person would hang a
// service for ever.
const commandLimit = 20 * time.Second

// PasswordOf is the password that a command prints, as password_command. environ is added to its
// environment, as "NAME=value".
func PasswordOf(command string, environ ...string) (Secret, error) {
	line, err := fromCommand(command, environ)
	return checkPassword(line, "password_command", err)
}

func fromCommand(command string, environ []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), commandLimit)
	defer cancel()
	cmd := subprocess.Shell(ctx, command)
	cmd.Env = append(cmd.Env, environ...)
	subprocess.MayAsk(cmd)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return "", fmt.Errorf("password_command: exit status %d", exit.ExitCode())
		}
		return "", fmt.Errorf("password_command: %w", err)
	}
	return oneLine(bytes.NewReader(out), "password_command")
}

// bom is the byte order mark with which some Windows editors begin a file.
const bom = "\ufeff"

// given counts the values that are not empty.
func given(values ...string) (n int) {
	for _, v := range values {
		if v != "" {
			n++
		}
	}
	return n
}

// fromEnv reads an environment variable.
func fromEnv(name string) (string, error) {
	v := os.Getenv(name)
	if v == "" {
		return "", fmt.Errorf("environment variable %s is not set", name)
	}
	return v, nil
}

// fromFile reads the first line of the file that a key names.
func fromFile(key, file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	defer f.Close()
	return oneLine(f, key+" "+file)
}

// lineOf is fromFile, but an empty line is an error.
func lineOf(key, file string) (string, error) {
	line, err := fromFile(key, file)
	if err == nil && line == "" {
		err = fmt.Errorf("%s %s: the first line is empty", key, file)
	}
	return line, err
}

// oneLine reads the first line, without its end.
func oneLine(r io.Reader, what string) (string, error) {
	buf, err := io.ReadAll(io.LimitReader(r, 4096))
	if err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(string(buf), bom), "\n")
	return strings.TrimRight(line, "\r"), nil
}

// checkPassword refuses what the login line cannot carry, without quoting it. It passes on an
// error of reading the password.
func checkPassword(p, what string, err error) (Secret, error) {
	switch {
	case err != nil:
		return "", err
	case p == "":
		return "", fmt.Errorf("%s: the password is empty", what)
	case len(p) > 200 || strings.ContainsFunc(p, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("%s: the password has blanks or characters outside ASCII (FIBS accepts neither)", what)
	}
	return Secret(p), nil
}

const mask = "********"

// Secret is a password or another word that must not be seen. However it is
// formatted, encoded or logged, it shows as asterisks; only Reveal gives it out.
type Secret string

// Reveal returns the secret itself. Call it only where it is sent.
func (s Secret) Reveal() string { return string(s) }

// String masks the secret; an empty one stays empty, so that "not set" can be
// told from "set".
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return mask
}

// GoString masks the secret for %#v.
func (s Secret) GoString() string { return `config.Secret("` + s.String() + `")` }

// MarshalText masks the secret for JSON and text encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalYAML masks the secret.
func (s Secret) MarshalYAML() (any, error) { return s.String(), nil }

// LogValue masks the secret for structured loggers.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// secretVariables are the environment variables that hold secrets by what c says: the values
// of all keys whose names end in _env.
func (c *Config) secretVariables() (names []string) {
	visit(reflect.ValueOf(c).Elem(), "", "", func(v reflect.Value, field string, _ reflect.StructTag) {
		if v.Kind() == reflect.String && strings.HasSuffix(field, "_env") {
			names = append(names, v.String())
		}
	})
	return names
}

// ResolveDSN fetches the address of the PostgreSQL index from where the
// configuration says; it is empty for the index in the folder. No error it returns
// contains the address, which may hold a password.
func (a *Archive) ResolveDSN() (string, error) {
	switch {
	case given(a.DSN.Reveal(), a.DSNEnv, a.DSNFile) > 1:
		return "", errors.New("more than one of dsn, dsn_env, dsn_file")
	case a.DSNEnv != "":
		return fromEnv(a.DSNEnv)
	case a.DSNFile != "":
		return lineOf("dsn_file", a.DSNFile)
	}
	return a.DSN.Reveal(), nil
}
