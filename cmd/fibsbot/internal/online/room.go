package online

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/cmd/fibsbot/internal/play/terminal"
	"fibsbot/engine/board"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
)

const (
	// maxNews bounds the lines that a slow display has not read; the oldest are dropped.
	maxNews = 500
	// maxRecent is how many of the last lines a page shows.
	maxRecent = 100
	// maxInvitations bounds the open invitations.
	maxInvitations = 50
	// rawFor is how long lines that mean nothing to the table are shown after a raw command.
	rawFor = 3 * time.Second
)

// Room is a person's account for a display. Make it with New.
type Room struct {
	acc *person.Account
	// analyse analyses a match of the archive and returns its review.
	analyse func(ctx context.Context, id string) ([]string, error)

	// judge analyses watched matches; nil watches none.
	judge   *watch.Judge
	silent  func() string  // why the engine is silent, or ""
	keeping sync.WaitGroup // matches on their way into the archive

	// Of the account's goroutine.
	told     int // acts of the running game that were told
	game     int // it
	finished bool
	playing  string
	key      sheet.Key // of the state shown
	raw      time.Time // until when all lines are shown

	// watch is called at each change, with mu held.
	watch func()

	mu          sync.Mutex
	users       *protocol.Lobby
	recent      []lobby.Line // the last news of a page, which shows the plays elsewhere
	lines       int          // how many there were
	opened      bool         // a match of the account waits for any player
	news        []string
	dropped     int
	changed     chan struct{}
	online      bool
	view        *play.View // of the match at the board
	asked       *table.Situation
	invitations []table.Invitation
	saved       map[string]protocol.Event
	ids         []string           // of matches to be analysed
	pause       context.CancelFunc // ends the running analysis
	last        *sheet.Sheet       // the match that ended last, or nil
	ended       *play.View         // it, until the next begins
	archived    string             // its ID in the archive
	listed      time.Time          // the last request for the list of players
	wanted      *spectator         // what the person wants to watch, or nil
	watched     *spectator         // what is watched on this connection, or nil
	lock        string             // the opponent of a match that is not over, also while the line is broken
}

// New returns the room of an account, whose Seen and Filed it sets. analyse analyses a match of
// the archive, and may be nil.
func New(acc *person.Account, analyse func(ctx context.Context, id string) ([]string, error)) *Room {
	r := &Room{acc: acc, analyse: analyse, changed: make(chan struct{}, 1), saved: map[string]protocol.Event{}, watch: func() {},
		users: protocol.NewLobby(acc.Name)}
	acc.Seen, acc.Filed, acc.Idle = r.seen, r.filed, r.idle
	return r
}

// tell adds a line to the news. The caller holds mu.
func (r *Room) tell(format string, args ...any) { r.say(lobby.Told, "", format, args...) }

// say is tell of a kind of line, by a player.
func (r *Room) say(kind, from, format string, args ...any) {
	r.lines++
	line := lobby.Line{Number: r.lines, Kind: kind, From: sanitize.Text(from), Text: r.print(format, args...)}
	if r.recent = append(r.recent, line); len(r.recent) > 2*maxRecent {
		r.recent = slices.Clone(r.recent[maxRecent:])
	}
}

// print adds a line to the news of a terminal. The caller holds mu.
func (r *Room) print(format string, args ...any) string {
	if len(r.news) >= maxNews {
		r.news = r.news[1:]
		r.dropped++
	}
	line := sanitize.Text(fmt.Sprintf(format, args...))
	r.news = append(r.news, line)
	r.touch()
	return line
}

func (r *Room) touch() {
	r.watch()
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// Changed gets a value when there is something new.
func (r *Room) Changed() <-chan struct{} { return r.changed }

// State is a room at one moment.
type State struct {
	// News are the lines since the last Take.
	News []string
	// View is the match at the board, or nil. Asked is what the person has to decide, or nil.
	View  *play.View
	Asked *table.Situation
}

// Now returns the present state without news.
func (r *Room) Now() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return State{View: r.view, Asked: r.asked}
}

