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
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

// seatsEvery is how often the host checks whether an account is offline for too long.
const seatsEvery = 5 * time.Second

// startNotes starts the notifications of the operator. The returned function ends them
// after a last attempt to deliver what waits.
func (h *Host) startNotes(ctx context.Context) (end func()) {
	h.notes = notify.Open(notify.File(h.opt.Config().Archive.Dir), func() *config.Notify { return &h.opt.Config().Notify },
		h.opt.Log, func(outcome string) { h.opt.Metrics.Notes.WithLabelValues(outcome).Inc() })
	h.listed.Changed = func(names int) {
		h.notes.Add(notify.Event{Kind: notify.BlockList, Data: map[string]any{"names": names},
			Text: fmt.Sprintf("A new version of opponents.block_url is in force, with %d names.", names)})
	}
	return background(ctx, h.notes.Run, h.watchSeats, h.beat)
}

// background runs tasks until end, which waits for them.
func background(ctx context.Context, tasks ...func(context.Context)) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, task := range tasks {
		running.Go(func() { task(ctx) })
	}
	return func() {
		stop()
		running.Wait()
	}
}

// tellOperator adds an event of this account to the notifications.
func (s *seat) tellOperator(kind, opponent, text string, data map[string]any) {
	s.h.notes.Add(notify.Event{Kind: kind, Account: s.name, Server: s.server, Opponent: opponent, Text: text, Data: data})
}

// reportBegin reports that a match has begun.
func (s *seat) reportBegin(opponent string, length int) {
	words := fmt.Sprintf("a %d-point match", length)
	if length <= 0 {
		words = "an unlimited match"
	}
	s.tellOperator(notify.MatchBegun, opponent, fmt.Sprintf("%s has started %s with %s.", s.name, words, opponent), map[string]any{"length": max(0, length)})
}

// pr is the performance rating of an error rate in thousandths of a point, in words.
func pr(rate figure.Figure) string { return (rate / 2).Text("%.1f") }

// reportMatch reports how a match has ended. rates are the errors per decision in thousandths of
// a point, ours first, or nil without an analysis.
func (s *seat) reportMatch(j *job, rates []figure.Figure) {
	sh := j.ended
	if sh == nil {
		return
	}
	j.ended = nil
	word := "lost"
	if sh.Winner == sheet.Us {
		word = "won"
	}
	score := [2]int{sh.Score[sheet.Us], sh.Score[sheet.Them]}
	data := map[string]any{"result": word, "score": score, "length": max(0, sh.Length)}
	text := fmt.Sprintf("%s has %s against %s, %d-%d.", s.name, word, j.them, score[0], score[1])
	if len(rates) == 2 && (rates[0].Known() || rates[1].Known()) {
		data["error_rate"], data["opponent_error_rate"] = rates[0], rates[1]
		text += fmt.Sprintf(" PR %s, the opponent's %s.", pr(rates[0]), pr(rates[1]))
	}
	if at := j.meta.RatingAfter[1]; at > 0 {
		data["rating"] = at
	}
	s.tellOperator(notify.MatchEnded, j.them, text, data)
}

// reportStop reports that an account has stopped for good.
func (s *seat) reportStop(err error) {
	kind := notify.AccountStopped
	if errors.Is(err, bot.ErrBadLogin) {
		kind = notify.LoginRefused
	}
	s.tellOperator(kind, "", fmt.Sprintf("%s has stopped: %v", s.name, err), nil)
}

// reportRating reports once when the account's rating passes a bound.
func (s *seat) reportRating(rating float64) {
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

// reportComplaint reports a text to the account that sounds like a complaint.
func (s *seat) reportComplaint(ev *protocol.Event) {
	c := s.h.opt.Config()
	if s.isBot(ev.Name) || s.h.ours(ev.Name, s.server) || like(ev.Text, c.Manners.Greeting) {
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

// ours reports whether an account of this process has that name on a server.
func (h *Host) ours(name, server string) bool {
	return slices.ContainsFunc(h.seats, func(s *seat) bool { return strings.EqualFold(s.name, name) && s.server == server })
}

// like reports whether a text matches one of the greetings with any names: bots of other
// operators use our greeting, too, which contains "hang".
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

// blank matches a placeholder of a greeting.
var blank = regexp.MustCompile(`\{[a-z]+\}`)

// watchSeats reports accounts that are offline for long, and when they are back.
func (h *Host) watchSeats(ctx context.Context) {
	tick := time.NewTicker(h.seatsEvery)
	defer tick.Stop()
	unused := h.reportBearoff(0)
	var clock time.Duration
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			clock = h.logClockChange(now, clock)
			h.opt.Metrics.Waiting.Set(float64(h.notes.Waiting()))
			unused = h.reportBearoff(unused)
			limit := h.opt.Config().Notify.DisconnectedAfter.Std()
			for _, s := range h.seats {
				s.reportAbsence(now, limit)
			}
		}
	}
}

// beat sends the heartbeats of notify.heartbeat. Each failure is logged when it begins.
func (h *Host) beat(ctx context.Context) {
	tick := time.NewTicker(min(h.seatsEvery, time.Second))
	defer tick.Stop()
	var last time.Time
	trouble := ""
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			n := h.opt.Config().Notify
			if n.Heartbeat == 0 || now.Sub(last) < n.Heartbeat.Std() {
				continue
			}
			last = now
			online, playing := 0, 0
			for _, s := range h.seats {
				switch a := s.presence.status(); {
				case a.Opponent != "":
					playing++
					fallthrough
				case a.Connected:
					online++
				}
			}
			err := notify.Beat(ctx, &n, fmt.Sprintf("fibsbot runs: %d of %s logged in, %d playing.", online, figure.Count(len(h.seats), "account"), playing),
				map[string]any{"accounts": len(h.seats), "online": online, "playing": playing})
			text := ""
			if err != nil {
				text = err.Error()
			}
			if text != trouble && err != nil && ctx.Err() == nil {
				h.opt.Log.WithError(err).Warn("heartbeat not delivered")
			}
			trouble = text
		}
	}
}

// reportBearoff reports the bearoff databases that the engine cannot use, except the first told
// ones, and returns their number. The bot plays on, slightly weaker than configured.
func (h *Host) reportBearoff(told int) int {
	if h.opt.Engine == nil || h.opt.Engine.Bearoff() == nil {
		return 0
	}
	unused := h.opt.Engine.Bearoff().Unused()
	h.opt.Metrics.Bearoff.Set(float64(len(unused)))
	for _, text := range unused[told:] {
		h.notes.Add(notify.Event{Kind: notify.BearoffFailed, Text: "Playing without a bearoff database: " + sanitize.Text(text)})
	}
	return len(unused)
}

func (s *seat) reportAbsence(now time.Time, limit time.Duration) {
	left, back, since, why := s.presence.checkAbsence(now, limit)
	switch {
	case left:
		s.tellOperator(notify.Disconnected, "", fmt.Sprintf("%s has been offline since %s: %s", s.name, since.Format("15:04:05"), sanitize.Text(why)),
			map[string]any{"since": since.UTC()})
	case back:
		s.tellOperator(notify.Connected, "", fmt.Sprintf("%s is online again.", s.name), nil)
	}
}
