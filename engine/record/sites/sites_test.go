package sites

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"

	"github.com/google/go-cmp/cmp"
)

const sggSample = `Anna_K vs. Bert

Saturday, June 1, 2024
GamesGrid, Lounge
ELO: 1520.50 210 1604.25 480
Jacoby: No
Crawford: Yes
Match Length: 3
Variant: Backgammon
Game 1.0-0/3
1		63: 
1		63: 24/18, 13/10
1	61: 
1	61: 13/7*, 8/7
2		66: O-O
2	Double to 2
2		Accept
3	31: 
3	31: 8/5, 6/5
3		65: O-O
free text = comment on the next action
4	42: 
4	42: 8/4, 6/4
4		Double to 4
5	Pass

Bert  wins 2 points.

Game 2.0-2*/3
1	52: 
1	52: 13/8, 24/22
1		Resign

Anna_K  wins 2 points.
`

const tmgSample = `MatchID: 4711
Player1: 101 anna 4.00
Player2: 102 bert 4.00
Stake: 1.00
Startdate: 2005-06-01 12:30:00
Jacoby: 0
Crawford: 1
Cube: 1
Length: 3
Variant: 1
Game 1: 0-0
0 19 4.00 0.0 4.00 0.0 Settlement
-1 1 63:
-1 4 24/18 13/10
1 1 61:
1 4 13/7 8/7
-2 1 66:
-2 4 0/0
2 5 Double to 2
-2 7 Take
2 1 31:
2 4 8/5 6/5
-3 1 65:
-3 4 0/0
3 1 42:
3 4 8/4 6/4
-4 5 Double to 4
3 10 Pass
-4 14 2 bert wins 2 points
`

const bkgSample = `a line that is none of it
White  6 3   1-7 12-15
Black  6 1   13-7 8-7
White  6 6
Black Doubles         Accepted
Black  3 1   8-5 6-5
White  6 5
Black  4 2   8-4 6-4
White Doubles         Declined
White wins
Black  3 1   8-5 6-5
White wins a gammon
`

const partySample = `BoardID=12345
Creator=anna
MATCHLENGTH=3
GAME_1_PLAYER_1=anna
GAME_1_PLAYER_2=bert
GAME_1_GAMEPLAY=2 1 1 63 24/18 13/10#1 1 1 61 13/7 8/7#2 1 1 66#1 Doubles#2 Takes#1 1 1 31 8/5 6/5#2 1 1 65#1 1 1 42 8/4 6/4#2 Doubles#1 Drops
GAME_1_SCORE1=0
GAME_1_SCORE2=2
`

const roomSample = `BGF version 1.2
Game 1 - anna (X) vs. bert (0)
Single match
1.0:(6 3)24/18 13/10
2.X:(6 1)13/7 8/7
3.0:(6 6)can't move
4.X:Double
5.X:(3 1)8/5 6/5
6.0:(6 5)can't move
7.X:(4 2)8/4 6/4
8.0:Double

Win the Match
`

const replaySample = `bgammon-replay 00000024
i 1717228800 anna bert 3 0 0 2 2 0
2 r 6-3 1/7 12/15
1 r 6-1 13/7 8/7
2 r 6-6
1 d 2 1
1 r 3-1 8/5 6/5
2 r 6-5
1 r 4-2 8/4 6/4
2 d 4 0
i 1717228900 anna carl 3 0 0 1 1 0
1 r 3-1 8/5 6/5
2 r 4-2 17/21 19/21
2 t
`

