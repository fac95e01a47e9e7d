package recorded

import (
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

func TestEnough(t *testing.T) {
	at := func(plies int) [2]sgf.Evaluator {
		e := sgf.Evaluator{Settings: record.Settings{Plies: plies}}
		return [2]sgf.Evaluator{e, e}
	}
	short := sgf.Context{Truncated: true, TruncatePly: 7, Asked: 144, Checker: at(0)}
	asked := func(n int, c sgf.Context) sgf.Context { c.Asked = n; return c }
	for name, c := range map[string]struct {
		trials int
		how    sgf.Context
		want   [4]int // trials, truncate, early, plies
		enough bool
	}{
		"the same":                      {144, short, [4]int{144, 7, 0, 0}, true},
		"clear before its last trial":   {72, short, [4]int{144, 7, 0, 0}, true},
		"fewer wanted":                  {72, short, [4]int{36, 5, 0, 0}, true},
		"more trials wanted":            {144, short, [4]int{360, 7, 0, 0}, false},
		"later ends wanted":             {144, short, [4]int{144, 9, 0, 0}, false},
		"to the end wanted":             {144, short, [4]int{144, 0, 0, 0}, false},
		"broken off":                    {102, asked(102, short), [4]int{144, 7, 0, 0}, false},
		"a file that does not tell":     {72, asked(0, short), [4]int{144, 7, 0, 0}, false},
		"to the end":                    {360, sgf.Context{}, [4]int{360, 9, 0, 0}, true},
		"to the end, broken off":        {102, sgf.Context{}, [4]int{360, 9, 0, 0}, false},
		"a search within trials":        {144, short, [4]int{144, 7, 2, 1}, false},
		"a search within trials, had":   {144, sgf.Context{Truncated: true, TruncatePly: 7, Checker: at(1), Late: true, LatePly: 2}, [4]int{144, 7, 2, 1}, true},
		"a search within fewer, wanted": {144, sgf.Context{Truncated: true, TruncatePly: 7, Checker: at(1), Late: true, LatePly: 2}, [4]int{144, 7, 3, 1}, false},
	} {
		r := &record.Rollout{Trials: c.trials, Settings: c.how.String()}
		if got := Enough(r, c.want[0], c.want[1], c.want[2], c.want[3]); got != c.enough {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !Enough(&record.Rollout{Trials: 36}, 36, 7, 0, 0) || Enough(&record.Rollout{Trials: 35}, 36, 7, 0, 0) {
		t.Error("a rollout without a description counts by its trials")
	}
}
