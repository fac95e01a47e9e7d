package external

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/internal/testsize"
)

// nodotsPost sends a body and returns status and answer.
func nodotsPost(t *testing.T, base, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// vectorFile is a file of the protocol's public conformance vectors.
type vectorFile struct {
	Vectors []struct {
		ID           string        `json:"id"`
		Request      nodotsRequest `json:"request"`
		Board        vectorBoard   `json:"board"`
		LegalResults []string      `json:"legalResults"`
	} `json:"vectors"`
}

type vectorBoard struct {
	Points      [24]int `json:"points"`
	BarOnRoll   int     `json:"barOnRoll"`
	BarOpponent int     `json:"barOpponent"`
	OffOnRoll   int     `json:"offOnRoll"`
	OffOpponent int     `json:"offOpponent"`
}

// move moves a checker by one step of an answer.
func (b *vectorBoard) move(s nodotsStep) {
	if s.FromContainer == "bar" {
		b.BarOnRoll--
	} else {
		b.Points[s.From-1]--
	}
	switch {
	case s.ToContainer == "off":
		b.OffOnRoll++
		return
	case b.Points[s.To-1] == -1:
		b.Points[s.To-1] = 0
		b.BarOpponent++
	}
	b.Points[s.To-1]++
}

func (b *vectorBoard) String() string {
	return fmt.Sprintf("%s|bar:%d,%d|off:%d,%d", strings.Trim(strings.ReplaceAll(fmt.Sprint(b.Points), " ", ","), "[]"), b.BarOnRoll, b.BarOpponent, b.OffOnRoll, b.OffOpponent)
}

// TestNodots_vectors: the protocol's public vectors, in both conventions of the Position ID.
func TestNodots_vectors(t *testing.T) {
	files, err := filepath.Glob("../../../shared/engines/vectors-*.json")
	if err != nil || len(files) == 0 {
		t.Skip("the conformance vectors are not here")
	}
	server := httptest.NewServer(Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Version: "fibsbot"}.NodotsHandler())
	defer server.Close()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file vectorFile
		if err := json.Unmarshal(text, &file); err != nil || len(file.Vectors) == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		for _, v := range file.Vectors {
			body, err := json.Marshal(v.Request)
			if err != nil {
				t.Fatal(err)
			}
			status, answer := nodotsPost(t, server.URL, "/v1/move", string(body))
			var m nodotsMoves
			if err := json.Unmarshal([]byte(answer), &m); err != nil || status != http.StatusOK {
				t.Errorf("%s %s: status %d: %s", filepath.Base(name), v.ID, status, answer)
				continue
			}
			after := v.Board
			for _, s := range m.Moves {
				after.move(s)
			}
			if got := after.String(); !slices.Contains(v.LegalResults, got) {
				t.Errorf("%s %s: %s leads to %s, not to one of %q", filepath.Base(name), v.ID, answer, got, v.LegalResults)
			}
		}
	}
}

// TestNodots_faults: what cannot be answered has a code, a field and never a bare status.
func TestNodots_faults(t *testing.T) {
	testsize.Medium(t)
	server := httptest.NewServer(Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Version: "fibsbot"}.NodotsHandler())
	defer server.Close()
	good := map[string]any{"positionId": startID, "positionIdConvention": opponentFirst, "dice": []int{3, 1}, "activePlayerColor": white, "activePlayerDirection": clockwise,
		"cubeValue": 1, "cubeOwner": nil, "matchScore": []int{0, 0}, "matchLength": 0, "crawford": false, "jacoby": true, "beavers": false}
	for _, c := range []struct {
		path, key string
		value     any
		status    int
		want      string
	}{
		{"/v1/move", "", nil, 200, `"from":8,"to":5`},
		{"/v1/double", "", nil, 200, `{"action":"no-double"}`},
		{"/v1/take", "", nil, 200, `{"action":"take"}`},
		{"/v1/resign", "", nil, 200, `{"action":"none"}`},
		{"/v1/move", "positionId", "no", 400, `"code":"invalid_position_id"`},
		{"/v1/move", "positionId", nil, 400, `"code":"invalid_position_id"`},
		{"/v1/move", "dice", []int{7, 1}, 400, `"field":"dice"`},
		{"/v1/move", "dice", []int{1}, 400, `"field":"dice"`},
		{"/v1/move", "positionIdConvention", "mine", 400, `"field":"positionIdConvention"`},
		{"/v1/move", "activePlayerColor", "red", 400, `"field":"activePlayerColor"`},
		{"/v1/take", "cubeOwner", "red", 400, `"field":"cubeOwner"`},
		{"/v1/take", "cubeOwner", white, 400, `"code":"invalid_request"`}, // the doubler does not own the cube
		{"/v1/double", "matchLength", -3, 400, `"code":"invalid_request"`},
		{"/v1/double", "cubeValue", 3, 400, `"code":"invalid_request"`},
		{"/v1/move", "matchLength", "x", 400, `"code":"invalid_request"`},
		{"/v1/nothing", "", nil, 404, `"code":"unsupported"`},
	} {
		q := map[string]any{}
		for k, v := range good {
			q[k] = v
		}
		if c.key != "" {
			q[c.key] = c.value
		}
		body, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if status, answer := nodotsPost(t, server.URL, c.path, string(body)); status != c.status || !strings.Contains(answer, c.want) {
			t.Errorf("%s %s=%v: status %d, %s (want %d, %s)", c.path, c.key, c.value, status, answer, c.status, c.want)
		}
	}
	for _, body := range []string{"", "{", "[]", strings.Repeat(" ", maxBody+1) + "{}"} {
		if status, answer := nodotsPost(t, server.URL, "/v1/move", body); status != 400 || !strings.Contains(answer, `"code":"invalid_request"`) {
			t.Errorf("%.10q: status %d, %s", body, status, answer)
		}
	}
}

