package host

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/fibs"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
)

// judge checks, at the server, every line that the accounts under test send. No account may
// flood. Every game command must be a decision made for the state of the match in which the
// server executes it, and each decision may be used once.
type judge struct {
	mu       sync.Mutex
	accounts map[string]bool
	limit    map[string]client.Pace // of an account's connection
	arrived  map[string]*bucket     // of lines at the server, on this connection
	since    map[int]time.Time      // by match: when its state began
	open     map[string][]*verdict  // decisions not carried out yet
	peak     map[string][]time.Time // lines of an account over all its connections
	most     int                    // of those in any window
	last     map[string][]string    // the last lines of an account and their answers
	carried  map[string]int         // commands carried out, by verb
	refused  map[string]int         // commands refused, by verb and reason
	excused  map[string]int         // commands carried out without a decision, by reason
	wrong    []string
	lines    int
	found    map[string]time.Time // when an account's roll was refused because of an offer to resign
	left     map[string]time.Time // when an account heard that it sits at no match
	sits     map[string]string    // opponent by the last board of its own that an account received
	over     map[string]time.Time // when an account heard that its game is over
}

// verdict is a decision of an account.
type verdict struct {
	at  time.Time
	sit table.Situation
	dec table.Answer
}

func newJudge(names []string) *judge {
	j := &judge{
		accounts: map[string]bool{}, limit: map[string]client.Pace{}, arrived: map[string]*bucket{}, since: map[int]time.Time{},
		open: map[string][]*verdict{}, peak: map[string][]time.Time{}, last: map[string][]string{}, carried: map[string]int{},
		refused: map[string]int{}, excused: map[string]int{}, found: map[string]time.Time{}, left: map[string]time.Time{},
		sits: map[string]string{}, over: map[string]time.Time{},
	}
	for _, n := range names {
		j.accounts[n] = true
	}
	return j
}

// dialled notes the limit that a new connection of an account keeps.
func (j *judge) dialled(name string, p client.Pace) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.limit[name] = p
	j.left[name] = time.Now()
}

// listen returns a transcript that notes what an account has heard, and when.
func (j *judge) listen(name string) func(client.Line) {
	var p clip.Parser
	return func(l client.Line) {
		j.mu.Lock()
		defer j.mu.Unlock()
		if l.Sent {
			j.note(name, "> "+l.Text)
			return
		}
		for _, ev := range p.Append(nil, l.Text) {
			switch ev.Kind {
			case clip.GameSaved, clip.NotPlayingYou, clip.MatchOver:
				j.left[name] = l.Time
			case clip.GameOver:
				j.over[name] = l.Time
			case clip.BoardLine:
				if ev.Board != nil && ev.Board.Own() {
					delete(j.left, name)
					j.sits[name] = ev.Board.Opponent
					if ev.Board.Turn != 0 {
						delete(j.over, name)
					}
				}
			case clip.PlayerLine, clip.LogsIn, clip.LogsOut, clip.Blank, clip.PlayersEnd, clip.MotdLine:
				continue
			}
			j.note(name, "< "+ev.Raw)
		}
	}
}

// note keeps the last lines of an account's connection.
func (j *judge) note(name, text string) {
	list := append(j.last[name], time.Now().Format("15:04:05.000 ")+text)
	j.last[name] = list[max(0, len(list)-40):]
}

// decided is the host's hook.
func (j *judge) decided(name string, sit table.Situation, dec table.Answer, _ time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := append(j.open[name], &verdict{time.Now(), sit, dec})
	j.open[name] = list[max(0, len(list)-20):]
}

// fault records a violation.
func (j *judge) fault(name, format string, args ...any) {
	if len(j.wrong) < 30 {
		j.wrong = append(j.wrong, fmt.Sprintf("%s %s: %s\n    %s", time.Now().Format("02 15:04:05.000"), name, fmt.Sprintf(format, args...),
			strings.Join(j.last[name], "\n    ")))
	} else {
		j.wrong = append(j.wrong, "")
	}
}

