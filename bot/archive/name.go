package archive

import (
	"fmt"
	"hash/crc32"
	"strings"

	"fibsbot/internal/filename"
)

// safe makes a name harmless in a file name: FIBS names are letters and underscores, but a
// hostile server may send anything.
func safe(name string) string {
	s := filename.Clean(name, "", '_')
	if len(s) > 32 {
		s = s[:32]
	}
	if s == "" {
		s = "_"
	}
	return s
}

func lengthWord(n int) string {
	switch {
	case n < 0:
		return "match"
	case n == 0:
		return "unlimited"
	}
	return fmt.Sprintf("%dpt", n)
}

// FIBS is the protocol of journals without a protocol.
const FIBS = "fibs"

func protocolOf(name string) string {
	if name == "" {
		return FIBS
	}
	return strings.ToLower(name)
}

// named is a protocol as the first entry has it: empty for FIBS.
func named(protocol string) string {
	if p := protocolOf(protocol); p != FIBS {
		return p
	}
	return ""
}

// sameServer reports whether two addresses are of the same server, ignoring case.
func sameServer(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// identity is a readable and unique file name for an account on a server.
func identity(account, server, protocol string) string {
	server = strings.ToLower(strings.TrimSpace(server))
	key := account + "\n" + server + "\n" + protocolOf(protocol)
	return fmt.Sprintf("%s@%s-%08x", safe(account), safe(server), crc32.ChecksumIEEE([]byte(key)))
}
