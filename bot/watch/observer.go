package watch

import (
	"fmt"
	"slices"

	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/fibs/clip"
)

// Kind says what was decided. The words are those of the JSON output.
type Kind string

// The decisions of a game.
const (
	Move         Kind = "move" // a roll and its play; no steps when none was legal
	Double       Kind = "double"
	Take         Kind = "take"
	Drop         Kind = "drop"
	Resign       Kind = "resign"        // an offer to resign Games games
	AcceptResign Kind = "accept_resign" // the offer was accepted
	RejectResign Kind = "reject_resign"
)

// Decision is one thing a player decided, with what stood on the table before.
type Decision struct {
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

	match       *record.Match
	game, index int // of the action in the record; index -1 when it has none
}

// Match is the record that the decision belongs to. It grows while the match
// goes on; only the goroutine that feeds the Observer may read it.
func (d *Decision) Match() *record.Match { return d.match }

// Name is who decided.
func (d *Decision) Name() string { return d.match.Players[d.Player].Name }

// Keep stores what an analysis found in the record of the match. Only the
// goroutine that feeds the Observer may call it.
func (d *Decision) Keep(a *record.Analysis) {
	if d.index >= 0 && a != nil {
		d.match.Games[d.game].Actions[d.index].Analysis = a
	}
}

// NewsKind says what an Observer has noticed.
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

// News is one thing an Observer has noticed.
type News struct {
	Kind     NewsKind
	Match    *record.Match // which it is about; see Decision.Match
	Game     int           // index of the game
	Joined   bool
	Decision Decision
}

// Observer rebuilds the matches of one player from what a watcher is told:
// boards, rolls, plays and results in the third person. It may join in the
// middle of a game and survives lost lines: what cannot be explained is marked as
// a gap and the position is set up again. It is pure book-keeping without clock
// or goroutine. In its records the watched player is player 1, as the bot is in
// those of its own matches.
type Observer struct {
	player string
	server string

	sheet *table.Sheet
	rec   *record.Match
	game  int // games of the sheet that are done with
	act   int // acts of the running game that are in the record
	open  bool

	// What the record says stands on the table, to find gaps; pos is seen by the
	// watched player.
	pos    board.Position
	cube   int
	owner  match.Owner
	onRoll table.Side
	known  bool // the sheet knows the position

	// The resignation on offer.
	offered Decision
	offers  bool

	needBoard bool
	news      []News
}

// NewObserver watches the matches of player. server is written into the records.
func NewObserver(player, server string) *Observer {
	return &Observer{player: player, server: server}
}

// Player is the watched player.
func (o *Observer) Player() string { return o.player }

// Opponent is the other player of the match being seen, or "".
func (o *Observer) Opponent() string {
	if o.sheet == nil {
		return ""
	}
	return o.sheet.Opponent
}

// NeedsBoard tells that the position is not known, so that a board should be
// asked for, and forgets that it was asked.
func (o *Observer) NeedsBoard() bool {
	need := o.needBoard
	o.needBoard = false
	return need
}

// Snapshot is what stands on the table; ok is false when no match is seen. Us is
// the watched player.
func (o *Observer) Snapshot() (table.Snapshot, bool) {
	if o.sheet == nil {
		return table.Snapshot{}, false
	}
	return o.sheet.Snapshot(), true
}

// Event enters a line of the server. Lines about other matches and anything else
// are ignored, so a whole session may be fed. The news are valid until the next
// call.
func (o *Observer) Event(ev clip.Event) []News {
	o.news = o.news[:0]
	ev, ok := o.ours(ev)
	if !ok {
		return o.news
	}
	if o.sheet == nil && !o.begin(&ev) {
		return o.news
	}
	if ev.Kind == clip.GameBegins {
		o.dropFragment()
	}
	before := o.sheet.Snapshot()
	_, known := o.sheet.Position()
	o.sheet.Apply(ev, o.player)
	_, o.known = o.sheet.Position()
	if !known {
		before = o.sheet.Snapshot() // what stood there before means nothing
	}
	o.collect(&before)
	o.resignation(&ev, &before)
	if !o.known && o.running() {
		o.needBoard = o.needBoard || boardHelps(ev.Kind)
	}
	if o.sheet.Over {
		o.tell(News{Kind: MatchOver})
		o.close()
	}
	return o.news
}

