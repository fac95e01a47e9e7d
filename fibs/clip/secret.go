package clip

import (
	"fmt"
	"strings"
)

// Mask is what a Secret prints as.
const Mask = "********"

// Secret is a password. It prints as [Mask] in every format (%v, %#v, JSON,
// YAML, errors); only [Secret.Reveal] returns it. The word is behind a pointer because fmt
// does not call the methods of unexported fields: there a Secret prints as an address.
type Secret struct{ word *string }

// NewSecret keeps word secret.
func NewSecret(word string) Secret {
	if word == "" {
		return Secret{}
	}
	return Secret{&word}
}

// Reveal is the password itself, for the one line that sends it.
func (s Secret) Reveal() string {
	if s.word == nil {
		return ""
	}
	return *s.word
}

// Empty reports whether there is no password.
func (s Secret) Empty() bool { return s.word == nil }

// Equal reports whether both are the same password.
func (s Secret) Equal(t Secret) bool { return s.Reveal() == t.Reveal() }

// Format implements fmt.Formatter: the mask for every verb and flag.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// String is the mask, or nothing for an empty password.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return Mask
}

// GoString is String.
func (s Secret) GoString() string { return s.String() }

// MarshalText implements encoding.TextMarshaler with the mask, which JSON,
// YAML and XML encoders use.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalYAML implements the YAML encoder's interface with the mask.
func (s Secret) MarshalYAML() (any, error) { return s.String(), nil }

// UnmarshalText reads the password from a text file.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = NewSecret(string(text))
	return nil
}

// Login is the CLIP login line. The protocol sends the password in clear.
type Login struct {
	// Client is the program's name, at most 20 characters without a blank;
	// all users see it in who lists.
	Client string
	// Name is the account.
	Name string
	// Password of the account.
	Password Secret
}

// Version1008 is the version of CLIP that a Login asks for.
const Version1008 = "1008"

// MaxClient is the longest client name; a longer one fails the login.
const MaxClient = 20

// Encode implements [Command].
func (l Login) Encode() (string, error) {
	switch {
	case l.Client == "" || len(l.Client) > MaxClient || strings.Contains(l.Client, " "):
		return "", commandError("login: client name %.40q must have 1 to %d characters and no blank", l.Client, MaxClient)
	case !isName(l.Name):
		return "", commandError("login: %.30q is not a name", l.Name)
	}
	word, err := l.Password.encode()
	if err != nil {
		return "", err
	}
	return encode("login", l.Client, Version1008, l.Name, word)
}

// encode checks the password. Its error does not say which character is wrong.
func (s Secret) encode() (string, error) {
	word := s.Reveal()
	for i := 0; i < len(word); i++ {
		if c := word[i]; c <= ' ' || c > '~' || c == ':' {
			return "", commandError("the password may only have printable ASCII, no blank and no colon")
		}
	}
	if word == "" {
		return "", commandError("no password")
	}
	return word, nil
}
