package clip

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Player is one row of code 5: the state of a user who is logged in. Its fields are in the order of
// the row.
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

// ParsePlayer reads a line of code 5. ok is false for any other line.
func ParsePlayer(line string) (p *Player, ok bool) {
	var f [13]string
	p = new(Player)
	if splitBlanks(line, f[:]) != len(f) || f[0] != "5" || !fill(p, f[1:]) {
		return nil, false
	}
	for _, word := range []*string{&p.Opponent, &p.Watching, &p.Client, &p.Email} {
		if *word == "-" {
			*word = ""
		}
	}
	return p, isName(p.Name)
}

// fill sets the fields of the struct that into points to, in their order, from as many words. It
// reports false if a word does not fit its field.
func fill(into any, words []string) bool {
	v := reflect.ValueOf(into).Elem()
	for i, word := range words {
		ok := true
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(word)
		case reflect.Bool:
			f.SetBool(word == "1")
			ok = word == "0" || word == "1"
		case reflect.Float64:
			var x float64
			x, ok = parseDecimal(word)
			f.SetFloat(x)
		case reflect.Int64: // a time
			n, err := strconv.ParseInt(word, 10, 64)
			ok = err == nil
			f.SetInt(n)
		default:
			var n int
			n, ok = parseNumber(word)
			f.SetInt(int64(n))
		}
		if !ok {
			return false
		}
	}
	return true
}

// Settings are the 21 fields of code 2, in its order, which the server sends once after a
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

// ParseSettings reads a line of code 2. ok is false for any other line.
func ParseSettings(line string) (s Settings, ok bool) {
	var f [22]string
	if splitBlanks(line, f[:]) != len(f) || f[0] != "2" || !isName(f[1]) || !fill(&s, f[1:]) {
		return Settings{}, false
	}
	_, num := parseNumber(s.Redoubles)
	return s, num || s.Redoubles == "unlimited" || s.Redoubles == "none"
}

// Switch returns the state of a switch by its name in the toggle command. ok is false for an
// unknown name and for those that code 2 lacks (telnet, wrap).
func (s Settings) Switch(name string) (on, ok bool) {
	f := reflect.ValueOf(s).FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	if !slices.Contains(switchNames[:], name) || !f.IsValid() {
		return false, false
	}
	return f.Bool(), true
}

// switchNames in the server's order.
var switchNames = [...]string{
	"allowpip", "autoboard", "autodouble", "automove", "bell", "crawford", "double",
	"greedy", "moreboards", "moves", "notify", "ratings", "ready", "report", "silent",
	"telnet", "wrap",
}

// Switches are the names of the 17 switches, in the server's order.
func Switches() []string { return append([]string(nil), switchNames[:]...) }

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
