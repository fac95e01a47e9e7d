package host

import (
	"fmt"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
)

// TestSitter_ready: a match is filed when both ratings are known, after a time limit, and at the
// end.
func TestSitter_ready(t *testing.T) {
	for _, tt := range []struct {
		name       string
		them, ours bool // known
		all        bool
		after      time.Duration
		filed      bool
	}{
		{"nothing told", false, false, false, 0, false},
		{"his rating told", true, false, false, 0, false},
		{"both told", true, true, false, 0, true},
		{"waited long enough", false, true, false, ratingWait, true},
		{"the end", false, false, true, 0, true},
	} {
		s := newSitter()
		s.filings = []waitingJob{{job: job{them: "bob"}, till: noon.Add(ratingWait)}}
		if tt.them {
			s.rated("bob", false, 1601, "")
		}
		if tt.ours {
			s.rated("me", true, 1702, "")
		}
		s.rated("carl", false, 1999, "")
		list, wake := s.ready(tt.all, noon.Add(tt.after))
		if filed := len(list) == 1; filed != tt.filed || filed != wake.IsZero() || filed != (len(s.filings) == 0) || !filed && !wake.Equal(noon.Add(ratingWait)) {
			t.Errorf("%s: %d filed, %d wait, wakes at %v", tt.name, len(list), len(s.filings), wake)
			continue
		}
		if !tt.filed {
			continue
		}
		want := [2]float64{}
		if tt.them {
			want[0] = 1601
		}
		if tt.ours {
			want[1] = 1702
		}
		if got := list[0].job.meta.RatingAfter; got != want || list[0].seen != [2]bool{tt.them, tt.ours} {
			t.Errorf("%s: ratings %v, want %v", tt.name, got, want)
		}
	}
}

// TestSitter_unfiled: the change of the rating is taken once when the files are written.
func TestSitter_unfiled(t *testing.T) {
	s := newSitter()
	s.leaves("bob", index.Meta{Preset: "expert"})
	if m, ok := s.found("bob"); !ok || m.Preset != "expert" {
		t.Errorf("found %+v, %v", m, ok)
	}
	if _, ok := s.found("bob"); ok {
		t.Error("found twice")
	}
	for i := range 2 * maxRecall {
		s.leaves(fmt.Sprint(i), index.Meta{})
	}
	if len(s.unfiled) > maxRecall {
		t.Errorf("%d are remembered", len(s.unfiled))
	}
}
