package bgammon

import (
	"strings"

	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// spectating is the match of others that the account watches: it joins a full match. The server lets
// a login watch one match and hears nothing that it says there. The zero value watches none.
type spectating struct {
	player string    // asked for, or ""
	sure   bool      // a board of the match was seen
	names  [2]string // of the players, by side; the first one's view is shown
	shown  bool      // a board at the beginning of a turn was reported
	over   bool
	gone   bool // a player has left
	// parting means that a leave is on its way: until its answer boards are of the match before,
	// that of the players before.
	parting bool
	before  [2]string
	then    wire.Command // to be sent after that, or nil
	// seated means that a player has left in the meantime and the seat was given to the
	// account, which leaves it.
	seated bool
	// stray means that the account sees a match that it wanted to play.
	stray bool
	left  bool // both players have gone after the match, or the seat is to be left
}

// begin asks for the match of a player.
func (w *spectating) begin(player string) {
	*w = spectating{player: player, parting: w.parting, before: w.before}
}

// end forgets the match, whose leave is on its way.
func (w *spectating) end() {
	*w = spectating{parting: true, before: w.names}
}

// has reports whether a name is a player of the match.
func (w *spectating) has(name string) bool {
	return name != "" && (name == w.names[sheet.Us] || name == w.names[sheet.Them])
}

// foreign reports whether a board is of a match that the account does not want to see.
func (w *spectating) foreign(b *wire.Board) bool {
	return b.Spectating && (w.player == "" || w.parting)
}

// strays reports that the account joined a match that had become full: it sees the match, and
// leaves it.
func (r *reader) strays(b *wire.Board, raw string) {
	if w := &r.watched; !w.parting && !w.stray {
		w.stray, w.names = true, [2]string{b.Own.Name, b.Opponent.Name}
		r.add(protocol.Event{Kind: protocol.InviteFailed, Raw: raw, Text: "join: the match is full"})
	}
}

// spectate reports a board of a watched match, by whole turns.
func (r *reader) spectate(b *wire.Board, raw string) {
	w := &r.watched
	if !w.sure {
		w.sure = true
		r.add(protocol.Event{Kind: protocol.YouWatch, Raw: raw, Name: w.player})
	}
	if !b.Full() {
		return // a player is away
	}
	names := [2]string{sheet.Us: b.Own.Name, sheet.Them: b.Opponent.Name}
	if names != w.names || w.gone || w.over && !b.MatchOver() {
		w.names, w.gone, w.over, w.shown = names, false, false, false
		r.user(protocol.User{Name: b.Own.Name, Opponent: b.Opponent.Name, Rating: float64(b.Own.Rating)})
		r.user(protocol.User{Name: b.Opponent.Name, Opponent: b.Own.Name, Rating: float64(b.Opponent.Rating)})
	}
	v, ok := boardOf(b)
	show := func(v sheet.Board) {
		w.shown = true
		r.add(protocol.Event{Kind: protocol.BoardLine, Raw: raw, Keep: true, Other: v.Opponent, Board: &v})
	}
	switch {
	case w.over:
	case !ok:
		r.add(protocol.Event{Kind: protocol.BadBoard, Raw: raw, Keep: true})
	case b.MatchOver():
		w.over = true
		r.add(r.matchOver(b, raw))
	case b.Winner != 0:
		r.lastPlay(b, raw)
	case len(b.Hops) == 0:
		show(v)
	case !w.shown:
		if before, ok := undone(b); ok {
			if v, ok := boardOf(&before); ok {
				show(v)
			}
		}
	}
}

// stood reports a player who left a watched match, or our own leaving.
func (r *reader) stood(name string) {
	w := &r.watched
	switch {
	case w.parting && name != w.before[0] && name != w.before[1]:
		w.parting = false
	case w.has(name):
		w.gone, w.left = true, w.over
		r.user(protocol.User{Name: name})
		if w.left {
			r.add(protocol.Event{Kind: protocol.YouUnwatch, Name: w.player})
		}
	}
}

// refused gives up the match asked for, and reports it.
func (w *spectating) refused(why string) protocol.Event {
	e := protocol.Event{Kind: protocol.NoSuchPlayer, Name: w.player, Text: why}
	w.begin("")
	return e
}

// unnamed stands for an opponent whom the list does not name.
const unnamed = "…"

// busy reports the players of the list whose matches can be watched, and that those of the list
// before have gone. The list holds no names, but the usual title does.
func (r *reader) busy(e *wire.List) {

	now := map[string]bool{}
	for _, g := range e.Games {
		name, usual := ownerOf(g.Name)
		if !usual || g.Players < 2 || g.Password || len(now) >= maxBots {
			continue
		}
		now[name] = true
		if !r.watched.has(name) {
			r.user(protocol.User{Name: name, Opponent: unnamed, Rating: float64(g.Rating)})
		}
	}
	for name := range r.listed {
		if !now[name] && !r.watched.has(name) {
			r.add(protocol.Event{Kind: protocol.LogsOut, Name: name})
		}
	}
	r.listed = now
}

// ownerOf returns the player of the usual title of a match.
func ownerOf(title string) (name string, usual bool) {
	for _, end := range [...]string{"'s match", "' match"} {
		if name, usual = strings.CutSuffix(title, end); usual {
			return name, wire.CheckPersonName(name) == nil || wire.CheckBotName(name) == nil
		}
	}
	return "", false
}

// watch watches the match of a player, instead of another one. An open match would be joined.
func (l *link) watch(player string) error {
	if !l.reader.listed[player] {
		l.tell(protocol.Event{Kind: protocol.PlaysNothing, Name: player})
		return nil
	}
	l.unwatch()
	l.reader.watched.begin(player)
	return l.parted(wire.Join(player), nil)
}

// unwatch leaves the watched match, if there is one.
func (l *link) unwatch() {
	if w := &l.reader.watched; w.player != "" {
		w.end()
		l.reader.last = wire.Board{}
		l.send(wire.Leave)
	}
}

// parted sends a command that may not come before the account has left a watched match.
func (l *link) parted(c wire.Command, valid func() bool) error {
	if w := &l.reader.watched; w.parting {
		w.then = c
		return nil
	}
	return sendError(l.Session.Send(c, valid))
}

// goOn sends what waited for that.
func (l *link) goOn() {
	if w := &l.reader.watched; !w.parting && w.then != nil {
		l.send(w.then)
		w.then = nil
	}
}