// TestNodots_bothEnds: a client of the protocol gets what the engine decides.
func TestNodots_bothEnds(t *testing.T) {
	x := Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Version: "fibsbot"}
	server := httptest.NewServer(x.NodotsHandler())
	defer server.Close()
	c, err := (&Spec{Protocol: Nodots, Address: server.URL}).Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	seen := 0
	for _, q := range decisions(100) {
		if !q.Dice.Valid() && !q.State.MayDouble() {
			continue
		}
		got, err := c.Decide(t.Context(), q, false)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		if want := decideHere(t, x, q); got.After(q.Position) != want.After(q.Position) || got.Double != want.Double || got.Take != want.Take {
			t.Fatalf("%s: %+v, want %+v", q, got, want)
		}
		seen++
	}
	if seen < 100 {
		t.Errorf("%d decisions", seen)
	}
}

// TestHTTP_otherAnswers: what an engine over HTTP says wrong is an error of one line.
func TestHTTP_otherAnswers(t *testing.T) {
	var answer string
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/health" {
			_, _ = io.WriteString(w, `{"protocolVersion":"1"}`)
			return
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	defer server.Close()
	n, err := (&Spec{Protocol: Nodots, Address: server.URL}).Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w := wildbg{n.(nodots).web}
	roll := Board{Position: board.Start, State: cubelessState, Dice: board.Dice{A: 3, B: 1}}
	before, doubled := roll, roll
	before.Dice, doubled.Dice, doubled.Doubled = board.Dice{}, board.Dice{}, true
	for _, c := range []struct {
		by     Asked
		q      Board
		status int
		answer string
		want   string // of the error; "" for none
	}{
		{n, roll, 200, `{"moves":[{"from":8,"to":5},{"from":6,"to":5}]}`, ""},
		{n, roll, 200, `{"moves":[{"from":8,"to":4},{"from":6,"to":5}]}`, "bad play"},
		{n, roll, 200, `{"moves":[]}`, "bad play"},
		{n, roll, 200, "{", "JSON"},
		{n, roll, 500, `{"error":{"code":"internal","message":"boom"}}`, `"internal": "boom"`},
		{n, roll, 500, "boom", "status 500"},
		{n, roll, 200, strings.Repeat("x", maxBody+1), "more than"},
		{n, before, 200, `{"action":"too-good"}`, ""},
		{n, before, 200, `{"action":"take"}`, "want double or roll"},
		{n, doubled, 200, `{"action":"beaver"}`, ""},
		{n, doubled, 200, `{"action":"no-double"}`, "want take or drop"},
		{w, roll, 200, `{"moves":[{"play":[{"from":8,"to":5},{"from":6,"to":5}]}]}`, ""},
		{w, roll, 200, `{"moves":[{"play":[{"from":-8,"to":5}]}]}`, "bad play"},
		{w, roll, 200, `{"moves":[]}`, "bad play"},
		{w, before, 200, `{"cube":{"double":true,"accept":true}}`, ""},
		{w, before, 200, `{}`, "no cube"},
	} {
		answer, status = c.answer, c.status
		a, err := c.by.Decide(t.Context(), c.q, false)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%T %.60q: %+v, %v, want %q", c.by, c.answer, a, err, c.want)
		}
	}
}

// TestWildbgPosition: the example of wildbg's documentation.
func TestWildbgPosition(t *testing.T) {
	p := board.Start
	got := wildbgPosition(&p).Encode()
	if want := "p1=-2&p12=-5&p13=5&p17=-3&p19=-5&p24=2&p6=5&p8=3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p.Me[23], p.Me[board.Bar], p.Opp[23], p.Opp[board.Bar] = 1, 1, 1, 1
	if got := wildbgPosition(&p).Encode(); !strings.Contains(got, "p25=1") || !strings.Contains(got, "p0=-1") {
		t.Error(got)
	}
}

// TestSpec_check: what names no engine is an error of one line.
func TestSpec_check(t *testing.T) {
	for text, want := range map[string]string{
		"cmd:./engine -x": "", "ubgi:./engine": "", "gnubg:gnubg": "", "external:localhost:7782": "", "nodots:localhost:80": "", "wildbg:https://engine.example/x/": "",
		"cmd:": "needs a command", "external:here": "use HOST:PORT", "nodots:": "needs an address", "nodots:ftp://x": "is no address", "wildbg:http://a:b@c": "is no address",
	} {
		if _, ok, err := ParseSpec(text); !ok || fmt.Sprint(err) != "<nil>" && want == "" || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, ok, _ := ParseSpec("expert"); ok {
		t.Error("a preset names an engine")
	}
	for _, s := range []Spec{{}, {Protocol: Gnubg}, {Protocol: Gnubg, Command: []string{"a"}, Address: "b:1"}, {Protocol: "x"}} {
		if err := s.Check(); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
