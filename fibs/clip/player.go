package clip

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Player is one row of code 5: the state of a user who is logged in.
type Player struct {
	// Name is the player.
	Name string
	// Opponent in the running match, or empty.
	Opponent string
	// Watching is the watched player, or empty.
	Watching string
	// Ready stays true while playing: see Available.
	Ready bool
	// Away is true with a note that the player is away.
	Away bool
	// Rating on the FIBS scale, 1500.00 for newcomers.
	Rating float64
	// Experience is the sum of the lengths of the finished matches.
	Experience int
	// Idle is the time since the last command, in seconds.
	Idle int
	// Login is the Unix time of the login in seconds.
	Login int64
	// Host is an address or a name; it may change later.
	Host string
	// Client is the player's program, or empty.
	Client string
	// Email is the player's address, or empty.
	Email string
}

// Available reports whether the player could accept an invitation now: ready
// and not playing.
func (p Player) Available() bool { return p.Ready && p.Opponent == "" }

// String encodes the player as the line of code 5.
func (p Player) String() string {
	return fmt.Sprintf("5 %s %s %s %s %s %.2f %d %d %d %s %s %s",
		dash(p.Name), dash(p.Opponent), dash(p.Watching), bit(p.Ready), bit(p.Away),
		p.Rating, p.Experience, p.Idle, p.Login, dash(p.Host), dash(p.Client), dash(p.Email))
}

// ParsePlayer reads a line of code 5. ok is false for any other line.
func ParsePlayer(line string) (p Player, ok bool) {
	var f [13]string
	if splitBlanks(line, f[:]) != len(f) || f[0] != "5" {
		return Player{}, false
	}
	p = Player{
		Name: f[1], Opponent: undash(f[2]), Watching: undash(f[3]),
		Host: f[10], Client: undash(f[11]), Email: undash(f[12]),
	}
	var err error
	if p.Ready, ok = parseBit(f[4]); !ok {
		return Player{}, false
	}
	if p.Away, ok = parseBit(f[5]); !ok {
		return Player{}, false
	}
	if p.Rating, ok = parseDecimal(f[6]); !ok {
		return Player{}, false
	}
	if p.Experience, ok = parseNumber(f[7]); !ok {
		return Player{}, false
	}
	if p.Idle, ok = parseNumber(f[8]); !ok {
		return Player{}, false
	}
	if p.Login, err = strconv.ParseInt(f[9], 10, 64); err != nil {
		return Player{}, false
	}
	return p, isName(p.Name)
}

