package archive

import (
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strings"

	"fibsbot/internal/filename"
	"fibsbot/internal/lockfile"
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

// ErrLocked means that another process, or another account of this one, has opened the same
// journals.
var ErrLocked = errors.New("the journals of this account are in use")

// take locks the journals of an account on a server: one lock for all, as a lock on each would need
// a descriptor each. The operating system releases the lock when the
// process ends.
func take(dir, account, server, protocol string) (release func() error, err error) {
	name := filepath.Join(dir, openDir, identity(account, server, protocol)+".lock")
	release, err = lockfile.Take(name, 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w (%s)", ErrLocked, name)
	}
	return release, err
}

// ErrCare means that another command maintains the archive.
var ErrCare = errors.New("another command is maintaining this archive (wait for it)")

// Care locks the archive in dir against other maintenance commands, such as a prune during
// a backup. Bots do not need the lock.
func Care(dir string) (release func() error, err error) {
	release, err = lockfile.Take(filepath.Join(dir, ".care.lock"), 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, ErrCare
	}
	return release, err
}
