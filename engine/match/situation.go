package match

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/board"
)

// Situation is a position with score, cube and dice: everything that a player needs for a
// decision. Position and State are those of the player on roll. The player on roll stays the doubler while a double waits for its
// answer, as in Match ID and XGID.
type Situation struct {
	Position board.Position
	State    State
	// Dice is the roll, zero when the player on roll has not rolled.
	Dice board.Dice
	// Doubled says that the player on roll has doubled and the opponent must
	// answer. State.Cube and State.Owner are those before the double.
	Doubled bool
	// Redoubles counts the instant redoubles after that double in money play: 1 when the
	// opponent has beavered, 2 when the player on roll has raccooned as well.
	Redoubles int
	// Resigned is the resignation on offer to the player on roll's opponent: 1
	// single, 2 gammon, 3 backgammon, 0 none.
	Resigned int
}

// ErrBadSituation is wrapped by every error of ParseSituation that does not
// come from the position itself.
var ErrBadSituation = errors.New("not a position")

// maxText bounds the text that ParseSituation reads.
const maxText = 256

// ParseSituation reads one of three forms: a Position ID alone (money play,
// Jacoby rule and beavers, cube centred), PositionID:MatchID as GNU Backgammon
// writes it, or an XGID with or without the "XGID=" in front. Blanks around the
// text are allowed, nothing else. Errors fit in one line and wrap ErrBadSituation,
// board.ErrBadID or board.ErrIllegalPosition.
func ParseSituation(text string) (Situation, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxText {
		return Situation{}, fmt.Errorf("%w: longer than %d characters", ErrBadSituation, maxText)
	}
	body, marked := strings.CutPrefix(text, "XGID=")
	if marked || strings.Count(body, ":") > 1 {
		return parseXGID(body)
	}
	id, matchID, both := strings.Cut(text, ":")
	p, err := board.ParseID(id)
	if err != nil {
		return Situation{}, err
	}
	if !both {
		return Situation{Position: p, State: Money(true, DefaultBeavers)}, nil
	}
	s, err := ParseMatchID(matchID)
	if err != nil {
		return Situation{}, err
	}
	s.Position = p
	return s, nil
}

// String returns PositionID:MatchID, which ParseSituation reads back.
func (s Situation) String() string { return s.Position.ID() + ":" + s.MatchID() }

// Fields of a Match ID in bits, from the lowest: layout of GNU Backgammon's
// manual, "A technical description of the Match ID", with the bit that 1.07
// added after the scores.
const (
	idCube = iota
	idOwner
	idOnRoll
	idCrawford
	idGameState
	idTurn
	idDoubled
	idResigned
	idDie1
	idDie2
	idLength
	idScore0
	idScore1
	idNoJacoby
	idFields
)

var idWidth = [idFields]int{4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1}

const idPlaying = 1

// MatchIDLength is the number of characters in a Match ID.
const MatchIDLength = 12

