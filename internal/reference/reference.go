// Package reference finds the data that tests compare with: results of GNU Backgammon, recorded
// sessions and sample files, in the folder shared beside the checkout. The folder is not in the
// repository; without it the tests that need it are skipped. Only tests import this package.
package reference

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"
)

// longestLine bounds a line of a reference file, in bytes. The longest are rows with all legal
// plays of a double, some tens of thousands.
const longestLine = 4 << 20

// Path returns the path of a file or folder below ../shared, seen from the module root. It skips
// the test if that does not exist.
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

// Glob returns the files below ../shared that match a pattern, in order. The test is skipped
// without the folder, and fails if nothing in it matches.
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

// Lines reads a file below ../shared line by line and closes it at the end of the test. The test
// is skipped if the file does not exist.
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
