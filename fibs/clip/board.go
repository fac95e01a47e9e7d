package clip

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrBoard is the error that every error of [ParseBoard] wraps.
var ErrBoard = errors.New("bad board line")

// Checkers is how many checkers each side has.
const Checkers = 15

// Board is a board line: the state of a match as one player sees it. "The
// player" is ourselves in our own match ("You") and the watched or looked-at
// player otherwise. Points keep the server's numbering and signs.
type Board struct {
	// Player is "You", or the name of the watched player.
	Player string
	// Opponent is the other one.
	Opponent string
	// Length in points, Unlimited for a match without end.
	Length int
	// PlayerScore and OpponentScore are the points before this game.
	PlayerScore, OpponentScore int
	// Points 1 to 24 hold O's checkers as positive and X's as negative
	// numbers. Points[0] is X's bar (zero or negative), Points[25] is O's bar
	// (zero or positive); some servers leave these two empty, PlayerBar and
	// OpponentBar count.
	Points [26]int8
	// Turn is the colour on roll: +1 O, -1 X, 0 after the game. It is not reliable while a
	// double waits for its answer.
	Turn int8
	// PlayerDice and OpponentDice are 0 0 when not rolled. Use a pair only if
	// its owner is on turn.
	PlayerDice, OpponentDice Dice
	// Cube is the value of the cube, 1 in the middle.
	Cube int
	// PlayerMayDouble and OpponentMayDouble are marks of ownership, not
	// permissions: both true is the cube in the middle, also in a Crawford
	// game; both false is a double that waits for its answer.
	PlayerMayDouble, OpponentMayDouble bool
	// WasDoubled is true when the player must answer a double.
	WasDoubled bool
	// Colour of the player: +1 O, -1 X.
	Colour int8
	// Direction of the player: -1 from 24 to 1, +1 from 1 to 24.
	Direction int8
	// Home and Bar are the player's home and bar as numbers, 0 and 25 or the
	// other way round; obsolete.
	Home, Bar int8
	// PlayerHome and OpponentHome are checkers borne off.
	PlayerHome, OpponentHome uint8
	// PlayerBar and OpponentBar are checkers on the bar.
	PlayerBar, OpponentBar uint8
	// CanMove is stale on FIBS and not to be used.
	CanMove int
	// Forced has no known meaning and is not to be used.
	Forced int
	// AfterCrawford is 1 after the Crawford game on servers that fill it in;
	// FIBS sent 0 in every board seen.
	AfterCrawford int
	// Redoubles is how many instant redoubles are allowed.
	Redoubles int
}

// fieldNames are the words for the fields in errors, by index; the 26 points
// have indices 6 to 31.
var fieldNames = [53]string{
	0: "tag", 1: "player", 2: "opponent", 3: "match length", 4: "player's score",
	5: "opponent's score", 32: "turn", 33: "player's dice", 34: "player's dice",
	35: "opponent's dice", 36: "opponent's dice", 37: "cube", 38: "player may double",
	39: "opponent may double", 40: "was doubled", 41: "colour", 42: "direction", 43: "home",
	44: "bar", 45: "player on home", 46: "opponent on home", 47: "player on bar",
	48: "opponent on bar", 49: "can move", 50: "forced move", 51: "did Crawford", 52: "redoubles",
}

func boardError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrBoard, fmt.Sprintf(format, args...))
}

// ParseBoard reads a board line. The server sometimes forgets the line end
// behind a board; what is stuck to its last field comes back as rest, to be
// read as a line of its own. The last field is taken to be redoubles = 0
// then, unless the text says otherwise; see [ParseBoardRedoubles].
//
// The error wraps [ErrBoard] and names the field. A board is bad without 53 fields, with
// numbers out of range, or with a side that does not add up to 15 checkers: the line was
// damaged, and the caller must ask for a new one.
func ParseBoard(line string) (b Board, rest string, err error) {
	return ParseBoardRedoubles(line, -1)
}

// ParseBoardRedoubles is [ParseBoard] for a reader who knows the match's
// limit of redoubles from an earlier board of the same match, and so knows where the last
// field of a glued line ends; -1 if unknown.
func ParseBoardRedoubles(line string, known int) (b Board, rest string, err error) {
	const tag = "board:"
	if !strings.HasPrefix(line, tag) {
		return Board{}, "", boardError("it does not start with %q", tag)
	}
	s := line[len(tag):]
	word := func() (string, bool) {
		w, after, found := strings.Cut(s, ":")
		s = after
		return w, found
	}
	var ok1, ok2 bool
	b.Player, ok1 = word()
	b.Opponent, ok2 = word()
	if !ok1 || !ok2 || badBoardName(b.Player) || badBoardName(b.Opponent) {
		return Board{}, "", boardError("names of the players")
	}
	var f [53]int
	for i := 3; i < 52; i++ {
		w, found := word()
		if !found {
			return Board{}, "", boardError("%d fields instead of 53", i+1)
		}
		var ok bool
		if f[i], ok = parseSigned(w); !ok {
			return Board{}, "", boardError("%s is %.20q", fieldName(i), w)
		}
	}
	var digits string
	digits, rest = cutGlued(s, known)
	var ok bool
	if f[52], ok = parseNumber(digits); !ok {
		return Board{}, "", boardError("%s is %.20q", fieldName(52), s)
	}
	if err := b.fill(&f); err != nil {
		return Board{}, "", err
	}
	return b, rest, nil
}

