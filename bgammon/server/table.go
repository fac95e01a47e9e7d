package server

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"fibsbot/bgammon/wire"
)

// table is a match and the two seats at it. All of it is guarded by the server's
// lock.
type table struct {
	id       int
	title    string
	password string
	points   int
	names    [2]string // the owners of the seats, "" for a free one
	users    [2]*user  // nil while away
	watchers []*user   // spectators, who see what seat 0 sees
	gone     [2]time.Time
	returns  [2]bool   // away by a broken connection: gets the seat back by logging in
	acted    time.Time // the last board
	idle     int       // the seat that has kept the other one waiting for too long, -1 for none
	first    int       // the seat that was left while the other one was there, -1 for none
	score    [2]int
	crawford wire.Crawford
	started  int64
	ended    int64
	game     *game
	thrown   bool           // a die has been thrown: the seats are kept from now on
	again    [2]bool        // asked for a rematch
	shown    [2][]jsonBoard // the last boards sent, for LateBoards
	record   *Match
	bots     bool // the creator is a bot
}

func (t *table) full() bool { return t.names[0] != "" && t.names[1] != "" }

// players is how many are there.
func (t *table) players() int {
	n := 0
	for _, u := range t.users {
		if u != nil {
			n++
		}
	}
	return n
}

func (t *table) over() bool { return t.score[0] >= t.points || t.score[1] >= t.points }

// seatOf returns the seat of a name, or -1.
func (t *table) seatOf(name string) int {
	for seat, n := range t.names {
		if n == name && name != "" {
			return seat
		}
	}
	return -1
}

// both calls f for each seat whose user is on line.
func (t *table) both(f func(seat int, u *user)) {
	for seat, u := range t.users {
		if u != nil {
			f(seat, u)
		}
	}
}

// all calls f for each user whom events reach, with the seat whose view that user has.
func (t *table) all(f func(seat int, u *user)) {
	t.both(f)
	for _, u := range t.watchers {
		f(0, u)
	}
}

// view is the board that spectators see.
func (t *table) view() jsonBoard {
	b := t.board(0)
	b.Spectating = true
	return b
}

// sendBoards sends both players their boards, with late followed by an older one.
func (t *table) sendBoards(twice bool, late func() bool) {
	t.acted = time.Now()
	t.both(func(seat int, u *user) {
		b := t.board(seat)
		u.send(b)
		if twice {
			u.send(b)
		}
		old := t.shown[seat]
		if len(old) > 0 && late() {
			u.send(old[0])
		}
		if t.shown[seat] = append(old, b); len(t.shown[seat]) > keptBoards {
			t.shown[seat] = t.shown[seat][1:]
		}
	})
	for _, u := range t.watchers {
		u.send(t.view())
	}
}

// keptBoards is how many boards a late one is behind the last, at most.
const keptBoards = 3

// name is a seat as boards show it: without its owner it is empty.
func (t *table) name(seat int) string {
	if t.users[seat] == nil {
		return ""
	}
	return t.names[seat]
}

// number returns a seat as another seat counts it: its own is 1.
func number(seat, reader int) int {
	switch seat {
	case -1:
		return 0
	case reader:
		return 1
	}
	return 2
}

// board is the state as a seat sees it.
func (t *table) board(reader int) jsonBoard {
	g := t.game
	other := 1 - reader
	b := jsonBoard{
		Type:    "board",
		Started: t.started, Ended: t.ended,
		Player1: jsonSeat{Number: 1, Name: t.name(reader), Points: t.score[reader], Entered: true},
		Player2: jsonSeat{Number: 2, Name: t.name(other), Points: t.score[other], Entered: true},
		Board:   g.seen(reader), Turn: number(g.turn, reader),
		Roll1: g.dice[0], Roll2: g.dice[1], Points: t.points, Crawford: int(t.crawford),
		Winner:      number(g.winner, reader),
		DoubleValue: g.cube, DoublePlayer: number(g.owner, reader), DoubleOffered: g.offered,
		PlayerNumber: 1,
	}
	if g.turn < 0 {
		b.Roll1, b.Roll2 = g.opening[reader], g.opening[other]
	}
	b.Moves, b.Available = pairs(g.hops, g.turn, reader), pairs(g.available(), g.turn, reader)
	return b
}

// pairs are hops of the player on turn as a reader numbers them.
func pairs(hops []wire.Hop, turn, reader int) [][2]int {
	if turn != reader {
		hops = mirrorHops(hops)
	}
	var out [][2]int
	for _, h := range hops {
		out = append(out, [2]int{h.From, h.To})
	}
	return out
}

func (t *table) act(a Act) {
	if n := len(t.record.Games); n > 0 {
		g := &t.record.Games[n-1]
		g.Acts = append(g.Acts, a)
	}
}

