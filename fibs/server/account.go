package server

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/internal/pwhash"
)

// Errors of AddAccount.
var (
	ErrNameTaken   = errors.New("name is taken")
	ErrBadName     = errors.New("a name has 1 to 20 letters or underscores")
	ErrBadPassword = errors.New("a password has 4 to 80 characters and no colon or blank")
	errFull        = errors.New("too many accounts")
)

// account is a user's data between logins. It is copied whole to be saved, so its slices are
// replaced or appended to, never changed in place.
type account struct {
	Name       string
	secret     pwhash.Secret
	Rating     float64
	Experience int
	LastLogin  time.Time
	LastLogout time.Time
	LastHost   string
	Email      string
	Settings   settings
	lists

	open []*match // saved or running, in no order
}

// lists are empty in most accounts.
type lists struct {
	Mail    []mail   `json:"mail,omitempty"`
	Gagged  []string `json:"gagged,omitempty"`
	Blinded []string `json:"blinded,omitempty"`
	Awaited []string `json:"awaited,omitempty"`
}

// mail is a message for an absent user.
type mail struct {
	From string    `json:"from"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// size is about how many bytes a stored message takes.
func (m mail) size() int { return len(m.From) + len(m.Text) + 80 }

func mailSize(list []mail) int {
	n := 0
	for _, m := range list {
		n += m.size()
	}
	return n
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

// goodName reports whether FIBS allows this name. See also reservedName.
func goodName(name string) bool {
	if len(name) == 0 || len(name) > 20 {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
}

// reservedName reports whether boards and texts use the name for something else.
func reservedName(name string) bool {
	return slices.Contains([]string{"guest", "you", "login", "connect", "nobody"}, key(name))
}

func goodPassword(p string) bool {
	return len(p) >= 4 && len(p) <= 80 && !strings.ContainsAny(p, ": ")
}

// newAccount makes an account with a hashed password. It takes time; call it
// without the server's mutex.
func newAccount(name, password string, cheap bool) (*account, error) {
	k, err := pwhash.New(password, cheap)
	if err != nil {
		return nil, err
	}
	return &account{Name: name, secret: k, Rating: 1500, Settings: standard}, nil
}

// cheap reports whether new passwords are hashed for speed.
func (s *Server) cheap() bool { return s.store == nil || s.opts.CheapPasswords }

// AddAccount registers a user. It fails with ErrNameTaken, ErrBadName, ErrBadPassword or
// ErrClosed.
func (s *Server) AddAccount(name, password string) error {
	if !goodName(name) || reservedName(name) {
		return fmt.Errorf("add account %q: %w", name, ErrBadName)
	}
	if !goodPassword(password) {
		return fmt.Errorf("add account %q: %w", name, ErrBadPassword)
	}
	s.mu.Lock()
	_, taken := s.accounts[key(name)]
	closed := s.started == nil || s.closing
	s.mu.Unlock()
	if closed {
		return fmt.Errorf("add account %q: %w", name, ErrClosed)
	}
	if taken {
		return fmt.Errorf("add account %q: %w", name, ErrNameTaken)
	}
	a, err := newAccount(name, password, s.cheap())
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

// register adds a new account to the world.
func (s *Server) register(a *account) error {
	if s.accounts[key(a.Name)] != nil {
		return ErrNameTaken
	}
	if len(s.accounts) >= s.opts.MaxAccounts {
		return errFull
	}
	s.accounts[key(a.Name)] = a
	s.changedAccount(a)
	return nil
}

// unlocked runs f without the server's mutex, so that long work does not stop other players' games,
// and bounds the number of such calls at a time.
func (s *Server) unlocked(f func()) {
	s.release()
	defer s.mu.Lock()
	s.slow <- struct{}{}
	defer func() { <-s.slow }()
	f()
}

// hashed runs f, which hashes a password of c, outside the mutex at c's turn, and reports whether
// it did. It ends c if the client has gone.
func (s *Server) hashed(c *conn, f func()) bool {
	tries := c.tries
	if c.user != nil {
		tries = -1
	}
	s.release()
	ran := s.inTurn(c, tries, f)
	s.mu.Lock()
	if !ran && !c.gone {
		s.sever(c)
	}
	return ran && !c.gone
}

func (s *Server) inTurn(c *conn, tries int, f func()) bool {
	a := s.hash.ask(c.site, tries)
	select {
	case <-a.turn:
	default:
		gone, stop := c.watch()
		defer stop()
		select {
		case <-a.turn:
		case <-c.quit:
		case <-gone:
		}
		select {
		case <-c.quit:
			s.hash.leave(a)
			return false
		case <-gone:
			s.hash.leave(a)
			return false
		default:
		}
	}
	defer s.hash.done()
	f()
	return true
}

// rightPassword reports whether a password is the account's. It hashes outside the mutex. An
// unknown name (nil) takes as much time as a wrong password. A right one with a weak hash is
// hashed again. A closed connection gives false.
func (s *Server) rightPassword(c *conn, a *account, password string) bool {
	k, cheap := s.nobody, s.cheap()
	if a != nil {
		k = a.secret
	}
	right := false
	var fresh pwhash.Secret
	if !s.hashed(c, func() {
		if right = k.Is(password) && a != nil; right && k.Weak(cheap) {
			fresh, _ = pwhash.New(password, cheap)
		}
	}) {
		return false
	}
	if right && fresh.Known() && a.secret.Same(k) {
		a.secret = fresh
		s.changedAccount(a)
	}
	return right
}

// hashers returns the number of passwords hashed at a time: half of the processors, so that many
// logins leave the other half to running games.
func hashers() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// turns lets a few connections at a time hash a password. Addresses take turns, so that none waits
// for the many attempts of another. Many users share the address of a proxy: there the connection
// with the fewest failed attempts goes first and, of equal ones, the newest and the oldest in
// alternation, so that neither a newcomer nor an old one waits for ever.
type turns struct {
	mu      sync.Mutex
	free    int
	given   uint64 // turns so far
	waiting []*attempt
	last    map[string]uint64 // the last turn of an address that waits
}

// attempt is a password that waits to be hashed.
type attempt struct {
	site  string
	tries int           // failed ones of the same connection; -1 for a user on line
	turn  chan struct{} // closed when it is its turn
}

func newTurns(places int) *turns { return &turns{free: places, last: map[string]uint64{}} }

// ask asks for a turn, which may be given at once. The caller ends it with done, or stops waiting
// with leave.
func (t *turns) ask(site string, tries int) *attempt {
	a := &attempt{site: site, tries: tries, turn: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = append(t.waiting, a)
	t.next()
	return a
}

// leave stops waiting. A turn that was given meanwhile goes to another.
func (t *turns) leave(a *attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting, a); i >= 0 {
		t.remove(i)
		return
	}
	t.free++
	t.next()
}

// done ends a turn.
func (t *turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	t.next()
}

// next gives out free turns. The caller holds the mutex.
func (t *turns) next() {
	for t.free > 0 && len(t.waiting) > 0 {
		best := 0
		for i, w := range t.waiting {
			b := t.waiting[best]
			order := cmp.Or(cmp.Compare(t.last[w.site], t.last[b.site]), cmp.Compare(w.tries, b.tries))
			if order < 0 || order == 0 && t.given%2 == 0 { // the newest at every second turn
				best = i
			}
		}
		a := t.waiting[best]
		t.free--
		t.given++
		t.last[a.site] = t.given
		t.remove(best)
		close(a.turn)
	}
}

// remove removes an attempt from the queue. The caller holds the mutex.
func (t *turns) remove(i int) {
	site := t.waiting[i].site
	t.waiting = slices.Delete(t.waiting, i, i+1)
	if !slices.ContainsFunc(t.waiting, func(w *attempt) bool { return w.site == site }) {
		delete(t.last, site)
	}
}
