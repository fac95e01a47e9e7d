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

// tailOfJournal is more bytes than the last entries of a journal have.
const tailOfJournal = 16 << 10

// endOf returns when a match ended according to journal/NAME.journal, or the zero time. It is
// needed for a match without a Meta, whose process was killed while filing it.
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
		// The first line may be incomplete.
		if json.Unmarshal(line, &e) == nil && (e.Kind == "over" || e.Kind == "gone") {
			end = e.At.UTC()
		}
	}
	return end
}