// boardHelps tells whether after such a line a new board is news.
func boardHelps(k clip.Kind) bool {
	switch k {
	case clip.Rolls, clip.Moves, clip.CantMove, clip.OnlyMove, clip.Doubles, clip.Takes, clip.BadBoard, clip.RejectsResign:
		return true
	}
	return false
}

// Leave ends what is being seen: the watcher goes elsewhere, or the connection
// is lost.
func (o *Observer) Leave() []News {
	o.news = o.news[:0]
	if o.sheet != nil {
		o.stop()
	}
	return o.news
}

// ours returns the event in the form the sheet reads, in which the watched
// player is the owner of the sheet, and whether it can concern the match.
func (o *Observer) ours(ev clip.Event) (clip.Event, bool) {
	switch ev.Kind {
	case clip.BoardLine:
		b := ev.Board
		if b == nil || b.Own() {
			return ev, false
		}
		own := *b
		switch o.player {
		case b.Player:
		case b.Opponent:
			own = turned(b)
		default:
			return ev, false
		}
		if o.sheet != nil && own.Opponent != o.sheet.Opponent {
			o.stop() // he plays somebody else now
		}
		own.Player = clip.You
		ev.Board = &own
		return ev, true
	case clip.BadBoard:
		o.needBoard = true
		return ev, false
	case clip.PlayerLine:
		// Nobody tells a watcher that a match was left: the who line shows it.
		if p := ev.Player; p != nil && o.sheet != nil && p.Name == o.player && p.Opponent != o.sheet.Opponent {
			o.stop()
		}
		return ev, false
	case clip.LogsOut:
		if ev.Name == o.player && o.sheet != nil {
			o.stop()
		}
		return ev, false
	case clip.GameSaved:
		if o.sheet != nil && (ev.Name == o.player || ev.Name == o.sheet.Opponent) {
			o.stop()
		}
		return ev, false
	case clip.ReportStart, clip.ReportResume:
		return ev, o.sheet == nil && (ev.Name == o.player || ev.Other == o.player)
	case clip.GameBegins, clip.OpeningRoll, clip.FirstMove, clip.Rolls, clip.Moves, clip.CantMove, clip.Doubles,
		clip.Takes, clip.OffersResign, clip.RejectsResign, clip.GameOver, clip.Score, clip.MatchOver:
		if ev.Name == clip.You {
			return ev, false
		}
		return ev, true
	case clip.OnlyMove, clip.BearsOff:
		return ev, o.sheet != nil
	}
	return ev, false
}

// turned is the board as its other player sees it.
func turned(b *clip.Board) clip.Board {
	t := *b
	t.Player, t.Opponent = b.Opponent, b.Player
	t.PlayerScore, t.OpponentScore = b.OpponentScore, b.PlayerScore
	t.PlayerDice, t.OpponentDice = b.OpponentDice, b.PlayerDice
	t.PlayerMayDouble, t.OpponentMayDouble = b.OpponentMayDouble, b.PlayerMayDouble
	t.Colour, t.Direction = -b.Colour, -b.Direction
	t.Home, t.Bar = b.Bar, b.Home
	t.PlayerHome, t.OpponentHome = b.OpponentHome, b.PlayerHome
	t.PlayerBar, t.OpponentBar = b.OpponentBar, b.PlayerBar
	// Who must answer a double shows in the turn when it is flipped to him.
	t.WasDoubled = b.DoublePending() && !b.WasDoubled
	return t
}

// begin opens a match when the line allows it.
func (o *Observer) begin(ev *clip.Event) bool {
	switch ev.Kind {
	case clip.BoardLine:
		v, err := table.ViewOf(*ev.Board)
		if err != nil {
			o.needBoard = true
			return false
		}
		if v.Turn == table.Nobody && v.Doubler == table.Nobody && v.Score == [2]int{} {
			return false // a finished match's board, or none yet
		}
		first := v.Score == [2]int{}
		o.openMatch(v.Opponent, v.Length, first, !first || v.Position != board.Start)
		return true
	case clip.ReportStart, clip.ReportResume:
		opponent := ev.Other
		if ev.Other == o.player {
			opponent = ev.Name
		}
		length := ev.Length
		if length >= clip.Unlimited {
			length = 0
		}
		if ev.Kind == clip.ReportResume {
			length = -1 // the next board tells it; this line may speak of the whole or the rest
		}
		if length >= 0 {
			o.openMatch(opponent, length, true, false)
		}
		return false
	case clip.Rolls, clip.Moves, clip.Doubles, clip.Takes, clip.CantMove:
		o.needBoard = true
	}
	return false
}

