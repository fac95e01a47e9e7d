package api

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"fibsbot/bot/archive/history"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/testsize"
)

var testEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{Threads: 2, Seed: 1})
})

// caller asks an API and holds every request and answer against its description.
type caller struct {
	t      testing.TB
	api    *API
	server *httptest.Server
	router routers.Router
	seen   map[string]bool // operations asked
}

func newCaller(t testing.TB) *caller {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, err := index.Open(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	deck, err := quiz.Open(db, filepath.Join(dir, "quiz.json"), nil)
	if err != nil {
		t.Fatal(err)
	}
	deck.Collections = collection.Open(filepath.Join(dir, "collections.json"))
	a := New(Options{Engine: e, Archive: db, Quiz: deck, Matches: play.NewStore(filepath.Join(dir, "play"), db), Online: &fakeDesk{},
		Bots: func(context.Context) (ops.Status, error) {
			return ops.Status{Version: "test", Accounts: []ops.Account{{Name: "<b>", State: "ready"}}}, nil
		}, Order: obeys})
	server := httptest.NewServer(a)
	t.Cleanup(func() { server.Close(); a.Close(); db.Close() })
	doc, err := openapi3.NewLoader().LoadFromData(a.spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return &caller{t: t, api: a, server: server, router: router, seen: map[string]bool{}}
}

// ask sends body (a string as a file, else as JSON) and decodes the answer into out.
func (c *caller) ask(method, path string, body any, want int, out any) {
	c.t.Helper()
	status, data := c.send(method, path, body, true)
	if status != want {
		c.t.Fatalf("%s %s: status %d, want %d: %s", method, path, status, want, data)
	}
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, data)
		}
	}
}

// form are files by name.
type form [][2]string

func (c *caller) send(method, path string, body any, valid bool) (int, []byte) {
	c.t.Helper()
	kind, data := "", []byte(nil)
	switch b := body.(type) {
	case nil:
	case form:
		var out bytes.Buffer
		w := multipart.NewWriter(&out)
		for _, f := range b {
			part, err := w.CreateFormFile(f[0], "file")
			if err == nil {
				_, err = io.WriteString(part, f[1])
			}
			if err != nil {
				c.t.Fatal(err)
			}
		}
		w.Close()
		kind, data, valid = w.FormDataContentType(), out.Bytes(), false
	case string:
		kind, data = "application/octet-stream", []byte(b)
	default:
		var err error
		if data, err = json.Marshal(b); err != nil {
			c.t.Fatal(err)
		}
		kind = "application/json"
	}
	req, err := http.NewRequest(method, c.server.URL+"/api/v1"+path, bytes.NewReader(data))
	if err != nil {
		c.t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	route, params, err := c.router.FindRoute(req)
	if err != nil {
		c.t.Fatalf("%s %s is not described: %v", method, path, err)
	}
	c.seen[route.Operation.OperationID] = true
	in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route}
	if valid && kind != "application/octet-stream" {
		if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
			c.t.Errorf("%s %s: the request is not as described: %v", method, path, err)
		}
		req.Body = io.NopCloser(bytes.NewReader(data))
	}
	resp, err := c.server.Client().Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if resp.Header.Get("Content-Type") == "application/json" {
		err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: in, Status: resp.StatusCode, Header: resp.Header, Body: io.NopCloser(bytes.NewReader(got)),
		})
		if err != nil {
			c.t.Errorf("%s %s: the answer is not as described: %v\n%.400s", method, path, err, got)
		}
	}
	return resp.StatusCode, got
}

type m = map[string]any

const start = "4HPwATDgc/ABMA"

