package server

import (
	"bufio"
	"bytes"
	"slices"
	"testing"
)

// TestReadLine_endsAndEditing: every end of a line that clients send ends one, and what a user of
// telnet erases does not arrive.
func TestReadLine_endsAndEditing(t *testing.T) {
	for sent, want := range map[string][]string{
		"board\rtime\r":                  {"board", "time"},
		"board\r\ntime\r\n":              {"board", "time"},
		"board\n\rtime\n\r":              {"board", "time"},
		"board\r\x00time\r\x00":          {"board", "time"},
		"board\ntime\n":                  {"board", "time"},
		"\r\r\n\n\r\n":                   {"", "", "", ""},
		"bord\xff\xf7\xff\xf7ard\r":      {"board"},
		"\xff\xf7x\b\x7ftime\r":          {"time"},
		"shout nonsense\xff\xf8who\r":    {"who"},
		"who\r\xff\xf8\xff\xf7\nboard\r": {"who", "", "board"},
	} {
		r := &lineReader{r: bufio.NewReader(bytes.NewReader([]byte(sent)))}
		var got []string
		for line, err := r.next(); err == nil; line, err = r.next() {
			got = append(got, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is read as %q, want %q", sent, got, want)
		}
	}
}

// FuzzReadLine reads whatever a client sends and holds the lines to what the
// rest of the server relies on: short, printable ASCII.
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("login tester 1008 alice secret\r\nboard\n"))
	f.Add([]byte{iac, 251, 1, 'm', iac, sb, 24, 1, iac, se, 'o', iac, iac, 'v', 'e', '\r', '\n'})
	f.Add([]byte("abc\b\b\b\b\x7fd\tcaf\xe9\n"))
	f.Add(append([]byte{iac, sb}, make([]byte, maxLine+1)...))
	f.Add(bytes.Repeat([]byte("x"), maxLine+1))
	f.Fuzz(func(t *testing.T, sent []byte) {
		r := &lineReader{r: bufio.NewReader(bytes.NewReader(sent))}
		ends := bytes.Count(sent, []byte("\n")) + bytes.Count(sent, []byte("\r"))
		for n := 0; ; n++ {
			line, err := r.next()
			if err != nil {
				return
			}
			if n == ends {
				t.Fatalf("more than %d lines", ends)
			}
			if len(line) > maxLine {
				t.Fatalf("a line of %d bytes, at most %d", len(line), maxLine)
			}
			for i := range len(line) {
				if line[i] < ' ' || line[i] > '~' {
					t.Fatalf("byte %#02x in %q", line[i], line)
				}
			}
		}
	})
}
