package host

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"fibsbot/bot/ops"
)

// presence is what others see of an account: whether it is online, what it plays, since when
// it is away. It is safe for concurrent use; its times come from now.
type presence struct {
	now func() time.Time

	mu       sync.Mutex
	shown    ops.Account // what status shows
	cancel   context.CancelFunc
	shutdown time.Time // the server's last notice of a shutdown
	why      string    // why the account is offline, or was last
	away     away
}

// away is how long an account has been offline, for the notifications.
type away struct {
	since time.Time
	told  bool
}

// stopped is the state of an account that does not reconnect.
const stopped = "stopped"

func newPresence(name, server string) *presence {
	return &presence{now: time.Now, shown: ops.Account{Name: name, Server: server, State: "waiting"}}
}

// runs sets the function that ends the account.
func (p *presence) runs(cancel context.CancelFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel = cancel
}

// end ends the account, if it runs.
func (p *presence) end() {
	p.mu.Lock()
	cancel := p.cancel
	p.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// online reports whether the account is logged in.
func (p *presence) online() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown.Connected
}

// connected records whether the account is logged in.
func (p *presence) connected(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.Connected, p.shown.NotInviting = yes, ""
	if yes {
		p.why = "the connection has ended"
		p.shown.State, p.shown.Waiting = "ready", ""
	}
}

// noticed records that the server is about to shut down.
func (p *presence) noticed(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shutdown = at
}

// shutdownGrace is how long after a notice of shutdown a refused login does not mean wrong
// credentials: FIBS refuses logins in its last ten minutes.
const shutdownGrace = 20 * time.Minute

// forgives reports whether a login may be refused now for another reason than its
// credentials.
func (p *presence) forgives() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.shutdown.IsZero() && p.now().Sub(p.shutdown) < shutdownGrace
}

// enters sets the state of an account, but keeps an error that stopped it for good.
func (p *presence) enters(state string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown.State != stopped || p.shown.Error == "" {
		p.shown.State, p.shown.Waiting = state, ""
	}
}

// waits records that the account is offline, and when it tries again.
func (p *presence) waits(why string, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.why = why
	p.shown.State, p.shown.Connected, p.shown.NotInviting = "waiting", false, ""
	p.shown.Waiting = fmt.Sprintf("%s; next try at %s", why, p.now().Add(wait).Format("15:04:05"))
}

// fails records the error that stopped the account for good.
func (p *presence) fails(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.State, p.shown.Error = stopped, err.Error()
}

// playing is the match on the table, as far as status shows it.
type playing struct {
	opponent, match, board, preset string
}

// plays sets the match being played, or nil, and our rating. line is the time of a line of
// the server, or zero.
func (p *presence) plays(m *playing, rating float64, line time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := &p.shown
	if !line.IsZero() {
		a.LastLine = line
	}
	if a.Connected {
		a.State = "ready"
	}
	a.Opponent, a.Match, a.Board, a.Preset = "", "", "", ""
	if m != nil {
		a.NotInviting = ""
		a.State, a.Opponent, a.Match, a.Board, a.Preset = "playing", m.opponent, m.match, m.board, m.preset
	}
	a.Rating = rating
}

// invitesNoOne sets why no one is invited, or "".
func (p *presence) invitesNoOne(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.NotInviting = why
}

// finished counts a match.
func (p *presence) finished(won bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.Finished++
	if won {
		p.shown.Won++
	}
}

// journals sets why the journals cannot be written, or nil, and reports whether the failure
// is new.
func (p *presence) journals(err error) (news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	had := p.shown.Journal
	p.shown.Journal = ""
	if err != nil {
		p.shown.Journal = err.Error()
	}
	return err != nil && had == ""
}

// status returns what status shows.
func (p *presence) status() ops.Account {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown
}

// looked reports once as left that the account has been away for limit, and then as back that
// it has returned.
func (p *presence) looked(now time.Time, limit time.Duration) (left, back bool, since time.Time, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gone := !p.shown.Connected && p.shown.State != stopped
	if !gone || p.away.since.IsZero() {
		p.away.since = now
	}
	told := p.away.told
	p.away.told = gone && (told || now.Sub(p.away.since) >= limit)
	return p.away.told && !told, told && !gone && p.shown.Connected, p.away.since, cmp.Or(p.why, "no answer to the first login yet")
}
