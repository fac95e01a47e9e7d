package match

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fibsbot/internal/reference"
)

func TestDefaultTable_equalsReferenceTo64Points(t *testing.T) {
	b, err := os.ReadFile(reference.Path(t, "reference", "met.json"))
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Pre  [][]float64 `json:"pre_crawford_64"`
		Post []float64   `json:"post_crawford_64"`
	}
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	table := DefaultTable()
	for i := range ref.Pre {
		for j := range ref.Pre[i] {
			// The reference is printed with six decimals, and far corners of the
			// normal integral are cut differently there.
			if got := table.Equity(i+1, j+1, false); math.Abs(got-ref.Pre[i][j]) > 2e-5 {
				t.Errorf("pre %d-away %d-away: %.6f, want %.6f", i+1, j+1, got, ref.Pre[i][j])
			}
		}
		if got := table.Equity(i+1, 1, true); math.Abs(got-ref.Post[i]) > 2e-6 {
			t.Errorf("post %d-away: %.6f, want %.6f", i+1, got, ref.Post[i])
		}
	}
}

func TestTables_areConsistent(t *testing.T) {
	for _, table := range []*Table{DefaultTable(), WoolseyTable()} {
		for i := 1; i <= MaxLength; i++ {
			for j := 1; j <= MaxLength; j++ {
				for _, post := range []bool{false, true} {
					a, b := table.Equity(i, j, post), table.Equity(j, i, post)
					if math.Abs(a+b-1) > 1e-9 || a < 0 || a > 1 {
						t.Fatalf("%s: %d-away %d-away: %v and %v", table.Name, i, j, a, b)
					}
				}
				if j < i && table.Equity(i, j, false) > 0.5 {
					t.Errorf("%s: trailer at %d-away %d-away is the favourite", table.Name, i, j)
				}
			}
		}
	}
}

func TestEquity_longMatches(t *testing.T) {
	table := DefaultTable()
	if v := table.Equity(99, 99, false); v != 0.5 {
		t.Errorf("99-away 99-away: %v", v)
	}
	s := State{Length: 99, Cube: 1}
	if table.After(s, 1) <= 0.5 || table.After(s, 2) <= table.After(s, 1) || math.Abs(table.After(s, 3)+table.After(s, -3)-1) > 1e-12 {
		t.Errorf("99-point match: %v after a point, %v after two", table.After(s, 1), table.After(s, 2))
	}
	// The step from formula to table is small.
	if d := math.Abs(table.Equity(100, 95, false) - table.Equity(99, 94, false)); d > 0.01 {
		t.Errorf("step of %v at the table's edge", d)
	}
}

func TestEMG_manualExample(t *testing.T) {
	// Features Q05: 3-1 to 5 with a cube of 2 and Woolsey's table: losing 2
	// points... the player who leads; the printed table needs MWC(l)=0, (w)=50%.
	s := State{Length: 5, Score: [2]int{1, 3}, Cube: 2, Owner: Mine}
	table := WoolseyTable()
	for _, c := range []struct{ mwc, emg float64 }{{0, -1}, {0.25, 0}, {0.5, 1}, {0.75, 2}, {1, 3}} {
		if got := table.EMG(s, c.mwc); math.Abs(got-c.emg) > 1e-9 {
			t.Errorf("EMG(%v) = %v, want %v", c.mwc, got, c.emg)
		}
	}
}

func TestEMG_inverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(2, MaxLength).Draw(t, "length")
		s := State{
			Length: length,
			Score:  [2]int{rapid.IntRange(0, length-1).Draw(t, "me"), rapid.IntRange(0, length-1).Draw(t, "opp")},
			Cube:   1 << rapid.IntRange(0, 3).Draw(t, "cube"),
		}
		mwc := rapid.Float64Range(0, 1).Draw(t, "mwc")
		table := DefaultTable()
		if table.After(s, s.Cube)-table.After(s, -s.Cube) < 1e-9 {
			t.Skip("nothing at stake")
		}
		if got := table.MWC(s, table.EMG(s, mwc)); math.Abs(got-mwc) > 1e-9 {
			t.Fatalf("MWC(EMG(%v)) = %v", mwc, got)
		}
		sum := table.After(s, s.Cube) + table.After(s.Swap(), -s.Cube)
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("both sides add up to %v", sum)
		}
	})
}

