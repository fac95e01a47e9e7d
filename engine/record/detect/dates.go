package detect

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"fibsbot/engine/record"
)

// Limits on the files beside one that are looked at for the order of day and month.
const (
	maxBeside = 5000
	maxLook   = 4 << 10
)

// written finds the dates that files have in figures with day and month in either order.
var written = regexp.MustCompile(`(?m)(?:^Date: |\bDT\[|Date "|^Date\s*[:=]\s*)(\d{1,2}[-/]\d{1,2}[-/]\d{2,4})\b`)

// settleDates reads the dates of the matches of a file, by its name and by the files beside it
// where the file itself leaves them open.
func settleDates(path string, all []*record.Match) []record.Warning {
	var days record.Days
	if path == "" || path == "-" {
		return record.SettleDates(all, days)
	}
	record.NameDates(all, filepath.Base(path))
	if slices.ContainsFunc(all, func(m *record.Match) bool { return record.Ambiguous(m.Date) }) {
		days = beside(path)
	}
	return record.SettleDates(all, days)
}

// beside is the order of day and month that the files in the folder of a file prove.
func beside(path string) (days record.Days) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return days
	}
	defer folder.Close()
	list, _ := folder.ReadDir(maxBeside) // what could be read counts
	for _, e := range list {
		if e.Type().IsRegular() {
			learn(&days, filepath.Join(folder.Name(), e.Name()))
		}
	}
	return days
}

// learn takes the proof of the dates at the beginning of a file.
func learn(days *record.Days, path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, maxLook))
	for _, m := range written.FindAllSubmatch(head, -1) {
		days.Learn(string(m[1]))
	}
}