func (o *Observer) openMatch(opponent string, length int, fromStart, joined bool) {
	o.sheet = table.NewSheet(opponent, length, fromStart)
	o.rec = &record.Match{
		Players: [2]record.Player{{Name: opponent}, {Name: o.player}},
		Length:  length,
		Rules:   record.Rules{Crawford: length > 0},
		Event:   "Watched by fibsbot",
		Place:   o.server,
	}
	o.game, o.act, o.open, o.offers = 0, 0, false, false
	if joined {
		o.rec.Comment = "The watching began in the middle of the match."
	}
	o.tell(News{Kind: Opened, Joined: joined})
}

// tell adds news about the match being seen.
func (o *Observer) tell(n News) {
	n.Match = o.rec
	o.news = append(o.news, n)
}

// stop ends a match that was not played to its end.
func (o *Observer) stop() {
	if o.open {
		o.comment("The rest of this game was not seen.")
	}
	o.tell(News{Kind: Stopped})
	o.close()
}

func (o *Observer) close() {
	o.sheet, o.rec, o.open, o.offers = nil, nil, false, false
}

func (o *Observer) running() bool {
	n := len(o.sheet.Games)
	return n > 0 && !o.sheet.Games[n-1].Finished()
}

// dropFragment gives up a game whose end was missed without a score to tell it
// by, as the sheet is about to do.
func (o *Observer) dropFragment() {
	if n := len(o.sheet.Games); o.open && o.game == n-1 && !o.sheet.Games[n-1].Finished() &&
		(len(o.sheet.Games[n-1].Acts) > 0 || o.sheet.Games[n-1].Torn) {
		o.comment("The end of this game was not seen.")
		o.tell(News{Kind: Gap, Game: len(o.rec.Games) - 1})
		o.open, o.act = false, 0
	}
}

// comment adds a sentence to the running game.
func (o *Observer) comment(text string) {
	g := &o.rec.Games[len(o.rec.Games)-1]
	if g.Comment != "" {
		text = g.Comment + " " + text
	}
	g.Comment = text
}

// collect brings into the record what the sheet has learned from one line.
// before is what stood on the table before that line.
func (o *Observer) collect(before *table.Snapshot) {
	if o.rec.Length < 0 && o.sheet.Length >= 0 {
		o.rec.Length = o.sheet.Length
		o.rec.Rules.Crawford = o.sheet.Length > 0
	}
	if o.open && o.game >= len(o.sheet.Games) {
		// The sheet gave the running game up.
		o.comment("The end of this game was not seen.")
		o.tell(News{Kind: Gap, Game: len(o.rec.Games) - 1})
		o.open, o.act = false, 0
	}
	for o.game < len(o.sheet.Games) {
		g := &o.sheet.Games[o.game]
		if !o.open {
			o.openGame(g)
			// Nothing of this game stood there before the line.
			*before = o.sheet.Snapshot()
			if !g.Torn {
				before.Position, before.Cube, before.Owner = board.Start, max(1, g.Cube), match.Centred
			}
		}
		o.acts(g, before)
		if !g.Finished() {
			return
		}
		o.closeGame(g)
	}
}

func (o *Observer) openGame(g *table.Game) {
	score := [2]int{g.Score[table.Them], g.Score[table.Us]}
	o.rec.Games = append(o.rec.Games, record.Game{Number: len(o.rec.Games), Score: score, Crawford: g.Crawford, Cube: g.Cube})
	o.open, o.act, o.offers = true, 0, false
	o.pos, o.cube, o.owner, o.onRoll = board.Start, max(1, g.Cube), match.Centred, table.Nobody
}