// Every operation of the description is asked and answers as described.
func TestAPI_everythingIsAsDescribed(t *testing.T) {
	testsize.Medium(t)
	testsize.Alone(t)
	c := newCaller(t)
	var where Described
	c.ask("POST", "/position", m{"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"}, 200, &where)
	if where.PositionID != start || where.Length != 7 || len(where.Dice) != 2 {
		t.Errorf("position: %+v", where)
	}
	var again Described
	c.ask("POST", "/position", m{"board": where.Board, "length": 7, "dice": []int{3, 1}}, 200, &again)
	if again.PositionID != start || again.MatchID != where.MatchID {
		t.Errorf("by its checkers: %+v", again)
	}
	var ev Evaluation
	c.ask("POST", "/eval", m{"position": start, "preset": "expert", "windows": true, "counts": true, "map": true}, 200, &ev)
	if ev.Probs[0] < 0.45 || ev.Probs[0] > 0.6 || ev.Windows == nil || ev.Counts == nil || len(ev.Map.Rolls) != 21 || ev.Words != "No double, beaver" && ev.Words != "No double, take" {
		t.Errorf("eval: %+v", ev)
	}
	c.ask("POST", "/cube", m{"position": start, "preset": "expert", "length": 5, "score": []int{4, 2}, "crawford": true}, 200, nil)
	var plays struct{ Moves []struct{ Move string } }
	c.ask("POST", "/plays", m{"position": start, "dice": []int{3, 1}, "preset": "expert"}, 200, &plays)
	var why RankedPlays
	c.ask("POST", "/plays", m{"position": start, "dice": []int{3, 1}, "preset": "expert", "why": true}, 200, &why)
	if !strings.Contains(why.Reason, "8/5 6/5 makes the 5 point.") || len(why.Why) < 2 {
		t.Errorf("the reason of 8/5 6/5: %q, %v", why.Reason, why.Why)
	}
	if len(plays.Moves) != 16 || plays.Moves[0].Move != "8/5 6/5" {
		t.Errorf("plays: %+v", plays)
	}
	var rolls advice.RollMap
	c.ask("POST", "/rolls", m{"position": start, "preset": "expert"}, 200, &rolls)
	if len(rolls.Rolls) != 21 || rolls.DoubleTake == nil {
		t.Errorf("rolls: %+v", rolls)
	}
	// Far behind, a double would be beavered, where that is played.
	behind := "XGID=-a---BD-B---dE---c-e-b--B-:0:0:1:00:0:0:3:0:10"
	for beavers, want := range map[int]bool{0: false, 1: true} {
		var rolls advice.RollMap
		c.ask("POST", "/rolls", m{"position": behind, "preset": "casual", "beavers": beavers}, 200, &rolls)
		if rolls.Beaver != want || rolls.DoubleTake == nil || *rolls.DoubleTake >= 0 {
			t.Errorf("rolls with %d beavers: %v, double and take %v", beavers, rolls.Beaver, *rolls.DoubleTake)
		}
	}
	var nack GameState
	c.ask("POST", "/games", m{"length": 0, "variation": "nackgammon", "auto_doubles": 2, "rng": "chacha8", "preset": "casual"}, 201, &nack)
	if nack.Variation != "Nackgammon" || nack.Board[1][22]+nack.Board[0][22] < 3 {
		t.Errorf("nackgammon: %+v", nack.View)
	}
	var waiting GameList
	if c.ask("GET", "/games", nil, 200, &waiting); len(waiting.Games) != 1 || waiting.Games[0].Variation != "Nackgammon" {
		t.Errorf("games: %+v", waiting)
	}
	c.ask("POST", "/games", m{"length": 1, "variation": "acey-deucey"}, 400, nil)
	c.ask("POST", "/games", m{"length": 1, "rng": "coin"}, 400, nil)
	c.ask("DELETE", "/games/"+nack.ID, nil, 200, nil)
	var scores ScoreMatrix
	c.ask("POST", "/scores", m{"position": start, "dice": []int{3, 1}, "away": 3}, 200, &scores)
	if len(scores.Cells) != 9 || scores.Cells[0].Play == "" {
		t.Errorf("scores: %+v", scores)
	}
	var five, one []Preset
	c.ask("GET", "/presets", nil, 200, &five)
	c.ask("GET", "/presets?length=1", nil, 200, &one)
	// A human level is ordered by rating, whatever the length.
	if five[0].Rating != one[0].Rating || one[0].Rating == 0 || five[len(five)-1].Rating == one[len(one)-1].Rating || five[len(five)-1].Rating <= 1900 || one[len(one)-1].Rating <= 1900 {
		t.Errorf("ratings of the presets: %+v, in matches of 1 point %+v", five, one)
	}
	for _, length := range []string{"-1", "100", "x", "1e3", "99999999999999999999"} {
		c.ask("GET", "/presets?length="+length, nil, 400, nil)
	}
	c.ask("GET", "/characters", nil, 200, nil)
	c.ask("GET", "/statistics/columns", nil, 200, nil)
	c.met()
	c.jobs()
	c.archive()
	c.aGame()
	c.questions()
	c.study()
	c.decisions()
	c.ask("GET", "/bots", nil, 200, nil)
	c.orders()
	c.seen["getBotsEvents"] = true // endless: TestFeed asks for it
	c.ask("GET", "/online", nil, 200, nil)
	c.ask("POST", "/online", m{"server": "localhost:4321", "protocol": "fibs", "account": "anna", "password": "secret"}, 200, nil)
	c.ask("GET", "/online/players", nil, 200, nil)
	c.ask("POST", "/online/commands", m{"line": "invite bob 5"}, 200, nil)
	c.ask("POST", "/online/commands", m{"line": "nonsense"}, 400, nil)
	c.ask("POST", "/online/acts", m{"kind": "roll"}, 200, nil)
	c.ask("DELETE", "/online", nil, 200, nil)
	c.seen["getOnlineEvents"] = true // endless: TestBrowser_online asks for it
	for _, item := range c.routerOperations() {
		if !c.seen[item] {
			t.Errorf("%s was not asked", item)
		}
	}
}

// notes comments a decision as two windows do: the second does not overwrite the first.
func (c *caller) notes(id string) {
	place := "/matches/" + id + "/decisions/1.1"
	var v Note
	c.ask("GET", place, nil, 200, &v)
	c.ask("PUT", place, m{"comment": "!? mine", "was": v.Comment}, 200, &v)
	if v.Comment != "!? mine" {
		c.t.Errorf("stored %q", v.Comment)
	}
	c.ask("PUT", place, m{"comment": "other", "was": ""}, 409, nil)
	if c.ask("GET", place, nil, 200, &v); v.Comment != "!? mine" {
		c.t.Errorf("the other window left %q", v.Comment)
	}
	c.ask("PUT", place, m{"comment": strings.Repeat("x", maxNote+1), "was": v.Comment}, 400, nil)
	c.ask("GET", "/matches/"+id+"/decisions/1.999", nil, 404, nil)
	c.ask("GET", "/matches/"+id+"/decisions/one", nil, 404, nil)
	c.ask("PUT", place, m{"comment": "", "was": v.Comment}, 200, nil)
	var drawn Pictures
	c.ask("GET", "/matches/"+id+"/pictures", nil, 200, &drawn)
	if status, data := c.send("GET", place+"/picture", nil, true); status != 200 || len(drawn.Pictures) < 2 || string(data) != drawn.Pictures[0] {
		c.t.Errorf("the picture: %d, %.60q, of %d", status, data, len(drawn.Pictures))
	}
	c.ask("GET", "/matches/"+id+"/decisions/1.999/picture", nil, 404, nil)
	c.ask("GET", "/matches/"+id+"/report?as=doc", nil, 400, nil)
	for as, begin := range map[string]string{"": "<!doctype html>", "?as=pdf": "%PDF-", "?as=text": ""} {
		if status, data := c.send("GET", "/matches/"+id+"/report"+as, nil, true); status != 200 || !bytes.HasPrefix(data, []byte(begin)) || len(data) < 500 {
			c.t.Errorf("report%s: %d, %.60q", as, status, data)
		}
	}
}

