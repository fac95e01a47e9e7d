// Package filename makes parts of file names from foreign text, such as names of players and
// addresses of servers.
package filename

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
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

// URI escapes path for a URI such as SQLite's file:PATH?OPTIONS, where a plain question mark
// would begin the options.
func URI(path string) string { return inURI.Replace(path) }

var inURI = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// Match returns the files in the folder dir that match pattern (see path.Match), in the order
// of their names. Unlike in filepath.Glob, dir is not a pattern: a folder may be called
// "matches [2026]". A missing or unreadable folder has no files.
func Match(dir, pattern string) ([]string, error) {
	root := cmp.Or(dir, ".")
	names, err := fs.Glob(os.DirFS(root), pattern)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	return names, nil
}

// Taken holds the names, without extension, that a run has used.
type Taken map[string]bool

// Free returns name, or name-2 and so on if an earlier match of the run has it: files of one
// name may come from several folders and in several formats.
func (t Taken) Free(name string) string {
	free := name
	for n := 2; t[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	t[free] = true
	return free
}
