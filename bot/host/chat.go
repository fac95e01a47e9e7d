package host

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/internal/accountview"
	"fibsbot/bot/policy"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/internal/figure"
)

const (
	// maxWaiting is how many commands may wait before chat is dropped: plays come first.
	maxWaiting = 20
	// maxAnswers bounds our answers a minute to all players together.
	maxAnswers = 30
	// nudgeQuiet is the shortest time between two requests for the board for an opponent
	// who says 'move'.
	nudgeQuiet = 3 * time.Second
)

// tell sends a text to a player, unless it is empty or the send queue is too long, and reports
// whether it does.
func (s *seat) tell(due *table.Due, name, text string) bool {
	return s.speak(due, text, tellTo(name))
}

// tellTo makes the command that tells a player a text.
func tellTo(name string) func(text string) protocol.Command {
	return func(text string) protocol.Command { return protocol.Tell{Name: name, Text: text} }
}

// speak sends the command that says a text.
func (s *seat) speak(due *table.Due, text string, as func(text string) protocol.Command) bool {
	text = s.proto.Plain(text)
	if text == "" {
		return false
	}
	if l := s.link.Load(); l != nil && l.Waiting()+len(due.Send) > maxWaiting {
		return false
	}
	due.Send = append(due.Send, as(s.brief(text)))
	return true
}

// brief cuts a text to one line of the server.
func (s *seat) brief(text string) string {
	if limit := s.proto.Rules().MaxText; limit > 0 {
		text = text[:min(len(text), limit)]
	}
	return text
}

// tellAll sends the lines of a template, unless the player asked to be left alone.
func (s *seat) tellAll(due *table.Due, name string, lines []string, now time.Time) {
	if s.alone(name) {
		return
	}
	values := s.values(name, now)
	for _, l := range lines {
		s.tell(due, name, config.Fill(l, values))
	}
}

// values returns the values of the templates' placeholders.
func (s *seat) values(opponent string, now time.Time) map[string]string {
	c := s.h.opt.Config()
	length := s.history.lastLength(opponent)
	if length == 0 {
		length = c.Invitations.Length.Min
	}
	return map[string]string{"me": s.name, "opponent": opponent, "version": s.h.opt.Version, "length": "", "reason": "",
		"preset": s.presetAgainst(c, opponent, length, false, now)}
}

// spokenTo answers a text of another player.
func (s *seat) spokenTo(t *table.Table, due *table.Due, ch policy.Channel, from, text string, now time.Time) {
	c := s.h.opt.Config()
	if from == "" || from == protocol.You || from == s.name {
		return
	}
	opponent := false
	if sh := t.Sheet(); sh != nil && sh.Opponent == from {
		opponent = true
		s.sitter.idle.heard = now
		if ch == policy.Tell && !config.MatchAny(c.Manners.Owners, from) {
			ch = policy.Say
		}
	}
	v := s.values(from, now)
	if opponent {
		v["length"] = strconv.Itoa(max(0, t.Sheet().Length))
	}
	r := policy.Answer(c, policy.Told{
		Channel: ch, From: from, Client: s.client(from), Text: text, Answered: s.answers.answered(from, now), Opponent: opponent, Alone: s.alone(from), Values: v,
		Stats: s.statsWords(c, from), Last: s.memory.get(from).Last, Pips: pipWords(c, t, opponent), Rating: s.ratingWords(c),
		Dice: s.diceWords(c), Level: func() string { return s.levelWords(t, c, from, now) },
	})
	if r.Level != "" {
		s.memory.change(from, now, func(p *person) { p.Wants = r.Level })
		s.log.WithField("opponent", from).WithField("preset", r.Level).Info("opponent chose a strength")
	}
	s.carryOutWish(r.Wish, from, now)
	if r.Nudge && s.lately.once("nudge", nudgeQuiet, now) {
		due.Add(t.Nudge(now))
	}
	if r.Order != "" {
		r.Say = s.obeyOwner(t, due, from, r.Order, r.Args)
	}
	if r.Say != "" {
		s.answers.add(from, r.Say, now)
		s.tell(due, from, r.Say)
	}
}

// obeyOwner carries out the order of an owner who tells it, and returns the answer.
func (s *seat) obeyOwner(t *table.Table, due *table.Due, from, order, args string) (answer string) {
	var err error
	switch order {
	case "status":
		answer = s.statusWords(t)
	case "reload":
		if answer, err = s.h.reload(); errors.Is(err, errReload) {
			err = errReload
		}
	case "say":
		answer, err = s.say(t, due, false, args)
	default:
		answer, err = s.obey(order)
	}
	if err != nil {
		answer = "Not done: " + err.Error() + "."
	}
	s.log.WithFields(logrus.Fields{"owner": from, "order": order, "done": err == nil, "answer": answer}).Info("order of an owner")
	return answer
}

func (s *seat) statusWords(t *table.Table) string {
	what := "waiting for an invitation"
	if sh := t.Sheet(); sh != nil {
		what = "playing " + sh.Opponent + ", " + accountview.Score(sh)
	}
	if s.stay.paused.Load() {
		what += ", paused"
	}
	if s.going() {
		what += ", leaving"
	}
	if why := s.presence.status().NotInviting; why != "" {
		what += ", inviting no one: " + why
	}
	return fmt.Sprintf("I am %s. %s finished since %s.", what, figure.Count(s.stay.finished, "match"), s.h.started.UTC().Format("2006-01-02 15:04 UTC"))
}

