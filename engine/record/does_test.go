package record

import "testing"

func TestDoes(t *testing.T) {
	for _, c := range [][3]string{
		{"anna", "play", "anna plays"}, {"you", "play", "you play"}, {"You", "win", "You win"}, {"YouTube", "lose", "YouTube loses"},
		{"Yousef", "pass", "Yousef passes"}, {"", "resign", " resigns"},
	} {
		if got := Does(c[0], c[1]); got != c[2] {
			t.Errorf("%q %q gives %q", c[0], c[1], got)
		}
	}
}
