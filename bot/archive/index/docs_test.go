package index

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of statistics in docs/archive.md")

// The table of statistics in docs/archive.md follows the list.
func TestDocs(t *testing.T) {
	const file, begin, end = "../../../docs/archive.md", "-update -->\n", "<!-- end of statistics -->"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(data), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s: no table of statistics", file)
	}
	want := statisticsTable()
	switch {
	case *update:
		if err := os.WriteFile(file, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	case old != want:
		t.Errorf("%s differs from Statistics (go test ./bot/archive/index -run TestDocs -update writes it)", file)
	}
}

func statisticsTable() string {
	var b strings.Builder
	b.WriteString("| name | what it is | unit | better |\n|---|---|---|---|\n")
	for i := range Statistics {
		s := &Statistics[i]
		if strings.HasPrefix(s.Name, "opponent_") {
			continue // in the row of the account's
		}
		name := "`" + s.Name + "`"
		if StatisticOf("opponent_"+s.Name) != nil {
			name += ", `opponent_" + s.Name + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, s.About, s.Unit, map[int]string{1: "higher", -1: "lower"}[s.Better])
	}
	return b.String()
}