func TestGammonPrice(t *testing.T) {
	table := DefaultTable()
	dmp := State{Length: 3, Score: [2]int{2, 2}, Cube: 1}
	if got := table.GammonPrice(dmp); got != (GammonPrice{}) {
		t.Errorf("double match point: %+v, want zeros", got)
	}
	if got := table.GammonPrice(Money(false, 0)); got.WinGammon != 0.5 {
		t.Errorf("money: %+v", got)
	}
	if got := table.GammonPrice(Money(true, 0)); got.WinGammon != 0 {
		t.Errorf("Jacoby, centred cube: %+v", got)
	}
	// The trailer of a Crawford game at 2-away wins the match with a gammon.
	craw := State{Length: 5, Score: [2]int{3, 4}, Cube: 1, Crawford: true}
	if got := table.GammonPrice(craw); got.WinGammon < 0.9 || got.LoseGammon != 0 {
		t.Errorf("2-away Crawford: %+v", got)
	}
	if got := table.TakePoint(Money(false, 0)); got != 0.25 {
		t.Errorf("money take point %v", got)
	}
}

func TestState_Validate(t *testing.T) {
	good := []State{
		Money(true, 3),
		{Length: 7, Score: [2]int{6, 0}, Cube: 1, Crawford: true},
		{Length: 99, Cube: 1},
		{Length: 1, Cube: 1},
		{Length: 1, Cube: 1, Crawford: true},
	}
	for _, s := range good {
		if err := s.Validate(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	bad := []State{
		{}, {Cube: 3}, {Cube: -2}, {Cube: 1, Length: MaxLength + 1}, {Cube: 1, Length: -1},
		{Cube: 1, Length: 5, Score: [2]int{5, 0}}, {Cube: 1, Length: 5, Score: [2]int{-1, 0}},
		{Cube: 1, Length: 5, Crawford: true}, {Cube: 1, Length: 5, Score: [2]int{4, 4}, Crawford: true},
		{Cube: 1, Owner: 7}, {Cube: 1 << 21},
	}
	for _, s := range bad {
		if err := s.Validate(); !errors.Is(err, ErrScore) {
			t.Errorf("%+v: got %v, want ErrScore", s, err)
		}
	}
}

const smallXML = `<?xml version="1.0"?><!DOCTYPE met PUBLIC "x" "met.dtd"><met><info><name>tiny</name>
<description>d</description><length>2</length></info>
<pre-crawford-table type="explicit"><row><me>0.5</me><me>0.7</me></row><row><me> 0.3 </me><me>0.5</me></row></pre-crawford-table>
<post-crawford-table type="explicit" player="both"><row><me>0.5</me><me>0.48</me></row></post-crawford-table></met>`

func TestReadXML(t *testing.T) {
	table, err := ReadXML(strings.NewReader(smallXML))
	if err != nil {
		t.Fatal(err)
	}
	if table.Name != "tiny" || table.Equity(2, 1, false) != 0.3 || table.Equity(2, 1, true) != 0.48 {
		t.Errorf("got %q %v %v", table.Name, table.Equity(2, 1, false), table.Equity(2, 1, true))
	}
	if v := table.Equity(3, 3, false); v != 0.5 {
		t.Errorf("extension: %v", v)
	}
	for _, bad := range []string{
		"", "<met>", strings.Replace(smallXML, ">2</length>", ">3</length>", 1),
		strings.Replace(smallXML, "0.7", "1.7", 1), strings.Replace(smallXML, "0.7", "x", 1),
		strings.Replace(smallXML, `"explicit"`, `"magic"`, 1), strings.Replace(smallXML, "0.7", "NaN", 1),
		strings.Replace(smallXML, "<me>0.5</me><me>0.48</me>", "", 1), strings.Replace(smallXML, ">2</length>", ">-1</length>", 1),
	} {
		if _, err := ReadXML(strings.NewReader(bad)); !errors.Is(err, ErrTable) {
			t.Errorf("got %v, want ErrTable", err)
		}
	}
}

// TestReadXML_uneven: a table for players of unequal strength is averaged, with a warning.
func TestReadXML_uneven(t *testing.T) {
	post := func(player, row string) string {
		return `<post-crawford-table type="explicit" player="` + player + `"><row>` + row + `</row></post-crawford-table></met>`
	}
	both := post("both", "<me>0.5</me><me>0.48</me>")
	for name, c := range map[string]struct {
		old, new     string
		uneven, want float64 // want: the chance at 2-away, 1-away
		warns        bool
	}{
		"equal":                 {"", "", 0, 0.3, false},
		"rounded":               {"> 0.3 <", ">0.31<", 0.01, 0.305, false},
		"favoured":              {"> 0.3 <", ">0.36<", 0.06, 0.33, true},
		"at double match point": {"<row><me>0.5</me><me>0.7", "<row><me>0.51</me><me>0.7", 0.02, 0.3, true},
		"after Crawford":        {both, strings.TrimSuffix(post("0", "<me>0.5</me><me>0.49</me>"), "</met>") + post("1", "<me>0.5</me><me>0.46</me>"), 0.03, 0.3, true},
	} {
		text := strings.Replace(smallXML, c.old, c.new, 1)
		if c.old != "" && text == smallXML {
			t.Fatalf("%s: nothing replaced", name)
		}
		table, err := ReadXML(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(table.Uneven-c.uneven) > 1e-9 || math.Abs(table.Equity(2, 1, false)-c.want) > 1e-9 {
			t.Errorf("%s: %v uneven, %v; want %v, %v", name, table.Uneven, table.Equity(2, 1, false), c.uneven, c.want)
		}
		if w := table.Warning(); (w != "") != c.warns || strings.Contains(w, "\n") || c.warns && !strings.Contains(w, `"tiny"`) {
			t.Errorf("%s: warning %q", name, w)
		}
	}
}

// TestReadXML_noTable: the error says that nothing is there, or nothing of the kind.
func TestReadXML_noTable(t *testing.T) {
	for text, want := range map[string]string{
		"":        "the file is empty",
		" \n":     "no <met>",
		"hello\n": "no <met>",
		"<html/>": "expected element type <met>",
		"<met>":   "unexpected EOF",
	} {
		if _, err := ReadXML(strings.NewReader(text)); !errors.Is(err, ErrTable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestReadXML_installedTables(t *testing.T) {
	files, _ := filepath.Glob("/usr/share/gnubg/met/*.xml")
	n := 0
	for _, name := range files {
		if filepath.Base(name) == "catalog.xml" {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		table, err := ReadXML(f)
		f.Close()
		if base := filepath.Base(name); base == "zadeh.xml" || base == "mec.xml" {
			if !errors.Is(err, ErrTable) {
				t.Errorf("%s, a formula: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v := table.Equity(7, 7, false); v != 0.5 {
			t.Errorf("%s: 7-away 7-away %v", name, v)
		}
		n++
	}
	if n == 0 {
		t.Skip("gnubg's tables are not installed")
	}
}

func FuzzReadXML(f *testing.F) {
	f.Add(smallXML)
	f.Add(strings.Replace(smallXML, `"explicit"`, `"zadeh"`, 1))
	f.Fuzz(func(t *testing.T, text string) {
		table, err := ReadXML(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := 1; i <= MaxLength; i++ {
			for j := 1; j <= MaxLength; j++ {
				if v := table.Equity(i, j, false); !(v >= 0 && v <= 1) {
					t.Fatalf("%d-away %d-away: %v", i, j, v)
				}
			}
		}
	})
}

// The checksum of a table is that of files written when tables had 64 points a side.
func TestTable_sumOfEarlierFiles(t *testing.T) {
	if got := DefaultTable().Sum(); got != "cf9cf73199771ad0" {
		t.Errorf("%s", got)
	}
}
