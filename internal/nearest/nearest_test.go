package nearest

import (
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	words := []string{"analyse", "archive", "backup", "bench", "board", "list", "play", "restore", "run", "status", "stats", "version", "verify"}
	for _, tt := range []struct {
		typed string
		want  []string
	}{
		{"versoin", []string{"version"}}, // exchanged
		{"achive", []string{"archive"}},  // left out
		{"lisst", []string{"list"}},      // put in
		{"lst", []string{"list"}},
		{"RUN", []string{"run"}},
		{"rnu", []string{"run"}},
		{"statu", []string{"stats", "status"}}, // both one letter away
		{"stat", []string{"stats", "status"}},  // the beginning of both
		{"ver", []string{"verify", "version"}},
		{"analyze", []string{"analyse"}},
		{"backgammon", nil},
		{"x", nil},
		{"", nil},
	} {
		if got := Of(tt.typed, words); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.typed, got, tt.want)
		}
	}
	if got := Of("a", []string{"aa", "ab", "ac", "ad"}); len(got) != 3 {
		t.Errorf("%v, want three", got)
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("versoin", "version")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 500 {
			return
		}
		d := distance(a, b)
		if d != distance(b, a) || d > max(len(a), len(b)) || (d == 0) != (a == b) || d < len(a)-len(b) || d < len(b)-len(a) {
			t.Fatalf("%q %q: %d", a, b, d)
		}
	})
}