// Take returns the present state and takes the news.
func (r *Room) Take() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	st := State{News: r.news, View: r.view, Asked: r.asked}
	if r.dropped > 0 {
		st.News = append([]string{fmt.Sprintf("(%s not shown)", figure.Count(r.dropped, "line"))}, st.News...)
	}
	r.news, r.dropped = nil, 0
	return st
}

// seen is the account's Seen.
func (r *Room) seen(st person.Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case st.Trouble != nil:
		r.tell("%v", st.Trouble)
		return
	case st.Ending != nil:
		r.online, r.opened, r.view, r.asked, r.playing = false, false, nil, nil, ""
		r.unwatch(time.Now())
		r.tell("Connection lost: %s. Next try in %v.", cmp.Or(st.Ending.Text, string(st.Ending.Cause)), st.Ending.Wait.Round(time.Second))
		return
	}
	r.users.Event(st.Event)
	if !r.online {
		r.online = true
		r.users.Clear()
		if r.acc.Register && len(r.recent) == 0 {
			r.tell("%s is registered.", r.acc.Name)
		}
		r.tell("Connected to %s as %s.", r.acc.Server, r.acc.Name)
	}
	if o := st.Table.Opened(); o != r.opened {
		r.opened = o
		r.touch()
	}
	for _, inv := range st.Invitations {
		r.invited(inv)
	}
	if st.Failed != nil {
		r.tell("No match with %s: %s", st.Failed.With, cmp.Or(st.Failed.Why, "the saved match cannot be resumed."))
	}
	if st.Event != nil {
		r.heard(st.Event)
	}
	r.show(&st)
}

// invited keeps an invitation and prints it. The caller holds mu.
func (r *Room) invited(inv table.Invitation) {
	if slices.Contains(r.invitations, inv) {
		return // repeated
	}
	r.forget(inv.From)
	if len(r.invitations) >= maxInvitations {
		r.invitations = r.invitations[1:]
	}
	r.invitations = append(r.invitations, inv)
	what := "a " + lengthOf(inv.Length)
	if inv.Resume || inv.Saved {
		what = "resume the saved match"
	}
	r.say(lobby.Invitation, inv.From, "%s invites you to %s (join %s accepts).", inv.From, what, inv.From)
}

// forget drops the invitation of a player.
func (r *Room) forget(name string) {
	r.invitations = slices.DeleteFunc(r.invitations, func(i table.Invitation) bool { return i.From == name })
}

// lengthOf names a kind of match.
func lengthOf(points int) string {
	if points <= 0 {
		return "unlimited match"
	}
	return fmt.Sprintf("%d-point match", points)
}

// heard tells a line of the server that is not part of a game. The caller holds mu.
func (r *Room) heard(ev *protocol.Event) {
	raw := strings.TrimSpace(strings.TrimPrefix(ev.Raw, "**"))
	switch ev.Kind {
	case protocol.Says:
		r.say(lobby.Says, ev.Name, "%s tells you: %s", ev.Name, ev.Text)
	case protocol.Kibitzes:
		r.say(lobby.Kibitzes, ev.Name, "%s kibitzes: %s", ev.Name, ev.Text)
	case protocol.Whispers:
		r.say(lobby.Whispers, ev.Name, "%s whispers: %s", ev.Name, ev.Text)
	case protocol.Shouts:
		r.say(lobby.Shouts, ev.Name, "%s shouts: %s", ev.Name, ev.Text)
	case protocol.LogsOut:
		r.forget(ev.Name)
	case protocol.Invited:
		r.tell("%s is invited.", ev.Name)
	case protocol.SavedBegins:
		clear(r.saved)
	case protocol.SavedMatch:
		if len(r.saved) < maxInvitations {
			r.saved[ev.Name] = *ev
		}
	case protocol.OpponentGone:
		r.tell("%s has left; the seat is kept.", cmp.Or(ev.Name, "Your opponent"))
	case protocol.OpponentBack:
		r.tell("%s is back.", ev.Name)
	case protocol.NoSuchPlayer, protocol.InviteFailed, protocol.TalkRefused, protocol.MatchSaved, protocol.Ending, protocol.MayLeave:
		if raw != "" {
			r.tell("%s", raw)
		}
	case protocol.Other, protocol.Unknown:
		if strings.Trim(raw, "0123456789") != "" && time.Now().Before(r.raw) { // a number ends a list of FIBS
			r.tell("%s", ev.Raw)
		}
	}
}

