package external

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"
)

const (
	startID = "4HPwATDgc/ABMA"
	overID  = "AQAAAAAAAAAAAA" // the player on roll has borne off
)

func TestEngine_badRequestsChangeNothing(t *testing.T) {
	l := Server{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Seed: 1}
	for _, ask := range []string{
		"nonsense", "hello 2", "hello", "pos", "pos x 3 1", "pos 4HPwATDgc/ABMA 3", "pos 4HPwATDgc/ABMA 7 1",
		"pos 4HPwATDgc/ABMA 3 11", "pos //////////////  1 2", "move 4HPwATDgc/ABMA 3 1 3 -1 7 2 4 0 0",
		"cube 4HPwATDgc/ABMA 1 -1 7 7 4 0 0", "cube 4HPwATDgc/ABMA 1 2 7 1 4 0 0", "take 4HPwATDgc/ABMA 2 1 0 0 0 0 0",
		"cubeinfo 4HPwATDgc/ABMA 2 1 0 0 0 0 0", "cube 4HPwATDgc/ABMA a b c d e f g",
		"set plies 5", "set plies -1", "set plies x", "set noise 2", "set noise NaN", "set filter none", "set filter 8:1", "set preset none",
		"pos " + overID + " 3 1", "cubeinfo " + overID + " 1 -1 7 2 4 0 0", "take " + overID + " 1 -1 7 2 4 0 0",
		"set cubeful 2", "set threads -1", "set seed -1", "set colour red",
	} {
		before := l.Preset
		answer, err := l.answer(context.Background(), strings.Fields(ask))
		if err == nil {
			t.Errorf("%s: answered %q", ask, answer)
		}
		if diff := cmp.Diff(before, l.Preset); diff != "" {
			t.Errorf("%s changed the settings: %s", ask, diff)
		}
	}
}

// "set filter" takes what --filter takes.
func TestEngine_filters(t *testing.T) {
	l := Server{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Seed: 1}
	for _, c := range []struct {
		find func(string) (search.Filter, error)
		name string
		want search.Cut
	}{
		{nil, "huge", search.Huge.Cuts[0][0]},
		{nil, "2:3:0.25,skip", search.Cut{Accept: 2, Extra: 3, Threshold: 0.25}},
		{func(string) (search.Filter, error) { return search.ParseFilter("1:1:0.5") }, "mine", search.Cut{Accept: 1, Extra: 1, Threshold: 0.5}},
	} {
		l.Filter = c.find
		if _, err := l.answer(t.Context(), []string{"set", "filter", c.name}); err != nil || l.Preset.Checker.Filter.Cuts[0][0] != c.want {
			t.Errorf("%s: %+v, %v", c.name, l.Preset.Checker.Filter.Cuts[0], err)
		}
	}
}

func FuzzEngine_answer(f *testing.F) {
	for _, ask := range []string{"hello 1", "pos " + startID + " 3 1", "cube " + startID + " 1 -1 7 2 4 0 0", "set plies 1", "take x 1 2 3 4 5 6 7"} {
		f.Add(ask)
	}
	e := enginetest.Open(f)
	p := enginetest.Preset(f, "expert")
	f.Fuzz(func(t *testing.T, ask string) {
		words := strings.Fields(ask)
		if len(words) == 0 || words[0] == "set" {
			return // deep settings would make it slow; set is tested above
		}
		l := Server{Engine: e, Preset: p, Seed: 1}
		answer, err := l.answer(context.Background(), words)
		if err == nil && (answer == "" || strings.Contains(answer, "\n")) {
			t.Fatalf("%q: answer %q", ask, answer)
		}
	})
}

