package show

import (
	"errors"
	"strings"
	"testing"

	"fibsbot/bot/watch"
	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// seen is a match that was watched to its end, with its summary.
func seen() (*record.Match, *analyse.Summary) {
	m := &record.Match{Length: 3, Games: []record.Game{{Score: [2]int{0, 1}, Result: record.Result{Winner: 1, Points: 2, Resigned: true}}}}
	m.Players[0].Name, m.Players[1].Name = "anna", "bert"
	return m, analyse.Summarise(m, nil, analyse.DefaultLimits)
}

func TestPrinter_topics(t *testing.T) {
	m, s := seen()
	for name, c := range map[string]struct {
		report   watch.Report
		out, log string
	}{
		"watching": {watch.Report{Topic: watch.Watching, Text: "anna\x1b[2J"}, "", "fibsbot: watching anna"},
		"missed":   {watch.Report{Topic: watch.Missed, Game: 2}, "", "moves of game 3"},
		"joined":   {watch.Report{Topic: watch.Began, Match: m, Joined: true}, "bert - anna, 3-point match, joined in the middle\n", ""},
		"game":     {watch.Report{Topic: watch.GameEnd, Match: m, Summary: s}, "Game 1: bert wins 2 by resignation; bert 3, anna 0\n  anna ", ""},
		"match":    {watch.Report{Topic: watch.MatchEnd, Match: m, Summary: s, Files: []string{"x.sgf"}}, "Match: bert 3, anna 0\n  anna ", "wrote x.sgf"},
		"broken":   {watch.Report{Topic: watch.BrokenOff, Match: m, Summary: s}, "Not seen to its end: ", ""},
	} {
		var out, log strings.Builder
		p := Printer{Out: &out, Log: &log}
		p.Report(c.report)
		if p.Err() != nil || !strings.HasPrefix(out.String(), c.out) || (out.Len() > 0) != (c.out != "") || !strings.Contains(log.String(), c.log) || strings.Contains(log.String(), "\x1b") {
			t.Errorf("%s: out %q, log %q, %v", name, out.String(), log.String(), p.Err())
		}
		out.Reset()
		p.JSON = true
		if p.Report(c.report); out.Len() > 0 {
			t.Errorf("%s: with JSON only decisions are printed, got %q", name, out.String())
		}
	}
}

// broken is an output that takes nothing.
type broken struct{ n int }

func (b *broken) Write([]byte) (int, error) {
	b.n++
	return 0, []error{errors.New("first"), errors.New("later")}[min(b.n-1, 1)]
}

func TestPrinter_keepsTheFirstError(t *testing.T) {
	m, s := seen()
	p := Printer{Out: &broken{}, Log: &strings.Builder{}}
	p.Report(watch.Report{Topic: watch.MatchEnd, Match: m, Summary: s})
	if p.Err() == nil || p.Err().Error() != "first" {
		t.Errorf("%v", p.Err())
	}
}
