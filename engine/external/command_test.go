package external

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

const opening = "board:a:b:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:%s:1:1:1:%d:1:-1:0:25:0:0:0:0:0:0:0:1"

// drawn writes a board as FIBS shows it to a player of that colour and direction. The side
// on roll is he himself, or with theirs the other.
func drawn(q Board, colour, direction int, theirs bool) string {
	p, st := q.Position, q.State
	if theirs {
		p, st = p.Swap(), st.Swap()
	}
	// Now p.Me is the player who looks.
	var f [26]int
	for i, n := range p.Me {
		f[i+1] += colour * int(n)
	}
	for i, n := range p.Opp {
		f[24-i] -= colour * int(n)
	}
	if direction == 1 {
		for i := range 13 {
			f[i], f[25-i] = f[25-i], f[i]
		}
	}
	turn, mine, his := colour, fmt.Sprintf("%d:%d", q.Dice.A, q.Dice.B), "0:0"
	if theirs {
		turn, mine, his = -colour, his, mine
	}
	may := func(o match.Owner) int {
		if st.Owner == o || st.Owner == match.Centred {
			return 1
		}
		return 0
	}
	// gnubg's order of the scores: that of the other side of the one who looks first.
	out := fmt.Sprintf("board:me:opp:%d:%d:%d", st.Length, st.Score[1], st.Score[0])
	for _, n := range f {
		out += fmt.Sprintf(":%d", n)
	}
	return out + fmt.Sprintf(":%d:%s:%s:%d:%d:%d:0:%d:%d:0:25:0:0:0:0:0:0:0:1", turn, mine, his, st.Cube, may(match.Mine), may(match.Theirs), colour, direction)
}

// games are positions of games at random, with dice and scores.
func games(n int) (out []Board) {
	r := rand.New(rand.NewPCG(5, 5))
	p := board.Start
	for len(out) < n {
		d := board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))}
		if plays := board.AppendPlays(nil, p, d); len(plays) > 0 {
			p = plays[r.IntN(len(plays))].Result
		}
		if p = p.Swap(); p.Result() != 0 {
			p = board.Start
		}
		if r.IntN(3) > 0 {
			continue
		}
		q := Board{Position: p, State: match.State{Cube: 1}}
		if r.IntN(2) == 0 {
			q.State = match.State{Length: 9, Score: [2]int{r.IntN(7), r.IntN(7)}, Cube: 2, Owner: []match.Owner{match.Mine, match.Theirs}[r.IntN(2)]}
		}
		if r.IntN(2) == 0 {
			q.Dice = d
		}
		out = append(out, q)
	}
	return out
}

func TestParseBoard_allOrientations(t *testing.T) {
	for _, q := range games(200) {
		for _, colour := range []int{1, -1} {
			for _, direction := range []int{1, -1} {
				for _, theirs := range []bool{false, true} {
					line := drawn(q, colour, direction, theirs)
					got, err := ParseBoard(line)
					if diff := cmp.Diff(q, got); err != nil || diff != "" {
						t.Fatalf("%s: %v %s", line, err, diff)
					}
				}
			}
		}
	}
}

