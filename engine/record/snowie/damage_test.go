package snowie

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/internal/snowieline"
)

// same writes a line without what is not kept of it: two fields that follow from others,
// Jacoby's rule in a match, scores of money play, blanks, signs.
func same(line string) string {
	f := strings.Split(strings.TrimSuffix(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), ";"), ";")
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
		if i != 5 && i != 6 {
			v := strings.TrimLeft(strings.TrimLeft(f[i], "-+"), "0")
			if strings.HasPrefix(f[i], "-") && v != "" {
				v = "-" + v
			}
			f[i] = v
		}
		if i == 1 && f[0] != "" || i == 2 || i == 3 || f[0] == "" && (i == 8 || i == 9) {
			f[i] = ""
		}
	}
	return strings.Join(f, ";")
}

// TestRead_damage damages files of position lines. The reader must report a position that is
// missing and a field that it reads differently from the file. FIBSBOT_DAMAGE sets the number
// of damages.
func TestRead_damage(t *testing.T) {
	n := recordtest.Damages(t, 200)
	silent := 0
	for k := range n {
		r := rand.New(rand.NewPCG(20, uint64(k)))
		text := ""
		for range 3 {
			text += snowieline.Format(recordtest.Diagram(r)) + "\n"
		}
		before, ws, err := ReadAll(strings.NewReader(text))
		if err != nil || len(before) != 3 || len(ws) > 0 {
			t.Fatalf("%v %v\n%s", err, ws, text)
		}
		bad, what, lines := recordtest.Hurt(r, text)
		got, ws, err := ReadAll(strings.NewReader(bad))
		if err != nil || len(ws) > 0 {
			continue
		}
		there := map[string]bool{}
		for l := range strings.Lines(bad) {
			there[same(l)] = true
		}
		made := ""
		for _, m := range got {
			if l := snowieline.Format(record.LastDiagram(m, &m.Games[0])); !there[same(l)] {
				made = l
			}
		}
		if len(got) < len(before)-lines || made != "" {
			silent++
			t.Errorf("damage %d: %s: %d positions, made up %s\n%s", k, what, len(got), made, bad)
		}
	}
	t.Logf("%d damages, %d silent", n, silent)
}

// Odd fields of a position line give a warning, impossible ones are refused by name.
func TestReadAll_namesTheField(t *testing.T) {
	const line = "7;0;0;0;1;Bob;Alice;0;5;3;2;1;-1;0;0;2;2;2;4;0;0;0;0;0;-1;0;0;0;0;-2;0;-3;-3;-2;-2;2;1;0;4;2;\n"
	change := func(field int, to string) string {
		f := strings.Split(line, ";")
		f[field-1] = to
		return strings.Join(f, ";")
	}
	for _, c := range []struct{ name, in, refused, told string }{
		{"as it is", line, "", ""},
		{"two of them", line + "\n" + line, "", ""},
		{"owner of the cube", change(12, "3"), "field 12 is 3", ""},
		{"player on roll", change(5, "2"), "field 5 is 2", ""},
		{"one die", change(39, "0"), "field 39 is 0 and the next 2", ""},
		{"a point", change(14, "44"), "field 14 is 44", ""},
		{"no number", change(20, "-x"), `field 20 is "-x"`, ""},
		{"score above the length", change(9, "8"), "beyond the match", ""},
		{"the second is damaged", line + change(12, "7"), "2:", ""},
		{"too short", line + "7;0;0;0;1;bert\n", "", "no position line"},
		{"a turned cube in the Crawford game", change(8, "1"), "in the Crawford game", ""},
		{"flag", change(2, "4"), "", "field 2 is 4"},
		{"money", change(4, "1"), "", "field 4 says money"},
		{"cube", change(11, "64"), "", "a cube of 64"},
	} {
		all, ws, err := ReadAll(strings.NewReader(c.in))
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want %q", c.name, err, c.refused)
			}
		case err != nil || len(all) < 1 || c.told == "" != (len(ws) == 0):
			t.Errorf("%s: %d positions, %v %v", c.name, len(all), ws, err)
		case c.told != "" && !strings.Contains(ws[0].String(), c.told):
			t.Errorf("%s: %v, want %q", c.name, ws, c.told)
		}
	}
	if all, _, _ := ReadAll(strings.NewReader(line + line)); len(all) != 2 {
		t.Errorf("%d positions of 2", len(all))
	}
}

func FuzzRead(f *testing.F) {
	f.Add("7;0;0;0;1;Bob;Alice;0;5;3;2;1;-1;0;0;2;2;2;4;0;0;0;0;0;-1;0;0;0;0;-2;0;-3;-3;-2;-2;2;1;0;4;2;\n")
	f.Fuzz(func(t *testing.T, in string) {
		all, _, err := ReadAll(strings.NewReader(in))
		if err == nil && len(all) == 0 {
			t.Error("no match and no error")
		}
	})
}