// begin opens a new game: after a full table, after a game, at a rematch.
func (t *table) begin() {
	t.game = newGame(t.crawford == wire.CrawfordNow)
	t.record.Games = append(t.record.Games, Game{Crawford: t.game.crawford, Winner: -1})
}

// finish books a game that a seat has won, and opens the next one unless the match is
// over.
func (t *table) finish(winner, points int, resigned bool, now time.Time) {
	loser := 1 - winner
	g := &t.record.Games[len(t.record.Games)-1]
	g.Winner, g.Points, g.Resigned = winner, points, resigned
	t.score[winner] += points
	t.record.Score = t.score
	win := jsonWin{Type: "win", Player: t.names[winner]}
	if t.points >= 2 {
		win.Points = points
	}
	if resigned {
		win.Resigned = t.names[loser]
	}
	t.all(func(_ int, u *user) { u.send(win) })
	if resigned || t.over() {
		t.ended = now.Unix()
	}
	switch {
	case t.over():
		t.game.winner = winner
		t.record.Over, t.record.Ended = true, true
	default:
		switch {
		case t.crawford == wire.CrawfordNow:
			t.crawford = wire.CrawfordOver
		case t.crawford == wire.CrawfordToCome && t.score[winner] == t.points-1:
			t.crawford = wire.CrawfordNow
		}
		t.begin()
	}
}

// listing is the table as the list shows it to reader: full for whom it is closed to.
func (t *table) listing(reader string) jsonListing {
	n := t.players()
	if t.thrown && t.seatOf(reader) < 0 {
		n = 2
	}
	return jsonListing{ID: t.id, Password: t.password != "", Points: t.points, Players: n, Name: t.title}
}

// newMatch starts the record of a match in a table whose seats are taken.
func (t *table) newMatch() {
	t.score, t.crawford, t.ended, t.started = [2]int{}, wire.CrawfordToCome, 0, 0
	t.again, t.first, t.idle, t.shown = [2]bool{}, -1, -1, [2][]jsonBoard{}
	t.record = &Match{ID: t.id, Points: t.points, Names: t.names}
	t.begin()
}

// titleOf is what the list shows.
func titleOf(title, creator string) string {
	if title != "" {
		return title
	}
	return fmt.Sprintf("%s's match", creator)
}

// game is one game of a match. Its board is kept as seat 0 sees it; turn is the seat
// on turn, -1 while the opening is thrown.
type game struct {
	board    places
	turn     int
	dice     [2]int
	left     []int // dice of the throw that are not used yet
	hops     []wire.Hop
	before   places // the board before the hops, for reset
	opening  [2]int
	drawn    [2]int // the opening's dice by seat, whoever rolls first
	cube     int
	owner    int // seat, -1 for the centre
	offered  bool
	winner   int // seat, -1 before the end
	crawford bool
}

func newGame(crawford bool) *game {
	return &game{board: start, turn: -1, cube: 1, owner: -1, winner: -1, crawford: crawford}
}

// seen is the board as a seat sees it.
func (g *game) seen(seat int) places {
	if seat == 1 {
		return g.board.mirror()
	}
	return g.board
}

func (g *game) setSeen(seat int, p places) {
	if seat == 1 {
		p = p.mirror()
	}
	g.board = p
}

// available returns the legal hops of the player on turn, in that player's numbering.
func (g *game) available() []wire.Hop {
	if g.turn < 0 || g.dice[0] == 0 || g.winner >= 0 {
		return nil
	}
	hops, _ := g.seen(g.turn).legal(g.left)
	slices.SortFunc(hops, func(a, b wire.Hop) int {
		if a.From != b.From {
			return b.From - a.From
		}
		return a.To - b.To
	})
	return hops
}

// roll throws for the player on turn.
func (g *game) roll(dice *rand.Rand) {
	g.throw(dice.IntN(6)+1, dice.IntN(6)+1)
}

func (g *game) throw(a, b int) {
	g.dice = [2]int{a, b}
	g.left = pool(a, b)
	g.hops = nil
	g.before = g.board
}

// move makes one hop of the player on turn. A hop may be made with several dice.
func (g *game) move(h wire.Hop) bool {
	p := g.seen(g.turn)
	hops, with := p.legal(g.left)
	if i := slices.Index(hops, h); i >= 0 {
		at := slices.Index(g.left, with[i])
		g.left = slices.Delete(slices.Clone(g.left), at, at+1)
		g.setSeen(g.turn, p.after(h))
		g.hops = append(g.hops, h)
		return true
	}
	// With two dice or more, by way of the point between.
	for i, first := range hops {
		if first.From != h.From || first.To == h.To || first.To == wire.OwnHome {
			continue
		}
		saved := *g
		at := slices.Index(g.left, with[i])
		g.left = slices.Delete(slices.Clone(g.left), at, at+1)
		g.setSeen(g.turn, p.after(first))
		g.hops = append(slices.Clone(g.hops), first)
		if g.move(wire.Hop{From: first.To, To: h.To}) {
			return true
		}
		*g = saved
	}
	return false
}