// externalLines are boards as gnubg sends them (formats/external-protocol.md).
func TestParseExternal(t *testing.T) {
	const tail = "1:-1:0:25:0:0:0:0:0:0:0:1"
	start := "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
	cases := []struct {
		name, line string
		want       Board
	}{
		{"Bob moves", "board:Alice:Bob:5:2:1:" + start + ":1:3:1:3:1:1:1:1:0:" + tail, Board{
			Position: board.Start, Dice: board.Dice{A: 3, B: 1},
			State: match.State{Length: 5, Score: [2]int{1, 2}, Cube: 1}}},
		{"Alice moves", "board:Alice:Bob:5:2:1:" + start + ":-1:2:1:2:1:1:1:1:0:" + tail, Board{
			Position: board.Start, Dice: board.Dice{A: 2, B: 1},
			State: match.State{Length: 5, Score: [2]int{2, 1}, Cube: 1}}},
		{"Alice has doubled", "board:Bob:Alice:5:1:2:" + start + ":-1:0:0:0:0:1:1:1:1:" + tail, Board{
			Position: board.Start, Doubled: true,
			State: match.State{Length: 5, Score: [2]int{2, 1}, Cube: 1}}},
		{"Bob owns the cube", "board:Alice:Bob:0:0:0:" + start + ":1:0:0:0:0:2:1:0:0:" + tail, Board{
			Position: board.Start, State: match.State{Cube: 2, Owner: match.Mine}}},
		{"an unlimited match of FIBS", "board:Alice:Bob:9999:7:20000:" + start + ":1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0", Board{
			Position: board.Start, State: match.State{Cube: 1}}},
		{"a double in it", "board:Bob:Alice:9999:1:2:" + start + ":-1:0:0:0:0:1:1:1:1:" + tail, Board{
			Position: board.Start, Doubled: true, State: match.State{Cube: 1}}},
	}
	for _, c := range cases {
		got, err := ParseBoard(c.line)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	for _, bad := range []string{"", "board", "board:a:b:1:2", "board:a:b:0:0:0:" + start + ":0:3:1:3:1:1:1:1:0:" + tail,
		"board:a:b:0:0:0:" + strings.Replace(start, "-5", "-99", 1) + ":1:3:1:3:1:1:1:1:0:" + tail,
		"board:a:b:0:0:0:" + strings.Replace(start, "0:-2", "3:-2", 1) + ":1:3:1:3:1:1:1:1:0:" + tail} {
		if q, err := ParseBoard(bad); err == nil {
			t.Errorf("%q: %+v", bad, q)
		}
	}
}

func FuzzParseExternal(f *testing.F) {
	f.Add("board:Alice:Bob:5:2:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1")
	f.Fuzz(func(t *testing.T, line string) {
		q, err := ParseBoard(line)
		if err == nil && q.Position.Validate() != nil {
			t.Fatalf("%q: impossible position", line)
		}
	})
}

func TestListen_playsLikeAnExternalPlayer(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Jacoby: true}.Serve(ctx, ln)
	}()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	const head = "board:a:b:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:"
	const tail = ":1:-1:0:25:0:0:0:0:0:0:0:1\n\x00"
	for _, c := range []struct{ ask, want string }{
		{head + "1:3:1:3:1:1:1:1:0" + tail, "8/5 6/5"},
		{head + "-1:3:1:3:1:1:1:1:0" + tail, "8/5 6/5"},
		{head + "1:0:0:0:0:1:1:1:0" + tail, "roll"},
		{head + "1:0:0:0:0:1:1:1:1" + tail, "take"},
		{"nonsense\n", "Error:"},
	} {
		if _, err := io.WriteString(conn, c.ask); err != nil {
			t.Fatal(err)
		}
		got, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %q, want %q", c.ask, got, c.want)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestGnubgLine asks gnubg through docs/bench/gnubg-line for plays and cube
// actions that are on record, at many scores.
func TestGnubgLine(t *testing.T) {
	testsize.Medium(t)
	for _, program := range []string{"python3", "/usr/games/gnubg"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s", program)
		}
	}
	x, err := Start(t.Context(), []string{"../../docs/bench/gnubg-line", "--plies", "0", "--cube-plies", "0"}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	asked := 0
	rows := reference.Lines(t, "reference", "cube.jsonl")
	for n := 0; rows.Scan(); n++ {
		if n%6 != 0 {
			continue
		}
		var q struct {
			ID     string
			ML     int
			Score  [2]int
			Cube   int
			Owner  int
			Craw   int `json:"crawford"`
			Jacoby int
			P0     struct {
				DT, DP float64
				Code   int
			}
		}
		if err := json.Unmarshal(rows.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if q.P0.Code > 12 || q.Craw == 1 {
			continue // nothing to decide
		}
		asked++
		request := fmt.Sprintf("%s %d %d %d %d %d 0 %d", q.ID, q.Cube, q.Owner, q.ML, q.Score[0], q.Score[1], q.Jacoby)
		want := map[string]string{"cube": "roll", "take": "drop"}
		switch q.P0.Code {
		case 0, 1, 5, 7, 8:
			want["cube"] = "double"
		}
		if q.P0.DT <= q.P0.DP {
			want["take"] = "take"
		}
		for ask, answer := range want {
			if got, err := x.Ask(t.Context(), ask+" "+request); err != nil || got != answer {
				t.Errorf("%s %s: %q, %v; on record: %s", ask, request, got, err, answer)
			}
		}
	}
	if err := rows.Err(); err != nil || asked < 100 {
		t.Errorf("%d cube decisions, %v", asked, err)
	}
	for request, want := range map[string]string{
		"hello 1":                                  "ok gnubg-0ply cube",
		"pos 4HPwATDgc/ABMA 3 1":                   "sGfwATDgc/ABMA",
		"pos DwAAoAAAAAAAAA 2 1":                   "AAAAHgAAAAAAAA",
		"move 4HPwATDgc/ABMA 3 1 1 -1 7 2 4 0 0":   "sGfwATDgc/ABMA",
		"gibberish":                                "error unknown request",
		"move 4HPwATDgc/ABMA 3 1 1 -1 7 2 4 0 0 9": "error unknown request",
	} {
		if got, err := x.Ask(t.Context(), request); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", request, got, err, want)
		}
	}
}

// TestServe_noEngine: the zero values say what they lack.
func TestServe_noEngine(t *testing.T) {
	if err := new(Server).Serve(t.Context(), strings.NewReader("pos "+startID+" 3 1\n"), io.Discard); err == nil {
		t.Error("Server: no error")
	}
	if err := (Player{}).Serve(t.Context(), nil); err == nil {
		t.Error("Player: no error")
	}
}
