package server

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors of AddAccount.
var (
	ErrNameTaken   = errors.New("name is taken")
	ErrBadName     = errors.New("a name has 1 to 20 letters or underscores")
	ErrBadPassword = errors.New("a password has 4 to 80 characters and no colon or blank")
	errFull        = errors.New("too many accounts")
)

// Hash costs: accounts that go to disk are expensive to guess; those that
// live in memory only must not make a demo of 200 bots wait.
const (
	diskRounds   = 50000
	memoryRounds = 500
)

// account is what the server knows about somebody between logins.
type account struct {
	Name       string    `json:"name"`
	Salt       []byte    `json:"salt"`
	Hash       []byte    `json:"hash"`
	Rounds     int       `json:"rounds"`
	Rating     float64   `json:"rating"`
	Experience int       `json:"experience"`
	LastLogin  time.Time `json:"last_login"`
	LastLogout time.Time `json:"last_logout"`
	LastHost   string    `json:"last_host,omitempty"`
	Email      string    `json:"email,omitempty"`
	Settings   settings  `json:"settings"`
	Mail       []mail    `json:"mail,omitempty"`
	Gagged     []string  `json:"gagged,omitempty"`
	Blinded    []string  `json:"blinded,omitempty"`
	Awaited    []string  `json:"awaited,omitempty"`
}

// mail is a message kept for somebody who was absent.
type mail struct {
	From string    `json:"from"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// key is the form of a name that makes two accounts the same.
func key(name string) string { return strings.ToLower(name) }

// pair names two players, in either order.
type pair struct{ a, b string }

func pairOf(first, second string) pair {
	a, b := key(first), key(second)
	if a > b {
		a, b = b, a
	}
	return pair{a, b}
}

// goodName tells whether FIBS would let somebody have this name. Words that
// boards and texts use for something else are nobody's name.
func goodName(name string) bool {
	if len(name) == 0 || len(name) > 20 {
		return false
	}
	for _, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return true
}

func reservedName(name string) bool {
	switch key(name) {
	case "guest", "you", "login", "connect", "nobody":
		return true
	}
	return false
}

func goodPassword(p string) bool {
	return len(p) >= 4 && len(p) <= 80 && !strings.ContainsAny(p, ": ")
}

// newAccount makes an account with a hashed password. It takes time; call it
// without the server's mutex.
func newAccount(name, password string, rounds int) (*account, error) {
	salt := make([]byte, 16)
	rand.Read(salt)
	hash, err := hashPassword(password, salt, rounds)
	if err != nil {
		return nil, err
	}
	return &account{
		Name: name, Salt: salt, Hash: hash, Rounds: rounds,
		Rating: 1500, Settings: newSettings(),
	}, nil
}

func hashPassword(password string, salt []byte, rounds int) ([]byte, error) {
	h, err := pbkdf2.Key(sha256.New, password, salt, rounds, 32)
	if err != nil {
		return nil, fmt.Errorf("hash password: %w", err)
	}
	return h, nil
}

// rounds is the hash cost of new passwords.
func (s *Server) rounds() int {
	if s.store == nil {
		return memoryRounds
	}
	return diskRounds
}

// AddAccount registers a user. It fails with ErrNameTaken, ErrBadName or
// ErrBadPassword.
func (s *Server) AddAccount(name, password string) error {
	if !goodName(name) || reservedName(name) {
		return fmt.Errorf("add account %q: %w", name, ErrBadName)
	}
	if !goodPassword(password) {
		return fmt.Errorf("add account %q: %w", name, ErrBadPassword)
	}
	s.mu.Lock()
	_, taken := s.accounts[key(name)]
	s.mu.Unlock()
	if taken {
		return fmt.Errorf("add account %q: %w", name, ErrNameTaken)
	}
	a, err := newAccount(name, password, s.rounds())
	if err != nil {
		return fmt.Errorf("add account %q: %w", name, err)
	}
	s.mu.Lock()
	defer s.release()
	if err := s.register(a); err != nil {
		return fmt.Errorf("add account %q: %w", name, err)
	}
	return nil
}

// register puts a new account into the world.
func (s *Server) register(a *account) error {
	if s.accounts[key(a.Name)] != nil {
		return ErrNameTaken
	}
	if len(s.accounts) >= s.opts.MaxAccounts {
		return errFull
	}
	s.accounts[key(a.Name)] = a
	s.changedAccounts()
	return nil
}

// unlocked runs f without the server's mutex and with a bound on how many do
// so at a time: hashing a password must not stop everybody's games.
func (s *Server) unlocked(f func()) {
	s.release()
	s.hash <- struct{}{}
	f()
	<-s.hash
	s.mu.Lock()
}

// rightPassword compares in constant time, outside the mutex. An unknown name
// costs as much time as a wrong password.
func (s *Server) rightPassword(a *account, password string) bool {
	salt, want, rounds := []byte("no such account"), []byte(nil), s.rounds()
	if a != nil {
		salt, want, rounds = a.Salt, a.Hash, a.Rounds
	}
	var got []byte
	s.unlocked(func() { got, _ = hashPassword(password, salt, rounds) })
	return a != nil && len(want) > 0 && subtle.ConstantTimeCompare(got, want) == 1
}