// online is the server's hook for lines that arrive.
func (j *judge) online(_ context.Context, user, line string, n int) server.Fate {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.accounts[user] {
		return server.Carry
	}
	j.lines++
	now := time.Now()
	p := j.limit[user]
	if n == 1 || j.arrived[user] == nil {
		j.arrived[user] = &bucket{}
	}
	if early := j.arrived[user].take(now, p); p.Burst > 0 && early > 0 {
		j.fault(user, "a line %v before its time, allowed are %d at once and one in %v; line %q", early, p.Burst, p.Every, line)
	}
	all := append(j.peak[user], now)
	for now.Sub(all[0]) >= time.Duration(p.Burst)*p.Every && len(all) > 1 {
		all = all[1:]
	}
	j.peak[user], j.most = all, max(j.most, len(all))
	return server.Carry
}

// bucket checks the limit of client.Pace: Burst at once, and one more every Every. It counts, as
// an implementation independent of the client's.
type bucket struct {
	spent float64 // lines that the bucket lacks
	last  time.Time
}

// take counts a line and returns how much too early it came.
func (b *bucket) take(now time.Time, p client.Pace) time.Duration {
	b.spent = max(0, b.spent-now.Sub(b.last).Seconds()/p.Every.Seconds())
	b.last = now
	b.spent++
	return time.Duration(max(0, b.spent-float64(p.Burst)) * float64(p.Every)).Round(time.Microsecond)
}

// done is the server's hook for lines that were carried out.
func (j *judge) done(d server.Done) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	began := j.since[d.Before.Match]
	if d.Before != d.After {
		for _, m := range []int{d.Before.Match, d.After.Match} {
			if m != 0 {
				j.since[m] = now
			}
		}
		if d.After.Match == 0 {
			delete(j.since, d.Before.Match)
		}
	}
	if !j.accounts[d.User] {
		return
	}
	verb, _, _ := strings.Cut(d.Line, " ")
	switch verb {
	case "move", "roll", "double", "accept", "reject", "resign":
	default:
		return
	}
	if d.Before == d.After {
		why := reasonOf(d.Answer)
		j.refused[verb+": "+why]++
		if why == clip.AnswerResign.String() {
			j.found[d.User] = now
		}
		if !j.harmless(d, verb, why) {
			j.fault(d.User, "refused: %q: %s\n    %s", d.Line, why, d.Before.Board)
		}
		return
	}
	j.carried[verb]++
	if !j.justified(d, verb, began) {
		j.fault(d.User, "no decision for %q since %s in\n    %s", d.Line, began.Format("15:04:05.000"), d.Before.Board)
	}
}

// reasonOf finds the refusal in an answer.
func reasonOf(answer string) string {
	var p clip.Parser
	for _, line := range strings.Split(answer, "\r\n") {
		for _, ev := range p.Append(nil, line) {
			if strings.HasPrefix(ev.Raw, "**") && ev.Kind != clip.Notice {
				return ev.Kind.String()
			}
		}
	}
	return "no reason"
}

// harmless reports whether the bot was right to send a refused command. It cannot know yet that
// the match was saved when the opponent's connection broke. It may also roll out of turn to
// detect an offer to resign, which no board shows.
func (j *judge) harmless(d server.Done, verb, why string) bool {
	// FIBS answers a reject without a match with "You're not playing, so you can't give up",
	// which the parser takes for "nothing to answer".
	if d.Before.Match == 0 && (why == clip.NotPlayingYou.String() || verb == "reject" && why == clip.NothingToAnswer.String()) {
		at, left := j.left[d.User]
		return !left || time.Since(at) < underWay
	}
	sits := j.sits[d.User]
	if b, _, err := clip.ParseBoard(d.Before.Board); err == nil && sits != "" && b.Opponent != sits {
		return true // that match was saved and another resumed; the account has heard of neither
	}
	if verb == "resign" && why == clip.AlreadyDidThat.String() {
		return true // an offer from before an interruption still stands, and no board shows one
	}
	if why == clip.GameIsOver.String() { // the opponent has accepted such an offer
		at, over := j.over[d.User]
		return !over || time.Since(at) < underWay
	}
	return verb == "roll" && (why == clip.NotYourRoll.String() || why == clip.AlreadyRolled.String() || why == clip.AnswerResign.String())
}

