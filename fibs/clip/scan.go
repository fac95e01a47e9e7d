package clip

import (
	"math"
	"strconv"
	"strings"
)

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