// show prints what happened in the match at the board. The caller holds mu.
func (r *Room) show(st *person.Step) {
	s := st.Over
	if s == nil {
		s = st.Table.Sheet()
	}
	for name := range r.saved {
		if !st.Table.SavedWith(name) {
			delete(r.saved, name) // it is played, or over
			r.touch()
		}
	}
	if s == nil {
		if v := r.view; v != nil && st.Table.SavedWith(r.playing) {
			r.saved[r.playing] = protocol.Event{Name: r.playing, Length: v.Length, Score: [2]int{v.Score[play.You], v.Score[play.Opponent]}}
		}
		if r.lock != "" && st.Table.Free() {
			r.lock = "" // the match is saved, or it ended while the line was broken
			r.touch()
		}
		if r.view != nil {
			r.view, r.asked, r.playing = nil, nil, ""
			r.touch()
		}
		return
	}
	key := s.Key()
	if r.view != nil && st.Over == nil && key == r.key && st.Asked == r.asked {
		return
	}
	r.key = key
	v := viewOf(s, r.acc.Name, st.Asked)
	f := terminal.Faced{View: v}
	if r.playing != s.Opponent {
		r.playing, r.told, r.game, r.finished = s.Opponent, 0, v.Game, false
		r.ended, r.archived, r.lock = nil, "", s.Opponent
		r.forget(s.Opponent)
		r.tell("A %s against %s.", lengthOf(s.Length), s.Opponent)
		if n := len(v.Acts); n > 2 {
			r.told = n - 2 // a match that goes on
		}
		if r.pause != nil {
			r.pause()
		}
	}
	if v.Game != r.game {
		r.game, r.told, r.finished = v.Game, 0, false
	}
	for _, e := range v.Acts[min(r.told, len(v.Acts)):] {
		r.print("%s.", terminal.Say(&f, e))
	}
	r.told = max(r.told, len(v.Acts))
	if v.Result != nil && !r.finished {
		r.finished = true
		r.tell("%s", terminal.Outcome(&f))
	}
	if r.asked != st.Asked {
		r.touch()
	}
	r.view, r.asked = &v, st.Asked
	if st.Over != nil {
		r.last, r.ended, r.lock = st.Over, &v, ""
		r.view, r.asked, r.playing = nil, nil, ""
	}
}

// filed is the account's Filed.
func (r *Room) filed(m person.Match) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m.Err != nil {
		r.tell("The match is in %s, but not in the archive's list (fibsbot archive rebuild puts it there): %v", m.File, m.Err)
		return
	}
	r.archived = m.ID
	r.print("Archived as %s: %s", m.ID, m.File)
	if r.analyse != nil && len(r.ids) < maxInvitations {
		r.ids = append(r.ids, m.ID)
	}
}

// next takes the match to analyse, if no match is played. ctx ends when one begins.
func (r *Room) next(ctx context.Context) (working context.Context, id string, done func(again bool)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lock != "" || len(r.ids) == 0 {
		return nil, "", nil
	}
	id = r.ids[0]
	r.ids = r.ids[1:]
	working, r.pause = context.WithCancel(ctx)
	return working, id, func(again bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.pause()
		r.pause = nil
		if again {
			r.ids = append([]string{id}, r.ids...)
		}
	}
}

