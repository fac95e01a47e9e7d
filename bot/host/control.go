package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/internal/sanitize"
)

// orderWait is how long an order waits for its account, which may be busy.
const orderWait = 4 * time.Second

// Control carries out an order of the operator and logs it. Command line, pages and, for the
// orders that manners.owners may give, chat share what the orders do.
func (h *Host) Control(ctx context.Context, o ops.Order) (r ops.Reply) {
	defer func() {
		h.opt.Log.WithFields(logrus.Fields{"order": o.Order, "account": o.Account, "args": sanitize.Text(strings.Join(o.Args, " ")), "by": o.By,
			"done": r.Done, "answer": r.Answer}).Info("order of the operator")
	}()
	kind, err := o.Check()
	if err != nil {
		return ops.Misuse(&o, err)
	}
	seats, err := h.addressed(o.Account, kind)
	if err != nil {
		return ops.Misuse(&o, err)
	}
	if o.Order == "reload" {
		answer, err := h.reload()
		if err != nil {
			return ops.Reply{Order: o.Order, Answer: err.Error()}
		}
		return ops.Reply{Order: o.Order, Done: true, Answer: answer}
	}
	ctx, cancel := context.WithTimeout(ctx, orderWait)
	defer cancel()
	var list []ops.AccountReply
	for _, s := range seats {
		answer, err := s.control(ctx, o)
		if err != nil {
			answer = err.Error()
		}
		list = append(list, ops.AccountReply{Account: s.label, Done: err == nil, Answer: sanitize.Text(answer)})
	}
	return ops.Join(&o, list)
}

// addressed returns the seats that an order is for. Accounts that have stopped are left out
// unless one is named.
func (h *Host) addressed(account string, kind ops.OrderKind) ([]*seat, error) {
	var seats []*seat
	var names []string
	for _, s := range h.seats {
		names = append(names, s.label)
		switch {
		case account == "" && s.presence.status().State != stopped, account != "" && (strings.EqualFold(s.name, account) || strings.EqualFold(s.label, account)):
			seats = append(seats, s)
		}
	}
	switch {
	case account != "" && len(seats) == 0:
		return nil, fmt.Errorf("no account %q (use %s)", account, strings.Join(names, ", "))
	case kind.One && len(seats) > 1:
		return nil, fmt.Errorf("%s: several accounts (give one with --account: %s)", kind.Name, strings.Join(names, ", "))
	case len(seats) == 0:
		seats = h.seats // each will answer that it has stopped
	}
	return seats, nil
}

// control carries out an order of Control for one account.
func (s *seat) control(ctx context.Context, o ops.Order) (string, error) {
	words := strings.Join(o.Args, " ")
	if s.presence.status().State == stopped {
		return "", errors.New("the account has stopped (start fibsbot again)")
	}
	switch o.Order {
	case "leave":
		s.stay.leaving.Store(true)
		s.presence.end()
		return "Logging out; " + s.h.unfinished([]*seat{s}) + ".", nil
	case "block", "unblock", "forget":
		return s.person(o.Order, o.Args[0], cmp.Or(strings.Join(o.Args[1:], " "), "by the operator"))
	case "say", "kibitz":
		return s.atTable(ctx, func(t *table.Table, due *table.Due, _ time.Time) (string, error) {
			return s.say(t, due, o.Order == "kibitz", words)
		})
	case "tell":
		return s.atTable(ctx, func(t *table.Table, due *table.Due, _ time.Time) (string, error) {
			return s.tellByOrder(t, due, o.Args[0], strings.Join(o.Args[1:], " "))
		})
	case "invite":
		length, err := lengthOf(o.Args[1:])
		if err != nil {
			return "", err
		}
		return s.atTable(ctx, func(t *table.Table, due *table.Due, now time.Time) (string, error) {
			return s.inviteByOrder(t, due, o.Args[0], length, now)
		})
	}
	return s.obey(o.Order)
}