// Settings are the 21 fields of code 2, which the server sends once after a
// login. boardstyle, linelength, pagelength and sortwho are not among them.
type Settings struct {
	// Name is our own.
	Name string
	// Switches as the toggle command names them.
	AllowPip, Autoboard, Autodouble, Automove, Away, Bell, Crawford, Double bool
	// Experience is the sum of the lengths of our finished matches.
	Experience int
	// More switches. Greedy, Double and Moves fall back at every new game.
	Greedy, Moreboards, Moves, Notify bool
	// Rating on the FIBS scale.
	Rating float64
	// More switches. Silent is true when we do not hear shouts.
	Ratings, Ready bool
	// Redoubles is a number, "none" or "unlimited", as sent.
	Redoubles string
	// More switches.
	Report, Silent bool
	// Timezone as sent.
	Timezone string
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

// ParseSettings reads a line of code 2. ok is false for any other line.
func ParseSettings(line string) (s Settings, ok bool) {
	var f [22]string
	if splitBlanks(line, f[:]) != len(f) || f[0] != "2" || !isName(f[1]) {
		return Settings{}, false
	}
	s = Settings{Name: f[1], Redoubles: f[18], Timezone: f[21]}
	for _, b := range [...]struct {
		at  int
		set *bool
	}{
		{2, &s.AllowPip}, {3, &s.Autoboard}, {4, &s.Autodouble}, {5, &s.Automove},
		{6, &s.Away}, {7, &s.Bell}, {8, &s.Crawford}, {9, &s.Double}, {11, &s.Greedy},
		{12, &s.Moreboards}, {13, &s.Moves}, {14, &s.Notify}, {16, &s.Ratings},
		{17, &s.Ready}, {19, &s.Report}, {20, &s.Silent},
	} {
		if *b.set, ok = parseBit(f[b.at]); !ok {
			return Settings{}, false
		}
	}
	if s.Experience, ok = parseNumber(f[10]); !ok {
		return Settings{}, false
	}
	if s.Rating, ok = parseDecimal(f[15]); !ok {
		return Settings{}, false
	}
	if _, num := parseNumber(s.Redoubles); !num && s.Redoubles != "unlimited" && s.Redoubles != "none" {
		return Settings{}, false
	}
	return s, true
}

// Switch returns the state of a switch by its name in the toggle command. ok is false for an
// unknown name and for those that code 2 lacks (telnet, wrap).
func (s Settings) Switch(name string) (on, ok bool) {
	switch name {
	case "allowpip":
		return s.AllowPip, true
	case "autoboard":
		return s.Autoboard, true
	case "autodouble":
		return s.Autodouble, true
	case "automove":
		return s.Automove, true
	case "bell":
		return s.Bell, true
	case "crawford":
		return s.Crawford, true
	case "double":
		return s.Double, true
	case "greedy":
		return s.Greedy, true
	case "moreboards":
		return s.Moreboards, true
	case "moves":
		return s.Moves, true
	case "notify":
		return s.Notify, true
	case "ratings":
		return s.Ratings, true
	case "ready":
		return s.Ready, true
	case "report":
		return s.Report, true
	case "silent":
		return s.Silent, true
	default:
		return false, false
	}
}

// switchNames in the server's order.
var switchNames = [...]string{
	"allowpip", "autoboard", "autodouble", "automove", "bell", "crawford", "double",
	"greedy", "moreboards", "moves", "notify", "ratings", "ready", "report", "silent",
	"telnet", "wrap",
}

// Switches are the names of the 17 switches, in the server's order.
func Switches() []string { return append([]string(nil), switchNames[:]...) }

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func undash(s string) string {
	if s == "-" {
		return ""
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

// MaxName is the length of the longest name that FIBS gives.
const MaxName = 20

// isName reports whether s looks like a player's name. Letters, digits and
// the underscore are allowed: FIBS itself gives no digits, compatible servers
// do. The bound is generous for the same reason.
func isName(s string) bool {
	if s == "" || len(s) > 4*MaxName {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// parseNumber reads a number of at most nine digits without a sign.
func parseNumber(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// parseSigned is parseNumber with an optional minus sign.
func parseSigned(s string) (int, bool) {
	if strings.HasPrefix(s, "-") {
		n, ok := parseNumber(s[1:])
		return -n, ok
	}
	return parseNumber(s)
}

// parseDecimal reads a number with a decimal point, as the server prints
// ratings, without words such as "inf" and exponents.
func parseDecimal(s string) (float64, bool) {
	if s == "" || len(s) > 24 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) && s[i] != '.' && !(i == 0 && s[i] == '-') {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

func parseBit(s string) (on, ok bool) {
	switch s {
	case "0":
		return false, true
	case "1":
		return true, true
	default:
		return false, false
	}
}

// splitBlanks puts the words of s into f and returns how many there are, or
// len(f)+1 when there are more than f holds.
func splitBlanks(s string, f []string) int {
	n := 0
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return n
		}
		if n == len(f) {
			return n + 1
		}
		i := strings.IndexByte(s, ' ')
		if i < 0 {
			i = len(s)
		}
		f[n] = s[:i]
		n++
		s = s[i:]
	}
}

// singleBlanks returns s with one blank for each run of them; a line that is indented
// is returned as it is.
func singleBlanks(s string) string {
	if s == "" || s[0] == ' ' || !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}
