package ratings

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"fibsbot/engine/duel"
	"fibsbot/engine/tune"
)

// read parses the bytes of a log as OpenDuel does a file.
func read(data []byte) (*Duel, error) {
	l, err := duel.ReadLog(data)
	if err != nil {
		return nil, err
	}
	return valuedDuel(l)
}

// goldenDuel is the log of a real duel of ten matches, which `duel` summed up as
// "68 differences: +0.12%, standard error 0.15%".
func goldenDuel(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/supremo-worldclass-5.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReadValuedDuel_golden(t *testing.T) {
	for _, tail := range []string{"", `{"pair":5,"result":[1,`} { // as a kill leaves it
		l, err := read([]byte(goldenDuel(t) + tail))
		if err != nil {
			t.Fatal(err)
		}
		cell := Cell{A: tune.Setting{Deep: "supremo"}, B: tune.Setting{Deep: "worldclass"}, Length: 5}
		if l.Cell != cell || l.Differences != (Differences{Seed: 205, Trials: 144}) || len(l.Pairs) != 5 {
			t.Fatalf("%+v", l)
		}
		sum := 0.0
		for _, p := range l.Pairs {
			sum += p.Edge
		}
		if mean := sum / 5; math.Abs(mean-0.0011895032096429698) > 1e-12 || l.Pairs[1].Games != 8 {
			t.Errorf("mean edge %.15f, %d games in pair 1", mean, l.Pairs[1].Games)
		}
	}
}

func TestReadValuedDuel_refuses(t *testing.T) {
	golden := goldenDuel(t)
	header, rest, _ := strings.Cut(golden, "\n")
	first, _, _ := strings.Cut(rest, "\n")
	for _, tt := range []struct {
		name, old, new string // a replacement in the golden log
		want           string // in the error
	}{
		{"nothing", golden, "", "line 1: not the log of a duel"},
		{"no end of line", golden, header, "line 1: not the log of a duel"},
		{"results", header, `{"fibsbot_tune":2,"signature":"x","nets":"y","seed":1,"block":100}`, "line 1: no log of a duel"},
		{"a later format", `"fibsbot_duel":1`, `"fibsbot_duel":2`, "line 1: log of format 2, this program reads 1"},
		{"a header with more in it", `"fibsbot_duel":1`, `"fibsbot_duel":1,"gammons":3`, `line 1: damaged: json: unknown field "gammons"`},
		{"results only", `"trials":144`, `"trials":0`, "line 1: a duel without --differences"},
		{"money", `"length":5`, `"length":0`, "line 1: a duel of money games"},
		{"negative length", `"length":5`, `"length":-5`, "line 1: no such match: -5 points"},
		{"endless", `"length":5`, `"length":5000`, "5000 points"},
		{"with flags", `"b":"worldclass"`, `"b":"worldclass","overrides":"--plies 1"`, `line 1: "supremo" played with "--plies 1"`},
		{"cubeless", `"cubeless":false`, `"cubeless":true`, "line 1: a duel without the cube"},
		{"another engine", `"b":"worldclass"`, `"b":"cmd:gnubg"`, `line 1: "cmd:gnubg" is another engine`},
		{"redefined", `"trials":144`, `"trials":144,"settings":["47d661f3310c7a62","0123456789abcdef"]`, `line 1: "worldclass" was redefined since: it played with settings "0123456789abcdef" and has "88ab`},
		{"one preset's settings", `"trials":144`, `"trials":144,"settings":["","88ab05c65ab6085f"]`, `line 1: "supremo" was redefined since`},
		{"no preset", `"a":"supremo"`, `"a":"superman"`, "superman"},
		{"one preset", `"a":"supremo"`, `"a":"worldclass"`, "worldclass against itself"},
		{"no JSON", first, "hello", "line 2: damaged"},
		{"cut", first, first[:60], "line 2: damaged"},
		{"two pairs in a line", first, first + first, "line 2: damaged"},
		{"half a pair", `"edge"`, `"edges"`, "line 2: damaged"},
		{"no edge", first, `{"pair":0,"result":[1,1],"luck":[0,0],"games":6,"differ":3}`, "line 2: not all of a pair"},
		{"one edge", first, `{"pair":0,"result":[1,1],"luck":[0,0],"games":6,"edge":[0.1],"differ":3}`, "line 2: not all of a pair"},
		{"no number of the pair", `"pair":0,`, "", "line 2: not all of a pair"},
		{"twice", `"pair":1,`, `"pair":0,`, "line 3: pair 0 a second time"},
		{"negative pair", `"pair":0,`, `"pair":-1,`, "line 2: pair -1"},
		{"a money game", first, `{"pair":0,"result":[2,-1],"luck":[0,0],"games":6,"edge":[0.1,0.1],"differ":3}`, "line 2: 2 is not the result of a match"},
		{"a big edge", first, `{"pair":0,"result":[1,-1],"luck":[0,0],"games":6,"edge":[0.1,99],"differ":3}`, "line 2: an edge of 99 by 3 differences"},
		{"an edge of nothing", first, `{"pair":0,"result":[1,-1],"luck":[0,0],"games":6,"edge":[0.1,0],"differ":0}`, "line 2: an edge of 0.1 by 0 differences"},
		{"no games", first, `{"pair":0,"result":[1,-1],"luck":[0,0],"games":0,"edge":[0.1,0],"differ":1}`, "line 2: 0 games"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(golden, tt.old) {
				t.Fatalf("no %q in the golden log", tt.old)
			}
			_, err := read([]byte(strings.Replace(golden, tt.old, tt.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzReadValuedDuel(f *testing.F) {
	f.Add([]byte(goldenDuel(f)))
	f.Add([]byte(`{"fibsbot_duel":1,"a":"expert","b":"beginner","length":1,"trials":1}` + "\n" +
		`{"pair":0,"result":[1,-1],"luck":[0,-0],"games":2,"edge":[9,-9.5],"differ":1}` + "\n" + `{"pair":1`))
	f.Add([]byte("{}\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := read(data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n") {
				t.Fatalf("more than a line: %q", err)
			}
			return
		}
		// The result can be added, once, written, read again and fitted.
		store, err := NewStore(Header{BlockSize: 1})
		if err != nil {
			t.Fatal(err)
		}
		took, err := store.AddDifferences(l.Cell, l.Differences, l.Presets, l.Pairs)
		if err != nil {
			t.Fatal(err)
		}
		if len(took.Added) != len(l.Pairs) {
			t.Fatalf("%d of %d pairs", len(took.Added), len(l.Pairs))
		}
		if again, err := store.AddDifferences(l.Cell, l.Differences, l.Presets, l.Pairs); err != nil || len(again.Added) != 0 {
			t.Fatalf("again: %d blocks, %v", len(again.Added), err)
		}
		var b bytes.Buffer
		if err := store.write(&b); err != nil {
			t.Fatal(err)
		}
		if back, _, err := readStore(&b); err != nil || back.Len() != store.Len() {
			t.Fatalf("came back: %v", err)
		}
		if fit, err := Fit(store.Totals(), 1900); err == nil {
			for _, v := range fit.Loss {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("loss %v", v)
				}
			}
		}
	})
}
