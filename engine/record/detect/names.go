package detect

import (
	"strings"

	"fibsbot/engine/record/formats"
)

// Names lists the formats that are read for a help text, in lines of at most width
// characters that begin with indent.
func Names(indent string, width int) string {
	var b strings.Builder
	line := indent
	for i, word := range formats.Names(formats.Read) {
		name := word
		if i > 0 {
			word = ", " + word
		}
		if len(line)+len(word)+1 > width { // a comma may follow
			b.WriteString(line + ",\n")
			line, word = indent, name
		}
		line += word
	}
	return b.String() + line
}
