package server

import (
	"bufio"
	"bytes"
	"testing"
)

// FuzzReadLine reads whatever a client sends and holds the lines to what the
// rest of the server relies on: short, printable ASCII.
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("login tester 1008 alice secret\r\nboard\n"))
	f.Add([]byte{iac, will, 1, 'm', iac, sb, 24, 1, iac, se, 'o', iac, iac, 'v', 'e', '\r', '\n'})
	f.Add([]byte("abc\b\b\b\b\x7fd\tcaf\xe9\n"))
	f.Add(append([]byte{iac, sb}, make([]byte, maxLine+1)...))
	f.Add(bytes.Repeat([]byte("x"), maxLine+1))
	f.Fuzz(func(t *testing.T, sent []byte) {
		r := &lineReader{r: bufio.NewReader(bytes.NewReader(sent))}
		ends := bytes.Count(sent, []byte("\n"))
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
