package formats_test

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/sanitize"
)

// TestWriters_textFilesHoldNoTerminalCodes: names and comments in another person's file must
// not control the terminal of a user who prints the converted file.
func TestWriters_textFilesHoldNoTerminalCodes(t *testing.T) {
	const evil = "\x1b]0;owned\x07 \u009b31m\u202eevil\u2066\x7f"
	m := &record.Match{Length: 3, Event: evil, Place: evil, Comment: evil + "\n" + evil, Annotator: evil}
	m.Players[0].Name, m.Players[1].Name = "bob"+evil, "=cmd"+evil
	m.Games = []record.Game{{Number: 1, Comment: evil, Actions: []record.Action{{Player: 1, Kind: record.Double, Comment: evil}, {Player: 0, Kind: record.Drop, Comment: evil}},
		Result: record.Result{Winner: 1, Points: 1}}}
	for _, f := range formats.Written {
		if f.Name == "sgf" || !f.IsText() {
			continue // for programs, and SGF keeps every character
		}
		var b bytes.Buffer
		if err := f.Write(&b, m); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if at := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && r != '\r' && r != '\t' && sanitize.Obeyed(r) }); at >= 0 || b.Len() == 0 {
			t.Errorf("%s: %q", f.Name, b.String()[max(0, at-20):])
		}
	}
}
