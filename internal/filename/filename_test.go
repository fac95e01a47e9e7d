package filename

import (
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for _, tt := range []struct {
		name, keep string
		other      rune
		want       string
	}{
		{"Bob_7", "", '_', "Bob_7"},
		{"../../etc", "", '_', "______etc"},
		{"a-b c\x00\n", "-", '-', "a-b-c--"},
		{"fibs.com:4321", ".-", '_', "fibs.com_4321"},
		{"jürgen\xff", "", '-', "j-rgen-"},
		{"", "", '_', ""},
	} {
		if got := Clean(tt.name, tt.keep, tt.other); got != tt.want {
			t.Errorf("Clean(%q, %q, %q) = %q, want %q", tt.name, tt.keep, tt.other, got, tt.want)
		}
	}
}

func TestPart(t *testing.T) {
	long := strings.Repeat("n", 255)
	a, b := Part(long+"a", "", '-'), Part(long+"b", "", '-')
	if len(a) != 64 || len(b) != 64 || a == b || Part("Bob_7", "", '-') != "Bob_7" {
		t.Errorf("%q, %q", a, b)
	}
}