// Analyse analyses the archived matches while no match is played, until ctx ends.
func (r *Room) Analyse(ctx context.Context) {
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		if working, id, done := r.next(ctx); done != nil {
			review, err := r.analyse(working, id)
			done(working.Err() != nil && ctx.Err() == nil)
			r.mu.Lock()
			switch {
			case working.Err() != nil && review == nil:
			case err != nil:
				r.tell("The match is not analysed: %v", err)
			}
			for _, line := range review {
				r.tell("%s", line)
			}
			r.mu.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}

// Do carries out an act of the person at the board.
func (r *Room) Do(a play.Act) error {
	r.mu.Lock()
	asked, view := r.asked, r.view
	r.mu.Unlock()
	if view == nil {
		return lobby.Late{Err: errors.New("no match is played (invite NAME POINTS, or join NAME)")}
	}
	if a.Kind == play.Next {
		return errors.New("the next game begins by itself")
	}
	ans := table.Answer{Games: a.Level, Action: map[play.Kind]table.Action{
		play.Roll: table.Roll, play.Double: table.Double, play.Take: table.Take, play.Drop: table.Drop,
		play.Accept: table.AcceptResign, play.Reject: table.RejectResign, play.Resign: table.Resign, play.Move: table.Play,
	}[a.Kind]}
	if a.Kind == play.Move && asked != nil && asked.Ask == table.AskPlay {
		var err error
		if ans.Play, err = board.ParsePlay(asked.Position, asked.Dice, a.Play); err != nil {
			return err
		}
	}
	err := r.acc.Answer(ans)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.asked == asked {
			r.asked = nil
			r.touch()
		}
		return nil
	}
	switch {
	case !errors.Is(err, person.ErrNotAsked):
		return err
	case asked == nil:
		err = fmt.Errorf("%w: %s is to act", err, view.Names[play.Opponent])
	}
	return lobby.Late{Err: err}
}

// Invite invites a player, or to resume the saved match with him if there is one.
func (r *Room) Invite(name string, points int) error {
	if r.acc.Protocol.Rules().Opens {
		return errors.New("this server has no invitations (open POINTS, or join NAME)")
	}
	return r.invite(name, points)
}

// Open opens a match for any player.
func (r *Room) Open(points int) error {
	if !r.acc.Protocol.Rules().Opens {
		return errors.New("this server has no open matches (invite NAME POINTS)")
	}
	return r.acc.Do(func(t *table.Table, _ time.Time) table.Due {
		if !t.Free() {
			r.later("Not now: a match or another invitation is under way.")
			return table.Due{}
		}
		r.later("Your match is open. It waits until a player joins it or you quit.")
		return t.Open(points, "")
	})
}

// Close closes the match that waits for a player.
func (r *Room) Close() error {
	return r.acc.Do(func(t *table.Table, now time.Time) table.Due {
		if !t.Opened() {
			r.later("No match of yours is open.")
		}
		return t.Close(now)
	})
}

func (r *Room) invite(name string, points int) error {
	return r.acc.Do(func(t *table.Table, now time.Time) table.Due {
		if !t.Free() {
			r.later("Not now: a match or another invitation is under way.")
		}
		return t.Invite(name, points, now)
	})
}

// Resume invites a player to resume the saved match.
func (r *Room) Resume(name string) error {
	return r.acc.Do(func(t *table.Table, now time.Time) table.Due {
		switch {
		case !t.SavedWith(name):
			r.later("No match with " + name + " is saved.")
			return table.Due{}
		case !t.Free():
			r.later("Not now: a match or another invitation is under way.")
		}
		return t.Invite(name, 0, now)
	})
}

// Rematch invites the last opponent to a match of the same length.
func (r *Room) Rematch() error {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	if last == nil {
		return errors.New("no match has ended yet (invite NAME POINTS)")
	}
	name, points := last.Opponent, max(0, last.Length)
	if !r.acc.Protocol.Rules().Opens {
		return r.Invite(name, points)
	}
	return r.acc.Do(func(t *table.Table, now time.Time) table.Due {
		if _, ok := t.Parted(); !ok {
			r.later("Too late: " + name + " or you have left the table.")
		}
		return t.Rematch(now)
	})
}

// later tells a line from another goroutine.
func (r *Room) later(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell("%s", text)
}