// lengthOf reads the length of an invitation: points, "unlimited", or -1 without a word.
func lengthOf(args []string) (int, error) {
	if len(args) == 0 {
		return -1, nil
	}
	if strings.EqualFold(args[0], "unlimited") {
		return 0, nil
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 0 || n > 99 {
		return 0, fmt.Errorf("%q is not a match length (use 1 to 99, or unlimited)", args[0])
	}
	return n, nil
}

// person carries out an order about what the account remembers of a player. It is done when it is
// on disk.
func (s *seat) person(order, name, why string) (string, error) {
	if !utf8.ValidString(name) || len(name) > maxName || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "", fmt.Errorf("%q is not a name", name)
	}
	var err error
	there, none, done := true, "", ""
	switch order {
	case "block":
		done = name + " is blocked."
		err = s.memory.Block(name, sanitize.Text(why), time.Now())
	case "unblock":
		none, done = "%s is not blocked", name+" is accepted again."
		there, err = s.memory.Unblock(name, time.Now())
	case "forget":
		none, done = "nothing is remembered about %s", name+" is forgotten."
		there, err = s.memory.Forget(name)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("holds until the end of the process only: %w", err)
	case !there:
		return "", fmt.Errorf(none, name)
	}
	s.poke()
	return done, nil
}

// obey carries out an order that needs no table. It may be called by any goroutine.
func (s *seat) obey(order string) (string, error) {
	if s.h.draining.Load() && order != "drain" {
		return "", errors.New("the bot is leaving (start fibsbot again)")
	}
	switch order {
	case "pause":
		s.stay.paused.Store(true)
		s.poke()
		return "Paused: no new matches until 'resume'.", nil
	case "resume":
		s.stay.resume()
		s.order(func(_ *table.Table, now time.Time) table.Due {
			s.inviter.seekAt = now
			return table.Due{}
		})
		return "Matches are accepted again.", nil
	case "drain":
		s.stay.leaving.Store(true)
		s.drain()
		if finish := s.h.opt.Config().Operations.Drain; s.presence.status().Opponent != "" && finish != "now" {
			return "Leaving after this " + finish + ".", nil
		}
		return "Leaving.", nil
	}
	return "", fmt.Errorf("unknown order %q", order)
}

// reload reads the configuration again.
func (h *Host) reload() (string, error) {
	if h.opt.Reload == nil {
		return "", errors.New("no configuration file to reload")
	}
	if err := h.opt.Reload(); err != nil {
		h.opt.Metrics.Reload(false)
		h.opt.Log.WithError(err).Error("configuration not reloaded: the old one stays in force")
		return "", fmt.Errorf("%w: %w", errReload, err)
	}
	return "The configuration was reloaded.", nil
}

// errReload is all that a player learns about a failed reload.
var errReload = errors.New("the new configuration has errors, so the old one stays in force")

// atTable carries out an order in the account's goroutine. An order that is not begun in time is
// not carried out later.
func (s *seat) atTable(ctx context.Context, do func(t *table.Table, due *table.Due, now time.Time) (string, error)) (string, error) {
	if !s.presence.status().Connected {
		return "", errors.New("the account is not logged in")
	}
	type result struct {
		answer string
		err    error
	}
	var begun atomic.Bool
	done := make(chan result, 1)
	order := func(t *table.Table, now time.Time) (due table.Due) {
		if begun.CompareAndSwap(false, true) {
			answer, err := do(t, &due, now)
			done <- result{answer, err}
		}
		return due
	}
	select {
	case s.orders <- order:
		select {
		case r := <-done:
			return r.answer, r.err
		case <-ctx.Done():
			if !begun.CompareAndSwap(false, true) {
				r := <-done
				return r.answer, r.err
			}
		}
	case <-ctx.Done():
	}
	return "", errors.New("the account is busy: nothing was done (try again)")
}