func (c *caller) routerOperations() (ids []string) {
	doc, err := openapi3.NewLoader().LoadFromData(c.api.spec)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, p := range doc.Paths.Map() {
		for _, op := range p.Operations() {
			ids = append(ids, op.OperationID)
		}
	}
	return ids
}

// ended waits for a job by its events and returns the last.
func (c *caller) ended(kind, id string) Job {
	c.t.Helper()
	resp, err := c.server.Client().Get(c.server.URL + "/api/v1/" + kind + "/" + id + "/events")
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	var j Job
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 16<<20) // an analysis holds every decision with its candidates
	for scan.Scan() {
		if text, ok := strings.CutPrefix(scan.Text(), "data: "); ok {
			if err := json.Unmarshal([]byte(text), &j); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	return j
}

func (c *caller) jobs() {
	var s Started
	c.ask("POST", "/rollouts", m{"position": start, "dice": []int{3, 1}, "plays": []string{"8/5 6/5", "24/23 13/10"}, "trials": 1 << 20, "truncate": 7}, 202, &s)
	c.seen["getRolloutsByIdEvents"], c.seen["getJobsByIdEvents"] = true, true // by ended
	for {
		var j Job
		c.ask("GET", "/rollouts/"+s.ID, nil, 200, &j)
		if j.Done > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.ask("POST", "/rollouts/"+s.ID+"/continue", m{}, 409, nil)
	var stopped Job
	c.ask("DELETE", "/rollouts/"+s.ID, nil, 200, &stopped)
	if stopped.State != Stopped || stopped.Done < 1 || stopped.Rollout.Arms[0].Trials != stopped.Done {
		c.t.Errorf("stopped: %+v", stopped)
	}
	c.ask("POST", "/rollouts/"+s.ID+"/continue", m{"trials": stopped.Done + 72}, 202, nil)
	done := c.ended("rollouts", s.ID)
	if done.State != Done || done.Done != stopped.Done+72 || len(done.Rollout.Arms) != 2 || done.Rollout.Arms[0].EquityErr <= 0 {
		c.t.Errorf("after the resume: %+v", done)
	}
	c.ask("POST", "/rollouts", m{"position": start, "trials": 36, "truncate": 7}, 202, &s)
	if j := c.ended("jobs", s.ID); j.Rollout.Cube == nil || j.Rollout.Words == "" {
		c.t.Errorf("cube: %+v", j.Rollout)
	}
	// Other dice, of the same seed, are other results, and come out again the second time.
	var equities []float64
	for _, rng := range []string{"", "chacha8", "ChaCha8"} {
		c.ask("POST", "/rollouts", m{"position": start, "kind": "position", "trials": 36, "truncate": 7, "rng": rng}, 202, &s)
		j := c.ended("jobs", s.ID)
		if want := cmp.Or(strings.ToLower(rng), "pcg"); j.Rollout.RNG != want {
			c.t.Errorf("rng %q: %q, want %q", rng, j.Rollout.RNG, want)
		}
		equities = append(equities, j.Rollout.Arms[0].Equity)
	}
	if equities[0] == equities[1] || equities[1] != equities[2] {
		c.t.Errorf("by pcg, chacha8 and chacha8: %v", equities)
	}
	c.ask("GET", "/rollouts", nil, 200, nil)
	c.ask("GET", "/jobs", nil, 200, nil)
	c.ask("GET", "/jobs/"+s.ID, nil, 200, nil)
	c.ask("DELETE", "/jobs/"+s.ID, nil, 200, nil)
	c.ask("GET", "/jobs/"+s.ID, nil, 404, nil)
}

func (c *caller) archive() {
	text, err := os.ReadFile("testdata/match.mat")
	if err != nil {
		c.t.Fatal(err)
	}
	var conv Converted
	c.ask("POST", "/convert?to=sgf", string(text), 200, &conv)
	// Every format is what the format's own writer makes of the file, as convert --to does.
	for _, f := range formats.Texts {
		var same Converted
		c.ask("POST", "/convert?to="+f.Name, string(text), 200, &same)
		list, _, _, err := detect.Read(bytes.NewReader(text))
		if err != nil {
			c.t.Fatal(err)
		}
		var want bytes.Buffer
		if err := f.Write(&want, list[0]); err != nil || same.Text != want.String() || same.Format != f.Name {
			c.t.Errorf("%s: %v, format %q, %d bytes, want %d", f.Name, err, same.Format, len(same.Text), want.Len())
		}
	}
	if !strings.HasPrefix(conv.Text, "(;") {
		c.t.Errorf("convert: %+v", conv)
	}
	var in Imported
	c.ask("POST", "/matches", string(text), 200, &in)
	if in.New != 1 {
		c.t.Fatalf("import: %+v", in)
	}
	var s Started
	c.ask("POST", "/analyse?preset=expert", string(text), 202, &s)
	if j := c.ended("jobs", s.ID); j.Analysis == nil || len(j.Analysis.Players) != 2 {
		c.t.Errorf("analysis: %+v", j)
	}
	id := in.Matches[0]
	c.ask("POST", "/matches/"+id+"/analyse", m{"preset": "expert"}, 202, &s)
	if j := c.ended("jobs", s.ID); j.State != Done || j.Match != id {
		c.t.Errorf("analysis of a match: %+v", j)
	}
	var list MatchList
	c.ask("GET", "/matches?limit=5", nil, 200, &list)
	if len(list.Matches) != 1 || list.Matches[0].Plies != 0 {
		c.t.Errorf("matches: %+v", list)
	}
	day := list.Matches[0].Started.UTC().Format(time.DateOnly)
	c.ask("GET", "/matches?since="+day+"&until="+day, nil, 200, &list) // the last day is included
	if len(list.Matches) != 1 {
		c.t.Errorf("matches of %s: %+v", day, list)
	}
	c.ask("GET", "/matches/"+id, nil, 200, nil)
	var form history.Form
	if c.ask("GET", "/matches/"+id+"/form", nil, 200, &form); form.PR.Known() != (form.Mean.Known() && len(form.Last) > 0) {
		c.t.Errorf("%+v", form)
	}
	c.ask("PUT", "/me", m{"names": []string{list.Matches[0].Account}}, 200, nil)
	c.ask("PUT", "/me", m{"names": []string{}}, 200, nil)
	c.ask("PATCH", "/matches/"+id, m{"event": "Open", "tags": []string{"study"}, "swap": true}, 200, nil)
	var head Head
	c.ask("GET", "/matches/"+id+"/head", nil, 200, &head)
	if head.Event != "Open" || len(head.Tags) != 1 || !head.Swappable {
		c.t.Errorf("head: %+v", head)
	}
	c.notes(id)
	c.ask("POST", "/matches/"+id+"/merge", m{"with": id}, 400, nil)
	var names []owner.Count
	c.ask("GET", "/names", nil, 200, &names)
	if len(names) < 2 {
		c.t.Errorf("names: %+v", names)
	}
	c.ask("POST", "/names/rename", m{"from": "no such player", "to": "x"}, 400, nil)
	var now index.Match
	c.ask("GET", "/matches/"+id, nil, 200, &now)
	c.ask("POST", "/names/rename", m{"from": now.Opponent, "to": "Renamed Opponent"}, 200, nil)
	var found MatchList
	if c.ask("GET", "/matches?text=renamed", nil, 200, &found); len(found.Matches) != 1 {
		c.t.Errorf("found %+v", found)
	}
	c.ask("POST", "/names/rename", m{"from": "renamed opponent", "to": now.Opponent}, 200, nil)
	c.ask("POST", "/analysis", m{}, 202, nil)
	c.ask("DELETE", "/analysis", nil, 200, nil)
	c.ask("GET", "/analysis", nil, 200, nil)
	c.ask("DELETE", "/matches/"+id, nil, 200, nil)
	c.ask("GET", "/matches/"+id, nil, 404, nil)
	c.ask("GET", "/trash", nil, 200, nil)
	c.ask("POST", "/trash/"+id+"/undelete", m{}, 200, nil)
	c.ask("POST", "/trash/"+id+"/undelete", m{}, 404, nil)
	c.ask("GET", "/me", nil, 200, nil)
	c.ask("PATCH", "/matches/"+id, m{"account": list.Matches[0].Opponent}, 200, nil)
	c.ask("GET", "/matches/"+id+"/review", nil, 200, nil)
	if status, data := c.send("GET", "/matches/"+id+"/file?to=mat", nil, true); status != 200 || !bytes.Contains(data, []byte("Game 1")) {
		c.t.Errorf("file: %d %.80s", status, data)
	}
	for _, by := range index.Groups {
		c.ask("GET", "/statistics?by="+by, nil, 200, nil)
	}
	c.ask("GET", "/statistics?by=weather", nil, 400, nil)
	c.ask("GET", "/statistics/trends", nil, 200, nil)
	c.ask("GET", "/statistics/trends?length=long", nil, 400, nil)
}

// doubled is the beginning of a match with a double.
const doubled = ` 5 point match

 Game 1
 anna : 0                       bert : 0
  1) 31: 8/5 6/5                52: 13/8 13/11
  2)  Doubles => 2               Takes
  3) 64: 24/14                  31: 8/5 6/5
`

// decisions rolls out decisions of an archived match, which stores the results.
func (c *caller) decisions() {
	c.t.Helper()
	var in Imported
	var s Started
	c.ask("POST", "/matches", doubled, 200, &in)
	id := in.Matches[0]
	c.ask("POST", "/matches/"+id+"/analyse", m{"preset": "casual"}, 202, &s)
	c.ended("jobs", s.ID)
	places := map[string]string{} // of a play and of a cube decision
	var doc report.Document
	c.ask("GET", "/matches/"+id+"/review", nil, 200, &doc)
	for _, g := range doc.Games {
		for _, d := range g.Decisions {
			place := fmt.Sprintf("%d.%d", g.Number+1, d.Number)
			if d.Kind == "checker" && len(d.Candidates) > 2 && places["checker"] == "" || d.Kind == "take" {
				places[d.Kind] = place
			}
		}
	}
	rolledAt := func(place string) (depth string, played bool) {
		var doc report.Document
		c.ask("GET", "/matches/"+id+"/review", nil, 200, &doc)
		for _, g := range doc.Games {
			for _, d := range g.Decisions {
				if fmt.Sprintf("%d.%d", g.Number+1, d.Number) == place {
					return d.Depth, d.Played != ""
				}
			}
		}
		return "", false
	}
	if len(places) != 2 {
		c.t.Fatalf("the sample has decisions %v", places)
	}
	for _, kind := range []string{"checker", "take"} { // the last one is gone on with
		place := places[kind]
		for _, trials := range []int{20, 72, 36} {
			c.ask("POST", "/rollouts", m{"match": id, "decision": place, "trials": trials, "truncate": 3, "preset": "casual"}, 202, &s)
			j := c.ended("rollouts", s.ID)
			if stored := trials == 72; j.State != Done || j.Match != id || j.Decision != place || j.Stored > 0 != stored || stored && j.Stored != 72 {
				c.t.Errorf("%s, %d trials: %+v", kind, trials, j)
			}
			depth, played := rolledAt(place)
			if want := map[int]bool{20: false, 72: true, 36: true}[trials]; (depth == "rollout 72") != want || !played {
				c.t.Errorf("%s, %d trials: the review says %q", kind, trials, depth)
			}
		}
	}
	// Gone on with, it is written again.
	c.ask("POST", "/rollouts/"+s.ID+"/continue", m{"trials": 108}, 202, &s)
	if j := c.ended("rollouts", s.ID); j.Stored != 108 {
		c.t.Errorf("after the resume: %+v", j)
	}
	// Stopped, it is beside the analysis until it is saved.
	c.ask("POST", "/rollouts", m{"match": id, "decision": places["checker"], "trials": 100000, "truncate": 3, "preset": "casual"}, 202, &s)
	c.ask("POST", "/rollouts/"+s.ID+"/save", m{}, 409, nil)
	var j Job
	for j.Done < 150 {
		c.ask("GET", "/rollouts/"+s.ID, nil, 200, &j)
	}
	c.ask("DELETE", "/rollouts/"+s.ID, nil, 200, nil)
	j = c.ended("rollouts", s.ID)
	if depth, _ := rolledAt(places["checker"]); j.Unsaved != "stopped" || j.Stored != 0 || depth != "rollout 72" {
		c.t.Errorf("stopped: %+v, the review says %q", j, depth)
	}
	var saved Job
	c.ask("POST", "/rollouts/"+s.ID+"/save", m{}, 200, &saved)
	if depth, _ := rolledAt(places["checker"]); saved.Unsaved != "" || depth != fmt.Sprint("rollout ", saved.Stored) {
		c.t.Errorf("saved: %+v, the review says %q", saved, depth)
	}
	for field, body := range map[string]m{
		"decision": {"match": id, "decision": "1.9999"}, "match": {"decision": "1.2"},
		"position": {"match": id, "decision": places["take"], "position": "4HPwATDgc/ABMA"},
	} {
		var p Problem
		c.ask("POST", "/rollouts", body, 400, &p)
		if p.Field != field {
			c.t.Errorf("%v: %+v", body, p)
		}
	}
	c.ask("POST", "/rollouts", m{"match": id, "decision": places["take"], "length": 3}, 400, nil)
	c.ask("POST", "/rollouts", m{"match": "ffffffffffff", "decision": "1.2"}, 404, nil)
}

func (c *caller) aGame() {
	var g GameState
	c.ask("POST", "/games", m{"length": 1, "preset": "beginner", "seed": 4}, 201, &g)
	at := "/games/" + g.ID
	c.ask("GET", at, nil, 200, &g)
	for n := 0; g.Phase != play.MatchOver; n++ {
		if n > 3000 {
			c.t.Fatal("the match does not end")
		}
		v := m{"version": g.Version}
		g.Warning = nil
		switch {
		case g.Phase == play.GameOver, g.Turn == play.Opponent:
			c.ask("POST", at+"/think", v, 200, &g)
		case g.Phase == play.ToRoll:
			if !c.seen["getGamesByIdHint"] {
				c.ask("GET", at+"/hint?preset=expert", nil, 200, nil)
				c.seen["getGamesByIdHint"] = true
			}
			v["kind"] = "roll"
			c.ask("POST", at+"/acts", v, 200, &g)
		case g.Phase == play.ToMove:
			node := 0
			for !g.Moves[node].End {
				node = g.Moves[node].Next[0].Node
			}
			v["kind"], v["play"] = "move", g.Moves[node].Play
			if !c.seen["postGamesByIdUndo"] && g.MayUndo {
				c.send("POST", at+"/correct", m{"version": g.Version, "act": 0}, true) // for matches of two people: see TestGames_ofTwoPeople
				c.ask("POST", at+"/undo", m{"version": g.Version}, 200, &g)
				continue
			}
			c.ask("POST", at+"/acts", v, 200, &g)
		case g.Phase == play.ToAnswerResign:
			v["kind"] = "accept"
			c.ask("POST", at+"/acts", v, 200, &g)
		}
	}
	if g.Archived == "" {
		c.t.Error("a finished match is not in the archive")
	}
	c.ask("POST", "/games", m{"length": 0, "rating": 1600, "name": "<script>"}, 201, &g)
	c.ask("POST", "/games/"+g.ID+"/close", m{"version": g.Version}, 400, nil)
	c.ask("GET", "/games", nil, 200, nil)
	c.ask("DELETE", "/games/"+g.ID, nil, 200, nil)
	c.ask("GET", "/games/"+g.ID, nil, 404, nil)
}

// A single game that was fair before the roll is refused when the roll has missed.
func TestAPI_resignationAfterAMiss(t *testing.T) {
	c := newCaller(t)
	f, err := os.Open("../../../play/testdata/missed.match")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	match, err := play.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.api.opt.Matches.Add(match); err != nil {
		t.Fatal(err)
	}
	at := "/games/" + match.ID()
	var g GameState
	c.ask("POST", at+"/acts", m{"version": match.View().Version, "kind": "resign", "level": 1}, 200, &g)
	c.ask("POST", at+"/think", m{"version": g.Version}, 200, &g)
	if g.Phase != play.ToMove || g.Turn != play.You || g.Score != [2]int{} {
		t.Errorf("phase %s, turn %d, score %v", g.Phase, g.Turn, g.Score)
	}
}

func TestAPI_tutorObjectsOnce(t *testing.T) {
	c := newCaller(t)
	var g GameState
	c.ask("POST", "/games", m{"length": 5, "seed": 2}, 201, &g)
	for g.Phase != play.ToMove || g.Turn != play.You {
		if g.Turn == play.Opponent {
			c.ask("POST", "/games/"+g.ID+"/think", m{"version": g.Version}, 200, &g)
			continue
		}
		c.ask("POST", "/games/"+g.ID+"/acts", m{"version": g.Version, "kind": "roll"}, 200, &g)
	}
	warned := false
	for _, n := range g.Moves {
		if !n.End {
			continue
		}
		var after GameState
		c.ask("POST", "/games/"+g.ID+"/acts", m{"version": g.Version, "kind": "move", "play": n.Play, "tutor": 0.2}, 200, &after)
		if after.Warning == nil {
			break // it was good enough, and is played
		}
		warned = true
		if after.Version != g.Version || after.Warning.Loss < 0.2 || after.Warning.Best == "" {
			t.Fatalf("warning %+v", after)
		}
		c.ask("POST", "/games/"+g.ID+"/acts", m{"version": g.Version, "kind": "move", "play": n.Play, "tutor": 0.2, "confirm": true}, 200, &after)
		if after.Version == g.Version {
			t.Error("confirmed, and not played")
		}
		// Another window still shows the old state.
		c.ask("POST", "/games/"+g.ID+"/acts", m{"version": g.Version, "kind": "move", "play": n.Play}, 409, nil)
		break
	}
	if !warned {
		t.Skip("the first play of this seed is a good one")
	}
}

func TestAPI_badInputIsToldAtTheField(t *testing.T) {
	c := newCaller(t)
	for name, q := range map[string]struct {
		path  string
		body  any
		field string
	}{
		"empty":          {"/eval", m{"position": ""}, "position"},
		"half an id":     {"/eval", m{"position": "4HPwATDg"}, "position"},
		"no dice":        {"/plays", m{"position": start}, "dice"},
		"bad dice":       {"/plays", m{"position": start, "dice": []int{7, 1}}, "dice"},
		"one die":        {"/plays", m{"position": start, "dice": []int{1}}, "dice"},
		"preset":         {"/eval", m{"position": start, "preset": "nobody"}, "preset"},
		"length":         {"/eval", m{"position": start, "length": -3}, "length"},
		"score of one":   {"/eval", m{"position": start, "length": 3, "score": []int{1}}, "score"},
		"length as text": {"/eval", m{"position": start, "length": "3"}, "length"},
		"score":          {"/eval", m{"position": start, "length": 3, "score": []int{3, 0}}, "score"},
		"cube":           {"/eval", m{"position": start, "cube": 3}, "cube"},
		"owner":          {"/eval", m{"position": start, "owner": "x"}, "owner"},
		"crawford":       {"/eval", m{"position": start, "length": 5, "crawford": true}, "crawford"},
		"board":          {"/position", m{"board": [2][25]int{{0: 16}, {0: 1}}}, "board"},
		"same point":     {"/position", m{"board": [2][25]int{{0: 2}, {23: 2}}}, "board"},
		"both":           {"/position", m{"position": start, "board": [2][25]int{}}, "board"},
		"unknown field":  {"/eval", m{"position": start, "colour": 1}, "colour"},
		"wrong type":     {"/eval", m{"position": 7}, "position"},
		"trials":         {"/rollouts", m{"position": start, "trials": -1}, "trials"},
		"rng":            {"/rollouts", m{"position": start, "rng": "dev/random"}, "rng"},
		"kind":           {"/rollouts", m{"position": start, "kind": "x"}, "kind"},
		"plays":          {"/rollouts", m{"position": start, "dice": []int{3, 1}, "plays": []string{"1/2"}}, "plays"},
		"away":           {"/scores", m{"position": start, "away": 99}, "away"},
		"game length":    {"/games", m{"length": 100}, "length"},
		"not a match":    {"/convert?to=sgf", "hello", "file"},
		"format":         {"/convert?to=exe", "hello", "to"},
		"nothing at all": {"/analyse", "", "file"},
	} {
		status, data := c.send("POST", q.path, q.body, false)
		var p Problem
		if err := json.Unmarshal(data, &p); err != nil || status != 400 || p.Field != q.field || p.Text == "" || strings.Contains(p.Text, "\n") {
			t.Errorf("%s: status %d, %s; want field %q", name, status, data, q.field)
		}
	}
	for query, field := range map[string]string{"limit=0": "limit", "since=yesterday": "since", "until=2026-13-01": "until", "since=2026-02-01&until=2026-01-31": "until", "from=2026-01-31": "from"} {
		status, data := c.send("GET", "/matches?"+query, nil, false)
		var p Problem
		if err := json.Unmarshal(data, &p); err != nil || status != 400 || p.Field != field {
			t.Errorf("%s: status %d, %s", query, status, data)
		}
	}
	for _, id := range []string{"..", "%2e%2e%2fx", "0"} {
		if status, _ := c.send("GET", "/games/"+id, nil, false); status != 404 {
			t.Errorf("game %s: %d", id, status)
		}
	}
}

func TestAPI_refusesWhatIsTooBigOrNoJSON(t *testing.T) {
	testsize.Medium(t)
	c := newCaller(t)
	post := func(kind, body string) int {
		resp, err := c.server.Client().Post(c.server.URL+"/api/v1/eval", kind, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if s := post("application/json", `{"position":"`+strings.Repeat("x", maxBody)+`"}`); s != http.StatusRequestEntityTooLarge {
		t.Errorf("too big: %d", s)
	}
	if s := post("text/plain", `{"position":"`+start+`"}`); s != http.StatusUnsupportedMediaType {
		t.Errorf("a form of another page: %d", s)
	}
	if s := post("application/json", `{"position":"`+start+`"} {}`); s != 400 {
		t.Errorf("two objects: %d", s)
	}
}

func TestAPI_aFloodIsRefused(t *testing.T) {
	c := newCaller(t)
	defer c.occupy(c.api.short)()
	for range cap(c.api.short.waiting) {
		c.api.short.waiting <- struct{}{}
	}
	if status, data := c.send("POST", "/eval", m{"position": start}, true); status != http.StatusServiceUnavailable {
		t.Errorf("status %d: %s", status, data)
	}
}

// occupy takes all places of a lane.
func (c *caller) occupy(l *lane) (leave func()) {
	for range cap(l.running) {
		l.running <- struct{}{}
	}
	return func() {
		for range cap(l.running) {
			<-l.running
		}
	}
}

// Long requests in all their places do not delay plays, hints and cube decisions, and a
// request that waits too long gets an error.
func TestAPI_slowRequestsHoldUpNoPlay(t *testing.T) {
	c := newCaller(t)
	defer c.occupy(c.api.long)()
	c.api.long.within = time.Nanosecond
	var g GameState
	c.ask("POST", "/games", m{"length": 1, "preset": "beginner"}, 201, &g)
	c.ask("POST", "/games/"+g.ID+"/think", m{"version": g.Version}, 200, nil)
	c.ask("GET", "/games/"+g.ID+"/hint?preset=beginner", nil, 200, nil)
	c.ask("POST", "/plays", m{"position": start, "dice": []int{3, 1}, "preset": "beginner"}, 200, nil)
	c.ask("POST", "/eval", m{"position": start, "preset": "beginner"}, 200, nil)
	for path, body := range map[string]m{
		"/rolls": {"position": start}, "/scores": {"position": start}, "/eval": {"position": start, "map": true}, "/cube": {"position": start, "map": true},
	} {
		var p Problem
		if c.ask("POST", path, body, 503, &p); p != (Problem{Text: errTooLong.Text}) {
			t.Errorf("%s: %+v", path, p)
		}
	}
}

// A request at work ends with its time too.
func TestAPI_workEndsWithItsTime(t *testing.T) {
	c := newCaller(t)
	for _, l := range []*lane{c.api.short, c.api.long} {
		l.within = 0
	}
	for path, body := range map[string]m{"/rolls": {"position": start}, "/plays": {"position": start, "dice": []int{3, 1}}} {
		var p Problem
		if c.ask("POST", path, body, 503, &p); p.Text != errTooLong.Text {
			t.Errorf("%s: %+v", path, p)
		}
	}
}

// reader counts the bodies that are read, and ends none of them before it may.
type reader struct {
	began chan<- struct{}
	end   <-chan struct{}
	once  sync.Once
}

func (r *reader) Read([]byte) (int, error) {
	r.once.Do(func() { r.began <- struct{}{} })
	<-r.end
	return 0, io.EOF
}

// Of a hundred files at once a few are read, some wait and the others are refused, so memory
// is bounded.
func TestAPI_filesAreReadByTurns(t *testing.T) {
	a := newCaller(t).api
	for _, path := range []string{"/convert?to=mat", "/analyse", "/matches"} {
		const requests = 100
		began, end, codes := make(chan struct{}, requests), make(chan struct{}), make(chan int, requests)
		for range requests {
			go func() {
				r := httptest.NewRequest("POST", "/api/v1"+path, &reader{began: began, end: end})
				r.Header.Set("Content-Type", "application/octet-stream")
				w := httptest.NewRecorder()
				a.ServeHTTP(w, r)
				codes <- w.Code
			}()
		}
		for range requests - fileSlots - maxWaiting {
			if code := <-codes; code != http.StatusServiceUnavailable {
				t.Errorf("%s: %d", path, code)
			}
		}
		for range fileSlots {
			<-began
		}
		if n := len(began); n > 0 {
			t.Errorf("%s: %d more are read", path, n)
		}
		close(end)
		for range fileSlots + maxWaiting {
			if code := <-codes; code != http.StatusBadRequest { // an empty file
				t.Errorf("%s: %d", path, code)
			}
		}
	}
}

// The time for a request to arrive does not run while a file waits for its turn.
func TestAPI_aFileThatWaitedIsRead(t *testing.T) {
	testsize.Medium(t)
	c := newCaller(t)
	server := httptest.NewUnstartedServer(c.api)
	server.Config.ReadTimeout = 50 * time.Millisecond
	server.Start()
	defer server.Close()
	leave := c.occupy(c.api.files)
	status := make(chan int, 1)
	send := func() {
		resp, err := server.Client().Post(server.URL+"/api/v1/convert?to=mat", "application/octet-stream", strings.NewReader(strings.Repeat("no match file\n", 20_000)))
		if err != nil {
			status <- 0
			return
		}
		resp.Body.Close()
		status <- resp.StatusCode
	}
	go send()
	for len(c.api.files.waiting) == 0 {
		select {
		case <-status: // a busy machine took too long for the head of the request
			go send()
		case <-time.After(time.Millisecond):
		}
	}
	time.Sleep(2 * server.Config.ReadTimeout) // what it would have had
	leave()
	if got := <-status; got != http.StatusBadRequest {
		t.Errorf("%d, want 400: not a match file", got)
	}
}

// A file that waits too long for its turn is answered "busy", although its client still sends.
func TestAPI_aFileThatWaitsTooLong(t *testing.T) {
	c := newCaller(t)
	server := httptest.NewServer(c.api)
	defer server.Close()
	defer c.occupy(c.api.files)()
	c.api.files.patience = time.Millisecond
	resp, err := server.Client().Post(server.URL+"/api/v1/convert?to=mat", "application/octet-stream", strings.NewReader(strings.Repeat("no match file\n", maxFile/14)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
		t.Errorf("%s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
	}
}

// A packed file is no larger unpacked than one that is not packed may be.
func TestAPI_packedFilesAreBounded(t *testing.T) {
	testsize.Medium(t)
	c := newCaller(t)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write([]byte("(;GM[6]PW[a]PB[b]"))
	_, _ = z.Write(bytes.Repeat([]byte("\n"), maxFile))
	_ = z.Close()
	for _, path := range []string{"/convert?to=mat", "/analyse", "/matches"} {
		r := httptest.NewRequest("POST", "/api/v1"+path, bytes.NewReader(bomb.Bytes()))
		r.Header.Set("Content-Type", "application/octet-stream")
		w := httptest.NewRecorder()
		c.api.ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "longer than 8 megabytes unpacked") {
			t.Errorf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
}

// BenchmarkAPI_answers0 are 0-ply answers over HTTP on one connection, each of another
// position, so that no cache knows any of them: what a play or a cube decision costs.
func BenchmarkAPI_answers0(b *testing.B) {
	for _, path := range []string{"eval", "plays"} {
		b.Run(path, func(b *testing.B) {
			c := newCaller(b)
			rng := rand.New(rand.NewPCG(7, 7))
			pos := board.Start
			for b.Loop() {
				b.StopTimer()
				roll := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
				if plays := board.AppendPlays(nil, pos, roll); len(plays) > 0 {
					pos = plays[rng.IntN(len(plays))].Result
				}
				if pos = pos.Swap(); pos.Result() != 0 {
					pos = board.Start
				}
				dice := ""
				if path == "plays" {
					dice = fmt.Sprintf(`,"dice":[%d,%d]`, 1+rng.IntN(6), 1+rng.IntN(6))
				}
				body := fmt.Sprintf(`{"position":%q,"preset":"expert"%s}`, pos.ID(), dice)
				b.StartTimer()
				resp, err := c.server.Client().Post(c.server.URL+"/api/v1/"+path, "application/json", strings.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode != http.StatusOK {
					b.Fatalf("%s: %d", body, resp.StatusCode)
				}
			}
		})
	}
}

// blunder is a match that begins with two errors.
const blunder = ` 5 point match

 Game 1
 bob : 0                              anna : 0
  1)                             31: 13/10 6/5
  2)  Doubles => 2                Drops
      Wins 1 point
`

func (c *caller) questions() {
	var in Imported
	c.ask("POST", "/matches", blunder, 200, &in)
	var s Started
	c.ask("POST", "/matches/"+in.Matches[0]+"/analyse", m{"preset": "expert"}, 202, &s)
	if j := c.ended("jobs", s.ID); j.State != Done {
		c.t.Fatalf("analysis: %+v", j)
	}
	kinds := map[quiz.Kind]bool{}
	for {
		var q QuizNext
		c.ask("GET", "/quiz", nil, 200, &q)
		if q.Question == nil {
			break
		}
		kinds[q.Question.Kind] = true
		at := "/quiz/" + q.Question.ID + "/answers"
		c.ask("POST", at, m{"answer": "1/2"}, 400, nil)
		right, wrong := "8/5 6/5", "13/10 6/5"
		switch q.Question.Kind {
		case quiz.Double:
			right, wrong = "roll", "double"
		case quiz.Take:
			right, wrong = "take", "drop" // of the answer to the double alone
		}
		best := right
		if q.Question.Kind == quiz.Take {
			best = "roll/take"
		}
		var v QuizResult
		c.ask("POST", at, m{"answer": wrong}, 200, &v)
		if v.Right || v.Loss < 0.05 || v.Best != best {
			c.t.Errorf("%s, %s: %+v", q.Question.Kind, wrong, v)
		}
		c.ask("POST", at, m{"answer": right}, 200, &v)
		if !v.Right || v.Again.Before(time.Now()) {
			c.t.Errorf("%s, %s: %+v", q.Question.Kind, right, v)
		}
	}
	if !kinds[quiz.Play] || !kinds[quiz.Take] {
		c.t.Errorf("asked about %v only", kinds)
	}
	c.ask("POST", "/quiz/nothing/answers", m{"answer": "roll"}, 404, nil)
}
