package watch

import (
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Kind says what was decided. The words are those of the JSON output.
type Kind string

// What a player decides in a game.
const (
	Move         Kind = "move" // a roll and its play; no steps when none was legal
	Double       Kind = "double"
	Beaver       Kind = "beaver" // a double taken and turned back at once; also a raccoon and what follows
	Take         Kind = "take"
	Drop         Kind = "drop"
	Resign       Kind = "resign"        // an offer to resign Games games
	AcceptResign Kind = "accept_resign" // the offer was accepted
	RejectResign Kind = "reject_resign"
)

// Act is one thing a player decided, with what stood on the table before.
type Act struct {
	Kind   Kind
	Number int // of the game, from 1
	Player int // who decided: 0 or 1, an index of Match.Players
	// Situation is what IDs show: seen by the player on roll, who is the doubler
	// while a double waits for its answer. While a resignation is on offer it is
	// seen by the player who offered it.
	Situation match.Situation
	// Play is the play of a Move from the mover's view.
	Play board.Play
	// Games is what a resignation offers: 1 single, 2 gammon, 3 backgammon.
	Games int
	// Opening marks the first roll of a game.
	Opening bool
	// OnRoll tells, for a resignation, whether the one who offers is on roll.
	OnRoll bool
	// Beavers counts the beavers before a Beaver, Take or Drop: 0 answers the
	// double itself. With one or more the engine has no opinion.
	Beavers int

	match       *record.Match
	game, index int // of the action in the record; index -1 when it has none
}

// Match is the record that the act belongs to. It grows while the match
// goes on; only the goroutine that feeds the observer may read it.
func (d *Act) Match() *record.Match { return d.match }

// Name is who decided.
func (d *Act) Name() string { return d.match.Players[d.Player].Name }

// Keep stores what an analysis found in the record of the match. Only the
// goroutine that feeds the observer may call it.
func (d *Act) Keep(a *record.Analysis) {
	if d.index >= 0 && a != nil {
		d.match.Games[d.game].Actions[d.index].Analysis = a
	}
}

// NewsKind says what an observer has noticed.
type NewsKind uint8

// What can be news.
const (
	// Opened: a match is seen for the first time; Joined tells that it was not
	// from its start.
	Opened NewsKind = iota + 1
	// Decided: Decision.
	Decided
	// Gap: something between two lines was missed; the record goes on with the
	// position set up.
	Gap
	// GameOver: Game has its result.
	GameOver
	// MatchOver: the match has a winner.
	MatchOver
	// Stopped: the match was interrupted, or is not watched any more.
	Stopped
)

// News is one thing an observer has noticed.
type News struct {
	Kind     NewsKind
	Match    *record.Match // which it is about; see Decision.Match
	Game     int           // index of the game
	Joined   bool
	Decision Act
}

// observer rebuilds the matches of one player from what a watcher is told:
// boards, rolls, plays and results in the third person. It may join in the
// middle of a game and survives lost lines: what cannot be explained is marked as
// a gap and the position is set up again. It is pure book-keeping without clock
// or goroutine. In its records the watched player is player 1, as the bot is in
// those of its own matches.
type observer struct {
	player string
	server string

	sheet *sheet.Sheet
	rec   *record.Match
	game  int // games of the sheet that are done with
	act   int // acts of the running game that were looked at
	given int // games that the sheet has given up
	open  bool

	// The resignation on offer.
	offered Act
	offers  bool

	needBoard bool
	news      []News
}

// newObserver watches the matches of player. server is written into the records.
func newObserver(player, server string) *observer {
	return &observer{player: player, server: server}
}

// Player is the watched player.
func (o *observer) Player() string { return o.player }

// Opponent is the other player of the match being seen, or "".
func (o *observer) Opponent() string {
	if o.sheet == nil {
		return ""
	}
	return o.sheet.Opponent
}

// NeedsBoard tells that the position is not known, so that a board should be
// asked for, and forgets that it was asked.
func (o *observer) NeedsBoard() bool {
	need := o.needBoard
	o.needBoard = false
	return need
}

// Event enters a line of the server. Lines about other matches and anything else
// are ignored, so a whole session may be fed. The news are valid until the next
// call.
func (o *observer) Event(ev protocol.Event) []News {
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
		o.tell(News{Kind: MatchOver})
		o.close()
	}
	return o.news
}

// boardHelps tells whether after such a line a new board is news.
func boardHelps(k protocol.Kind) bool {
	switch k {
	case protocol.Rolls, protocol.Moves, protocol.CannotMove, protocol.OnlyMove, protocol.Doubles, protocol.Redoubles, protocol.Takes, protocol.BadBoard, protocol.RefusesResign:
		return true
	}
	return false
}

// Leave ends what is being seen: the watcher goes elsewhere, or the connection
// is lost.
func (o *observer) Leave() []News {
	o.news = o.news[:0]
	if o.sheet != nil {
		o.stop()
	}
	return o.news
}

// ours returns the event in the form the sheet reads, in which the watched
// player is the owner of the sheet, and whether it can concern the match.
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
			o.stop() // he plays somebody else now
		}
		own.Mine = true // his board is the sheet's
		ev.Board = &own
		return ev, true
	case protocol.BadBoard:
		o.needBoard = true
		return ev, false
	case protocol.UserInfo:
		// Nobody tells a watcher that a match was left: the who line shows it.
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

// begin opens a match when the line allows it.
func (o *observer) begin(ev *protocol.Event) bool {
	switch ev.Kind {
	case protocol.BoardLine:
		v := ev.Board
		if v.Turn == sheet.Nobody && v.Doubler == sheet.Nobody && v.Score == [2]int{} {
			return false // a finished match's board, or none yet
		}
		first := v.Score == [2]int{}
		o.openMatch(v.Opponent, v.Length, first, !first || v.Position != board.Start)
		return true
	case protocol.OthersBegin, protocol.OthersResume:
		opponent := ev.Other
		if ev.Other == o.player {
			opponent = ev.Name
		}
		// Of a match that goes on the next board tells the length.
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
	o.rec = &record.Match{
		Players: [2]record.Player{{Name: opponent}, {Name: o.player}},
		Length:  length,
		Rules:   rulesOf(length),
		Event:   "Watched by fibsbot",
		Place:   o.server,
	}
	o.game, o.act, o.given, o.open, o.offers = 0, 0, 0, false, false
	if joined {
		o.rec.Comment = "The watching began in the middle of the match."
	}
	o.tell(News{Kind: Opened, Joined: joined})
}

// rulesOf are the rules of FIBS: unlimited matches with beavers and without
// Jacoby. How many beavers in a row the two agreed on only a board tells.
func rulesOf(length int) record.Rules {
	if length > 0 {
		return record.Rules{Crawford: true}
	}
	return record.Rules{Beavers: 3}
}

// tell adds news about the match being seen.
func (o *observer) tell(n News) {
	n.Match = o.rec
	o.news = append(o.news, n)
}

// stop ends a match that was not played to its end.
func (o *observer) stop() {
	if o.open {
		o.comment("The rest of this game was not seen.")
	}
	o.tell(News{Kind: Stopped})
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