// acts enters what is complete: a roll waits for its play.
func (o *Observer) acts(g *table.Game, before *table.Snapshot) {
	rg := &o.rec.Games[len(o.rec.Games)-1]
	rg.Crawford = g.Crawford
	if len(rg.Actions) == 0 && g.Cube > rg.Cube {
		rg.Cube, o.cube = g.Cube, g.Cube // automatic doubles
	}
	if o.act > len(g.Acts) {
		o.act = len(g.Acts)
	}
	for o.act < len(g.Acts) {
		a := &g.Acts[o.act]
		if a.Kind == table.ActRolled {
			switch rest := g.Acts[o.act+1:]; {
			case !onlyTalk(rest):
				// Its play was never seen.
			case !g.Finished():
				return
			default:
				o.expect(before, a.Side)
				o.add(record.Action{Kind: record.Roll, Player: int(a.Side), Dice: a.Dice})
			}
			o.act++
			continue
		}
		o.act++
		o.one(a, before)
	}
}

// onlyTalk tells whether acts are nothing but offers to resign and refusals.
func onlyTalk(acts []table.Act) bool {
	return !slices.ContainsFunc(acts, func(a table.Act) bool {
		return a.Kind != table.ActOffered && a.Kind != table.ActRefused
	})
}

func (o *Observer) one(a *table.Act, before *table.Snapshot) {
	if !o.known && a.Kind != table.ActPlayed {
		return // nobody knows in which position; the next board sets it up
	}
	switch a.Kind {
	case table.ActPlayed:
		if a.Play.N == 0 && canMove(before.Position, a) {
			// The server says that he cannot move, so this is not where the
			// checkers stand.
			o.comment(fmt.Sprintf("Something was missed after action %d.", len(o.rec.Games[len(o.rec.Games)-1].Actions)))
			o.tell(News{Kind: Gap, Game: len(o.rec.Games) - 1})
			o.onRoll, o.needBoard = a.Side.Other(), true
			return
		}
		opening := o.onRoll == table.Nobody && len(o.rec.Games[len(o.rec.Games)-1].Actions) == 0 && before.Position == board.Start
		o.expect(before, a.Side)
		d := o.decision(Move, a.Side)
		d.Situation.Dice, d.Play, d.Opening = a.Dice, a.Play, opening
		steps := append([]board.Step(nil), a.Play.Steps[:a.Play.N]...)
		d.index = o.add(record.Action{Kind: record.Move, Player: int(a.Side), Dice: a.Dice, Steps: steps})
		o.pos = a.Play.Result
		if a.Side == table.Them {
			o.pos = o.pos.Swap()
		}
		o.onRoll = a.Side.Other()
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
		// What follows in the same line begins where the play ended.
		before.Position = o.pos
	case table.ActDoubled:
		o.expect(before, a.Side)
		d := o.decision(Double, a.Side)
		d.index = o.add(record.Action{Kind: record.Double, Player: int(a.Side)})
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	case table.ActTook, table.ActDropped:
		// The one on roll is the doubler.
		d := o.decision(Take, a.Side.Other())
		d.Player, d.Situation.Doubled = int(a.Side), true
		kind := record.Take
		if a.Kind == table.ActDropped {
			d.Kind, kind = Drop, record.Drop
		}
		d.index = o.add(record.Action{Kind: kind, Player: int(a.Side)})
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
		if kind == record.Take {
			o.cube *= 2
			o.owner = match.Theirs
			if a.Side == table.Us {
				o.owner = match.Mine
			}
			before.Cube, before.Owner = o.cube, o.owner
		}
	}
}

// canMove tells whether a dance contradicts the position, which is seen by the
// watched player.
func canMove(p board.Position, a *table.Act) bool {
	if a.Side == table.Them {
		p = p.Swap()
	}
	var buf [64]board.Play
	return len(board.AppendPlays(buf[:0], p, a.Dice)) > 0
}

