package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/testsize"
)

// A match recorded by hand, the same match played at one board, and imported from files, has
// the same review and the same statistics. The .xg is that of ../shared, if it is there.
func TestSame_recordedPlayedAndImported(t *testing.T) {
	testsize.Large(t)
	for _, source := range []string{"../../../../engine/analyse/testdata/gnubg/match5.sgf", "../../../../engine/analyse/testdata/gnubg/session5.sgf",
		"../../../../../shared/formats/xg-sample/match7.xg"} {
		t.Run(filepath.Base(source), func(t *testing.T) {
			data, err := os.ReadFile(source)
			if os.IsNotExist(err) {
				t.Skip(source + " is not there")
			}
			if err != nil {
				t.Fatal(err)
			}
			list, _, _, err := detect.Read(bytes.NewReader(data))
			if err != nil || len(list) != 1 {
				t.Fatal(len(list), err)
			}
			m := analyse.Bare(list[0])
			want := kept(t, m, func(s *asker) string { return s.record(m, true) })
			// A file may leave open how a game ended; who records it says so.
			open := slices.ContainsFunc(m.Games, func(g record.Game) bool { return g.EndUnknown })
			for name, add := range map[string]func(*asker) string{
				"played at one board": func(s *asker) string { return s.record(m, false) },
				"imported":            func(s *asker) string { return s.imported(data, m.Players[1].Name) },
			} {
				if name != "imported" || !open {
					equal(t, name, kept(t, m, add), want)
				}
			}
			// A .mat cannot tell a resignation from another end.
			m.Games = slices.Clone(m.Games)
			for i := range m.Games {
				m.Games[i].EndUnknown = m.Games[i].Result.Resigned
			}
			from := func(form string) map[string]string {
				return kept(t, m, func(s *asker) string { return s.imported(written(t, m, form), m.Players[1].Name) })
			}
			want = from("sgf")
			equal(t, "imported from .mat", from("mat"), want)
			if open {
				equal(t, "imported", kept(t, m, func(s *asker) string { return s.imported(data, m.Players[1].Name) }), want)
			}
		})
	}
}

func equal(t *testing.T, name string, have, want map[string]string) {
	t.Helper()
	for path := range want {
		if _, ok := have[path]; !ok {
			t.Errorf("%s: no %s, want %s", name, path, want[path])
		}
	}
	for path, value := range have {
		if want[path] != value {
			t.Errorf("%s: %s is %s, want %s", name, path, value, want[path])
		}
	}
}

// unlike are the words of a file, and the day on which a match was entered.
var unlike = regexp.MustCompile(`^review\.match\.(date|place|event|round|annotator|comment|time|tags)\b|\.(date|first|last|comment)$`)

// kept adds a match to a new archive, analyses it there, and returns the figures of its
// review, of its page and of the statistics by their path.
func kept(t *testing.T, m *record.Match, add func(*asker) string) map[string]string {
	t.Helper()
	server := httptest.NewServer(newSite(t, ""))
	defer server.Close()
	s := &asker{t: t, base: server.URL}
	id := add(s)
	job := s.post("/matches/"+id+"/analyse", map[string]any{"preset": "beginner", "again": true})
	s.get("/api/v1/jobs/" + job["id"].(string) + "/events") // until the job ends
	out := map[string]string{}
	player := url.Values{"player": {m.Players[0].Name, m.Players[1].Name}}
	account := url.Values{"account": {m.Players[1].Name}}
	for name, path := range map[string]string{"review": "/matches/" + id + "/review", "stats": "/statistics?" + account.Encode(), "compared": "/statistics?" + player.Encode()} {
		var doc any
		if err := json.Unmarshal(s.get("/api/v1"+path), &doc); err != nil {
			t.Fatal(err)
		}
		flatten(out, name, doc)
	}
	text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(s.get("/matches/"+id+"/report")), " ")
	for i, word := range regexp.MustCompile(`[−+-]?\d+\.\d+%?`).FindAllString(text, -1) {
		out[fmt.Sprintf("figure %d of the page", i)] = word
	}
	if len(out) < 2000 {
		t.Fatalf("%d figures", len(out))
	}
	return out
}

