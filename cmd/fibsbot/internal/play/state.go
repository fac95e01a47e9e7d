package play

import (
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Phase is what a match waits for.
type Phase string

// The phases. View.Turn names the side to act, except in GameOver and MatchOver.
const (
	ToRoll         Phase = "roll"   // roll, double or resign
	ToThrow        Phase = "dice"   // enter dice thrown by hand, for Turn or for the opening
	ToMove         Phase = "move"   // play the dice, or resign
	ToAnswer       Phase = "answer" // take or drop a double
	ToAnswerResign Phase = "resign" // accept or reject a resignation
	GameOver       Phase = "game_over"
	MatchOver      Phase = "match_over"
	toStart        Phase = "" // before the opening roll
)

// state is the result of the acts. pos is seen by You, even if the opponent is on roll.
type state struct {
	opts  *Options
	phase Phase
	turn  int
	pos   board.Position
	dice  board.Dice
	match.Game
	next    bool // the next game is the Crawford game
	game    int  // counts from 0
	ties    int  // of the opening so far
	level   int  // of the resignation on offer
	back    Phase
	result  Result // of the game, when over
	entries []Entry
	// posed: this game began from the position of the match. swapped: the sides are not those
	// that the match began with.
	posed, swapped bool
	tally          Tally
	clock          clock
}

// Result is the end of a game.
type Result struct {
	Winner int `json:"winner"`
	Points int `json:"points"`
	// Level is 1 single, 2 gammon, 3 backgammon.
	Level int `json:"level"`
	// How is "off", "drop", "resign" or "time".
	How string `json:"how"`
}

// Entry is an act for a list or an animation.
type Entry struct {
	Act
	Game int `json:"game"`
	// Rolled are the dice of a Move, Steps its steps in the mover's numbering: 1 to 24, 25
	// the bar, 0 off.
	Rolled [2]uint8 `json:"rolled,omitzero"`
	Steps  [][2]int `json:"steps,omitempty"`
	// Before is the Position ID before the act, as Side sees it.
	Before string `json:"before"`
	// Number is the act's own in the match, from 0.
	Number int `json:"number"`
	// Cube is the value of the cube, or the value offered.
	Cube int `json:"cube"`
	// Choice reports that the side could have doubled instead of this Roll.
	Choice bool `json:"choice,omitempty"`
}

func newState(o *Options) state {
	s := state{opts: o, Game: match.Game{Length: o.Length, Jacoby: o.jacoby(), Beavers: o.redoubles()}}
	if c := o.Clock; c != nil {
		s.clock.left = [2]int64{1000 * int64(c.Reserve), 1000 * int64(c.Reserve)}
	}
	s.begin()
	if o.From != nil {
		s.place()
	}
	return s
}

// throwing is the phase for a display, where an opening waits for dice too.
func (s *state) throwing() Phase {
	if s.phase == toStart {
		return ToThrow
	}
	return s.phase
}

// begin sets up the board for a game.
func (s *state) begin() {
	s.phase, s.pos, s.dice = toStart, s.opts.Variation.Start(), board.Dice{}
	s.Cube, s.Owner, s.Pending, s.level, s.ties = 1, record.NoPlayer, 0, 0, 0
	s.result = Result{}
	s.Crawford, s.posed, s.next = s.next, false, false
}

// word is the kind as people say it.
func (k Kind) word() string {
	if k == Drop {
		return "pass"
	}
	return string(k)
}

// notNow is the error of an act that the state does not allow.
func (s *state) notNow(a *Act) error {
	what := map[Phase]string{
		ToRoll: "roll, double or resign", ToThrow: "enter the dice, as 31", ToMove: "play the dice or resign", ToAnswer: "take or pass the double",
		ToAnswerResign: "accept or reject the resignation", GameOver: "start the next game",
	}[s.phase]
	switch {
	case s.phase == MatchOver || s.phase == GameOver && s.decided():
		return fmt.Errorf("%w: the match is over", ErrNotNow)
	case s.phase == toStart && s.opts.ByHand:
		return fmt.Errorf("%w: a game begins with the opening roll (enter both dice, yours first)", ErrNotNow)
	case what == "":
		return fmt.Errorf("%w: a game begins with the opening roll", ErrNotNow)
	case s.phase != GameOver && s.phase != ToThrow && s.turn != a.Side:
		return fmt.Errorf("%w: %s: the other side has to %s", ErrNotNow, a.Kind.word(), what)
	}
	return fmt.Errorf("%w: %s: you have to %s", ErrNotNow, a.Kind.word(), what)
}

// apply carries out an act and writes its play in the usual notation. An error changes
// nothing.
func (s *state) apply(a *Act) error {
	if a.Side != You && a.Side != Opponent {
		return fmt.Errorf("%w: side %d", ErrNotNow, a.Side)
	}
	before := s.situation(a.Side).Position
	e := Entry{Game: s.game, Before: before.ID(), Cube: s.Cube, Number: len(s.entries)}
	who, decides := s.turn, s.waitsFor(s.turn)
	var err error
	switch a.Kind {
	case Start, Roll, Tie:
		e.Choice = a.Kind == Roll && s.phase == ToRoll && s.mayDouble(a.Side)
		err = s.roll(a)
	case Move:
		e.Rolled = [2]uint8{s.dice.A, s.dice.B}
		e.Steps, err = s.move(a)
	case Double, Beaver, Raccoon, Take, Drop:
		e.Cube = s.Cube << max(s.Pending, 1)
		if a.Kind == Beaver || a.Kind == Raccoon {
			e.Cube *= 2
		}
		err = s.turnCube(a)
	case Resign, Accept, Reject:
		err = s.giveUp(a)
	case Next:
		if s.phase != GameOver || s.decided() {
			return s.notNow(a)
		}
		s.game++
		s.begin()
	case Again:
		err = s.again(a)
	case Swap:
		err = s.swap()
	case Flag:
		err = s.flag(a)
	default:
		err = fmt.Errorf("%w: unknown act %q", ErrNotNow, a.Kind)
	}
	if err != nil {
		return err
	}
	if decides && a.Kind != Flag {
		s.spend(who, a.Spent)
	}
	if a.Kind == Tie {
		e.Cube = s.Cube
	}
	e.Act = *a
	s.entries = append(s.entries, e)
	return nil
}

func (s *state) roll(a *Act) error {
	d := board.Dice{A: a.Dice[0], B: a.Dice[1]}
	opening := a.Kind != Roll
	switch {
	case opening != (s.phase == toStart), !opening && (s.phase != ToRoll && s.phase != ToThrow || s.turn != a.Side):
		return s.notNow(a)
	case s.phase == ToRoll && s.opts.ByHand && d == board.Dice{}:
		s.phase = ToThrow
		return nil
	case !d.Valid() || a.Kind == Start && d.A <= d.B || a.Kind == Tie && d.A != d.B:
		return fmt.Errorf("%w: impossible dice %d%d", ErrNotNow, d.A, d.B)
	case a.Kind == Tie:
		if s.ties++; s.ties <= s.opts.AutoDoubles {
			s.Cube *= 2
		}
		return nil
	}
	s.phase, s.turn, s.dice = ToMove, a.Side, d
	return nil
}

func (s *state) move(a *Act) ([][2]int, error) {
	if s.phase != ToMove || s.turn != a.Side {
		return nil, s.notNow(a)
	}
	after, made, err := s.made(a)
	if err != nil {
		return nil, err
	}
	rules := s.opts.rules()
	steps := make([][2]int, 0, len(made))
	for _, st := range made {
		steps = append(steps, [2]int{int(st.From) + 1, int(st.To) + 1})
	}
	s.pos = after
	if a.Side == Opponent {
		s.pos = after.Swap()
	}
	s.dice = board.Dice{}
	if r := rules.Result(&after); r != 0 {
		s.end(a.Side, r, "off")
		return steps, nil
	}
	s.phase, s.turn = ToRoll, 1-a.Side
	return steps, nil
}

// made reads the play of a Move and writes it in the usual notation. It returns the position
// after it, as the mover sees it.
func (s *state) made(a *Act) (after board.Position, steps []board.Step, err error) {
	if a.Illegal {
		return s.illegal(a)
	}
	p := s.situation(a.Side).Position
	pl, err := s.opts.rules().ParsePlay(p, s.dice, a.Play)
	if err != nil {
		return p, nil, err
	}
	a.Play = board.FormatPlay(p, pl)
	if pl.N == 0 {
		return p, nil, nil
	}
	return pl.Result, pl.Steps[:pl.N], nil
}

func (s *state) turnCube(a *Act) error {
	want := ToAnswer
	if a.Kind == Double {
		want = ToRoll
	}
	if s.phase != want || s.turn != a.Side {
		return s.notNow(a)
	}
	switch a.Kind {
	case Double:
		if !s.mayDouble(a.Side) {
			return fmt.Errorf("%w: %s", ErrNotNow, s.whyNoDouble(a.Side))
		}
		s.Game.Double(a.Side)
		s.phase, s.turn = ToAnswer, 1-a.Side
	case Beaver:
		if !s.mayBeaver() {
			return fmt.Errorf("%w: a beaver answers a double, in money play with beavers", ErrNotNow)
		}
		s.Game.Double(a.Side)
		s.turn = 1 - a.Side
	case Raccoon:
		if !s.mayRaccoon() {
			return fmt.Errorf("%w: a raccoon answers a beaver, in money play with raccoons", ErrNotNow)
		}
		s.Game.Double(a.Side)
		s.turn = 1 - a.Side
	case Take:
		s.Game.Take()
		s.phase, s.turn = ToRoll, s.First
	case Drop:
		s.endPoints(1-a.Side, s.Offered()/2, 1, "drop")
		s.Pending = 0
	}
	return nil
}

// mayBeaver reports whether the side that answers a double may beaver.
func (s *state) mayBeaver() bool {
	return s.phase == ToAnswer && s.opts.redoubles() >= 1 && s.Pending == 1
}

// mayRaccoon reports whether the side that answers a beaver may raccoon.
func (s *state) mayRaccoon() bool {
	return s.phase == ToAnswer && s.opts.redoubles() >= 2 && s.Pending == 2
}

// whyNoDouble returns in words why the side may not double.
func (s *state) whyNoDouble(side int) string {
	switch {
	case s.opts.NoCube:
		return "the match is played without the cube"
	case s.Crawford:
		return "no one may double in the Crawford game"
	case s.Owner == 1-side:
		return "the other side owns the cube"
	}
	return "the cube already wins the match"
}

func (s *state) giveUp(a *Act) error {
	if s.turn != a.Side {
		return s.notNow(a)
	}
	switch a.Kind {
	case Resign:
		if s.phase != ToRoll && s.phase != ToMove {
			return s.notNow(a)
		}
		if a.Level < 1 || a.Level > 3 {
			return fmt.Errorf("%w: resign %d: want 1 single game, 2 gammon or 3 backgammon", ErrNotNow, a.Level)
		}
		s.back, s.level = s.phase, a.Level
		s.phase, s.turn = ToAnswerResign, 1-a.Side
		return nil
	case Accept, Reject:
		if s.phase != ToAnswerResign {
			return s.notNow(a)
		}
		level := s.level
		s.level = 0
		if a.Kind == Accept {
			s.end(a.Side, level, "resign")
			return nil
		}
		s.phase, s.turn = s.back, 1-a.Side
	}
	return nil
}

func (s *state) end(winner, level int, how string) {
	s.endPoints(winner, s.points(level), level, how)
}

// endPoints ends the game; points beyond the length of the match count too.
func (s *state) endPoints(winner, points, level int, how string) {
	next := s.Game.Next(winner, points, !s.opts.NoCrawford)
	s.Score, s.next = next.Score, next.Crawford
	s.result = Result{Winner: winner, Points: points, Level: level, How: how}
	s.phase = GameOver
	if s.posed { // to be played again
		s.tally.add(s.result)
	} else if s.decided() {
		s.phase = MatchOver
	}
}

// decided reports whether a side has the points of the match.
func (s *state) decided() bool {
	n := s.opts.Length
	return n > 0 && max(s.Score[0], s.Score[1]) >= n
}

// me is the side that decides in displays: You, or whoever is to act in a match of two
// people.
func (s *state) me() int {
	if s.opts.Two {
		return s.turn
	}
	return You
}

// force makes a play as it was made on the board, legal or not. It fails only if the
// checkers cannot be moved so.
func force(p board.Position, text string) (board.Position, []board.Step, error) {
	steps, err := board.ParseSteps(text)
	if err != nil {
		return p, nil, err
	}
	for _, st := range steps {
		switch {
		case p.Me[st.From] == 0:
			return p, nil, fmt.Errorf("%w: no checker on %d", board.ErrBadPlay, st.From+1)
		case st.To >= 0 && p.Opp[23-st.To] > 1:
			return p, nil, fmt.Errorf("%w: the other side holds point %d", board.ErrBadPlay, st.To+1)
		}
		p.Me[st.From]--
		if st.To < 0 {
			continue
		}
		p.Me[st.To]++
		if p.Opp[23-st.To] == 1 {
			p.Opp[23-st.To] = 0
			p.Opp[board.Bar]++
		}
	}
	return p, steps, nil
}

// illegal makes an illegal play, which matches of two people may record. A play that is
// legal loses its mark.
func (s *state) illegal(a *Act) (after board.Position, steps []board.Step, err error) {
	p := s.situation(a.Side).Position
	if !s.opts.Two {
		return p, nil, fmt.Errorf("%w: illegal plays are recorded only in a match of two people", ErrNotNow)
	}
	if after, steps, err = force(p, a.Play); err != nil {
		return p, nil, err
	}
	a.Play = board.FormatSteps(p, steps)
	plays := s.opts.rules().AppendPlays(nil, p, s.dice)
	a.Illegal = len(steps) > 0 || len(plays) > 0
	for i := range plays {
		if plays[i].Result == after {
			a.Illegal = false
		}
	}
	return after, steps, nil
}
