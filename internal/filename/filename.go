// Package filename makes parts of file names from foreign text, such as names of players and
// addresses of servers.
package filename

import (
	"fmt"
	"hash/crc32"
	"strings"
)

// Clean replaces every character of name by other that is not an ASCII letter, a digit, an
// underscore or one of keep. keep and other must not contain path separators.
func Clean(name, keep string, other rune) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(keep, r) {
			return r
		}
		return other
	}, name)
}

// longest is the longest name that Part returns: systems allow 255 bytes, and more follows it.
const longest = 64

// Part is Clean for a name of any length. A long name is shortened to its beginning and a
// checksum, which keeps names distinct.
func Part(name, keep string, other rune) string {
	clean := Clean(name, keep, other)
	if len(clean) <= longest {
		return clean
	}
	return fmt.Sprintf("%s%c%08x", clean[:longest-9], other, crc32.ChecksumIEEE([]byte(name)))
}
