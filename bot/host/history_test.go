package host

import (
	"testing"
	"time"

	"fibsbot/bot/policy"

	"github.com/google/go-cmp/cmp"
)

func TestHistory(t *testing.T) {
	var h history
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	if h.today(now) != 0 || h.lastLength("anna") != 0 || h.with("anna").Finished != 0 {
		t.Error("the zero history knows something")
	}
	old, yesterday, today := now.Add(-100*time.Hour), now.Add(-10*time.Hour), now.Add(-time.Hour)
	h.add(pastMatch{opponent: "anna", length: 7, theyWon: true, finished: true, end: today}, now)
	h.add(pastMatch{opponent: "anna", length: 3, finished: true, end: yesterday}, now) // read late
	h.add(pastMatch{opponent: "anna", length: 1, end: old}, now)                       // unfinished
	h.add(pastMatch{opponent: "bert", length: 0, finished: true, end: today}, now)
	if diff := cmp.Diff(policy.History{Finished: 2, Won: 1, Recent: []time.Time{today, yesterday, old}}, h.with("anna")); diff != "" {
		t.Error(diff)
	}
	if got := h.lastLength("anna"); got != 7 {
		t.Errorf("the last length is %d; a match read late is not the last one", got)
	}
	if got := h.today(now); got != 2 {
		t.Errorf("%d matches today", got)
	}
	if got := h.today(now.Add(24 * time.Hour)); got != 0 || len(h.ends) != 0 {
		t.Errorf("%d matches tomorrow, %d kept", got, len(h.ends))
	}
}

// TestHistory_bounded: only the last matches of an opponent who plays all day are kept.
func TestHistory_bounded(t *testing.T) {
	var h history
	now := time.Unix(1e9, 0)
	for i := range 3 * maxRecent {
		h.add(pastMatch{opponent: "anna", length: 1, finished: true, end: now.Add(time.Duration(i) * time.Second)}, now)
	}
	if got := h.with("anna"); len(got.Recent) != maxRecent || got.Finished != 3*maxRecent {
		t.Errorf("%d kept of %d", len(got.Recent), got.Finished)
	}
}