// A resignation that gnubg has declined is not offered again in the same game: gnubg
// stops the match then.
func TestSession_declinedResignation(t *testing.T) {
	s := session{Player: Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert")}}
	money := func(me, opp board.Checkers, d board.Dice) string {
		return drawn(Board{Position: board.Position{Me: me, Opp: opp}, State: match.State{Cube: 1}, Dice: d}, 1, -1, false)
	}
	single := board.Position{Me: board.Checkers{3: 5, 4: 5}, Opp: board.Checkers{0: 2}}
	gammon := board.Position{Me: board.Checkers{12: 15}, Opp: board.Checkers{0: 2}}
	roll, before := board.Dice{A: 2, B: 1}, board.Dice{}
	start := money(board.Start.Me, board.Start.Opp, roll)
	for i, tt := range []struct{ ask, want string }{
		{money(single.Me, single.Opp, before), "resign 1"},
		{money(single.Me, single.Opp, before), "roll"},
		{money(single.Me, single.Opp, roll), "a play"},
		{money(single.Me, board.Checkers{0: 1}, before), "roll"},
		{money(gammon.Me, gammon.Opp, before), "resign 2"}, // more than was declined
		{money(gammon.Me, gammon.Opp, before), "roll"},
		{start, "a play"}, // another game, of a match of one game
		{money(single.Me, single.Opp, before), "resign 1"},
		{strings.Replace(money(single.Me, single.Opp, before), ":0:0:0:", ":0:0:1:", 1), "resign 1"}, // another score
	} {
		got, err := s.command(t.Context(), tt.ask)
		if err != nil || strings.HasPrefix(tt.want, "r") && got != tt.want || !strings.HasPrefix(tt.want, "r") && strings.HasPrefix(got, "resign") {
			t.Errorf("request %d: %q, %v; want %q", i+1, got, err, tt.want)
		}
	}
}

func TestSession_commands(t *testing.T) {
	s := session{Player: Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Jacoby: true, Version: "fibsbot test"}}
	start, rolled := fmt.Sprintf(opening, "0:0:0:0", 0), fmt.Sprintf(opening, "3:1:3:1", 0)
	// Three of the side on roll are on the bar against five points: a gammon is near.
	blitz := drawn(Board{State: match.State{Cube: 1}, Position: board.Position{Me: board.Checkers{5: 7, 12: 5, board.Bar: 3},
		Opp: board.Checkers{0: 2, 1: 3, 2: 3, 4: 3, 5: 2, 6: 2}}}, 1, -1, false)
	doubled := fmt.Sprintf(opening, "0:0:0:0", 1)
	// A single game that is fair before the roll, and a roll that misses.
	fair := drawn(Board{Position: position(t, "7rZFAADYNtwAGA"), State: match.State{Length: 5, Cube: 1}}, 1, -1, false)
	missed := drawn(Board{Position: position(t, "7rZFAADYNtwAGA"), State: match.State{Length: 5, Cube: 1}, Dice: board.Dice{A: 5, B: 4}}, 1, -1, false)
	for _, tt := range []struct{ ask, want string }{
		{"version", "Interface: 2\nRFBF: 0\nEngine: fibsbot-"},
		{"VERSION", "Interface: 2"},
		{"help", "\t"},
		{rolled, "8/5 6/5"},
		{rolled + " jacobyrule off crawfordrule on beavers no", "8/5 6/5"},
		{"fibsboard " + rolled, "8/5 6/5"},
		{`fibsboard ` + strings.Replace(rolled, ":a:", `:"a b":`, 1) + ` jacobyrule off`, "8/5 6/5"},
		{start + " jacobyrule off", "roll"},
		{doubled + " beavers off", "take"},
		{doubled + " beavers on", "beaver"},
		{start + " resignation 1", "accept"},
		{blitz + " resignation 1", "accept"}, // under the Jacoby rule
		{blitz + " jacobyrule off resignation 1", "reject"},
		{start + " resignation 3", "accept"},
		{fair + " resignation 1", "accept"},
		{missed + " resignation 1", "reject"},
		{"evaluation fibsboard " + start, "0.52"},
		{"evaluation fibsboard " + start + " plies 1 cubeful prune on noise 0 deterministic on", "0.5"},
		{"set debug on", "Debug output ON"},
		{"set debug off", "Debug output OFF"},
		{"set interface new", "New interface ON"},
	} {
		got, err := s.command(context.Background(), tt.ask)
		if err != nil || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, %v; want %q", tt.ask, got, err, tt.want)
		}
	}
	for _, ask := range []string{"", "nonsense", "evaluation", "evaluation fibsboard", "evaluation fibsboard board:x", "set", "set debug maybe", "set colour red",
		rolled + " plies 2", rolled + " jacobyrule", rolled + " jacobyrule perhaps", rolled + " resignation 4", rolled + ` "`, "fibsboard",
		"evaluation fibsboard " + start + " plies x", "evaluation fibsboard " + start + " plies 9", "evaluation fibsboard " + start + " noise", rolled + " castle on"} {
		if got, err := s.command(context.Background(), ask); err == nil {
			t.Errorf("%q: answered %q", ask, got)
		}
	}
	if _, err := s.command(context.Background(), "exit"); err != nil || !s.over {
		t.Error("exit does not end the session")
	}
	// Gammons count in a cubeless equity, with the Jacoby rule or without.
	var v [6]float64
	for _, rule := range []string{"", " jacobyrule off"} {
		text, err := s.command(context.Background(), "evaluation fibsboard "+start+rule)
		if _, scan := fmt.Sscan(text, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]); err != nil || scan != nil {
			t.Fatalf("%q: %v, %v", text, err, scan)
		}
		if want := 2*v[0] - 1 + v[1] + v[2] - v[3] - v[4]; math.Abs(v[5]-want) > 1e-5 {
			t.Errorf("cubeless equity%s %.6f, the chances make %.6f", rule, v[5], want)
		}
	}
}

