package archivetest

import (
	"os"
	"path/filepath"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/protocol"
)

// Sound fails the test unless verify finds nothing wrong with the archive in dir, whose journals
// are kind's. An archive without an index, as an account without a host leaves it, gets one.
// It returns the notes.
func Sound(tb testing.TB, dir string, kind protocol.Protocol) []verify.Finding {
	tb.Helper()
	_, err := os.Stat(filepath.Join(dir, index.FileName))
	db, openErr := index.Open(tb.Context(), dir, "")
	if openErr != nil {
		tb.Fatal(openErr)
	}
	defer db.Close()
	if err != nil {
		if _, err := db.Rebuild(tb.Context(), nil); err != nil {
			tb.Fatal(err)
		}
	}
	r, err := verify.Run(tb.Context(), db, verify.Options{Protocols: func(string) protocol.Protocol { return kind }})
	if err != nil {
		tb.Fatal(err)
	}
	for i, f := range r.Wrong {
		if i == 20 {
			tb.Errorf("and %d more faults of the archive", len(r.Wrong)-i)
			break
		}
		tb.Errorf("%s: %s: %s", dir, f.File, f.Problem)
	}
	return r.Notes
}
