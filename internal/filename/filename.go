// Package filename makes parts of file names of what strangers send: names of players,
// addresses of servers.
package filename

import "strings"

// Clean returns name with other in the place of every character that is not an ASCII
// letter, a digit, an underscore or one of keep. Nothing in keep or other may separate
// folders.
func Clean(name, keep string, other rune) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(keep, r) {
			return r
		}
		return other
	}, name)
}
