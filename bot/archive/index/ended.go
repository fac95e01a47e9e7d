package index

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tailOfJournal is more than the last entries of a journal have.
const tailOfJournal = 16 << 10

// endOf reads when a match ended from its journal, which package archive puts away as
// journal/NAME.journal when it has filed the match; zero where that does not say. A
// process that was killed between the two has left no Meta.
func endOf(dir, matchFile string) (end time.Time) {
	name := strings.TrimSuffix(filepath.Base(matchFile), filepath.Ext(matchFile))
	f, err := os.Open(filepath.Join(dir, "journal", name+".journal"))
	if err != nil {
		return end
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return end
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, max(0, st.Size()-tailOfJournal), tailOfJournal))
	if err != nil {
		return end
	}
	for line := range bytes.Lines(tail) {
		var e struct {
			Kind string    `json:"k"`
			At   time.Time `json:"t"`
		}
		// The first line may be half of one.
		if json.Unmarshal(line, &e) == nil && (e.Kind == "over" || e.Kind == "gone") {
			end = e.At.UTC()
		}
	}
	return end
}
