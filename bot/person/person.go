package person

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/host"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/board"
)

// Errors of an Account.
var (
	// ErrOffline: the account is not logged in at the moment.
	ErrOffline = errors.New("not connected")
	// ErrNotAsked: the match does not wait for such an answer.
	ErrNotAsked = errors.New("not possible now")
	// ErrRegister: the server registers no accounts over a connection.
	ErrRegister = errors.New("this server registers accounts on its own page")
	// ErrKicked: the account logged in elsewhere.
	ErrKicked = errors.New("the account logged in elsewhere")
)

// Account is a person's account on a server. Set the exported fields before Run.
type Account struct {
	// Name is the account's name, Server the address.
	Name, Server string
	Protocol     protocol.Protocol
	Password     protocol.Secret
	// Register makes the account first.
	Register bool
	// DB is the index of the archive that keeps the matches.
	DB *index.DB
	// Log receives troubles; silent by default.
	Log logrus.FieldLogger
	// Seen receives every step in the account's goroutine, and must not block.
	Seen func(Step)
	// Idle, if set, follows Seen at every step while logged in. It returns what to send beside the
	// match, and when it wants another step, or zero.
	Idle func(t *table.Table, ev *protocol.Event, now time.Time) (send []protocol.Command, wake time.Time)
	// Filed receives every match in the archive, from another goroutine.
	Filed func(Match)

	// Table, Waits and NoSync override what a person needs, for tests.
	Table  table.Options
	Waits  bot.Backoff
	NoSync bool

	orders  chan bot.Order
	online  atomic.Bool
	stop    context.CancelFunc
	endings endings
	known   bool  // a login has succeeded
	failed  error // why the account ended by itself

	mu      sync.Mutex
	asked   *table.Situation // unanswered
	answers chan answered
}

// Step is what happened to an account.
type Step struct {
	// Table may be used during the call only.
	Table *table.Table
	// Event is the server's line, or nil.
	Event *protocol.Event
	// Asked is the decision that the match waits for, or nil.
	Asked *table.Situation
	// Invitations are new ones.
	Invitations []table.Invitation
	// Failed is a player whose invitation could not be accepted, or nil.
	Failed *table.Failed
	// Over is a match that ended, or nil.
	Over *sheet.Sheet
	// Ending is why the account is offline, or nil. Only Ending and Trouble are set then.
	Ending *bot.Ending
	// Trouble is why the journals cannot be written.
	Trouble error
}

// Match is a match in the archive.
type Match struct {
	File string
	ID   string // in the archive
	Err  error  // why the archive does not list it
}

// answered is an answer to the question of a generation.
type answered struct {
	generation uint64
	table.Answer
}

// Run logs in and plays until ctx ends, the login is refused or the account logs in elsewhere.
// A first connection that fails ends it too; later ones are tried again.
func (a *Account) Run(ctx context.Context) error {
	unlock, err := host.Lock(a.DB.Dir(), a.Name, a.Server)
	if err != nil {
		return fmt.Errorf("account %s on %s: %w", a.Name, a.Server, err)
	}
	defer unlock()
	ctx, a.stop = context.WithCancel(ctx)
	defer a.stop()
	a.orders, a.answers = make(chan bot.Order, maxOrders), make(chan answered, 1)
	a.endings = endings{began: map[string]time.Time{}, ready: make(chan ending, maxEndings)}
	if a.Register {
		if err := a.register(ctx); err != nil {
			return err
		}
	}
	var filing sync.WaitGroup
	filing.Go(a.file)
	c := conduct{a}
	opt := a.Table
	opt.Mend = true
	acc := &bot.Account{
		Name: a.Name, Protocol: a.Protocol, Dial: a.dial, Decider: c, Conduct: c, Table: opt, Orders: a.orders, Log: a.Log,
		Archive: archive.Options{Dir: a.DB.Dir(), Server: a.Server, NoSync: a.NoSync}, Talk: func() bot.Talk { return bot.TalkAll },
	}
	err = acc.Run(ctx)
	a.online.Store(false)
	a.endings.flush(time.Time{})
	close(a.endings.ready)
	filing.Wait()
	return errors.Join(err, a.failed)
}

// maxOrders bounds the orders that wait.
const maxOrders = 32

// login is that of a bot.
func (a *Account) login() (protocol.Login, error) {
	c := config.Default().Server
	return protocol.Login{
		Address: a.Server, Name: a.Name, Password: a.Password, Program: c.ClientName,
		Keepalive: c.Keepalive.Std(), Silence: c.Silence.Std(), Connect: c.ConnectTimeout.Std(),
		Store: host.SettingsStore(a.DB.Dir(), a.Name, a.Server, a.trouble),
	}, nil
}

