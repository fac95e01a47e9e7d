//go:build unix

package bearoff

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOpen_fileCutWhileOpen: a database that is cut short under the process says
// that it is damaged. It must not end the process.
func TestOpen_fileCutWhileOpen(t *testing.T) {
	needsStandard(t)
	path := filepath.Join(t.TempDir(), "two.bearoff")
	if err := home6().Save(path); err != nil {
		t.Fatal(err)
	}
	db, err := OpenTwoSided(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i := range uint32(924) { // proved blocks fault as well
		if _, ok := db.Raw(i, i); !ok {
			t.Fatal("damaged before")
		}
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	bad := 0
	for i := range uint32(924) {
		if _, ok := db.Raw(i, i); !ok {
			bad++
		}
	}
	if bad == 0 {
		t.Error("nothing was noticed")
	}
}
