package results

import (
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

func TestAchieved(t *testing.T) {
	a := ratings.Achieved{Trial: ratings.Trial{Rating: 1500, Length: 5, Style: tune.Noise}, Rating: rating.Interval{Estimate: 1520, Low: 1510, High: 1530}, Pairs: 40,
		Opponents: []tune.Strength{{Setting: tune.Expert}}}
	hit, missed := achievedOf(&a, 25), achievedOf(&a, 15)
	if !hit.Within || missed.Within || hit.Matches != 80 || len(hit.Opponents) != 1 {
		t.Errorf("%+v, %+v", hit, missed)
	}
	var b strings.Builder
	if err := PrintAchieved(&b, []Achieved{hit, missed}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "\n") != 4 || !strings.Contains(text, "±10") || !strings.Contains(text, "+20") || !strings.HasSuffix(text, "1 of 2 within the tolerance\n") {
		t.Errorf("\n%s", text)
	}
}

func TestMissed(t *testing.T) {
	list := []Achieved{{Target: 1500, Length: 5, Style: "noise", Within: true}}
	if err := Missed(list, 25); err != nil {
		t.Error(err)
	}
	list = append(list, Achieved{Target: 1700, Length: 3, Style: "human"})
	if err := Missed(list, 25); err == nil || err.Error() != "1700 in matches of 3 points, human, is missed by more than 25" {
		t.Error(err)
	}
}