func badBoardName(s string) bool {
	return s == "" || len(s) > 4*MaxName || strings.ContainsAny(s, " \t")
}

func fieldName(i int) string {
	if i >= 6 && i <= 31 {
		return "point " + strconv.Itoa(i-6)
	}
	return fieldNames[i]
}

// cutGlued separates the digits of the last field from a message stuck to it.
func cutGlued(s string, known int) (digits, rest string) {
	s = strings.TrimRight(s, " ")
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n == 0 {
		return "", s
	}
	if known >= 0 {
		k := strconv.Itoa(known)
		if tail, ok := strings.CutPrefix(s, k); ok && (tail == "" || n < len(s) || standsAlone(tail)) {
			return k, tail
		}
	}
	switch {
	case s[0] == '0':
		// No number starts with 0: the field is 0 and the rest is glued, even if it is only
		// the single digit of a code 3, 4 or 6.
		return s[:1], s[1:]
	case n < len(s) && s[n] == ' ' && n > 1:
		// Digits and a blank are the start of a numbered line: 15 bob hello is
		// one redouble and a message of code 5.
		return s[:1], s[1:]
	default:
		return s[:n], s[n:]
	}
}

// standsAlone reports whether s is one of the numbered lines without text.
func standsAlone(s string) bool { return s == "3" || s == "4" || s == "6" }

// maxScore bounds the scores. In an unlimited match one game with a cube that two players turn
// at every roll is worth hundreds of thousands of points, and the next game has a board too.
const maxScore = 1<<31 - 1

// fill checks the 53 numbers and moves them into b.
func (b *Board) fill(f *[53]int) error {
	for _, r := range [...]struct{ from, to, min, max int }{
		{3, 3, 1, Unlimited}, {4, 5, 0, maxScore}, {6, 31, -Checkers, Checkers}, {32, 32, -1, 1},
		{33, 36, 0, 6}, {37, 37, 1, 1 << 29}, {38, 40, 0, 1}, {41, 42, -1, 1}, {43, 44, 0, 25},
		{45, 48, 0, Checkers},
		// Fields of unknown meaning must be numbers.
		{49, 52, 0, 999_999_999},
	} {
		for i := r.from; i <= r.to; i++ {
			if f[i] < r.min || f[i] > r.max {
				return boardError("%s is %d, not %d to %d", fieldName(i), f[i], r.min, r.max)
			}
		}
	}
	for _, i := range []int{41, 42} {
		if f[i] == 0 {
			return boardError("%s is 0", fieldName(i))
		}
	}
	if f[37]&(f[37]-1) != 0 {
		return boardError("cube is %d, no power of two", f[37])
	}
	b.Length, b.PlayerScore, b.OpponentScore = f[3], f[4], f[5]
	for i := range b.Points {
		b.Points[i] = int8(f[6+i])
	}
	b.Turn = int8(f[32])
	b.PlayerDice = Dice{uint8(f[33]), uint8(f[34])}
	b.OpponentDice = Dice{uint8(f[35]), uint8(f[36])}
	b.Cube = f[37]
	b.PlayerMayDouble, b.OpponentMayDouble, b.WasDoubled = f[38] == 1, f[39] == 1, f[40] == 1
	b.Colour, b.Direction = int8(f[41]), int8(f[42])
	b.Home, b.Bar = int8(f[43]), int8(f[44])
	b.PlayerHome, b.OpponentHome = uint8(f[45]), uint8(f[46])
	b.PlayerBar, b.OpponentBar = uint8(f[47]), uint8(f[48])
	b.CanMove, b.Forced, b.AfterCrawford, b.Redoubles = f[49], f[50], f[51], f[52]
	return b.checkCount()
}

// checkCount tests that each side has its fifteen checkers and that the dice
// are a pair.
func (b *Board) checkCount() error {
	player, opponent := int(b.PlayerHome)+int(b.PlayerBar), int(b.OpponentHome)+int(b.OpponentBar)
	for _, n := range b.Points[1:25] {
		switch n := int(n) * int(b.Colour); {
		case n > 0:
			player += n
		default:
			opponent -= n
		}
	}
	if player != Checkers || opponent != Checkers {
		return boardError("%d checkers for %s and %d for %s, not %d each",
			player, b.Player, opponent, b.Opponent, Checkers)
	}
	for _, d := range [...]Dice{b.PlayerDice, b.OpponentDice} {
		if (d[0] == 0) != (d[1] == 0) {
			return boardError("dice %d %d", d[0], d[1])
		}
	}
	return nil
}

// Own reports whether this is our own match.
func (b *Board) Own() bool { return b.Player == selfWord }

// PlayerTurn returns +1 if the player is to act, -1 if the opponent is, 0 if neither.
func (b *Board) PlayerTurn() int { return int(b.Turn) * int(b.Colour) }

// DoublePending reports whether a double waits for its answer.
func (b *Board) DoublePending() bool {
	return b.WasDoubled || !b.PlayerMayDouble && !b.OpponentMayDouble
}
