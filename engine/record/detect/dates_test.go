package detect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The other files of a folder and the name of a file tell which figure is the day.
func TestReadFile_dates(t *testing.T) {
	gnubg := func(date string) string {
		return "The score (after 0 games) is: anna 0, bert 0 (match to 3 points)\n\nMatch Information:\nDate: " + date + "\n\nMove number 1:  anna to play 31\n\n* anna moves 8/5 6/5\n\n"
	}
	const rows = " 3 point match\n\n Game 1\n anna : 0                       bert : 0\n  1) 31: 8/5 6/5\n"
	const written = "; [EventDate \"2024.05.06\"]\n" + rows
	for _, c := range []struct {
		name        string
		file, text  string
		beside      []string
		day, clock  string
		undecidable bool
	}{
		{"day first beside it", "a.txt", gnubg("04/08/2024"), []string{gnubg("13/07/2024")}, "2024-08-04", "", false},
		{"month first beside it", "a.txt", gnubg("04/08/2024"), []string{gnubg("05/05/2024"), gnubg("07/13/2024")}, "2024-04-08", "", false},
		{"the file itself counts more", "a.txt", gnubg("04/08/2024") + gnubg("12/31/2024"), []string{gnubg("13/07/2024")}, "2024-04-08", "", false},
		{"both orders beside it", "a.txt", gnubg("04/08/2024"), []string{gnubg("13/07/2024"), gnubg("07/13/2024")}, "04/08/2024", "", true},
		{"alone", "a.txt", gnubg("04/08/2024"), nil, "04/08/2024", "", true},
		{"two digits, day first beside it", "a.txt", gnubg("04/08/24"), []string{gnubg("13/07/24")}, "2024-08-04", "", false},
		{"the name decides", "anna 2024-08-04.txt", gnubg("04/08/2024"), nil, "2024-08-04", "", false},
		{"another day in the name decides nothing", "anna 2024-09-04.txt", gnubg("04/08/2024"), nil, "04/08/2024", "", true},
		{"only the name has a day", "anna - bert 7pt Studio 2023_08_09 18_11_07.txt", rows, nil, "2023-08-09", "18:11", false},
		{"in one word", "match20230809.mat", rows, nil, "2023-08-09", "", false},
		{"a number is not a day", "match20231399.mat", rows, nil, "", "", false},
		{"nor is a longer one", "match11202308091.mat", rows, nil, "", "", false},
		{"the head counts more than the name", "2023-08-09.mat", written, nil, "2024-05-06", "", false},
	} {
		dir := t.TempDir()
		for i, text := range c.beside {
			if err := os.WriteFile(filepath.Join(dir, string(rune('p'+i))+".txt"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		all, _, ws, err := ReadFile(filepath.Join(dir, c.file), strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if m := all[0]; m.Date != c.day || m.Time != c.clock || (len(ws) > 0) != c.undecidable {
			t.Errorf("%s: %q %q %v, want %q %q", c.name, m.Date, m.Time, ws, c.day, c.clock)
		}
	}
}