// MatchID returns the GNU Backgammon Match ID, 12 characters, with the player
// on roll as player 1. The number of beavers and Redoubles are not in it.
func (s Situation) MatchID() string {
	d := s.Dice.Sorted()
	owner := 3
	switch s.State.Owner {
	case Mine:
		owner = 1
	case Theirs:
		owner = 0
	}
	turn := 1
	if s.Doubled || s.Resigned > 0 {
		turn = 0
	}
	v := [idFields]int{
		idCube: bits.Len(uint(s.State.Cube)) - 1, idOwner: owner, idOnRoll: 1,
		idCrawford: bit(s.State.Crawford), idGameState: idPlaying, idTurn: turn,
		idDoubled: bit(s.Doubled), idResigned: s.Resigned, idDie1: int(d.A), idDie2: int(d.B),
		idLength: s.State.Length, idScore0: s.State.Score[1], idScore1: s.State.Score[0],
		// 1.07 sets the bit in match play too.
		idNoJacoby: bit(s.State.Length > 0 || !s.State.Jacoby),
	}
	var raw [9]byte
	at := 0
	for i, w := range idWidth {
		for k := range w {
			if v[i]>>k&1 != 0 {
				raw[at>>3] |= 1 << (at & 7)
			}
			at++
		}
	}
	return base64.RawStdEncoding.EncodeToString(raw[:])
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ParseMatchID reads a Match ID of exactly 12 characters into a Situation
// without a position, seen by the player on roll. The cube may be
// MaxCube at most, the scores within the match. Errors wrap ErrBadSituation.
func ParseMatchID(text string) (Situation, error) {
	if len(text) != MatchIDLength {
		return Situation{}, fmt.Errorf("%w: the match ID has length %d, not %d", ErrBadSituation, len(text), MatchIDLength)
	}
	var raw [9]byte
	if n, err := base64.RawStdEncoding.Strict().Decode(raw[:], []byte(text)); err != nil || n != len(raw) {
		return Situation{}, fmt.Errorf("%w: the match ID %q is not base64 of 9 bytes", ErrBadSituation, text)
	}
	var v [idFields]int
	at := 0
	for i, w := range idWidth {
		for k := range w {
			v[i] |= int(raw[at>>3]>>(at&7)&1) << k
			at++
		}
	}
	for ; at < 8*len(raw); at++ {
		if raw[at>>3]>>(at&7)&1 != 0 {
			return Situation{}, fmt.Errorf("%w: the match ID %q has bits set after its last field", ErrBadSituation, text)
		}
	}
	me := v[idOnRoll]
	s := Situation{
		State: State{
			Length: v[idLength], Score: [2]int{v[idScore0+me], v[idScore1-me]},
			Cube: 1 << v[idCube], Crawford: v[idCrawford] != 0,
		},
		Dice:     board.Dice{A: uint8(v[idDie1]), B: uint8(v[idDie2])},
		Doubled:  v[idDoubled] != 0,
		Resigned: v[idResigned],
	}
	switch v[idOwner] {
	case 3:
		s.State.Owner = Centred
	case me:
		s.State.Owner = Mine
	case 1 - me:
		s.State.Owner = Theirs
	default:
		return Situation{}, fmt.Errorf("%w: the match ID %q names cube owner %d", ErrBadSituation, text, v[idOwner])
	}
	if s.State.Length == 0 {
		s.State.Jacoby = v[idNoJacoby] == 0
		s.State.Beavers = DefaultBeavers
	}
	return s, s.check()
}

// MatchIDPlayer returns which of GNU Backgammon's players, 0 or 1, is on roll in a Match
// ID: ParseMatchID turns everything to be seen by that player. False where the text does
// not begin as a Match ID does.
func MatchIDPlayer(text string) (int, bool) {
	var raw [3]byte
	if len(text) != MatchIDLength {
		return 0, false
	}
	if _, err := base64.RawStdEncoding.Decode(raw[:], []byte(text[:4])); err != nil {
		return 0, false
	}
	return int(raw[0] >> (idWidth[idCube] + idWidth[idOwner]) & 1), true
}

// Validate reports an impossible score, cube or dice: a state that no game can have, a
// Crawford game in money play, a double where none is allowed. The error wraps
// ErrBadSituation or ErrScore; the position is not checked.
func (s Situation) Validate() error {
	if err := s.State.Validate(); err != nil {
		return err
	}
	return s.check()
}

// check is Validate without State.Validate.
func (s Situation) check() error {
	if text := s.State.problem(); text != "" {
		return fmt.Errorf("%w: %s", ErrBadSituation, text)
	}
	if s.Dice != (board.Dice{}) && !s.Dice.Valid() {
		return fmt.Errorf("%w: dice %d and %d", ErrBadSituation, s.Dice.A, s.Dice.B)
	}
	if s.Doubled && s.Dice != (board.Dice{}) {
		return fmt.Errorf("%w: a double after the roll", ErrBadSituation)
	}
	if s.Doubled && !s.State.MayDouble() {
		return fmt.Errorf("%w: a double where none is allowed", ErrBadSituation)
	}
	switch {
	case s.Redoubles == 0:
	case s.Redoubles < 0 || s.Redoubles >= len(xgDoubled) || !s.Doubled:
		return fmt.Errorf("%w: %d redoubles", ErrBadSituation, s.Redoubles)
	case s.State.Length > 0:
		return fmt.Errorf("%w: a beaver in a match", ErrBadSituation)
	case s.State.Cube<<(1+s.Redoubles) > MaxCube:
		return fmt.Errorf("%w: the cube goes no higher than %d", ErrBadSituation, MaxCube)
	}
	return nil
}

// Taken returns the situation after the double on offer and its redoubles were accepted:
// the player on roll rolls, the opponent holds the cube. Without a double it returns s.
func (s Situation) Taken() Situation {
	if s.Doubled {
		s.State.Cube <<= 1 + s.Redoubles
		s.State.Owner, s.Doubled, s.Redoubles = Theirs, false, 0
	}
	return s
}

// xgDoubled are the dice fields of an XGID for a double, a beaver and a raccoon.
var xgDoubled = [...]string{"D", "B", "R"}

// xgMaxCube is the exponent of the highest cube that XGID mentions: 1024.
const xgMaxCube = 10

// XGID returns the situation in eXtreme Gammon's notation with the player on
// roll as the upper-case side below, "XGID=" in front. A resignation on offer
// cannot be written in it.
func (s Situation) XGID() string { return s.xgid(1) }

// XGIDAbove is XGID with the player on roll as the lower-case side above.
func (s Situation) XGIDAbove() string {
	s.Position, s.State = s.Position.Swap(), s.State.Swap()
	return s.xgid(-1)
}

// xgid writes the situation as the upper-case side sees it; turn is 1 if that side is on roll, else -1.
func (s Situation) xgid(turn int) string {
	out := []byte("XGID=")
	p := &s.Position
	side := func(n uint8, base byte) byte {
		if n == 0 {
			return '-'
		}
		return base + n - 1
	}
	out = append(out, side(p.Opp[board.Bar], 'a'))
	for i := range 24 {
		if p.Opp[23-i] > 0 {
			out = append(out, side(p.Opp[23-i], 'a'))
		} else {
			out = append(out, side(p.Me[i], 'A'))
		}
	}
	out = append(out, side(p.Me[board.Bar], 'A'))
	owner := map[Owner]int{Centred: 0, Mine: 1, Theirs: -1}[s.State.Owner]
	dice := "00"
	if s.Doubled {
		dice = xgDoubled[min(s.Redoubles, len(xgDoubled)-1)]
	} else if s.Dice.Valid() {
		d := s.Dice.Sorted()
		dice = fmt.Sprintf("%d%d", d.A, d.B)
	}
	rule := bit(s.State.Crawford)
	if s.State.Length == 0 {
		rule = bit(s.State.Jacoby) + 2*bit(s.State.Beavers > 0)
	}
	return string(out) + fmt.Sprintf(":%d:%d:%d:%s:%d:%d:%d:%d:%d",
		bits.Len(uint(s.State.Cube))-1, owner, turn, dice, s.State.Score[0], s.State.Score[1], rule, s.State.Length, xgMaxCube)
}

// xgidBoard reads the points of an XGID: its upper-case side is Me.
func xgidBoard(points string) (p board.Position, err error) {
	if len(points) != 26 {
		return p, fmt.Errorf("%w: XGID: length of the points %d, not 26", ErrBadSituation, len(points))
	}
	for i := range 26 {
		switch c := points[i]; {
		case c == '-':
		case c >= 'A' && c <= 'O' && i > 0:
			p.Me[i-1] = c - 'A' + 1
		case c >= 'a' && c <= 'o' && i < 25:
			p.Opp[24-i] = c - 'a' + 1
		default:
			return p, fmt.Errorf("%w: XGID: %q cannot be on point %d", ErrBadSituation, c, i)
		}
	}
	return p, nil
}

// parseXGID reads what follows "XGID=".
func parseXGID(text string) (Situation, error) {
	bad := func(format string, args ...any) (Situation, error) {
		return Situation{}, fmt.Errorf("%w: XGID: "+format, append([]any{ErrBadSituation}, args...)...)
	}
	f := strings.Split(text, ":")
	if len(f) != 10 {
		return bad("number of fields %d, not 10", len(f))
	}
	p, err := xgidBoard(f[0])
	if err != nil {
		return Situation{}, err
	}
	var n [10]int
	for _, i := range []int{1, 2, 3, 5, 6, 7, 8, 9} {
		v, err := strconv.Atoi(f[i])
		if err != nil {
			return bad("field %d is %q, not a number", i+1, f[i])
		}
		n[i] = v
	}
	cube, owner, turn, rule := n[1], n[2], n[3], n[7]
	if cube < 0 || cube >= bits.Len(MaxCube) {
		return bad("cube 2^%d", cube)
	}
	if turn != 1 && turn != -1 {
		return bad("turn %d (use 1 or -1)", turn)
	}
	s := Situation{
		Position: p,
		State:    State{Length: n[8], Score: [2]int{n[5], n[6]}, Cube: 1 << cube},
	}
	switch owner {
	case 0:
	case 1:
		s.State.Owner = Mine
	case -1:
		s.State.Owner = Theirs
	default:
		return bad("cube owner %d (use 1, 0 or -1)", owner)
	}
	switch {
	case s.State.Length > 0 && rule >= 0 && rule <= 1:
		s.State.Crawford = rule == 1
	case s.State.Length == 0 && rule >= 0 && rule <= 3:
		s.State.Jacoby = rule&1 != 0
		if rule&2 != 0 {
			s.State.Beavers = DefaultBeavers
		}
	default:
		return bad("rules field %d", rule)
	}
	switch d := f[4]; {
	case slices.Contains(xgDoubled[:], d):
		s.Doubled, s.Redoubles = true, slices.Index(xgDoubled[:], d)
	case d == "00":
	case len(d) == 2 && d[0] >= '1' && d[0] <= '6' && d[1] >= '1' && d[1] <= '6':
		s.Dice = board.Dice{A: d[0] - '0', B: d[1] - '0'}
	default:
		return bad("dice %q", d)
	}
	if turn < 0 {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	if err := s.Position.Validate(); err != nil {
		return Situation{}, err
	}
	return s, s.check()
}