// decision describes what stands on the table with side on roll.
func (o *Observer) decision(k Kind, side table.Side) Decision {
	game := len(o.rec.Games) - 1
	g := &o.rec.Games[game]
	s := match.Situation{
		Position: o.pos,
		State:    match.State{Length: o.rec.Length, Cube: o.cube, Owner: o.owner, Crawford: g.Crawford},
	}
	if o.rec.Length > 0 {
		s.State.Score = [2]int{g.Score[1], g.Score[0]}
	}
	if side == table.Them {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	return Decision{Kind: k, Number: game + 1, Player: int(side), Situation: s, match: o.rec, game: game, index: -1}
}

// expect makes the record agree with the table before side acts: where it does
// not, something was missed and the position is set up.
func (o *Observer) expect(before *table.Snapshot, side table.Side) {
	g := &o.rec.Games[len(o.rec.Games)-1]
	fresh := len(g.Actions) == 0
	same := o.pos == before.Position && o.cube == max(1, before.Cube) && o.owner == before.Owner &&
		(o.onRoll == side || o.onRoll == table.Nobody)
	if same {
		o.onRoll = side
		return
	}
	if !fresh {
		o.comment(fmt.Sprintf("Something was missed after action %d.", len(g.Actions)))
		o.tell(News{Kind: Gap, Game: len(o.rec.Games) - 1})
	} else {
		o.comment("The beginning of this game was not seen.")
	}
	o.pos, o.onRoll = before.Position, side
	if cube := max(1, before.Cube); cube != o.cube || before.Owner != o.owner {
		o.cube, o.owner = cube, before.Owner
		owner := record.NoPlayer
		switch o.owner {
		case match.Mine:
			owner = int(table.Us)
		case match.Theirs:
			owner = int(table.Them)
		}
		o.setUp(side)
		o.add(record.Action{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Cube: cube}})
		o.add(record.Action{Kind: record.SetUp, Player: record.NoPlayer, SetUp: &record.Setup{Owner: owner, SetOwner: true}})
		return
	}
	o.setUp(side)
}

func (o *Observer) setUp(side table.Side) {
	boards := [2]board.Checkers{table.Them: o.pos.Opp, table.Us: o.pos.Me}
	o.add(record.Action{Kind: record.SetUp, Player: int(side), SetUp: &record.Setup{Board: &boards}})
}

// add appends an action to the running game and returns its index.
func (o *Observer) add(a record.Action) int {
	g := &o.rec.Games[len(o.rec.Games)-1]
	g.Actions = append(g.Actions, a)
	return len(g.Actions) - 1
}

func (o *Observer) closeGame(g *table.Game) {
	rg := &o.rec.Games[len(o.rec.Games)-1]
	rg.Result = record.Result{Points: g.Points, Winner: int(g.Winner), Resigned: g.Resigned}
	if g.Torn && rg.Comment == "" {
		o.comment("Some lines of this game were not seen.")
	}
	// A resignation that was accepted is told by the result alone.
	if g.Resigned && o.offers {
		d := o.offered
		d.Kind, d.Player = AcceptResign, 1-d.Player
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	}
	o.tell(News{Kind: GameOver, Game: len(o.rec.Games) - 1})
	o.game++
	o.open, o.act, o.offers = false, 0, false
}

// resignation notes an offer to resign and its refusal. They are no actions of
// the record, but decisions all the same.
func (o *Observer) resignation(ev *clip.Event, before *table.Snapshot) {
	if !o.open {
		return
	}
	switch ev.Kind {
	case clip.OffersResign:
		side := table.Us
		switch ev.Name {
		case o.player:
		case o.sheet.Opponent:
			side = table.Them
		default:
			return
		}
		if _, known := o.sheet.Position(); !known || ev.Points <= 0 {
			return
		}
		sn := o.sheet.Snapshot()
		if sn.Position != o.pos {
			return
		}
		d := o.decision(Resign, side)
		d.Games = min(3, max(1, ev.Points/max(1, o.cube)))
		d.OnRoll = before.Turn == side
		d.Situation.Resigned = d.Games
		if d.OnRoll || before.Turn == side.Other() {
			d.Situation.Dice = before.Dice
		}
		if o.offers && o.offered.Player == d.Player && o.offered.Games == d.Games {
			return // told twice
		}
		o.offered, o.offers = d, true
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	case clip.RejectsResign:
		if !o.offers {
			return
		}
		d := o.offered
		o.offers = false
		d.Kind, d.Player = RejectResign, 1-d.Player
		o.tell(News{Kind: Decided, Game: d.game, Decision: d})
	}
}
