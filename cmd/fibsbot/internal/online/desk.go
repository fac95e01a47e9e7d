package online

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/person"
	"fibsbot/bot/watch"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
)

// Desk is a lobby.Desk. Set Open before use.
type Desk struct {
	// Open returns the account of a login.
	Open func(lobby.Login) (*person.Account, error)
	// Judge analyses watched matches; nil watches none.
	Judge *watch.Judge

	mu     sync.Mutex
	room   *Room // nil while offline
	stop   context.CancelFunc
	done   chan struct{}
	failed string // why the last account ended
	held   string // why the engine is silent after the logout of heldBy, until till
	heldBy login
	till   time.Time
	watch  func()
}

// login is an account on a server.
type login struct{ name, server string }

var _ lobby.Desk = (*Desk)(nil)

// Watch implements lobby.Desk.
func (d *Desk) Watch(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch = f
}

func (d *Desk) changed() {
	if d.watch != nil {
		d.watch()
	}
}

// Login implements lobby.Desk.
func (d *Desk) Login(l lobby.Login) error {
	if _, err := d.at(); err == nil {
		return lobby.ErrBusy
	}
	acc, err := d.Open(l) // may take a while
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room != nil {
		return lobby.ErrBusy
	}
	ctx, stop := context.WithCancel(context.Background())
	r := New(acc, nil)
	r.judge, r.silent = d.Judge, d.Playing
	if d.watch != nil {
		r.watch = d.watch
	}
	done := make(chan struct{})
	d.room, d.stop, d.done, d.failed = r, stop, done, ""
	go func() {
		defer close(done)
		err := acc.Run(ctx)
		r.leave()
		d.mu.Lock()
		defer d.mu.Unlock()
		d.room = nil
		if err != nil {
			d.failed = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		r.mu.Lock()
		if why := r.locked(); why != "" || d.heldBy == (login{acc.Name, acc.Server}) {
			d.held, d.heldBy, d.till = why, login{acc.Name, acc.Server}, time.Now().Add(acc.Protocol.Rules().SeatKept)
		}
		r.mu.Unlock()
		d.changed()
	}()
	d.changed()
	return nil
}

// Logout implements lobby.Desk.
func (d *Desk) Logout() {
	d.mu.Lock()
	stop, done := d.stop, d.done
	d.mu.Unlock()
	if stop != nil {
		stop()
		<-done
	}
}

// at is the room, or an error while offline.
func (d *Desk) at() (*Room, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room == nil {
		return nil, errors.New("no account is logged in")
	}
	return d.room, nil
}

// State implements lobby.Desk.
func (d *Desk) State() lobby.State {
	r, err := d.at()
	if err != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		return lobby.State{At: time.Now().UnixMicro(), Online: "offline", Error: d.failed, Invitations: []lobby.Offer{}, Saved: []lobby.Offer{}, News: []lobby.Line{}}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	st := lobby.State{
		At: time.Now().UnixMicro(), Online: "connecting", Account: r.acc.Name, Server: r.acc.Server, Opens: r.acc.Protocol.Rules().Opens, Forfeits: r.acc.Protocol.Rules().ResignsAtOnce, Locked: r.locked(), Opened: r.opened,
		Match: r.view, Asked: r.asked != nil, Archived: r.archived, Invitations: []lobby.Offer{}, Saved: []lobby.Offer{},
		News: slices.Clone(r.recent[max(0, len(r.recent)-maxRecent):]),
	}
	if st.News == nil {
		st.News = []lobby.Line{}
	}
	if r.online {
		st.Online = "online"
	}
	if st.Match == nil {
		st.Match = r.ended
	}
	if r.wanted != nil {
		st.Watched = r.wanted.state()
	}
	for _, i := range r.invitations {
		st.Invitations = append(st.Invitations, lobby.Offer{With: i.From, Length: max(0, i.Length), Resume: i.Resume || i.Saved})
	}
	for name, m := range r.saved {
		st.Saved = append(st.Saved, lobby.Offer{With: name, Length: max(0, m.Length), Resume: true, Score: m.Score})
	}
	slices.SortFunc(st.Saved, func(a, b lobby.Offer) int { return strings.Compare(a.With, b.With) })
	return st
}

// locked is why the engine is silent, or "". The caller holds mu.
func (r *Room) locked() string {
	if r.lock == "" {
		return ""
	}
	return fmt.Sprintf("%s plays %s on %s: the engine is silent until the match is over", r.acc.Name, r.lock, r.acc.Server)
}

// Playing implements lobby.Desk. After a logout the server may keep the seat: the login of another
// account does not lift the lock.
func (d *Desk) Playing() string {
	back := false
	if r, err := d.at(); err == nil {
		r.mu.Lock()
		why, online, who := r.locked(), r.online, login{r.acc.Name, r.acc.Server}
		r.mu.Unlock()
		if why != "" {
			return why
		}
		d.mu.Lock()
		back = online && d.heldBy == who
		d.mu.Unlock()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if back || time.Now().After(d.till) {
		return ""
	}
	return d.held
}

// Players implements lobby.Desk.
func (d *Desk) Players() []lobby.Player {
	out := []lobby.Player{}
	r, err := d.at()
	if err != nil {
		return out
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list(time.Now())
	for _, u := range r.players("") {
		p := lobby.Player{Name: u.Name, Idle: u.Idle, Opponent: u.Opponent, Ready: u.Ready, Away: u.Away}
		if u.Rating > 0 {
			p.Rating = &u.Rating
		}
		if u.Experience >= 0 {
			p.Experience = &u.Experience
		}
		out = append(out, p)
	}
	return out
}

// Command implements lobby.Desk.
func (d *Desk) Command(line string) error {
	r, err := d.at()
	if err != nil {
		return err
	}
	t := &display{r: r, c: teller{r}}
	quit, err := t.obey(strings.TrimSpace(line))
	if quit {
		go d.Logout()
	}
	return err
}

// Act implements lobby.Desk.
func (d *Desk) Act(a play.Act) error {
	r, err := d.at()
	if err != nil {
		return err
	}
	return r.Do(a)
}

// teller adds what is printed to the news.
type teller struct{ r *Room }

// Write implements io.Writer.
func (t teller) Write(b []byte) (int, error) {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	for line := range strings.Lines(string(b)) {
		t.r.tell("%s", strings.TrimRight(line, "\n"))
	}
	return len(b), nil
}
