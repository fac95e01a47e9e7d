package charset

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"UTF-8", "Müller €", "Müller €"},
		{"code page 1252", "M\xfcller \x80 \x93x\x94", "Müller € “x”"},
		{"no character there", "a\x81b", "a\ufffdb"},
		{"a name cut inside a character", "Žižek Ž\xc5", "Žižek Ž\ufffd"},
		{"nothing", "", ""},
	} {
		if got := Text([]byte(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