// told lists what happened in the words that every format has. first is the player who
// begins the sample game.
func told(m *record.Match, g *record.Game) string {
	var out []string
	for t := range m.Turns(g) {
		s := fmt.Sprintf("%d %v", t.Player, t.Action.Kind)
		if t.Action.Dice.Valid() {
			s += fmt.Sprintf(" %d%d", t.Action.Dice.A, t.Action.Dice.B)
		}
		if t.Action.Kind == record.Move {
			s += " " + t.Play.Result.ID()
		}
		if !t.Legal {
			s += " illegal"
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n") + fmt.Sprintf("\n%d wins %d %v", g.Result.Winner, g.Result.Points, g.Result.Resigned)
}

func readBgammon(r io.Reader) (*record.Match, []record.Warning, error) {
	all, ws, err := Bgammon(r)
	if err != nil {
		return nil, ws, err
	}
	return all[0], ws, nil
}

// Every sample is the same small game: bert begins, anna doubles, is doubled and drops.
func TestRead_sameGame(t *testing.T) {
	want := ""
	for _, c := range []struct {
		name, in string
		is       func(string) bool
		read     func(io.Reader) (*record.Match, []record.Warning, error)
		bert     int
		names    [2]string
		length   int
		date     string
	}{
		{"GamesGrid", sggSample, IsGamesGrid, GamesGrid, 0, [2]string{"Bert", "Anna_K"}, 3, "2024-06-01"},
		{"TrueMoneyGames", tmgSample, IsTrueMoney, TrueMoney, 0, [2]string{"bert", "anna"}, 3, "2005-06-01"},
		{"PartyGammon", partySample, IsParty, Party, 1, [2]string{"anna", "bert"}, 3, ""},
		{"BackGammonRoom", roomSample, IsRoom, Room, 1, [2]string{"anna", "bert"}, 0, ""},
		{"bgammon", replaySample, IsBgammon, readBgammon, 1, [2]string{"anna", "bert"}, 3, "2024-06-01"},
		{"BKG", bkgSample, nil, BKG, 1, [2]string{"Black", "White"}, 0, ""},
	} {
		for _, in := range []string{c.in, strings.ReplaceAll(c.in, "\n", "\r\n")} {
			m, ws, err := c.read(strings.NewReader(in))
			if err != nil || len(ws) > 0 {
				t.Errorf("%s: %v %v", c.name, err, ws)
				continue
			}
			if c.is != nil && !c.is(in) {
				t.Errorf("%s is not recognised", c.name)
			}
			got := told(m, &m.Games[0])
			if c.bert == 0 {
				got = strings.NewReplacer("\n0 ", "\n1 ", "\n1 ", "\n0 ").Replace("\n" + got)[1:]
			}
			if want == "" {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-first +this):\n%s", c.name, diff)
			}
			if m.Players[0].Name != c.names[0] || m.Players[1].Name != c.names[1] || m.Length != c.length || m.Date != c.date {
				t.Errorf("%s: %+v to %d on %s", c.name, m.Players, m.Length, m.Date)
			}
		}
	}
	if !strings.Contains(want, "1 wins 2 false") || strings.Contains(want, "illegal") || strings.Count(want, "\n") != 10 {
		t.Errorf("the game is\n%s", want)
	}
}

func TestGamesGrid_secondGame(t *testing.T) {
	m, _, err := GamesGrid(strings.NewReader(sggSample))
	if err != nil {
		t.Fatal(err)
	}
	g := m.Games[1]
	if len(m.Games) != 2 || !g.Crawford || g.Score != [2]int{2, 0} || g.Result != (record.Result{Winner: 1, Points: 2, Resigned: true}) || m.Players[1].Rating != "1520.50/210" {
		t.Errorf("%+v %+v", m.Players, g)
	}
	if c := m.Games[0].Actions[7].Comment; c != "free text = comment on the next action" {
		t.Errorf("comment %q", c)
	}
}

func TestBgammon_severalMatches(t *testing.T) {
	all, ws, err := Bgammon(strings.NewReader(replaySample))
	if err != nil || len(ws) > 0 || len(all) != 2 {
		t.Fatal(err, ws, len(all))
	}
	if r := all[1].Games[0].Result; r != (record.Result{Winner: 0, Points: 1, Resigned: true}) || all[0].Games[0].Score != [2]int{} {
		t.Errorf("%+v", r)
	}
	_, _, err = Bgammon(strings.NewReader("i 1 a b 3 0 0 1 1 2\n1 r 6-5-3 1/2\n"))
	if err == nil || !strings.Contains(err.Error(), "1:1: bgammon replay: a game of tabula") {
		t.Errorf("%v", err)
	}
}

// BKG: the score runs on, a gammon is marked by a word.
func TestBKG_session(t *testing.T) {
	m, ws, err := BKG(strings.NewReader(bkgSample))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	if g := m.Games[1]; g.Score != [2]int{0, 2} || g.Result != (record.Result{Winner: 1, Points: 2, Resigned: true}) {
		t.Errorf("%+v", g)
	}
}

// Lines that stand twice say nothing the second time, also behind the end of a game.
func TestGamesGrid_linesTwice(t *testing.T) {
	want, _, err := GamesGrid(strings.NewReader(sggSample))
	if err != nil {
		t.Fatal(err)
	}
	twice := strings.NewReplacer("5\tPass\n", "5\tPass\n5\tPass\n", "1\t\tResign\n", "1\t\tResign\n1\t\tResign\n", "2\t\tAccept\n", "2\t\tAccept\n2\t\tAccept\n").Replace(sggSample)
	got, ws, err := GamesGrid(strings.NewReader(twice))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-once +twice):\n%s", diff)
	}
}

// A roll that cannot be played has nothing behind its dice, whether or not the two
// numbers before them are there.
func TestParty_rollsAlone(t *testing.T) {
	text := strings.NewReplacer("#2 1 1 66#", "#2 66#", "#2 1 1 65#", "#2 65#", "#1 1 1 31 ", "#1 31 ").Replace(partySample)
	want, _, err := Party(strings.NewReader(partySample))
	if err != nil {
		t.Fatal(err)
	}
	got, ws, err := Party(strings.NewReader(text))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-with +without numbers):\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{sggSample, tmgSample, bkgSample, partySample, roomSample, replaySample} {
		f.Add([]byte(s))
	}
	readers := []func(io.Reader) (*record.Match, []record.Warning, error){GamesGrid, TrueMoney, BKG, Party, Room, readBgammon}
	f.Fuzz(func(t *testing.T, in []byte) {
		for i, read := range readers {
			m, _, err := read(bytes.NewReader(in))
			if err != nil {
				continue
			}
			var b bytes.Buffer
			if err := sgf.Write(&b, m); err != nil {
				t.Fatal(err)
			}
			if _, _, err := sgf.Read(&b); err != nil {
				t.Fatalf("reader %d: what was read cannot be kept as SGF: %v", i, err)
			}
		}
	})
}

// Remarks without end and automatic doubles in the middle of a game cost their length.
func TestRead_endlessRemarks(t *testing.T) {
	_, ws, err := GamesGrid(strings.NewReader("a vs. b\nMatch Length: 3\nGame 1.0-0/3\n" + strings.Repeat("some free text that goes on and on\n", 25_000)))
	if err != nil || len(ws) == 0 {
		t.Error(err, len(ws))
	}
	m, ws, err := TrueMoney(strings.NewReader("MatchID: 1\nPlayer1: 1 a 1\nPlayer2: 2 b 1\nLength: 3\nGame 1: 0-0\n0 2 x\n" + strings.Repeat("1 1 31:\n1 4 8/5 6/5\n0 2 x\n", 4_900)))
	if err != nil || len(ws) == 0 || m.Games[0].Cube != 2 {
		t.Error(err, len(ws))
	}
}
