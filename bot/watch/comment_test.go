package watch

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// judgement returns an analysed decision of alice (player 1) against bob.
func judgement(k Kind, did, best string, loss, cubeLoss float64) *Judgement {
	m := &record.Match{Length: 5, Players: [2]record.Player{{Name: "bob"}, {Name: "alice"}}}
	luck := 0.25
	v := &Judgement{
		Act: Act{Kind: k, Player: 1, index: -1, match: m, Situation: match.Situation{Position: board.Start}},
		Did: did, Best: best, Loss: loss, CubeLoss: cubeLoss, Analysis: &record.Analysis{}, Plays: 12,
	}
	if k == Move {
		v.Situation.Dice, v.Luck = board.Dice{A: 3, B: 1}, &luck
	}
	return v
}

func rules(change func(*config.Watch)) config.Watch {
	w := config.Default().Watch
	w.MinLoss = 0.05
	if change != nil {
		change(&w)
	}
	return w
}

// german is a German configuration of watch.texts.
func german(w *config.Watch) {
	w.Texts = config.Texts{
		Error: "{player}: {move} kostet {loss}; besser: {best}.",
		Game:  "Spiel {game}: {winner} gewinnt {points} ({winner_level}, Glueck {winner_luck}; {loser} {loser_level})",
		Match: "Ende: {winner} {winner_score}-{loser_score} {loser}; {winner_level} gegen {loser_level}",
		Words: map[string]string{"not doubling": "nicht doppeln", "double": "doppeln", "take": "nehmen", "drop": "passen",
			"casual player": "Gelegenheitsspieler", "world class": "Weltklasse"},
	}
}

