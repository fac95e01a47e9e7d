package host

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/fibs/server"
)

// TestMemory_tallies: refusals and lost connections are counted over starts, those of the last
// days only, in a bounded file.
func TestMemory_tallies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "robbie.json")
	day := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	for ago := 100; ago >= 0; ago-- {
		m, err := openMemory(file)
		if err != nil && ago < 100 {
			t.Fatal(err)
		}
		now := day.AddDate(0, 0, -ago)
		m.answered("manners.busy", false, now)
		m.answered("invitations", true, now)
		if ago == 0 {
			m.answered("opponents.block", false, now.Add(time.Minute))
			m.disconnected(protocol.CauseLost, now)
			m.disconnected(protocol.CauseKicked, now)
			m.disconnected(protocol.CauseLost, now)
		}
		if err := m.save(); err != nil {
			t.Fatal(err)
		}
	}
	m, err := openMemory(file)
	if err != nil || len(m.content.Days) != ops.RecordDays {
		t.Fatalf("%d days, %v", len(m.content.Days), err)
	}
	var got ops.Record
	m.addTo(&got, day)
	want := ops.Record{Accepted: 30, Refused: []ops.Count{{Name: "manners.busy", N: 30}, {Name: "opponents.block", N: 1}},
		Lost: []ops.Count{{Name: "lost", N: 2}, {Name: "kicked", N: 1}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = ops.Record{}
	m.addTo(&got, day.AddDate(0, 0, 29))
	if got.Accepted != 1 || len(got.Refused) != 2 {
		t.Errorf("29 days later: %+v", got)
	}
	m.addTo(&got, day.AddDate(0, 0, 30))
	if got.Accepted != 1 {
		t.Errorf("30 days later: %+v", got)
	}
}

// TestView_record: pages show what the archive knows from earlier starts, without a dashboard in
// bot.yaml, and the new matches.
func TestView_record(t *testing.T) {
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 3})
	c := testConfig(t, addr, "robbie")
	c.Dashboard.Listen = ""
	for start := 1; start <= 2; start++ {
		h := startHost(t, c, func(o *Options) { o.MaxMatches = 1 })
		h.ready(1)
		if start == 2 {
			h.until("no record", func(ops.Status) bool {
				r := h.View(t.Context()).Accounts[0].Live.Record
				return r != nil && r.All.Matches == 1
			})
		}
		done := spar(t, addr, []string{"", "anna", "bert"}[start], "robbie", 1, 1, nil)
		if err := h.wait(); err != nil {
			t.Fatal(err)
		}
		<-done
		if start == 1 {
			continue
		}
		st := h.View(t.Context())
		r := st.Accounts[0].Live.Record
		if len(st.Ended) != 2 || r == nil || r.All.Matches != 2 || r.All.Won+r.All.Lost != 2 || !r.All.WinRate.Known() ||
			len(r.Daily) == 0 || r.Daily[len(r.Daily)-1].Matches == 0 || len(r.Opponents) != 2 || r.Accepted != 2 {
			t.Errorf("%d ended, %+v", len(st.Ended), r)
		}
	}
}
