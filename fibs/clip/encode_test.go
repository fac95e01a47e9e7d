package clip

import (
	"fmt"
	"strconv"
	"strings"
)

// The lines of a server, for tests that read them back.

// String encodes the player as the line of code 5.
func (p Player) String() string {
	return fmt.Sprintf("5 %s %s %s %s %s %.2f %d %d %d %s %s %s",
		dash(p.Name), dash(p.Opponent), dash(p.Watching), bit(p.Ready), bit(p.Away),
		p.Rating, p.Experience, p.Idle, p.Login, dash(p.Host), dash(p.Client), dash(p.Email))
}

// String encodes the settings as the line of code 2.
func (s Settings) String() string {
	return strings.Join([]string{
		"2", dash(s.Name), bit(s.AllowPip), bit(s.Autoboard), bit(s.Autodouble), bit(s.Automove),
		bit(s.Away), bit(s.Bell), bit(s.Crawford), bit(s.Double), strconv.Itoa(s.Experience),
		bit(s.Greedy), bit(s.Moreboards), bit(s.Moves), bit(s.Notify),
		strconv.FormatFloat(s.Rating, 'f', 2, 64), bit(s.Ratings), bit(s.Ready),
		orZero(s.Redoubles), bit(s.Report), bit(s.Silent), dash(s.Timezone),
	}, " ")
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func bool2int(b bool) int {
	if b {
		return 1
	}
	return 0
}

// String encodes the board as the line that [ParseBoard] reads.
func (b Board) String() string { return string(b.Append(make([]byte, 0, 192))) }

// Append appends the board line, without line end, to dst.
func (b *Board) Append(dst []byte) []byte {
	dst = append(dst, "board:"...)
	dst = append(dst, b.Player...)
	dst = append(dst, ':')
	dst = append(dst, b.Opponent...)
	num := func(n int) {
		dst = append(dst, ':')
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	num(b.Length)
	num(b.PlayerScore)
	num(b.OpponentScore)
	for _, n := range b.Points {
		num(int(n))
	}
	num(int(b.Turn))
	for _, d := range [...]uint8{b.PlayerDice[0], b.PlayerDice[1], b.OpponentDice[0], b.OpponentDice[1]} {
		num(int(d))
	}
	num(b.Cube)
	for _, v := range [...]bool{b.PlayerMayDouble, b.OpponentMayDouble, b.WasDoubled} {
		num(bool2int(v))
	}
	for _, v := range [...]int8{b.Colour, b.Direction, b.Home, b.Bar} {
		num(int(v))
	}
	for _, v := range [...]uint8{b.PlayerHome, b.OpponentHome, b.PlayerBar, b.OpponentBar} {
		num(int(v))
	}
	num(b.CanMove)
	num(b.Forced)
	num(b.AfterCrawford)
	num(b.Redoubles)
	return dst
}
