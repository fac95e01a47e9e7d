// Package reference finds the data that tests compare with: the figures of GNU
// Backgammon, recorded conversations and sample files in the folder shared that
// lies beside the checkout. The folder is no part of the repository; a test that
// needs it is skipped where it is absent. Only tests import this package.
package reference

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"
)

// longestLine bounds one line of a reference file, in bytes; the longest today
// are rows with every legal play of a double, some tens of thousands.
const longestLine = 4 << 20

// Path returns the path of a file or folder below ../shared, seen from the
// module root, and skips the test where it does not exist.
func Path(t testing.TB, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("skipped: no go.mod above the test, so no ../shared")
		}
		dir = up
	}
	below := filepath.Join(append([]string{"shared"}, parts...)...)
	path := filepath.Join(filepath.Dir(dir), below)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("skipped: ../%s is not here", filepath.ToSlash(below))
	}
	return path
}

// Glob returns the files below ../shared that match a pattern, in order. The
// test is skipped where the folder is absent and fails where the folder is there
// and nothing matches.
func Glob(t testing.TB, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Path(t, filepath.FromSlash(dir)), pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("nothing in ../shared/%s matches %s", dir, pattern)
	}
	return files
}

// Lines reads a file below ../shared line by line and closes it when the test
// ends. The test is skipped where the file does not exist.
func Lines(t testing.TB, parts ...string) *bufio.Scanner {
	t.Helper()
	f, err := os.Open(Path(t, parts...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	s := bufio.NewScanner(f)
	s.Buffer(nil, longestLine)
	return s
}
