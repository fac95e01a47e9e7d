package filename

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// URI escapes path for a URI such as SQLite's file:PATH?OPTIONS, where a plain question mark
// would begin the options.
func URI(path string) string { return inURI.Replace(path) }

var inURI = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// Match returns the files in the folder dir that match pattern (see path.Match), in the order
// of their names. Unlike in filepath.Glob, dir is not a pattern: a folder may be called
// "matches [2026]". A missing or unreadable folder has no files.
func Match(dir, pattern string) ([]string, error) {
	root := dir
	if root == "" {
		root = "."
	}
	names, err := fs.Glob(os.DirFS(root), pattern)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	return names, nil
}
