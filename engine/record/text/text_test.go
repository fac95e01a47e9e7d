package text

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

func TestWrite_golden(t *testing.T) {
	for _, name := range []string{"short-analysed", "setup-played", "session5"} {
		f, err := os.Open(reference.Path(t, "formats/samples", name+".sgf"))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := sgf.Read(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if name == "session5" {
			m.Games = m.Games[2:4] // a raccoon and a drop
		}
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestWrite_strangeMatchesDoNotDisturb(t *testing.T) {
	m := &record.Match{Players: [2]record.Player{{Name: "a\x1b[2J"}, {}}, Games: []record.Game{
		{Score: [2]int{1 << 20, -1}, Actions: []record.Action{
			{Kind: record.Move, Player: 9, Raw: "no\x07thing"}, {Kind: record.SetUp}, {Kind: 77},
		}},
		{},
	}}
	m.Settle()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(b.Bytes(), "\x1b\x07") {
		t.Error("control characters come through")
	}
}