func flatten(out map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			flatten(out, path+"."+name, x)
		}
	case []any:
		out[path+".length"] = fmt.Sprint(len(v))
		for i, x := range v {
			flatten(out, fmt.Sprintf("%s.%d", path, i), x)
		}
	default:
		if !unlike.MatchString(path) {
			out[path] = fmt.Sprint(v)
		}
	}
}

func (a *asker) get(path string) []byte {
	a.t.Helper()
	r, err := http.Get(a.base + path)
	if err != nil {
		a.t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		a.t.Fatalf("%s: %d %v", path, r.StatusCode, err)
	}
	return data
}

// imported imports a file.
func (a *asker) imported(data []byte, account string) string {
	a.t.Helper()
	r, err := http.Post(a.base+"/api/v1/matches?account="+url.QueryEscape(account), "application/octet-stream", bytes.NewReader(data))
	if err != nil {
		a.t.Fatal(err)
	}
	defer r.Body.Close()
	var v struct{ Matches []string }
	if err := json.NewDecoder(r.Body).Decode(&v); err != nil || len(v.Matches) != 1 {
		a.t.Fatalf("%v: %+v", err, v)
	}
	return v.Matches[0]
}

func written(t *testing.T, m *record.Match, format string) []byte {
	t.Helper()
	f, err := formats.Find(formats.Written, format, "")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// record enters a match as two people do: with their dice, or with the dice of the page,
// which are those of the match. The second player sits below.
func (a *asker) record(m *record.Match, byHand bool) string {
	a.t.Helper()
	acts, rolls := entered(m, byHand)
	terms := map[string]any{"two_players": true, "length": m.Length, "name": m.Players[1].Name, "opponent_name": m.Players[0].Name}
	if terms["by_hand"] = byHand; !byHand {
		terms["rolls"] = rolls
	}
	g := a.post("/games", terms)
	for i, act := range acts {
		act["version"] = g["version"]
		g = a.post("/games/"+g["id"].(string)+"/acts", act)
		if i < len(acts)-1 && g["phase"] == "match_over" {
			a.t.Fatalf("over after %d of %d acts: %v", i+1, len(acts), act)
		}
	}
	if m.Length == 0 {
		g = a.post("/games/"+g["id"].(string)+"/close", map[string]any{"version": g["version"]})
	}
	id, _ := g["archived"].(string)
	if id == "" {
		a.t.Fatalf("not over: %v", g["phase"])
	}
	return id
}

// entered are the acts of a match. Without byHand their dice are returned as digits.
func entered(m *record.Match, byHand bool) (acts []map[string]any, rolls string) {
	act := func(kind string, more ...any) {
		a := map[string]any{"kind": kind}
		for i := 0; i+1 < len(more); i += 2 {
			a[more[i].(string)] = more[i+1]
		}
		acts = append(acts, a)
	}
	for n := range m.Games {
		g := &m.Games[n]
		if n > 0 {
			act("next")
		}
		opening := true
		for t := range m.Turns(g) {
			switch kind := t.Action.Kind; kind {
			case record.Double:
				act([]string{"double", "beaver", "raccoon"}[t.Pending])
			case record.Take, record.Drop:
				act(map[record.Kind]string{record.Take: "take", record.Drop: "drop"}[kind])
			case record.Move, record.Roll:
				d := t.Action.Dice.Sorted()
				if opening && t.Player == 0 { // the die of the second player comes first
					d = board.Dice{A: min(d.A, d.B), B: max(d.A, d.B)}
				}
				roll := []int{int(d.A), int(d.B)}
				rolls += fmt.Sprint(d.A) + fmt.Sprint(d.B)
				switch {
				case byHand:
					act("roll", "dice", roll)
				case !opening:
					act("roll")
				}
				opening = false
				if kind == record.Move {
					act("move", "play", board.FormatPlay(t.Position, t.Play))
				}
			}
		}
		if g.Result.Resigned {
			cube := g.Cube
			for t := range m.Turns(g) {
				if t.Action.Kind == record.Take {
					cube = max(1, t.State.Cube) << t.Pending
				}
			}
			act("resign", "level", g.Result.Points/max(1, cube))
			act("accept")
		}
	}
	return acts, rolls
}
