package host

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/notify"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/config"
	"fibsbot/internal/sanitize"
)

// seatsEvery is how often it is looked whether an account is off line for too long.
const seatsEvery = 5 * time.Second

// startNotes begins to tell the operator what happens. The function it returns ends
// that, with a last try for what waits.
func (h *Host) startNotes(ctx context.Context) (end func()) {
	h.notes = notify.Open(notify.File(h.opt.Config().Archive.Dir), func() *config.Notify { return &h.opt.Config().Notify },
		h.opt.Log, h.opt.Metrics.Notification)
	h.listed.Changed = func(names int) {
		h.notes.Add(notify.Event{Kind: notify.BlockList, Data: map[string]any{"names": names},
			Text: fmt.Sprintf("A new version of opponents.block_url is in force, with %d names.", names)})
	}
	telling, hush := context.WithCancel(ctx)
	var tellers sync.WaitGroup
	tellers.Go(func() { h.notes.Run(telling) })
	tellers.Go(func() { h.watchSeats(telling) })
	return func() {
		hush()
		tellers.Wait()
		h.notes.Last(ctx)
	}
}

// tellOperator hands an event of this account to the notifications.
func (s *seat) tellOperator(kind, opponent, text string, data map[string]any) {
	s.h.notes.Add(notify.Event{Kind: kind, Account: s.name, Server: s.server, Opponent: opponent, Text: text, Data: data})
}

// begun tells that a match has begun.
func (s *seat) begun(opponent string, length int) {
	words := fmt.Sprintf("a %d-point match", length)
	if length <= 0 {
		words = "an unlimited match"
	}
	s.tellOperator(notify.MatchBegun, opponent, fmt.Sprintf("%s has begun %s with %s.", s.name, words, opponent), map[string]any{"length": max(0, length)})
}

// result is what is told of a finished match, once its analysis is there.
type result struct {
	won    bool
	length int
	score  [2]int // ours first
}

func resultOf(sh *sheet.Sheet) *result {
	return &result{won: sh.Winner == sheet.Us, length: max(0, sh.Length), score: [2]int{sh.Score[sheet.Us], sh.Score[sheet.Them]}}
}

// matchTold tells how a match has ended; rates are the errors for each decision in
// thousandths of a point, ours first, nil without an analysis.
func (s *seat) matchTold(j *job, rates []float64) {
	if j.result == nil {
		return
	}
	r := j.result
	j.result = nil
	word := "lost"
	if r.won {
		word = "won"
	}
	data := map[string]any{"result": word, "score": r.score, "length": r.length}
	text := fmt.Sprintf("%s has %s against %s, %d-%d.", s.name, word, j.them, r.score[0], r.score[1])
	if len(rates) == 2 {
		data["error_rate"], data["opponent_error_rate"] = rates[0], rates[1]
		text += fmt.Sprintf(" Errors for each decision: %.1f and %.1f thousandths of a point.", rates[0], rates[1])
	}
	if at := j.meta.RatingAfter[1]; at > 0 {
		data["rating"] = at
	}
	s.tellOperator(notify.MatchEnded, j.them, text, data)
}

// stopped tells that an account has ended for good.
func (s *seat) stoppedBy(err error) {
	kind := notify.AccountStopped
	if errors.Is(err, bot.ErrBadLogin) {
		kind = notify.LoginRefused
	}
	s.tellOperator(kind, "", fmt.Sprintf("%s has stopped: %v", s.name, err), nil)
}

// ratingTold tells once when the account's rating goes beyond a bound.
func (s *seat) ratingTold(rating float64) {
	n := &s.h.opt.Config().Notify
	side := 0
	switch {
	case n.RatingBelow > 0 && rating < n.RatingBelow:
		side = -1
	case n.RatingAbove > 0 && rating > n.RatingAbove:
		side = 1
	}
	if rating <= 0 || side == s.ratingSide {
		return
	}
	s.ratingSide = side
	data := map[string]any{"rating": rating}
	switch side {
	case -1:
		s.tellOperator(notify.RatingLow, "", fmt.Sprintf("The rating of %s is %.1f, below %.1f.", s.name, rating, n.RatingBelow), data)
	case 1:
		s.tellOperator(notify.RatingHigh, "", fmt.Sprintf("The rating of %s is %.1f, above %.1f.", s.name, rating, n.RatingAbove), data)
	}
}

// complained tells of what somebody said to the account that sounds like trouble.
func (s *seat) complained(ev *protocol.Event) {
	c := s.h.opt.Config()
	if config.MatchAny(c.Opponents.BotNames, ev.Name) || s.h.ours(ev.Name, s.server) || like(ev.Text, c.Manners.Greeting) {
		return
	}
	said := strings.ToLower(ev.Text)
	for _, word := range c.Notify.Complaints {
		if strings.Contains(said, strings.ToLower(word)) {
			text := sanitize.Text(ev.Text)
			s.tellOperator(notify.Complaint, ev.Name, fmt.Sprintf("%s says to %s: %.300s", ev.Name, s.name, text), map[string]any{"word": word})
			return
		}
	}
}

// ours tells whether an account of this process has that name on a server.
func (h *Host) ours(name, server string) bool {
	return slices.ContainsFunc(h.seats, func(s *seat) bool { return strings.EqualFold(s.name, name) && s.server == server })
}

// like tells whether a text is what one of the greetings makes, whoever is in it: the
// bots of others say ours too, which holds "hang".
func like(text string, greetings []string) bool {
	return slices.ContainsFunc(greetings, func(g string) bool {
		parts := blank.Split(g, -1)
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		whole, err := regexp.Compile("^" + strings.Join(parts, ".{0,64}") + "$")
		return err == nil && g != "" && whole.MatchString(text)
	})
}

// blank is what is filled in a greeting.
var blank = regexp.MustCompile(`\{[a-z]+\}`)

// watchSeats tells when accounts are off line for long, and when they are back.
func (h *Host) watchSeats(ctx context.Context) {
	tick := time.NewTicker(h.seatsEvery)
	defer tick.Stop()
	unused := h.tellBearoff(0)
	var clock time.Duration
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			clock = h.tellClock(now, clock)
			h.opt.Metrics.Waiting(h.notes.Waiting())
			unused = h.tellBearoff(unused)
			limit := h.opt.Config().Notify.DisconnectedAfter.Std()
			for _, s := range h.seats {
				s.longAway(now, limit)
			}
		}
	}
}

// tellBearoff tells of the bearoff databases that the engine does without, but for the first
// told, and returns how many there are. The bot plays on, less well than it is set to.
func (h *Host) tellBearoff(told int) int {
	if h.opt.Engine == nil || h.opt.Engine.Bearoff() == nil {
		return 0
	}
	unused := h.opt.Engine.Bearoff().Unused()
	h.opt.Metrics.Bearoff(len(unused))
	for _, text := range unused[told:] {
		h.notes.Add(notify.Event{Kind: notify.BearoffFailed, Text: "Playing without a bearoff database: " + sanitize.Text(text)})
	}
	return len(unused)
}

func (s *seat) longAway(now time.Time, limit time.Duration) {
	left, back, since, why := s.presence.looked(now, limit)
	switch {
	case left:
		s.tellOperator(notify.Disconnected, "", fmt.Sprintf("%s is off line since %s: %s", s.name, since.Format("15:04:05"), sanitize.Text(why)),
			map[string]any{"since": since.UTC()})
	case back:
		s.tellOperator(notify.Connected, "", fmt.Sprintf("%s is on line again.", s.name), nil)
	}
}