// Join accepts the invitation of a player, or the only one if name is "". On a server without
// invitations it joins the player's open match.
func (r *Room) Join(name string) error {
	if r.acc.Protocol.Rules().Opens {
		if name == "" {
			return errors.New("join NAME (who lists the players with an open match)")
		}
		return r.invite(name, -1)
	}
	r.mu.Lock()
	i := slices.IndexFunc(r.invitations, func(i table.Invitation) bool { return strings.EqualFold(i.From, name) })
	if name == "" && len(r.invitations) == 1 {
		i = 0
	}
	if i < 0 {
		r.mu.Unlock()
		return errors.New("no such invitation (invitations lists them)")
	}
	inv := r.invitations[i]
	r.mu.Unlock()
	return r.acc.Do(func(t *table.Table, now time.Time) table.Due { return t.Accept(inv, now) })
}

// Leave leaves the match.
func (r *Room) Leave() error {
	return r.acc.Do(func(t *table.Table, now time.Time) table.Due { return t.Leave(now) })
}

// Say says text to the opponent.
func (r *Room) Say(text string) error {
	r.mu.Lock()
	v := r.view
	r.mu.Unlock()
	if v == nil {
		return errors.New("no match is played (tell NAME TEXT)")
	}
	return r.Tell(v.Names[play.Opponent], text)
}

// Tell says text to a player.
func (r *Room) Tell(name, text string) error {
	return r.acc.Send(protocol.Tell{Name: name, Text: r.acc.Protocol.Plain(text)})
}

// Kibitz says text to the players and watchers of the match.
func (r *Room) Kibitz(text string) error {
	return r.acc.Send(protocol.Kibitz{Text: r.acc.Protocol.Plain(text)})
}

// Raw sends a line of the server's own language and shows the answer.
func (r *Room) Raw(line string) error {
	c := protocol.Raw{Line: r.acc.Protocol.Plain(line)}
	if _, err := r.acc.Protocol.Encode(c); err != nil {
		return err
	}
	return r.acc.Do(func(*table.Table, time.Time) table.Due {
		r.raw = time.Now().Add(rawFor)
		return table.Due{Send: []protocol.Command{c}}
	})
}

// mostUsers is how many players Who tells.
const mostUsers = 40

// listEvery is the shortest time between two requests for the list of a server that sends it on
// request only.
const listEvery = 2 * time.Second

// list asks such a server for its list. The caller holds mu.
func (r *Room) list(now time.Time) {
	if r.online && r.acc.Protocol.Rules().Opens && now.Sub(r.listed) >= listEvery {
		r.listed = now
		_ = r.acc.Send(protocol.AskUsers{}) // a full queue asks later
	}
}

// players are those whose names contain part, the highest rated first. The caller holds mu.
func (r *Room) players(part string) (list []protocol.User) {
	for name, u := range r.users.All() {
		if strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b protocol.User) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Who prints the players whose names contain part.
func (r *Room) Who(part string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.online {
		return person.ErrOffline
	}
	list := r.players(part)
	for i, u := range list {
		if i == mostUsers {
			r.tell("and %d more (who TEXT searches their names)", len(list)-i)
			break
		}
		rating, state := "–", "ready"
		if u.Rating > 0 {
			rating = figure.Text("%.1f", u.Rating)
		}
		switch {
		case u.Opponent != "":
			state = "plays " + u.Opponent
		case u.Away:
			state = "away"
		case !u.Ready:
			state = "not ready"
		}
		experience := "–"
		if u.Experience >= 0 {
			experience = fmt.Sprint(u.Experience)
		}
		r.tell("%-20s %8s  experience %-6s idle %-5s %s", u.Name, rating, experience, (time.Duration(u.Idle) * time.Second).Round(time.Second), state)
	}
	if len(list) == 0 {
		r.tell("No such player.")
	}
	return nil
}

// Offers prints the invitations and the saved matches.
func (r *Room) Offers() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range r.invitations {
		what := lengthOf(i.Length)
		if i.Resume || i.Saved {
			what = "the saved match"
		}
		r.tell("%s invites you to %s", i.From, what)
	}
	var names []string
	for name := range r.saved {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		m := r.saved[name]
		r.tell("saved with %s: %s, %d-%d (resume %s)", name, lengthOf(m.Length), m.Score[0], m.Score[1], name)
	}
	if len(r.invitations)+len(names) == 0 {
		r.tell("No invitation and no saved match.")
	}
}