func TestCommentator_rules(t *testing.T) {
	play := judgement(Move, "24/23 13/10", "8/5 6/5", 0.12, 0)
	small := judgement(Move, "13/10 6/5", "8/5 6/5", 0.02, 0)
	best := judgement(Move, "8/5 6/5", "8/5 6/5", 0, 0)
	missed := judgement(Move, "8/5 6/5", "8/5 6/5", 0, 0.2)
	both := judgement(Move, "24/23 13/10", "8/5 6/5", 0.12, 0.2)
	take := judgement(Take, "take", "drop", 0.3, 0)
	right := judgement(Drop, "drop", "drop", 0, 0)
	forced := judgement(Move, "bar/23", "bar/23", 0, 0)
	forced.Plays = 1
	reasoned, long := judgement(Move, "24/23 13/10", "8/5 6/5", 0.12, 0), judgement(Move, "24/23 13/10", "8/5 6/5", 0.12, 0)
	reasoned.Why, long.Why = "8/5 6/5 macht den Fünfer.", strings.Repeat("wide ", 40)
	failed := judgement(Move, "24/23 13/10", "8/5 6/5", 0.12, 0)
	failed.Err = errors.New("no engine")
	for _, tt := range []struct {
		name string
		cfg  config.Watch
		v    *Judgement
		want []string
	}{
		{"an error above the threshold", rules(nil), play, []string{"alice: 31 24/23 13/10 loses 0.120; best was 8/5 6/5."}},
		{"an error below it", rules(nil), small, nil},
		{"an error exactly on it", rules(func(w *config.Watch) { w.MinLoss = 0.12 }), play, []string{"alice: 31 24/23 13/10 loses 0.120; best was 8/5 6/5."}},
		{"the best play", rules(nil), best, nil},
		{"the best play with threshold 0", rules(func(w *config.Watch) { w.MinLoss = 0 }), best, nil},
		{"a missed double", rules(nil), missed, []string{"alice: not doubling loses 0.200; best was double."}},
		{"a missed double and a poor play", rules(nil), both, []string{
			"alice: not doubling loses 0.200; best was double.", "alice: 31 24/23 13/10 loses 0.120; best was 8/5 6/5."}},
		{"a wrong take", rules(nil), take, []string{"alice: take loses 0.300; best was drop."}},
		{"a right drop", rules(nil), right, nil},
		{"only cube: a play", rules(func(w *config.Watch) { w.Only = onlyCube }), play, nil},
		{"only cube: a take", rules(func(w *config.Watch) { w.Only = onlyCube }), take, []string{"alice: take loses 0.300; best was drop."}},
		{"only cube: a missed double and a poor play", rules(func(w *config.Watch) { w.Only = onlyCube }), both, []string{"alice: not doubling loses 0.200; best was double."}},
		{"all: the best play", rules(func(w *config.Watch) { w.Only = onlyAll }), best, []string{"alice: 31 8/5 6/5 is right."}},
		{"all: a small error", rules(func(w *config.Watch) { w.Only = onlyAll }), small, []string{"alice: 31 13/10 6/5 (-0.020, best 8/5 6/5)."}},
		{"all: an error", rules(func(w *config.Watch) { w.Only = onlyAll }), play, []string{"alice: 31 24/23 13/10 loses 0.120; best was 8/5 6/5."}},
		{"all: a forced play", rules(func(w *config.Watch) { w.Only = onlyAll }), forced, nil},
		{"no channel", rules(func(w *config.Watch) { w.Channel = ChannelNone }), play, nil},
		{"the player is on the list never", rules(func(w *config.Watch) { w.Never = []string{"ali*"} }), play, nil},
		{"the opponent is on the list never", rules(func(w *config.Watch) { w.Never = []string{"bob"} }), play, nil},
		{"another player is on the list never", rules(func(w *config.Watch) { w.Never = []string{"carol"} }), play, []string{"alice: 31 24/23 13/10 loses 0.120; best was 8/5 6/5."}},
		{"an own text with luck", rules(func(w *config.Watch) { w.Texts.Error = "{player} ({luck}) -{loss}" }), play, []string{"alice (+0.250) -0.120"}},
		{"an empty text", rules(func(w *config.Watch) { w.Texts.Error = "" }), play, nil},
		{"all: an own text for what is right", rules(func(w *config.Watch) { w.Only, w.Texts.Right = onlyAll, "{player} {move}!" }), best, []string{"alice 31 8/5 6/5!"}},
		{"all: an own text for a small error", rules(func(w *config.Watch) { w.Only, w.Texts.Small = onlyAll, "{loss} {best}" }), small, []string{"0.020 8/5 6/5"}},
		{"all: nothing about what is right", rules(func(w *config.Watch) { w.Only, w.Texts.Right = onlyAll, "" }), best, nil},
		{"in German", rules(german), missed, []string{"alice: nicht doppeln kostet 0.200; besser: doppeln."}},
		{"in German, a take", rules(german), take, []string{"alice: nehmen kostet 0.300; besser: passen."}},
		{"nothing per game", rules(func(w *config.Watch) { w.PerGame = 0 }), play, nil},
		{"a reason, in letters of servers", rules(nil), reasoned, []string{"alice: 31 24/23 13/10 loses 0.120; best was 8/5 6/5. 8/5 6/5 macht den Fuenfer."}},
		{"a reason that is too long", rules(nil), long, []string{"alice: 31 24/23 13/10 loses 0.120; best was 8/5 6/5."}},
		{"what could not be judged", rules(nil), failed, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, newCommentator(tt.cfg, nil).Judgement(tt.v)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommentator_noMoreThanPerGame(t *testing.T) {
	c := newCommentator(rules(func(w *config.Watch) { w.PerGame = 2 }), nil)
	v := judgement(Move, "24/23 13/10", "8/5 6/5", 0.12, 0)
	said := 0
	for range 5 {
		said += len(c.Judgement(v))
	}
	if said != 2 {
		t.Errorf("%d comments in a game, want 2", said)
	}
	c.GameOver(v.Match(), 0, &analyse.Summary{})
	if got := len(c.Judgement(v)); got != 1 {
		t.Errorf("%d comments in the next game, want 1", got)
	}
	c.Judgement(v)
	c.Match()
	if got := len(c.Judgement(v)); got != 1 {
		t.Errorf("%d comments in the next match, want 1", got)
	}
}

func TestCommentator_stopsWhenAsked(t *testing.T) {
	players := [2]string{"bob", "alice"}
	v := judgement(Move, "24/23 13/10", "8/5 6/5", 0.12, 0)
	for _, tt := range []struct {
		from, text string
		stops      bool
		quiet      bool // in this match
		later      bool // in a later match of the same players
	}{
		{"alice", "stop", true, true, true},
		{"alice", "Stop kibitzing!", true, true, true},
		{"bob", "stop kibitz", true, true, true},
		{"bob", "STOP WATCHING", true, true, true},
		{"bob", "stop whispering.", true, true, true},
		{"carol", "stop", true, true, false},
		{"alice", "nice stop", false, false, false},
		{"alice", "stop that roll please", false, false, false},
		{"alice", "", false, false, false},
	} {
		t.Run(tt.from+" "+tt.text, func(t *testing.T) {
			c := newCommentator(rules(nil), nil)
			if got, err := c.Heard(tt.from, tt.text, players); got != tt.stops || err != nil {
				t.Errorf("Heard = %v, want %v", got, tt.stops)
			}
			if got := len(c.Judgement(v)) == 0; got != tt.quiet {
				t.Errorf("quiet in this match: %v, want %v", got, tt.quiet)
			}
			c.Match()
			if got := len(c.Judgement(v)) == 0; got != tt.later {
				t.Errorf("quiet in a later match: %v, want %v", got, tt.later)
			}
		})
	}
}

func TestCommentator_summaries(t *testing.T) {
	m := &record.Match{Length: 3, Players: [2]record.Player{{Name: "bob"}, {Name: "alice"}}, Games: []record.Game{
		{Score: [2]int{0, 0}, Result: record.Result{Winner: 1, Points: 4}},
	}}
	s := &analyse.Summary{Games: []analyse.GameSummary{{Result: m.Games[0].Result}}}
	s.Games[0].Players[0] = analyse.Sums{Statistics: record.Statistics{Unforced: 20, PlayError: record.Cost{EMG: 0.5}, Luck: record.Cost{EMG: -1.25}}, CountedPlays: 20, Rolls: 20}
	s.Games[0].Players[1] = analyse.Sums{Statistics: record.Statistics{Unforced: 18, PlayError: record.Cost{EMG: 0.09}, Luck: record.Cost{EMG: 1}}, CountedPlays: 18, Close: 2, CloseJudged: 2, Cubes: 2, Rolls: 20}
	s.Players = s.Games[0].Players
	c := newCommentator(rules(nil), nil)
	want := []string{"Game 1: alice wins 4. Errors: alice 0.090 in 20 decisions, bob 0.500 in 20. Luck: alice +1.00, bob -1.25."}
	if diff := cmp.Diff(want, c.GameOver(m, 0, s)); diff != "" {
		t.Errorf("game (-want +got):\n%s", diff)
	}
	want = []string{"Match: alice 3-0 bob. Millipoints lost a decision: alice 4.5 (world class), bob 25.0 (casual player). Luck: alice +1.00, bob -1.25."}
	if diff := cmp.Diff(want, c.MatchOver(m, s)); diff != "" {
		t.Errorf("match (-want +got):\n%s", diff)
	}
	own := newCommentator(rules(german), nil)
	want = []string{"Spiel 1: alice gewinnt 4 (Weltklasse, Glueck +1.00; bob Gelegenheitsspieler)", "Ende: alice 3-0 bob; Weltklasse gegen Gelegenheitsspieler"}
	if diff := cmp.Diff(want, append(own.GameOver(m, 0, s), own.MatchOver(m, s)...)); diff != "" {
		t.Errorf("in German (-want +got):\n%s", diff)
	}
	silent := newCommentator(rules(func(w *config.Watch) { w.Texts.Game, w.Texts.Match = "", "" }), nil)
	if got := append(silent.GameOver(m, 0, s), silent.MatchOver(m, s)...); got != nil {
		t.Errorf("empty texts say %q", got)
	}
	quiet := newCommentator(rules(func(w *config.Watch) { w.Summary = false }), nil)
	if got := append(quiet.GameOver(m, 0, s), quiet.MatchOver(m, s)...); got != nil {
		t.Errorf("summary false says %q", got)
	}
	never := newCommentator(rules(func(w *config.Watch) { w.Never = []string{"bob"} }), nil)
	if got := append(never.GameOver(m, 0, s), never.MatchOver(m, s)...); got != nil {
		t.Errorf("about a player on the list never: %q", got)
	}
}

func TestBrief_oneShortLine(t *testing.T) {
	long := ""
	for range 60 {
		long += "word\r\n "
	}
	if got := brief(long); len(got) > maxComment || got[:9] != "word word" {
		t.Errorf("brief gives %d characters: %q", len(got), got)
	}
}
