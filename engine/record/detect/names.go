package detect

import "strings"

// Formats are all formats that Read knows, in the order of the constants.
func Formats() []Format {
	return []Format{SGF, Mat, Oldmoves, GnubgText, Snowie, Jellyfish, XG, OGXM, BGBlitz, GamesGrid, TrueMoney, BKG, Party, Room, Bgammon, PositionID}
}

// Names lists Formats for a help text, in lines of at most width characters that begin
// with indent.
func Names(indent string, width int) string {
	var b strings.Builder
	line := indent
	for i, f := range Formats() {
		word := string(f)
		if i > 0 {
			word = ", " + word
		}
		if len(line)+len(word)+1 > width { // a comma may follow
			b.WriteString(line + ",\n")
			line, word = indent, string(f)
		}
		line += word
	}
	return b.String() + line
}
