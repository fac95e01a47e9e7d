package filename

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// URI writes path so that it stands for itself in a URI such as SQLite takes,
// file:PATH?OPTIONS: in a path as it is a question mark would begin the options.
func URI(path string) string { return inURI.Replace(path) }

var inURI = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// Match gives the files below the folder dir that fit pattern, as path.Match reads it, in
// the order of their names. Unlike in filepath.Glob, what stands in dir is no pattern: a
// folder may be called "matches [2026]". A folder that is not there has no files, and so
// has one that cannot be read.
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
