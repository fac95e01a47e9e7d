package detect

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/position"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/snowie"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

func load(t *testing.T, file string) *record.Match {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, _, _, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// lastOf is the position at the end of a match's first game.
func lastOf(m *record.Match) record.Diagram { return record.LastDiagram(m, &m.Games[0]) }

// A position that is written in any format is read as the same.
func TestRead_writtenPositions(t *testing.T) {
	for _, file := range recordtest.Samples(t, "setup-*.sgf") {
		m := load(t, file)
		if !m.IsPosition() {
			continue
		}
		want := lastOf(m)
		for _, f := range []struct {
			format Format
			write  func(io.Writer, *record.Match) error
		}{{"pos", jellyfish.Write}, {"snowie-pos", snowie.Write}, {"xgid", position.WriteXGID}, {"xgid", position.WriteOGID}, {"sgf", sgf.Write}} {
			var b bytes.Buffer
			if err := f.write(&b, m); err != nil {
				t.Fatal(err)
			}
			all, format, ws, err := Read(&b)
			if err != nil || len(ws) > 0 || format != f.format {
				t.Errorf("%s as %s: %s %v %v", file, f.format, format, err, ws)
				continue
			}
			got := lastOf(all[0])
			got.Players, got.Beavers, want.Beavers, got.Jacoby, want.Jacoby = want.Players, 0, 0, false, false
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s as %s:\n%s", file, f.format, diff)
			}
		}
	}
	// gnubg's own position file comes out byte for byte.
	for _, file := range recordtest.Samples(t, "setup.pos") {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := jellyfish.Write(&b, load(t, file)); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%v\n% x\n% x", err, b.Bytes(), want)
		}
	}
}

// A game that begins with a position set up keeps it in .mat with XG's head.
func TestRead_setPosWritten(t *testing.T) {
	for _, file := range recordtest.Samples(t, "setup-played.sgf") {
		m := load(t, file)
		var b bytes.Buffer
		if err := mat.WriteXG(&b, m); err != nil {
			t.Fatal(err)
		}
		all, _, ws, err := Read(&b)
		if err != nil || len(ws) > 0 {
			t.Fatal(err, ws)
		}
		if diff := cmp.Diff(lastOf(m), lastOf(all[0])); diff != "" {
			t.Error(diff)
		}
	}
}

const small = " 3 point match\n\n Game 1\n anna : 0                       b\xe9rt : 0\n  1) 31: 8/5 6/5                 42: 8/4 6/4\n"

func packed(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

func TestRead_packedAndEncoded(t *testing.T) {
	wide := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(small, "\xe9", "é"))) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for name, in := range map[string][]byte{
		"plain": []byte(small), "gzip": packed(small), "UTF-16": wide, "gzip of UTF-16": packed(string(wide)),
		"a mark and CRLF": []byte("\xef\xbb\xbf" + strings.ReplaceAll(small, "\n", "\r\n")), "CR alone": []byte(strings.ReplaceAll(small, "\n", "\r")),
		"an end mark of DOS": []byte(small + "\x1a"),
	} {
		all, f, ws, err := Read(bytes.NewReader(in))
		if err != nil || f != "mat" || len(ws) > 0 || len(all[0].Games[0].Actions) != 2 {
			t.Errorf("%s: %s %v %v", name, f, err, ws)
			continue
		}
		if n := all[0].Players[1].Name; n != "bért" {
			t.Errorf("%s: name %q", name, n)
		}
	}
}

func TestRead_foreignFiles(t *testing.T) {
	testsize.Medium(t)
	cut := packed(strings.Repeat(small, 50))
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"zip", []byte("PK\x03\x04...."), "1:1: a zip archive"},
		{"packed twice", packed(string(packed(small))), "1:1: packed with gzip twice"},
		{"a bomb", packed(" 3 point match\n" + strings.Repeat("\n", 70<<20)), "lines: split the file"},
		{"a bomb of one line", packed("(;GM[6]C[" + strings.Repeat(" ", 70<<20)), "larger than 4 megabytes"},
		{"cut", cut[:len(cut)-20], "cut or damaged"},
		{"no gzip", []byte("\x1f\x8b\x99"), "packed with gzip, and damaged"},
		{"a page", []byte("<!DOCTYPE html><p>3 wins"), "a web page"},
		{"a zip archive with a match in it", []byte("PK\x03\x04\x14\x00x.mat 3 point match\n Game 1\n anna : 0   bert : 0\n"), "a zip archive: unpack it first"},
		{"nothing", nil, "the file is empty"},
		{"XG with SGF's sign in it", append([]byte("RGMH\x01\x00\x00\x00"), []byte("(;GM[6])")...), "damaged .xg file: it ends inside its header"},
		{"an old Jellyfish", []byte("\x7c\x00" + strings.Repeat("\x00", 200)), "a Jellyfish position of version 124"},
	} {
		_, _, _, err := Read(bytes.NewReader(c.in))
		var syntax *record.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestSniff_byContents(t *testing.T) {
	for want, in := range map[Format]string{
		"gamesgrid": "\r\nAnna_K vs. Bert\r\nSaturday, June 1, 2024\r\n", "truemoneygames": "MatchID: 1\nPlayer1: 1 a 2\n", "bkg": "White  6 3   1-7 12-15\n",
		"partygammon": "boardid=1\nCREATOR=a\n", "backgammonroom": "BGF version 1.2\n", "bgammon": "i 1717228800 anna bert 3 0 0 2 2 0\n",
		"bgblitz": "{\"version\":\"1\",\"compression\":\"gzip\"}\n\x1f\x8b", "ogxm": "OGXM\x02\x00", "xg": "RGMH",
		"xgid":       "\n\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n",
		"gnubg-text": "Dear list,\n\nThe score (after 0 games) is: anna 0, bert 0\n\nMove number 1:  anna to play 64\n",
		"mat":        "+---+\n| a |\n+---+\nMatch of 5 points\n", "oldmoves": "Score is 0-0 in a 3 point match.\n",
	} {
		if got := Sniff([]byte(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
