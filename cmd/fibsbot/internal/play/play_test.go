package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"fibsbot/bot/archive/index"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
)

var testEngine = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.Open(engine.Options{Threads: 1, Seed: 1, NoBearoff: true})
})

func anEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newMatch(t testing.TB, o Options) *Match {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 7
	}
	m, err := New(o, day)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drive plays a match to its end with the acts of choose.
func drive(t testing.TB, m *Match, choose func(View) Act) {
	t.Helper()
	e := anEngine(t)
	for range 20000 {
		done, err := m.Think(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			continue
		}
		v := m.View()
		if v.Phase == MatchOver {
			// At such a score there is no position to study.
			if v.Crawford || v.PositionID+v.MatchID+v.XGID != "" {
				t.Errorf("a match that is over shows Crawford %v and %q", v.Crawford, v.XGID)
			}
			return
		}
		if err := m.Do(choose(v), v.Version); err != nil {
			t.Fatalf("%+v in phase %s: %v", choose(v), v.Phase, err)
		}
	}
	t.Fatal("the match does not end")
}

// plain carries out the first legal act.
func plain(v View) Act {
	switch v.Phase {
	case ToRoll:
		if v.MayDouble && len(v.Acts)%7 == 3 {
			return Act{Kind: Double}
		}
		return Act{Kind: Roll}
	case ToMove:
		n := 0
		for !v.Moves[n].End {
			n = v.Moves[n].Next[0].Node
		}
		return Act{Kind: Move, Play: v.Moves[n].Play}
	case ToAnswer:
		return Act{Kind: Take}
	case ToAnswerResign:
		return Act{Kind: Accept}
	}
	return Act{Kind: Next}
}

func TestMatch_wholeMatchIsFiledAsItWasPlayed(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	db, err := index.Open(ctx, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	store := NewStore(filepath.Join(dir, "play"), db)
	for _, o := range []Options{{Length: 5, Name: "anna"}, {Length: 3, NoCube: true, Strength: Strength{Preset: "casual"}},
		{Length: 1, Strength: Strength{Rating: 1600}}} {
		m := newMatch(t, o)
		if err := store.Add(m); err != nil {
			t.Fatal(err)
		}
		drive(t, m, plain)
		v := m.View()
		rec := m.Record()
		if w := rec.Settle(); len(w) > 0 {
			t.Errorf("length %d: the record has warnings: %v", o.Length, w)
		}
		if rec.FinalScore() != v.Score {
			t.Errorf("length %d: record says %v, the match %v", o.Length, rec.FinalScore(), v.Score)
		}
		id, err := store.Finish(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		row, err := db.Show(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if row.Score != [2]int{v.Score[You], v.Score[Opponent]} || row.Opponent != v.Names[Opponent] {
			t.Errorf("archived as %+v", row)
		}
		if _, err := store.Get(m.ID()); !errors.Is(err, ErrNotFound) {
			t.Errorf("a finished match is still being played: %v", err)
		}
	}
}

func TestMatch_crawford(t *testing.T) {
	m := newMatch(t, Options{Length: 3})
	m.state.endPoints(Opponent, 2, 2, "off")
	m.state.begin()
	if !m.state.Crawford || m.state.mayDouble(You) {
		t.Error("the game at 1-away is not the Crawford game")
	}
	m.state.endPoints(You, 1, 1, "off")
	m.state.begin()
	if m.state.Crawford || !m.state.mayDouble(You) {
		t.Error("after the Crawford game the cube stays dead")
	}
}

func TestMatch_savedAndReadIsTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := newMatch(t, Options{Length: rapid.IntRange(0, 3).Draw(rt, "length"), Seed: rapid.Uint64Range(1, 1<<40).Draw(rt, "seed")})
		for range rapid.IntRange(0, 40).Draw(rt, "acts") {
			m.mu.Lock()
			v := m.state.turn
			m.mu.Unlock()
			view := m.View()
			if view.Phase == MatchOver {
				break
			}
			view.Moves = Steps(board.Rules{}, m.state.situation(v).Position, m.state.dice)
			a := plain(view)
			a.Side = v
			if err := m.do(a); err != nil {
				rt.Fatal(err)
			}
		}
		data, err := json.Marshal(m)
		if err != nil {
			rt.Fatal(err)
		}
		back, err := Read(bytes.NewReader(data))
		if err != nil {
			rt.Fatal(err)
		}
		if d := cmp.Diff(m.View(), back.View()); d != "" {
			rt.Fatal(d)
		}
	})
}

