package browser

import "bytes"

// bare returns a script without comments on lines of their own, empty lines and leading white
// space, which are a sixth of what a visitor loads of it. Lines stay lines, so nothing changes as
// long as no template string spans two: eslint sees to that (internal/tools/pages).
func bare(script []byte) []byte {
	var out bytes.Buffer
	comment := false // a block comment is open
	for line := range bytes.Lines(script) {
		line = bytes.TrimLeft(line, " \t")
		for comment || bytes.HasPrefix(line, []byte("/*")) {
			_, rest, ends := bytes.Cut(line, []byte("*/"))
			line = bytes.TrimLeft(rest, " \t")
			if comment = !ends; comment {
				break
			}
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && !bytes.HasPrefix(text, []byte("//")) {
			out.Write(line)
		}
	}
	return out.Bytes()
}