// TestSession_besideGnubg asks gnubg's external and ours the same, in all orientations.
func TestSession_besideGnubg(t *testing.T) {
	testsize.Medium(t)
	gnubg := "/usr/games/gnubg"
	if _, err := os.Stat(gnubg); err != nil {
		t.Skip("skipped: no gnubg")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir, err := os.MkdirTemp("", "ext")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	cmd := exec.CommandContext(ctx, gnubg, "-t", "-q", "-r")
	cmd.Stdin = strings.NewReader("set threads 1\nset evaluation chequerplay evaluation plies 0\nexternal " + socket + "\n")
	if err := cmd.Start(); err != nil {
		t.Skipf("skipped: gnubg: %v", err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	var theirs net.Conn
	for range 600 {
		if theirs, err = net.Dial("unix", socket); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Skipf("skipped: gnubg does not listen: %v", err)
	}
	defer theirs.Close()
	r := bufio.NewReader(theirs)
	s := session{Player: Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert"), Version: "fibsbot test"}}
	same, plays, worst, sum, n := 0, 0, 0.0, 0.0, 0
	for k, q := range games(150) {
		line := drawn(q, 1-2*(k&1), 1-(k&2), k&4 != 0)
		asks := []string{"evaluation fibsboard " + line + " plies 0 cubeful jacobyrule off"}
		if q.Dice.Valid() {
			asks = append(asks, line+" jacobyrule off")
		}
		for i, ask := range asks {
			if _, err := io.WriteString(theirs, ask+"\n"); err != nil {
				t.Fatal(err)
			}
			want, err := r.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.command(ctx, ask)
			if err != nil {
				t.Fatalf("%s: %v", ask, err)
			}
			if i == 1 {
				plays++
				a, err1 := board.ParsePlay(q.Position, q.Dice, strings.TrimSpace(want))
				b, err2 := board.ParsePlay(q.Position, q.Dice, got)
				if err1 != nil || err2 != nil {
					t.Fatalf("%s: %q %v, %q %v", ask, want, err1, got, err2)
				}
				if a.Result == b.Result {
					same++
				}
				continue
			}
			var a, b [6]float64
			if _, err := fmt.Sscan(want, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5]); err != nil {
				t.Fatalf("%s: gnubg says %q", ask, want)
			}
			if _, err := fmt.Sscan(got, &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]); err != nil {
				t.Fatalf("%s: %q", ask, got)
			}
			for _, i := range []int{0, 5} {
				d := math.Abs(a[i] - b[i])
				if i == 5 && q.State.Length == 0 {
					d /= 4
				}
				worst, sum, n = max(worst, d), sum+d, n+1
			}
		}
	}
	t.Logf("win chances and equities differ by %.4f, at most %.4f; %d of %d plays are the same", sum/float64(n), worst, same, plays)
	if sum/float64(n) > 0.02 || worst > 0.25 || same < plays/2 {
		t.Errorf("not the same boards: %.4f on average, %.4f at most, %d of %d plays alike", sum/float64(n), worst, same, plays)
	}
}

func FuzzSession_command(f *testing.F) {
	for _, ask := range []string{"version", "set debug on", fmt.Sprintf(opening, "3:1:3:1", 0) + " jacobyrule off resignation 2", "evaluation fibsboard " + fmt.Sprintf(opening, "0:0:0:0", 0) + " cubeful prune"} {
		f.Add(ask)
	}
	e, p := enginetest.Open(f), enginetest.Preset(f, "expert")
	f.Fuzz(func(t *testing.T, ask string) {
		if strings.Contains(ask, "plies") {
			return // deep ones would make it slow
		}
		s := session{Player: Player{Engine: e, Preset: p}}
		if answer, err := s.command(context.Background(), ask); err != nil && answer != "" {
			t.Fatalf("%q: %q and %v", ask, answer, err)
		}
	})
}

func position(t *testing.T, id string) board.Position {
	t.Helper()
	p, err := board.ParseID(id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Boards that no game can have are refused, by the plain request, with options and for
// evaluation alike.
func TestSession_impossible(t *testing.T) {
	s := session{Player: Player{Engine: enginetest.Open(t), Preset: enginetest.Preset(t, "expert")}}
	for _, tt := range []struct {
		name string
		st   match.State
		want string
	}{
		{"a centred cube in a match", match.State{Length: 7, Cube: 2}, "a cube of 2 in the centre"},
		{"a turned cube in the Crawford game", match.State{Length: 7, Score: [2]int{6, 2}, Cube: 2, Owner: match.Mine, Crawford: true}, "turned in the Crawford game"},
		{"a score beyond the match", match.State{Length: 7, Score: [2]int{8, 2}, Cube: 1}, "score 8 in a match to 7"},
		{"a cube of three", match.State{Cube: 3, Owner: match.Mine}, "power of two"},
	} {
		line := FormatBoard(Board{Position: board.Start, Dice: board.Dice{A: 3, B: 1}, State: tt.st})
		for _, ask := range []string{line, line + " jacobyrule off", "evaluation fibsboard " + line} {
			if answer, err := s.command(t.Context(), ask); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %q, %v; want %q", tt.name, answer, err, tt.want)
			}
		}
	}
}