func TestRead_refusesWhatBreaksARule(t *testing.T) {
	m := newMatch(t, Options{Length: 3})
	good, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"format":   {fileKind, "elsewhere 9", "format"},
		"id":       {m.id, "../../etc/passwd", "id"},
		"length":   {`"length":3`, `"length":-1`, "length"},
		"dice":     {`"dice":[`, `"dice":[9,`, "dice"},
		"opponent": {`"length":3`, `"length":3,"preset":"nobody"`, "preset"},
		"act":      {`"kind":"start"`, `"kind":"take"`, "act 1"},
		"half":     {`}]}`, ``, "damaged"},
	} {
		text := strings.Replace(string(good), c.old, c.new, 1)
		if text == string(good) {
			t.Fatalf("%s: nothing was replaced in %s", name, good)
		}
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDo_refusesWhatIsNotAllowed(t *testing.T) {
	m := newMatch(t, Options{Length: 3})
	for range 50 {
		if v := m.View(); v.Phase == ToMove && v.Turn == You {
			break
		}
		if _, err := m.Think(context.Background(), anEngine(t)); err != nil {
			t.Fatal(err)
		}
		if v := m.View(); v.Phase == ToRoll && v.Turn == You {
			if err := m.Do(Act{Kind: Roll}, -1); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := m.View()
	for _, a := range []Act{{Kind: Roll}, {Kind: Double}, {Kind: Take}, {Kind: Accept}, {Kind: Next}, {Kind: Start},
		{Kind: Move, Play: "24/1"}, {Kind: Move, Play: "half a mo"}, {Kind: Resign, Level: 4}, {Kind: "cheat"}, {}} {
		if err := m.Do(a, before.Version); !errors.Is(err, ErrNotNow) && !errors.Is(err, board.ErrBadPlay) {
			t.Errorf("%+v: %v", a, err)
		}
	}
	if err := m.Do(Act{Kind: Resign, Level: 1}, before.Version+1); !errors.Is(err, ErrStale) {
		t.Errorf("an act of another window: %v", err)
	}
	if d := cmp.Diff(before, m.View()); d != "" {
		t.Errorf("refused acts changed the match: %s", d)
	}
}

func TestUndo_bringsTheSameDiceBack(t *testing.T) {
	m := newMatch(t, Options{Length: 5, Seed: 11})
	var before *View
	for before == nil {
		done, err := m.Think(context.Background(), anEngine(t))
		if err != nil {
			t.Fatal(err)
		}
		if done {
			continue
		}
		v := m.View()
		if v.Phase == ToMove {
			before = &v
		}
		if err := m.Do(plain(v), v.Version); err != nil {
			t.Fatal(err)
		}
	}
	for {
		done, err := m.Think(context.Background(), anEngine(t))
		if err != nil {
			t.Fatal(err)
		}
		if !done {
			break
		}
	}
	if err := m.Undo(-1); err != nil {
		t.Fatal(err)
	}
	after := m.View()
	before.Version, before.Undone = after.Version, 1
	if d := cmp.Diff(*before, after); d != "" {
		t.Errorf("undo: %s", d)
	}
	for m.View().MayUndo {
		if err := m.Undo(-1); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Undo(-1); !errors.Is(err, ErrNotNow) {
		t.Errorf("undo at the start: %v", err)
	}
}

func TestResign_isOfferedAndAnswered(t *testing.T) {
	m := newMatch(t, Options{Length: 3, Seed: 3})
	for m.View().Turn != You {
		if _, err := m.Think(context.Background(), anEngine(t)); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Do(Act{Kind: Resign, Level: 1}, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Think(context.Background(), anEngine(t)); err != nil {
		t.Fatal(err)
	}
	v := m.View()
	if v.Phase != GameOver || v.Score != [2]int{1, 0} || v.Result.How != "resign" {
		t.Errorf("a single game resigned at the start: %+v", v)
	}
	rec := m.Record()
	if w := rec.Settle(); len(w) > 0 || !rec.Games[0].Result.Resigned {
		t.Errorf("record %+v, warnings %v", rec.Games[0], w)
	}
}

// missed is a match whose person has just missed: resigning a single game was fair before
// the roll, after it a gammon is too likely.
func missed(t *testing.T) *Match {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "missed.match"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestResign_isWeighedWithTheRoll(t *testing.T) {
	for _, rolled := range []bool{false, true} {
		m := missed(t)
		if !rolled {
			m.state.phase, m.state.dice = ToRoll, board.Dice{}
		}
		if err := m.Do(Act{Kind: Resign, Level: 1}, -1); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Think(context.Background(), anEngine(t)); err != nil {
			t.Fatal(err)
		}
		if got, want := m.acts[len(m.acts)-1].Kind, map[bool]Kind{false: Accept, true: Reject}[rolled]; got != want {
			t.Errorf("a single game, rolled %v: %s, want %s", rolled, got, want)
		}
		if rolled && (m.state.phase != ToMove || m.state.turn != You || m.state.dice != board.Dice{A: 6, B: 6}) {
			t.Errorf("after the refusal the turn is %s of %d with %v", m.state.phase, m.state.turn, m.state.dice)
		}
	}
}

// The hint about the opponent's resignation is that of the same position.
func TestHint_resignationIsWeighedWithTheRoll(t *testing.T) {
	expert, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	for _, rolled := range []bool{false, true} {
		m := missed(t)
		m.state.pos, m.state.Owner = m.state.pos.Swap(), Opponent
		m.state.phase, m.state.back, m.state.turn, m.state.level = ToAnswerResign, ToMove, You, 1
		if !rolled {
			m.state.back = ToRoll
		}
		h, err := m.Hint(context.Background(), anEngine(t), expert)
		if err != nil || h.Accept == nil || *h.Accept == rolled {
			t.Errorf("rolled %v: %+v, %v", rolled, h, err)
		}
	}
}

// The tree of steps reaches every legal play and no other, in positions of games.
func TestSteps_reachesEveryLegalPlayAndNoOther(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := board.Start
		for range rapid.IntRange(0, 60).Draw(rt, "turns") {
			roll := board.Rolls[rapid.IntRange(0, 20).Draw(rt, "roll")].Dice
			plays := board.AppendPlays(nil, p, roll)
			if len(plays) > 0 {
				p = plays[rapid.IntRange(0, len(plays)-1).Draw(rt, "play")].Result
			}
			if p.Result() != 0 {
				p = board.Start
			}
			p = p.Swap()
		}
		d := board.Rolls[rapid.IntRange(0, 20).Draw(rt, "dice")].Dice
		want := map[string]bool{}
		for _, pl := range board.AppendPlays(nil, p, d) {
			want[board.FormatPlay(p, pl)] = true
		}
		got := map[string]bool{}
		tree := Steps(board.Rules{}, p, d)
		for i, n := range tree {
			if n.End && n.Play != "" {
				got[n.Play] = true
			}
			if !n.End && len(n.Next) == 0 {
				rt.Fatalf("%s %v: node %d is a dead end", p.ID(), d, i)
			}
			for _, e := range n.Next {
				if e.Node <= 0 || e.Node >= len(tree) {
					rt.Fatalf("%s %v: an edge of node %d leads to %d of %d", p.ID(), d, i, e.Node, len(tree))
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("%s %v: %s", p.ID(), d, diff)
		}
	})
}

func TestJudge_knowsTheBestPlayAndABlunder(t *testing.T) {
	m := newMatch(t, Options{Length: 0, Seed: 5})
	m.state.pos, m.state.turn, m.state.phase = board.Start, You, ToMove
	m.state.dice = board.Dice{A: 3, B: 1}
	pr, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	j, err := m.Cost(ctx, anEngine(t), Act{Kind: Move, Play: "8/5 6/5"}, pr)
	if err != nil || j.Loss != 0 || j.Best != "8/5 6/5" {
		t.Errorf("8/5 6/5: %+v, %v", j, err)
	}
	j, err = m.Cost(ctx, anEngine(t), Act{Kind: Move, Play: "13/10 6/5"}, pr)
	if err != nil || j.Loss < 0.1 || j.Best != "8/5 6/5" {
		t.Errorf("13/10 6/5: %+v, %v", j, err)
	}
	m.state.phase = ToRoll
	j, err = m.Cost(ctx, anEngine(t), Act{Kind: Double}, pr)
	if err != nil || j.Loss < 0.1 || j.Best != "roll" {
		t.Errorf("a double at the start: %+v, %v", j, err)
	}
	m.state.phase, m.state.turn, m.state.Pending = ToAnswer, You, 1
	j, err = m.Cost(ctx, anEngine(t), Act{Kind: Drop}, pr)
	if err != nil || j.Loss < 0.1 || j.Best != "beaver" {
		t.Errorf("a drop at the start: %+v, %v", j, err)
	}
}

// Beavers and raccoons are taken, dropped and recorded.
func TestBeaver_isTakenDroppedAndRecorded(t *testing.T) {
	for _, c := range []struct {
		acts   []Act
		cube   int
		owner  int
		points int // lost by the doubler, won where negative, 0 while the game goes on
	}{
		{acts: []Act{{Kind: Double, Side: You}, {Kind: Beaver, Side: Opponent}, {Kind: Take, Side: You}}, cube: 4, owner: Opponent},
		{acts: []Act{{Kind: Double, Side: You}, {Kind: Beaver, Side: Opponent}, {Kind: Drop, Side: You}}, cube: 1, owner: -1, points: 2},
		{acts: []Act{{Kind: Double, Side: Opponent}, {Kind: Beaver, Side: You}, {Kind: Take, Side: Opponent}}, cube: 4, owner: You},
		{acts: []Act{{Kind: Double, Side: You}, {Kind: Beaver, Side: Opponent}, {Kind: Raccoon, Side: You}, {Kind: Take, Side: Opponent}}, cube: 8, owner: Opponent},
		{acts: []Act{{Kind: Double, Side: Opponent}, {Kind: Beaver, Side: You}, {Kind: Raccoon, Side: Opponent}, {Kind: Take, Side: You}}, cube: 8, owner: You},
		{acts: []Act{{Kind: Double, Side: Opponent}, {Kind: Beaver, Side: You}, {Kind: Raccoon, Side: Opponent}, {Kind: Drop, Side: You}}, cube: 1, owner: -1, points: -4},
	} {
		m := newMatch(t, Options{Beavers: new(2)})
		m.acts, m.state = nil, newState(&m.opts)
		doubler := c.acts[0].Side
		for _, a := range []Act{{Kind: Start, Side: 1 - doubler, Dice: [2]uint8{3, 1}}, {Kind: Move, Side: 1 - doubler, Play: "8/5 6/5"}} {
			if err := m.apply(a); err != nil {
				t.Fatal(err)
			}
		}
		for i, a := range c.acts {
			if err := m.apply(a); err != nil {
				t.Fatalf("%+v: %v", a, err)
			}
			v := m.View()
			if i == 0 && (v.Offered != 2 || v.MayBeaver != (doubler == Opponent)) || i == 1 && (v.Offered != 4 || v.MayBeaver || v.MayRaccoon != (doubler == You) || v.Turn != doubler) ||
				i == 2 && a.Kind == Raccoon && (v.Offered != 8 || v.MayBeaver || v.MayRaccoon || v.Turn != 1-doubler) {
				t.Errorf("after %s: %+v", a.Kind, v)
			}
		}
		v := m.View()
		if v.Cube != c.cube || v.Owner != c.owner {
			t.Errorf("%+v: cube %d of %d", c.acts, v.Cube, v.Owner)
		}
		if winner := map[bool]int{true: 1 - doubler, false: doubler}[c.points > 0]; c.points != 0 && (v.Phase != GameOver || v.Result.Winner != winner || v.Result.Points != max(c.points, -c.points)) {
			t.Errorf("dropped: %+v", v.Result)
		}
		if c.points == 0 && (v.Phase != ToRoll || v.Turn != doubler) {
			t.Errorf("taken: %s of %d", v.Phase, v.Turn)
		}
		if w := m.Record().Settle(); len(w) > 0 {
			t.Errorf("%+v: the record has warnings: %v", c.acts, w)
		}
	}
	for name, o := range map[string]Options{"in a match": {Length: 5}, "not agreed": {Beavers: new(0)}} {
		m := newMatch(t, o)
		m.state.phase, m.state.turn, m.state.Cube, m.state.Pending = ToAnswer, You, 1, 1
		if err := m.Do(Act{Kind: Beaver}, -1); !errors.Is(err, ErrNotNow) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m := newMatch(t, Options{Beavers: new(1)})
	m.state.phase, m.state.turn, m.state.Pending, m.state.First, m.state.Cube = ToAnswer, You, 2, You, 1
	if err := m.Do(Act{Kind: Raccoon}, -1); !errors.Is(err, ErrNotNow) {
		t.Errorf("a raccoon that was not agreed: %v", err)
	}
}

// The values of answers, computed by hand, for a doubler whose position is worth dt with the
// doubled cube.
func TestAnswers_toDoubles(t *testing.T) {
	for _, c := range []struct {
		name   string
		o      Options
		turned int
		dt     float64
		want   map[Kind]float64
		best   Kind
	}{
		{"a match", Options{Length: 5}, 0, 0.4, map[Kind]float64{Take: -0.4, Drop: -1}, Take},
		{"money", Options{Beavers: new(0)}, 0, 1.2, map[Kind]float64{Take: -1.2, Drop: -1}, Drop},
		{"beaver, not agreed", Options{Beavers: new(0)}, 0, -0.3, map[Kind]float64{Take: 0.3, Drop: -1}, Take},
		{"beaver", Options{Beavers: new(1)}, 0, -0.3, map[Kind]float64{Take: 0.3, Drop: -1, Beaver: 0.6}, Beaver},
		{"beaver of a doubler who drops", Options{Beavers: new(1)}, 0, -1.5, map[Kind]float64{Take: 1.5, Drop: -1, Beaver: 2}, Beaver},
		{"beaver of a doubler who drops what is worth more", Options{Beavers: new(1)}, 0, -2.5, map[Kind]float64{Take: 2.5, Drop: -1, Beaver: 2}, Take},
		{"wrong beaver, raccooned", Options{Beavers: new(2)}, 0, 0.3, map[Kind]float64{Take: -0.3, Drop: -1, Beaver: -1.2}, Take},
		{"a correct beaver", Options{Beavers: new(2)}, 1, -0.3, map[Kind]float64{Take: -0.6, Drop: -2, Raccoon: -1.2}, Take},
		{"a wrong beaver", Options{Beavers: new(2)}, 1, 0.3, map[Kind]float64{Take: 0.6, Drop: -2, Raccoon: 1.2}, Raccoon},
		{"a raccoon that is dropped", Options{Beavers: new(2)}, 1, 1.3, map[Kind]float64{Take: 2.6, Drop: -2, Raccoon: 4}, Raccoon},
		{"raccooned", Options{Beavers: new(2)}, 2, 0.3, map[Kind]float64{Take: -1.2, Drop: -4}, Take},
		{"raccooned, beyond a take", Options{Beavers: new(2)}, 2, 1.3, map[Kind]float64{Take: -5.2, Drop: -4}, Drop},
	} {
		s := state{opts: &c.o, phase: ToAnswer, Game: match.Game{Pending: c.turned + 1}}
		got := s.answers(&cube.Decision{DoubleTake: c.dt, DoublePass: 1})
		if d := cmp.Diff(c.want, got, cmpopts.EquateApprox(0, 1e-9)); d != "" || best(got) != c.best {
			t.Errorf("%s: best %s, want %s: %s", c.name, best(got), c.best, d)
		}
	}
}

// The engine answers a wrong beaver with a raccoon.
func TestThink_raccoon(t *testing.T) {
	m := newMatch(t, Options{Beavers: new(2)})
	m.state.pos, m.state.phase, m.state.turn, m.state.Pending, m.state.First = board.Start, ToAnswer, Opponent, 2, Opponent
	m.state.pos = board.Position{Me: board.Checkers{0, 0, 2, 2, 3, 3}, Opp: board.Checkers{3, 3, 2}} // who beavered is far behind in a race without gammons
	if done, err := m.Think(t.Context(), anEngine(t)); err != nil || !done || m.acts[len(m.acts)-1].Kind != Raccoon {
		t.Errorf("the engine answers %v, %v, %v", m.acts[len(m.acts)-1], done, err)
	}
	h, err := m.Hint(t.Context(), anEngine(t), m.Foe().Preset)
	if err != nil || !h.Answer || h.Best() != Drop {
		t.Errorf("the hint to the raccoon: %+v, %v", h, err)
	}
}

// The tutor names the beaver as the answer to a bad double.
func TestJudge_beaver(t *testing.T) {
	pr, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	m := newMatch(t, Options{Beavers: new(1)})
	m.state.pos, m.state.phase, m.state.turn, m.state.Pending = board.Start, ToAnswer, You, 1
	m.state.pos.Opp = board.Checkers{23: 4, 12: 5, 7: 3, 5: 3} // the doubler is behind
	j, err := m.Cost(t.Context(), anEngine(t), Act{Kind: Take}, pr)
	if err != nil || j.Best != "beaver" || j.Loss <= 0 {
		t.Errorf("a take: %+v, %v", j, err)
	}
	if j, err = m.Cost(t.Context(), anEngine(t), Act{Kind: Beaver}, pr); err != nil || j.Loss != 0 {
		t.Errorf("a beaver: %+v, %v", j, err)
	}
	m.state.turn = Opponent
	m.state.pos = m.state.pos.Swap()
	if done, err := m.Think(t.Context(), anEngine(t)); err != nil || !done || m.acts[len(m.acts)-1].Kind != Beaver {
		t.Errorf("the engine answers %v, %v, %v", m.acts[len(m.acts)-1], done, err)
	}
}

// Every character can be played at every length, at its rating or the usual one.
func TestCharacters_canAllBePlayed(t *testing.T) {
	for _, p := range Characters() {
		for _, length := range []int{0, 1, 5, 21} {
			for rating, want := range map[float64]string{0: p.Name + " 1500", 1650: p.Name + " 1650"} {
				m, err := New(Options{Length: length, Strength: Strength{Rating: rating, Character: strings.ToUpper(p.Name)}}, day)
				if err != nil || m.Foe().Name != want || string(m.Foe().Preset.Human.Character) != p.Name || p.Summary == "" {
					t.Errorf("%s at %d: %v", p.Name, length, err)
				}
			}
		}
	}
}

// A level errs as people do, by noise if that is asked for; a preset of its name in bot.yaml plays
// as it is.
func TestLevels(t *testing.T) {
	for _, l := range tune.Levels() {
		m, err := New(Options{Length: 5, Strength: Strength{Preset: l.Name}}, day)
		if err != nil {
			t.Fatal(err)
		}
		if f := m.Foe(); f.Name != l.Name || f.Preset.Human.Checker <= 0 || f.Preset.Checker.Noise != 0 || f.Preset.Summary != l.Summary {
			t.Errorf("%s: %+v", l.Name, f)
		}
		if s := m.View().Opponent; s.Rating != int(l.Rating) {
			t.Errorf("%s is rated %d, want %.0f", l.Name, s.Rating, l.Rating)
		}
		if m, err = New(Options{Length: 5, Strength: Strength{Preset: l.Name, Style: "noise"}}, day); err != nil || m.Foe().Preset.Checker.Noise <= 0 {
			t.Errorf("%s by noise: %v", l.Name, err)
		}
		own := preset.Preset{Name: l.Name}
		if m, err = New(Options{Length: 5, Strength: Strength{Own: &own}}, day); err != nil || m.Foe().Preset.Summary != "" {
			t.Errorf("%s of bot.yaml: %v", l.Name, err)
		}
	}
}

func TestNew_refusesBadOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"length": {Length: 100}, "preset": {Strength: Strength{Preset: "nobody"}}, "style": {Strength: Strength{Rating: 1600, Style: "odd"}},
		"rating": {Strength: Strength{Rating: 3999}}, "both": {Strength: Strength{Rating: 1600, Preset: "expert"}},
		"character": {Strength: Strength{Character: "gambler"}}, "preset and character": {Strength: Strength{Preset: "expert", Character: "bold"}},
		"style of expert":     {Strength: Strength{Preset: "expert", Style: "noise"}},
		"noise and character": {Strength: Strength{Rating: 1600, Style: "noise", Character: "bold"}},
		"name":                {Name: "a\nb"}, "long": {Name: strings.Repeat("x", 41)},
	} {
		if _, err := New(o, day); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStore_keepsMatchesOverARestart(t *testing.T) {
	dir := t.TempDir()
	s := NewStore(dir, nil)
	m := newMatch(t, Options{Length: 3})
	if err := s.Add(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "20260101-000000-00000000.match"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	again := NewStore(dir, nil)
	list, err := again.List()
	if !errors.Is(err, ErrFile) || len(list) != 1 || list[0].ID() != m.ID() {
		t.Errorf("list: %v, %v", list, err)
	}
	if err := again.Remove(m.ID()); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Get(m.ID()); !errors.Is(err, ErrNotFound) {
		t.Errorf("removed: %v", err)
	}
	if _, err := again.Get("../x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a bad id: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	m, err := New(Options{Length: 3, Seed: 7}, day)
	if err != nil {
		f.Fatal(err)
	}
	data, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"format":"fibsbot match 1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Read(bytes.NewReader(data)); err == nil {
			m.View()
			m.Record()
		}
	})
}

// Concurrent callers get the same match from its file, and reading it does not block others.
func TestStore_getAtOnce(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	for range 3 {
		m := newMatch(t, Options{Length: 3})
		if err := NewStore(dir, nil).Add(m); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.ID())
	}
	s := NewStore(dir, nil)
	var wg sync.WaitGroup
	got := make([][]*Match, 8)
	for i := range got {
		wg.Go(func() {
			for _, id := range ids {
				m, err := s.Get(id)
				if err != nil {
					t.Error(err)
				}
				got[i] = append(got[i], m)
			}
		})
	}
	wg.Wait()
	for _, g := range got {
		if !slices.Equal(g, got[0]) {
			t.Fatal("two copies of one match")
		}
	}
	release := s.lock(ids[0]) // as one that is written
	defer release()
	if m, err := s.Get(ids[0]); err != nil || m != got[0][0] {
		t.Errorf("one that is open waits for its file: %v", err)
	}
}

// People read of a pass, as everywhere, not of a drop.
func TestMatch_saysPass(t *testing.T) {
	m := newMatch(t, Options{Length: 3, Two: true, ByHand: true})
	for _, a := range []Act{byHand(3, 1), moved("8/5 6/5")} {
		if err := m.Do(a, -1); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Do(Act{Kind: Drop}, -1); err == nil || !strings.Contains(err.Error(), "pass: you have to roll") {
		t.Error(err)
	}
	if err := m.Do(Act{Kind: Double}, -1); err != nil {
		t.Fatal(err)
	}
	if err := m.Do(Act{Kind: Resign, Level: 1}, -1); err == nil || !strings.Contains(err.Error(), "take or pass the double") {
		t.Error(err)
	}
}

// TestSteps_cannotMove: where no play is legal a client finds the end of the roll as ever, with
// an empty play.
func TestSteps_cannotMove(t *testing.T) {
	p := board.Position{}
	p.Me[board.Bar], p.Me[0] = 1, 14
	for i := range 6 {
		p.Opp[i] = 2
	}
	p.Opp[10] = 3
	text, err := json.Marshal(Steps(board.Rules{}, p, board.Dice{A: 3, B: 1}))
	if err != nil || string(text) != `[{"end":true,"play":""}]` {
		t.Errorf("%s, %v", text, err)
	}
}
