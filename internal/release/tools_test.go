package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestTools_pinned: the checks run the versions of internal/tools/go.mod, and the program's
// own module is free of them.
func TestTools_pinned(t *testing.T) {
	scripts, err := filepath.Glob("../../.ci/*")
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, path := range scripts {
		if m := regexp.MustCompile(`.*(@latest|go install).*`).FindString(read(path)); m != "" {
			t.Errorf("%s takes whatever version there is: %s", path, m)
		}
	}
	tools, own := read("../tools/go.mod"), read("../../go.mod")
	for _, name := range []string{"honnef.co/go/tools", "golang.org/x/vuln", "github.com/goreleaser/nfpm/v2"} {
		pin := regexp.MustCompile(`(?m)^\s` + regexp.QuoteMeta(name) + ` v\d`)
		if !pin.MatchString(tools) {
			t.Errorf("internal/tools/go.mod has no version of %s", name)
		}
		if pin.MatchString(own) {
			t.Errorf("go.mod has %s", name)
		}
	}
}