// reset takes the hops of this turn back.
func (g *game) reset() {
	g.board, g.hops = g.before, nil
	g.left = pool(g.dice[0], g.dice[1])
}

// pass gives the turn to the other player.
func (g *game) pass() {
	g.turn = 1 - g.turn
	g.dice, g.left, g.hops = [2]int{}, nil, nil
}

// mayDouble reports whether the player on turn may double; a match of one point has no cube.
func (t *table) mayDouble() bool {
	g := t.game
	return t.points > 1 && g.turn >= 0 && g.dice[0] == 0 && !g.offered && !g.crawford && (g.owner < 0 || g.owner == g.turn)
}

// places is a position seen from the player on turn, as a wire.Board has it.
type places [wire.Places]int

// start is the opening position.
var start = places{1: -2, 6: 5, 8: 3, 12: -5, 13: 5, 17: -3, 19: -5, 24: 2}

// mirror is the same position seen from the other side.
func (p places) mirror() places {
	var m places
	for i := range p {
		m[wire.Mirror(i)] = -p[i]
	}
	return m
}

func mirrorHops(hops []wire.Hop) []wire.Hop {
	out := slices.Clone(hops)
	for i, h := range out {
		out[i] = wire.Hop{From: wire.Mirror(h.From), To: wire.Mirror(h.To)}
	}
	return out
}

// target is where a checker on from lands with a die; ok is false when it may not.
func (p *places) target(from, die int) (to int, ok bool) {
	if p[from] < 1 || p[wire.OwnBar] > 0 && from != wire.OwnBar {
		return 0, false
	}
	at := from
	if from == wire.OwnBar {
		at = 25
	}
	to = at - die
	if to > 0 {
		return to, p[to] >= -1
	}
	highest := p.highest()
	return wire.OwnHome, highest <= 6 && (to == 0 || at == highest)
}

// highest is the rearmost own checker: 25 on the bar, 0 when all are off.
func (p *places) highest() int {
	if p[wire.OwnBar] > 0 {
		return 25
	}
	for at := 24; at > 0; at-- {
		if p[at] > 0 {
			return at
		}
	}
	return 0
}

// after is the position behind a legal hop.
func (p places) after(h wire.Hop) places {
	p[h.From]--
	if h.To != wire.OwnHome && p[h.To] == -1 {
		p[h.To] = 0
		p[wire.TheirBar]--
	}
	p[h.To]++
	return p
}

// sources are the places that a checker can be on, the bar first.
var sources = func() []int {
	out := []int{wire.OwnBar}
	for at := 24; at > 0; at-- {
		out = append(out, at)
	}
	return out
}()

// longest is the largest number of dice of the list that can be used, and the
// largest single die that can be when that number is one.
func (p places) longest(dice []int) (used, die int) {
	for i, d := range dice {
		if slices.Index(dice, d) != i {
			continue // the same die again
		}
		rest := slices.Delete(slices.Clone(dice), i, i+1)
		for _, from := range sources {
			to, ok := p.target(from, d)
			if !ok {
				continue
			}
			n, _ := p.after(wire.Hop{From: from, To: to}).longest(rest)
			if n+1 > used {
				used, die = n+1, 0
			}
			if n+1 == used && used == 1 {
				die = max(die, d)
			}
			if used == len(dice) {
				return used, 0
			}
		}
	}
	return used, die
}

// legal is the single hops that may be made next with the dice that are left: those
// from which as many dice can be used as at all, and with only one to be used the
// larger where both could be. It names for each the die that it takes.
func (p places) legal(dice []int) (hops []wire.Hop, with []int) {
	used, largest := p.longest(dice)
	if used == 0 {
		return nil, nil
	}
	for i, d := range dice {
		if slices.Index(dice, d) != i || used == 1 && len(dice) == 2 && d != largest {
			continue
		}
		rest := slices.Delete(slices.Clone(dice), i, i+1)
		for _, from := range sources {
			to, ok := p.target(from, d)
			h := wire.Hop{From: from, To: to}
			if !ok {
				continue
			}
			if n, _ := p.after(h).longest(rest); n+1 == used && !slices.Contains(hops, h) {
				hops, with = append(hops, h), append(with, d)
			}
		}
	}
	return hops, with
}

// worth returns what the loser pays for resigning or losing, in times of the cube: 3 with a
// checker on the bar or in the winner's home board, else 2 with no checker off, else 1. p is
// seen from the loser.
func (p places) worth() int {
	if p[wire.OwnBar] > 0 {
		return 3
	}
	for at := 19; at <= 24; at++ {
		if p[at] > 0 {
			return 3
		}
	}
	if p[wire.OwnHome] == 0 {
		return 2
	}
	return 1
}

// pool is the dice of a throw: four for a double.
func pool(a, b int) []int {
	if a == b {
		return []int{a, a, a, a}
	}
	return []int{a, b}
}
