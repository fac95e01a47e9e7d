package record_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/mat"
)

// variationTags are the variations as gnubg writes them into the head of a .mat file.
var variationTags = []struct {
	v         record.Variation
	tag, show string
	text      string // a first play
}{
	{record.Nackgammon, "NackGammon", "Nackgammon", "31: 8/5 6/5"},
	{"Hypergammon1", "HyperGammon (1)", "1-chequer hypergammon", "31: 24/21 21/20"},
	{"Hypergammon2", "HyperGammon (2)", "2-chequer hypergammon", "31: 24/21 23/22"},
	{record.Hypergammon, "HyperGammon (3)", "3-chequer hypergammon", "31: 24/21 23/22"},
}

// The head of a .mat file names the variation as gnubg writes it, and is read so.
func TestVariation_tagsOfMat(t *testing.T) {
	for _, c := range variationTags {
		text := "; [Variation \"" + c.tag + "\"]\n\n 3 point match\n\n Game 1\n anna : 0                       bert : 0\n  1) " + c.text + "\n"
		m, ws, err := mat.Read(strings.NewReader(text))
		if err != nil || len(ws) > 0 || m.Rules.Variation != c.v {
			t.Errorf("%s: %q %v %v", c.tag, m.Rules.Variation, ws, err)
			continue
		}
		for _, write := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return mat.Write(b, m) },
			func(b *bytes.Buffer) error { return mat.WriteXG(b, m) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if want := "; [Variation \"" + c.tag + "\"]\n"; !strings.Contains(b.String(), want) {
				t.Errorf("%s is written as\n%s", c.v, b.String())
			}
		}
	}
}

// gnubg plays the variation that the head names.
func TestVariation_gnubgReadsTheTag(t *testing.T) {
	dir := t.TempDir()
	commands := "set confirm new off\nset confirm save off\n"
	for i, c := range variationTags {
		m, _, err := mat.Read(strings.NewReader("; [Variation \"" + c.tag + "\"]\n 3 point match\n Game 1\n anna : 0      bert : 0\n  1) " + c.text + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := mat.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, fmt.Sprintf("%d.mat", i))
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		commands += "import mat " + name + "\nshow variation\n"
	}
	printed := recordtest.RunGnubg(t, commands)
	for _, c := range variationTags {
		if !strings.Contains(printed, "You are playing: "+c.show) {
			t.Errorf("gnubg does not play %s:\n%s", c.show, printed)
		}
	}
}
