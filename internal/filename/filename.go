// Package filename makes parts of file names of what strangers send: names of players,
// addresses of servers.
package filename

import (
	"fmt"
	"hash/crc32"
	"strings"
)

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

// longest is the longest name that Part gives: systems take 255 bytes, and more follows it.
const longest = 64

// Part is Clean for a name of any length: of a long one the beginning and a checksum are
// left, so that two of them are two.
func Part(name, keep string, other rune) string {
	clean := Clean(name, keep, other)
	if len(clean) <= longest {
		return clean
	}
	return fmt.Sprintf("%s%c%08x", clean[:longest-9], other, crc32.ChecksumIEEE([]byte(name)))
}