// underWay bounds the time of a line to the server.
const underWay = 100 * time.Millisecond

// justified finds the decision that a command carries out, and uses it up.
func (j *judge) justified(d server.Done, verb string, began time.Time) bool {
	b, _, err := clip.ParseBoard(d.Before.Board)
	if err != nil {
		return false
	}
	v, err := fibs.BoardOf(b)
	if err != nil {
		return false
	}
	list := j.open[d.User]
	for i := len(list) - 1; i >= 0; i-- {
		if c := list[i]; !c.at.Before(began) && fits(c, verb, v, d) {
			j.open[d.User] = slices.Delete(list, i, i+1)
			return true
		}
	}
	switch {
	case verb == "roll" && v.Turn == sheet.Us && !v.Dice.Valid() && v.Doubler == sheet.Nobody:
		j.excused["roll that no double could precede"]++
		return true
	case verb == "reject" && v.Doubler == sheet.Nobody && time.Since(j.found[d.User]) < time.Second:
		j.excused["refusal of an offer whose size was lost with the line"]++
		return true
	}
	return false
}

// fits reports whether a decision matches the command and was made in that state.
func fits(c *verdict, verb string, v sheet.Board, d server.Done) bool {
	if c.sit.Position != v.Position || c.sit.Opponent != v.Opponent {
		return false
	}
	switch c.dec.Action {
	case table.Play:
		return verb == "move" && v.Turn == sheet.Us && c.sit.Dice.Sorted() == v.Dice.Sorted() && played(c.dec, d)
	case table.Roll:
		return verb == "roll" && v.Turn == sheet.Us && !v.Dice.Valid()
	case table.Double:
		return verb == "double" && v.Turn == sheet.Us && !v.Dice.Valid()
	case table.Take:
		return verb == "accept" && v.Doubler == sheet.Them
	case table.Drop:
		return verb == "reject" && v.Doubler == sheet.Them
	case table.AcceptResign:
		return verb == "accept" && v.Doubler == sheet.Nobody
	case table.RejectResign:
		return verb == "reject" && v.Doubler == sheet.Nobody
	case table.Resign:
		return verb == "resign"
	}
	return false
}

// played reports whether the position after a move is the one that was decided on. It is true
// if the move ended the game.
func played(dec table.Answer, d server.Done) bool {
	if d.After.Match != d.Before.Match || d.After.Game != d.Before.Game {
		return true
	}
	b, _, err := clip.ParseBoard(d.After.Board)
	if err != nil {
		return false
	}
	v, err := fibs.BoardOf(b)
	return err == nil && (v.Position == dec.Play.Result || v.Turn == sheet.Nobody)
}

// summary describes the commands seen.
func (j *judge) summary() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var b strings.Builder
	for _, part := range []struct {
		what  string
		count map[string]int
	}{{"carried out", j.carried}, {"without a decision", j.excused}, {"refused", j.refused}} {
		fmt.Fprintf(&b, "%s:", part.what)
		for _, k := range slices.Sorted(maps.Keys(part.count)) {
			fmt.Fprintf(&b, " %s %d;", k, part.count[k])
		}
		b.WriteString(" ")
	}
	return fmt.Sprintf("%d lines arrived, at most %d of one account in a window over all its connections; %s", j.lines, j.most, b.String())
}

// faults returns the violations, at most 30 in words.
func (j *judge) faults() (n int, words []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.wrong), slices.Clone(j.wrong[:min(30, len(j.wrong))])
}
