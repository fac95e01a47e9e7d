package gnubgtext

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/text"
)

// The play made is kept with its error where gnubg prints it below the best plays, with its
// rank or with "??", and the rank comes back from SGF and is printed.
func TestRead_rankOfThePlayMade(t *testing.T) {
	unknown := file(t, "testdata/rank-unknown.txt")
	for _, c := range []struct {
		name, in string
		rank     int
		printed  string
	}{
		{"unknown", unknown, record.UnknownRank, "*  ??  Cubeful 2-ply    8/7 8/3"},
		{"17", strings.Replace(unknown, "*   ??  Cubeful", "*   17. Cubeful", 1), 17, "*  17. Cubeful 2-ply    8/7 8/3"},
		{"at its place", strings.Replace(unknown, "*   ??  Cubeful", "*    6. Cubeful", 1), 0, "*   6. Cubeful 2-ply    8/7 8/3"},
	} {
		m, ws := read(t, c.in)
		if len(ws) > 0 {
			t.Errorf("%s: %v", c.name, ws)
		}
		var kept, printed bytes.Buffer
		if err := sgf.Write(&kept, m); err != nil {
			t.Fatal(err)
		}
		again, ws, err := sgf.Read(&kept)
		if err != nil || len(ws) > 0 {
			t.Fatal(err, ws)
		}
		for _, m := range []*record.Match{m, again} {
			an := m.Games[0].Actions[0].Analysis
			if an == nil || len(an.Candidates) != 6 || an.Played != 5 || an.Rank != c.rank {
				t.Fatalf("%s: %+v", c.name, an)
			}
			if loss := an.Candidates[0].Outcome.Cubeful - an.Candidates[5].Outcome.Cubeful; loss < 0.4179 || loss > 0.4181 {
				t.Errorf("%s: an error of %.4f", c.name, loss)
			}
		}
		if err := text.Write(&printed, again); err != nil || !strings.Contains(printed.String(), c.printed) {
			t.Errorf("%s: %v, no %q in\n%s", c.name, err, c.printed, printed.String())
		}
	}
}

// A day whose month and day may change places is settled by another day of the file; alone
// it is kept as it is written.
func TestRead_dayAndMonth(t *testing.T) {
	match := func(date string) string {
		return "The score (after 0 games) is: anna 0, bert 0 (match to 3 points)\n\nMatch Information:\nDate: " + date + "\n\nMove number 1:  anna to play 31\n\n* anna moves 8/5 6/5\n\n"
	}
	for _, c := range []struct {
		dates, want []string
		warnings    int
	}{
		{[]string{"04/08/2024"}, []string{"04/08/2024"}, 1},
		{[]string{"04/08/2024", "17/08/2024"}, []string{"2024-08-04", "2024-08-17"}, 0},
		{[]string{"08/17/2024", "04/08/2024"}, []string{"2024-08-17", "2024-04-08"}, 0},
		{[]string{"17/08/2024", "08/17/2024", "04/08/2024"}, []string{"2024-08-17", "2024-08-17", "04/08/2024"}, 1},
		{[]string{"04/04/2024"}, []string{"2024-04-04"}, 0},
		{[]string{"04.08.2024"}, []string{"2024-08-04"}, 0},
		{[]string{"2024-08-04"}, []string{"2024-08-04"}, 0},
		{[]string{"06/01/24"}, []string{"2024-06-01"}, 0},
		{[]string{"06/01/24", "17/01/24"}, []string{"2024-01-06", "2024-01-17"}, 0},
	} {
		var b strings.Builder
		for _, d := range c.dates {
			b.WriteString(match(d))
		}
		all, ws, err := Read(strings.NewReader(b.String()))
		ws = append(ws, record.SettleDates(all, record.Days{})...)
		if err != nil || len(all) != len(c.want) || len(ws) != c.warnings {
			t.Errorf("%v: %d matches, %v %v", c.dates, len(all), ws, err)
			continue
		}
		for i, m := range all {
			if m.Date != c.want[i] {
				t.Errorf("%v: match %d on %q, want %q", c.dates, i+1, m.Date, c.want[i])
			}
		}
	}
}
