package host

import (
	"bytes"
	"encoding/json"
	"testing"

	"fibsbot/config"
)

// TestOpenLog_harmless: chat in the log contains no control sequences for a terminal.
func TestOpenLog_harmless(t *testing.T) {
	const said = "a\x1b[31mb\u009b31mc\u202ed\x7fe\U000e0041"
	c := config.Default()
	c.Logs.Dir = ""
	var out bytes.Buffer
	log, done, err := OpenLog(c, false, &out, false)
	if err != nil {
		t.Fatal(err)
	}
	log.WithField("said", said).Warn(said)
	done()
	for _, r := range out.String() {
		if r != '\n' && (r < ' ' || r > '~') {
			t.Errorf("%U in %q", r, out.String())
		}
	}
	var entry struct{ Said, Msg string }
	if err := json.Unmarshal(out.Bytes(), &entry); err != nil || entry.Said != said || entry.Msg != said {
		t.Errorf("%v, %+v", err, entry)
	}
}
