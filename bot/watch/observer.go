package watch

import (
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Kind is the kind of a decision, in the words of the JSON output.
type Kind string

// The decisions of a game.
const (
	Move         Kind = "move" // a roll and its play, without steps if none was legal
	Double       Kind = "double"
	Beaver       Kind = "beaver" // a double taken and redoubled at once; also a raccoon and so on
	Take         Kind = "take"
	Drop         Kind = "drop"
	Resign       Kind = "resign"        // an offer to resign Games games
	AcceptResign Kind = "accept_resign" // the offer was accepted
	RejectResign Kind = "reject_resign"
)

// Act is one decision of a player, with the state before it.
type Act struct {
	Kind   Kind
	Number int // of the game, from 1
	Player int // who decided: 0 or 1, an index of Match.Players
	// Situation is from the side of the player on roll; while a double waits for its
	// answer that is the doubler. While a resignation is offered it is from the side of the
	// player who offered it.
	Situation match.Situation
	// Play is the play of a Move from the mover's side.
	Play board.Play
	// Games is what a resignation offers: 1 single, 2 gammon, 3 backgammon.
	Games int
	// Opening reports whether this is the first roll of a game.
	Opening bool
	// OnRoll reports, for a resignation, whether the player who offers is on roll.
	OnRoll bool
	// Beavers counts the beavers before a Beaver, Take or Drop; 0 answers the double
	// itself. Answers to beavers are not analysed.
	Beavers int

	match       *record.Match
	game, index int // of the action in the record; index is -1 if there is no action
}

// Match returns the record that the act belongs to. It grows while the match is played; only
// the observer's goroutine may read it.
func (d *Act) Match() *record.Match { return d.match }

// Name returns the name of the player who decided.
func (d *Act) Name() string { return d.match.Players[d.Player].Name }

// Keep stores an analysis in the record of the match. Only the observer's goroutine may call
// it.
func (d *Act) Keep(a *record.Analysis) {
	if d.index >= 0 && a != nil {
		d.match.Games[d.game].Actions[d.index].Analysis = a
	}
}

// observer rebuilds the matches of one player from the lines for watchers: boards, rolls,
// plays and results in the third person. It may start in the middle of a game and survives
// lost lines: what it cannot explain becomes a gap, and the position is set up again. It has
// no clock and no goroutine. In its records the watched player is player 1, like the bot in
// its own matches.
type observer struct {
	player string
	server string
	rules  protocol.Rules

	sheet *sheet.Sheet
	rec   *record.Match
	game  int // number of completed games of the sheet
	act   int // number of processed acts of the running game
	given int // number of games that the sheet has abandoned
	open  bool

	// The resignation on offer.
	offered Act
	offers  bool

	needBoard bool
	news      []Report // about the last line
}

// newObserver makes an observer for the matches of player on a server of these rules. server goes
// into the records.
func newObserver(player, server string, rules protocol.Rules) *observer {
	return &observer{player: player, server: server, rules: rules}
}

// Player returns the watched player.
func (o *observer) Player() string { return o.player }

// Opponent returns the other player of the present match, or "".
func (o *observer) Opponent() string {
	if o.sheet == nil {
		return ""
	}
	return o.sheet.Opponent
}

// NeedsBoard reports whether the position is unknown, so that a board should be asked for,
// and resets that.
func (o *observer) NeedsBoard() bool {
	need := o.needBoard
	o.needBoard = false
	return need
}

// Event enters a line of the server and ignores unrelated lines. The news are valid until the
// next call.
func (o *observer) Event(ev protocol.Event) []Report {
	o.news = o.news[:0]
	ev, ok := o.ours(ev)
	if !ok {
		return o.news
	}
	if o.sheet == nil && !o.begin(&ev) {
		return o.news
	}
	protocol.Enter(o.sheet, &ev, o.player)
	o.collect()
	o.resignation(&ev)
	if _, known := o.sheet.Position(); !known && o.sheet.Current() != nil {
		o.needBoard = o.needBoard || boardHelps(ev.Kind)
	}
	if o.sheet.Over {
		o.report(Report{Topic: MatchEnd})
		o.close()
	}
	return o.news
}

// boardHelps reports whether a board after such a line shows something new.
func boardHelps(k protocol.Kind) bool {
	switch k {
	case protocol.Rolls, protocol.Moves, protocol.CannotMove, protocol.OnlyMove, protocol.Doubles, protocol.Redoubles, protocol.Takes, protocol.BadBoard, protocol.RefusesResign:
		return true
	}
	return false
}

// Leave ends the present match: the watcher leaves, or the connection is lost.
func (o *observer) Leave() []Report {
	o.news = o.news[:0]
	if o.sheet != nil {
		o.stop()
	}
	return o.news
}

// ours returns the event with the watched player as the owner of the sheet, and whether it
// can concern the match.
func (o *observer) ours(ev protocol.Event) (protocol.Event, bool) {
	switch ev.Kind {
	case protocol.BoardLine:
		b := ev.Board
		if b == nil {
			o.needBoard = o.needBoard || o.sheet == nil && !ev.Keep
			return ev, false
		}
		if b.Mine {
			return ev, false
		}
		own := *b
		switch o.player {
		case b.Player:
		case b.Opponent:
			own = b.Turned()
		default:
			return ev, false
		}
		if o.sheet != nil && own.Opponent != o.sheet.Opponent {
			o.stop() // he plays another opponent now
		}
		own.Mine = true // the sheet is the watched player's
		ev.Board = &own
		return ev, true
	case protocol.BadBoard:
		o.needBoard = true
		return ev, false
	case protocol.UserInfo:
		// Watchers get no line about a match that was left; the who line shows it.
		if p := ev.User; p != nil && o.sheet != nil && p.Name == o.player && p.Opponent != o.sheet.Opponent {
			o.stop()
		}
		return ev, false
	case protocol.LogsOut:
		if ev.Name == o.player && o.sheet != nil {
			o.stop()
		}
		return ev, false
	case protocol.MatchSaved:
		if o.sheet != nil && (ev.Name == o.player || ev.Name == o.sheet.Opponent) {
			o.stop()
		}
		return ev, false
	case protocol.OthersBegin, protocol.OthersResume:
		return ev, o.sheet == nil && (ev.Name == o.player || ev.Other == o.player)
	case protocol.GameBegins, protocol.OpeningRoll, protocol.FirstMove, protocol.Rolls, protocol.Moves, protocol.CannotMove, protocol.Doubles,
		protocol.Redoubles, protocol.Takes, protocol.OffersResign, protocol.RefusesResign, protocol.GameOver, protocol.Score, protocol.MatchOver:
		if ev.Name == protocol.You {
			return ev, false
		}
		return ev, true
	case protocol.OnlyMove, protocol.BearsOff:
		return ev, o.sheet != nil
	}
	return ev, false
}

// begin opens a match if the line allows it.
func (o *observer) begin(ev *protocol.Event) bool {
	switch ev.Kind {
	case protocol.BoardLine:
		v := ev.Board
		if v.Turn == sheet.Nobody && v.Doubler == sheet.Nobody && v.Score == [2]int{} {
			return false // the match is finished, or has not begun
		}
		first := v.Score == [2]int{}
		o.openMatch(v.Opponent, v.Length, first, !first || v.Position != board.Start)
		return true
	case protocol.OthersBegin, protocol.OthersResume:
		opponent := ev.Other
		if ev.Other == o.player {
			opponent = ev.Name
		}
		// For a resumed match the next board shows the length.
		if ev.Kind == protocol.OthersBegin && ev.Length >= 0 {
			o.openMatch(opponent, ev.Length, true, false)
		}
		return false
	case protocol.Rolls, protocol.Moves, protocol.Doubles, protocol.Redoubles, protocol.Takes, protocol.CannotMove:
		o.needBoard = true
	}
	return false
}

func (o *observer) openMatch(opponent string, length int, fromStart, joined bool) {
	o.sheet = sheet.New(opponent, length, fromStart)
	o.sheet.Rules = o.rules.Sheet()
	o.rec = &record.Match{
		Players: [2]record.Player{{Name: opponent}, {Name: o.player}},
		Length:  length,
		Rules:   o.rulesOf(length),
		Event:   "Watched by fibsbot",
		Place:   o.server,
	}
	o.game, o.act, o.given, o.open, o.offers = 0, 0, 0, false, false
	if joined {
		o.rec.Comment = "Watched from the middle of the match."
	}
	o.report(Report{Topic: Began, Joined: joined})
}

// rulesOf returns the rules of the server: unlimited matches, as FIBS has them, with beavers and
// without Jacoby. The number of beavers is FIBS's default; only a board shows the agreed one.
func (o *observer) rulesOf(length int) record.Rules {
	if length > 0 {
		return record.Rules{Crawford: true, Drops: o.rules.Drops}
	}
	return record.Rules{Beavers: 3, Drops: o.rules.Drops}
}

// report adds news about the present match.
func (o *observer) report(r Report) {
	r.Match = o.rec
	o.news = append(o.news, r)
}

// decides reports a decision, which is not judged yet.
func (o *observer) decides(d Act) {
	o.report(Report{Topic: Judged, Game: d.game, Judgement: &Judgement{Act: d}})
}

// stop ends an unfinished match.
func (o *observer) stop() {
	if o.open {
		o.comment("The rest of this game was not seen.")
	}
	o.report(Report{Topic: BrokenOff})
	o.close()
}

func (o *observer) close() {
	o.sheet, o.rec, o.open, o.offers = nil, nil, false, false
}

// comment adds a sentence to the running game.
func (o *observer) comment(text string) {
	g := o.running()
	if g.Comment != "" {
		text = g.Comment + " " + text
	}
	g.Comment = text
}