// say sends a text to the opponent at the board, or to all there.
func (s *seat) say(t *table.Table, due *table.Due, all bool, text string) (string, error) {
	sh := t.Sheet()
	switch {
	case sh == nil:
		return "", errors.New("not playing, so there is no one at the board")
	case all:
		return s.said(due, "all at the board", text, func(text string) protocol.Command { return protocol.Kibitz{Text: text} })
	}
	return s.said(due, sh.Opponent, text, tellTo(sh.Opponent))
}

// tellByOrder tells a player something, whatever he has asked for.
func (s *seat) tellByOrder(t *table.Table, due *table.Due, name, text string) (string, error) {
	name, u := s.online(name)
	if u.Name == "" {
		return "", fmt.Errorf("%s is not online", name)
	}
	if sh := t.Sheet(); s.proto.Rules().Opens && (sh == nil || sh.Opponent != name) {
		return "", errors.New("on this server only the opponent at the board can be told something")
	}
	return s.said(due, name, text, tellTo(name))
}

// said carries out an order to speak.
func (s *seat) said(due *table.Due, whom, text string, as func(text string) protocol.Command) (string, error) {
	switch {
	case s.h.opt.DryRun:
		return "", errDry
	case !s.speak(due, text, as):
		return "", errors.New("nothing was said: the text is empty, or too much waits to be sent")
	}
	return "Said to " + whom + ".", nil
}

// online returns a player on line as the server spells his name, or name and the zero User.
func (s *seat) online(name string) (string, protocol.User) {
	for n, u := range s.lobby.All() {
		if strings.EqualFold(n, name) {
			return n, u
		}
	}
	return name, protocol.User{}
}

var errDry = errors.New("a dry run sends nothing")

// inviteByOrder invites a player to a match of length points (-1 chooses it), or to resume the
// saved match. What matchmaking would wait for does not count.
func (s *seat) inviteByOrder(t *table.Table, due *table.Due, name string, length int, now time.Time) (string, error) {
	c := s.h.opt.Config()
	name, u := s.online(name)
	refuse := func(format string, args ...any) (string, error) { return "", fmt.Errorf(format, args...) }
	p := s.memory.get(name)
	switch {
	case s.proto.Rules().Opens:
		return refuse("this server has no invitations: matches are opened for all")
	case s.h.opt.DryRun:
		return "", errDry
	case s.going():
		return refuse("the account is leaving")
	case t.Sheet() != nil:
		return refuse("playing %s", t.Sheet().Opponent)
	case strings.EqualFold(name, s.name):
		return refuse("%s is this account", name)
	case u.Name == "":
		return refuse("%s is not online", name)
	case u.Opponent != "":
		return refuse("%s is playing %s", name, u.Opponent)
	case s.h.blocks.list(c.Opponents.BlockFile, now).Has(name), s.h.listed.Has(c.Opponents.BlockURL, name), config.MatchAny(c.Opponents.Block, name):
		return refuse("%s is on a block list", name)
	case p.Blocked != "":
		return refuse("%s is blocked: %s", name, p.Blocked)
	case !p.Stopped.IsZero():
		return refuse("%s has told the bot to stop", name)
	case !u.Ready:
		return refuse("%s is not ready to play", name)
	case t.CatchingUp():
		return refuse("the account is still asking the server about its saved matches (try again in a minute)")
	case !t.Free():
		return refuse("another invitation waits for its answer (try again in a minute)")
	}
	if last := s.history.lastLength(name); length < 0 && last > 0 {
		length = last
	} else if length < 0 {
		length = slices.Concat(c.Matchmaking.Lengths, []int{c.Invitations.Length.Min})[0]
	}
	what := fmt.Sprintf("to %d points", length)
	if length == 0 {
		what = "to an unlimited match"
	}
	if t.SavedWith(name) {
		what = "to resume the saved match"
	}
	s.invite(t, due, name, length, now)
	return "Invited " + name + " " + what + ".", nil
}
