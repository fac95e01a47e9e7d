package rollout

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// FuzzRestore reads a saved rollout that a user may have edited: it is either restored whole,
// with results that can be shown, or refused.
func FuzzRestore(f *testing.F) {
	fresh := func(t testing.TB) *Job {
		j := job(t, options(t, rough{}, nil), board.Start, match.Money(false, 0), Default())
		j.AddPosition("a")
		j.AddPosition("b")
		return j
	}
	print := fresh(f).fingerprint("nets")
	sample := func(arms, pairs string) {
		f.Add([]byte(`{"format":2,"fingerprint":"` + print + `","arms":` + arms + `,"pairs":` + pairs + `}`))
	}
	const evenly = `"counts":[36]`
	sample(`[{"name":"a","sums":{"trials":36,`+evenly+`}},{"name":"b","sums":{"trials":36,`+evenly+`}}]`, `[{"arms":[0,1],"trials":36,`+evenly+`}]`)
	sample(`[{"name":"a","sums":{"trials":144,"counts":[72,72],"sum":[9,9,9,9,9,9,9],"squares":[1,1,1,1,1,1,1]}},{"name":"b","sums":{}}]`, `[]`)
	sample(`[{"name":"a","sums":{"trials":36}},{"name":"b","sums":{"trials":36}}]`, `[{"arms":[0,1],"trials":36}]`)
	sample(`[{"name":"a","sums":{"trials":-1}},{"name":"b","sums":{}}]`, `[]`)
	sample(`[{"name":"a","sums":{}},{"name":"b","sums":{}}]`, `[null]`)
	sample(`[{"name":"a","sums":{}},{"name":"b","sums":{}}]`, `[{"arms":[1,0]}]`)
	sample(`[{"name":"a"}]`, `[]`)
	sample(`[{"name":"a","sums":{"trials":36,`+evenly+`,"sum":[9,9,9,9,9,9,9],"squares":[-9,-9,-9,-9,-9,-9,-9]}},{"name":"b","sums":{}}]`, `[]`)
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		j := fresh(t)
		before, err := json.Marshal([]any{j.arms[0].sums, j.arms[1].sums, len(j.pairs)})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.restore(text, "nets"); err != nil {
			after, merr := json.Marshal([]any{j.arms[0].sums, j.arms[1].sums, len(j.pairs)})
			if !errors.Is(err, ErrFile) || merr != nil || string(after) != string(before) {
				t.Fatalf("%v: totals %s, before %s (%v)", err, after, before, merr)
			}
			return
		}
		for _, r := range j.Results() {
			if r.Trials < 0 || math.IsNaN(r.Equity) || r.Trials > 1 != r.EquityErr.Known() || r.Trials > 1 != r.ProbsErr[0].Known() {
				t.Fatalf("%+v", r)
			}
		}
	})
}