func (a *Account) register(ctx context.Context) error {
	r, ok := a.Protocol.(protocol.Registrar)
	if !ok {
		return ErrRegister
	}
	l, err := a.login()
	if err != nil {
		return err
	}
	return r.Register(ctx, l)
}

// dial logs in.
func (a *Account) dial(ctx context.Context) (bot.Link, error) {
	link, err := bot.Dialer(a.Protocol, a.login)(ctx)
	if err == nil {
		a.known = true
		a.online.Store(true)
	}
	return link, err
}

func (a *Account) trouble(err error) { a.Seen(Step{Trouble: err}) }

// Do runs an order at the table. Step.Event and what follows show its effect.
func (a *Account) Do(o bot.Order) error {
	if !a.online.Load() {
		return ErrOffline
	}
	select {
	case a.orders <- o:
		return nil
	default:
		return fmt.Errorf("%w: too many commands at once", ErrNotAsked)
	}
}

// Send sends commands apart from the game.
func (a *Account) Send(list ...protocol.Command) error {
	for _, c := range list {
		if _, err := a.Protocol.Encode(c); err != nil {
			return err
		}
	}
	return a.Do(func(*table.Table, time.Time) table.Due { return table.Due{Send: list} })
}

// Answer answers the question of Step.Asked. An error that wraps ErrNotAsked changes nothing.
func (a *Account) Answer(ans table.Answer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.asked
	switch {
	case s == nil || !ans.Answers(*s):
		return ErrNotAsked
	case ans.Action == table.Resign && !s.MayResign && !a.Protocol.Rules().ResignsAtOnce:
		return fmt.Errorf("%w: the offer to resign was rejected, so play on", ErrNotAsked)
	case ans.Action == table.Play && !legal(s, &ans.Play):
		return fmt.Errorf("%w: not a legal play", ErrNotAsked)
	}
	a.asked = nil
	select {
	case <-a.answers: // to an older question
	default:
	}
	a.answers <- answered{s.Generation, ans}
	return nil
}

func legal(s *table.Situation, p *board.Play) bool {
	for _, q := range board.AppendPlays(nil, s.Position, s.Dice) {
		if q.Result == p.Result {
			return true
		}
	}
	return false
}

// conduct is an Account as the bot's machinery sees it.
type conduct struct{ *Account }

// Decide implements table.Decider: it waits for Answer.
func (c conduct) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	for {
		select {
		case <-ctx.Done():
			return table.Answer{}, ctx.Err()
		case ans := <-c.answers:
			if ans.generation == s.Generation {
				return ans.Answer, nil
			}
		}
	}
}

// Step implements bot.Conduct. Invitations are left to the person.
func (c conduct) Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) (wake time.Time) {
	wake = c.endings.step(t, due, ev, c.Name, now)
	c.mu.Lock()
	switch {
	case due.Ask != nil:
		c.asked = due.Ask
	case c.asked != nil && c.asked.Generation != t.Generation():
		c.asked = nil
	}
	st := Step{Table: t, Event: ev, Asked: c.asked, Invitations: due.Invitations, Failed: due.Failed, Over: due.Over}
	c.mu.Unlock()
	c.Seen(st)
	if c.Idle != nil {
		send, at := c.Idle(t, ev, now)
		due.Send = append(due.Send, send...)
		if wake.IsZero() || !at.IsZero() && at.Before(wake) {
			wake = at
		}
	}
	return wake
}

// Told implements bot.Conduct.
func (c conduct) Told(n bot.News) {
	switch n := n.(type) {
	case bot.Observation:
		c.endings.add(n, index.Meta{Account: c.Name, Server: c.Server})
		if n.Over != nil {
			_ = c.Do(func(*table.Table, time.Time) table.Due { return table.Due{} }) // sets the time of the next step
		}
	case bot.LateFile:
		c.endings.hand(ending{files: n.Files, meta: index.Meta{Account: c.Name, Server: c.Server, Finished: time.Now().UTC()}})
	case bot.JournalState:
		if n.Err != nil {
			c.trouble(n.Err)
		}
	}
}

// Waits implements bot.Conduct.
func (c conduct) Waits() bot.Backoff {
	if c.Account.Waits != (bot.Backoff{}) {
		return c.Account.Waits
	}
	return host.Waits(config.Default())
}

// Rest implements bot.Conduct.
func (c conduct) Rest(ctx context.Context, end bot.Ending) {
	c.online.Store(false)
	c.mu.Lock()
	c.asked = nil
	c.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return
	case end.Cause == protocol.CauseKicked:
		c.failed = ErrKicked
	case !c.known:
		c.failed = fmt.Errorf("account %s on %s: %s", c.Name, c.Server, end.Text)
	}
	if c.failed != nil {
		c.stop()
		return
	}
	c.Seen(Step{Ending: &end})
	select {
	case <-ctx.Done():
	case <-time.After(end.Wait):
	}
}