func (s *seat) statsWords(c *config.Config, name string) string {
	h := s.past(name)
	if h.Finished == 0 {
		return c.T("We have not finished a match yet.")
	}
	if h.Finished == 1 {
		return c.T("We have finished 1 match: you won {0}, I won {1}.", h.Won, 1-h.Won)
	}
	return c.T("We have finished {0} matches: you won {1}, I won {2}.", h.Finished, h.Won, h.Finished-h.Won)
}

// minRolls is the least number of rolls for the chi-squared test: about five of each double.
const minRolls = 200

// diceWords returns the counts and the test of the archive's dice in one line.
func (s *seat) diceWords(c *config.Config) string {
	d := s.filed.dice.Load()
	if d == nil {
		return c.T("I am still counting my archive. Please ask again in a minute.")
	}
	us, them := d.Test(0), d.Test(1)
	if us.Rolls == 0 || them.Rolls == 0 {
		return c.T("The server rolls the dice; I have no archived match yet to count them.")
	}
	share := func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }
	words := c.T("The server rolls the dice. In {0} archived matches I rolled {1} times, {2} doubles, my opponents {3} times, {4} (fair: {5}).",
		d.Matches, us.Rolls, share(us.Doubles), them.Rolls, share(them.Doubles), share(us.Fair))
	if min(us.Rolls, them.Rolls) < minRolls {
		return words + " " + c.T("Too few rolls for a test.")
	}
	of := func(chi, p float64) string { return fmt.Sprintf("%.1f, p %.3f", chi, p) }
	return words + " " + c.T("Chi-squared over all 21 rolls: mine {0}; theirs {1}. Fair dice give a p below 0.05 once in 20.", of(us.ChiSq, us.P), of(them.ChiSq, them.P))
}

func (s *seat) ratingWords(c *config.Config) string {
	w, ok := s.lobby.User(s.name)
	if !ok {
		return ""
	}
	return c.T("My rating is {0}, my experience {1}.", fmt.Sprintf("%.2f", w.Rating), w.Experience)
}

func pipWords(c *config.Config, t *table.Table, opponent bool) string {
	sh := t.Sheet()
	if !opponent || sh == nil {
		return c.T("We are not playing at the moment.")
	}
	p, ok := sh.Position()
	if !ok {
		return ""
	}
	return c.T("Pip count: you {0}, I {1}.", p.Opp.Pips(), p.Me.Pips())
}

// analysed receives the summary of a match's analysis from the background.
func (s *seat) analysed(opponent, words string) {
	s.memory.change(opponent, time.Now(), func(p *person) { p.Last += " " + words })
	if !s.h.opt.Config().Manners.AfterMatch {
		return
	}
	s.order(func(t *table.Table, now time.Time) table.Due {
		var due table.Due
		if _, here := s.lobby.User(opponent); here && !s.alone(opponent) {
			s.tell(&due, opponent, s.h.opt.Config().T("Our match: {0}", words))
		}
		return due
	})
}

// idleWatch measures how long the opponent takes in one state of the match.
type idleWatch struct {
	on         bool
	generation uint64
	since      time.Time
	heard      time.Time // the opponent's last word
	asked      bool
}

// wake asks an idle opponent to continue. Programs do not read talk, but check the board when
// an opponent kibitzes the next command.
func (s *seat) wake(due *table.Due, t *table.Table, now time.Time) {
	c, name := s.h.opt.Config(), t.Sheet().Opponent
	if !s.isBot(name) {
		s.tellAll(due, name, []string{c.Idle.Say}, now)
		return
	}
	word := "move"
	if t.Between() {
		word = "join"
	}
	due.Send = append(due.Send, protocol.Kibitz{Text: word})
}

// watchIdle asks an opponent who does not move, and finally leaves.
func (s *seat) watchIdle(t *table.Table, due *table.Due, now time.Time) {
	w := &s.sitter.idle
	if !t.Theirs() {
		w.on = false
		return
	}
	if !w.on || w.generation != t.Generation() {
		*w = idleWatch{on: true, generation: t.Generation(), since: now}
	}
	from := w.since
	if w.heard.After(from) {
		from = w.heard
	}
	c := &s.h.opt.Config().Idle
	sh := t.Sheet()
	if at := from.Add(c.Ask.Std()); c.Ask > 0 && !w.asked && !t.Away() {
		if now.Before(at) {
			s.alarm.set(at)
		} else {
			w.asked = true
			s.wake(due, t, now)
		}
	}
	leave := c.Leave.Std()
	if seat := s.proto.Rules().SeatKept; seat > 0 && (leave > 0 || t.Away()) {
		from = w.since
		if leave == 0 || !t.Released() {
			leave = max(leave, seat+time.Minute) // leaving earlier loses the match
		}
	}
	if at := from.Add(leave); leave > 0 {
		if now.Before(at) {
			s.alarm.set(at)
			return
		}
		s.log.WithField("opponent", sh.Opponent).Info("opponent idle: leaving")
		*w = idleWatch{}
		s.memory.change(sh.Opponent, now, func(p *person) {
			p.AskedAt = now
			p.Mark(policy.Stalls, 1, now)
		})
		due.Add(t.Leave(now))
	}
}

// client returns the program of a player who is online, or "".
func (s *seat) client(name string) string {
	u, _ := s.lobby.User(name)
	return u.Client
}

// isBot reports whether a player is a program, by name or client.
func (s *seat) isBot(name string) bool { return s.h.opt.Config().Opponents.IsBot(name, s.client(name)) }
