package report

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
)

// A player called "you" gets verbs in the second person, such as "you play".
func TestWords_you(t *testing.T) {
	wrong := regexp.MustCompile(`(?i)\byou (plays|wins|loses|resigns|passes|takes|doubles|without a double wins)\b|of you\b`)
	for _, name := range []string{"match7.sgf", "session5.sgf"} {
		m, _ := analysed(t, name)
		m.Players[0].Name, m.Players[1].Name = "you", "You"
		m.Games[0].Result.Resigned, m.Games[0].EndUnknown = true, false
		s := analyse.Summarise(m, nil, analyse.DefaultLimits)
		var text, page bytes.Buffer
		if err := WriteText(&text, m, s, TextOptions{All: true}); err != nil {
			t.Fatal(err)
		}
		if err := HTML(&page, m, s, PageOptions{}); err != nil {
			t.Fatal(err)
		}
		for what, got := range map[string]string{"text": text.String(), "page": page.String()} {
			if l := wrong.FindString(got); l != "" {
				t.Errorf("%s: the %s says %q", name, what, l)
			}
			if !regexp.MustCompile(`(?i)you win \d`).MatchString(got) {
				t.Errorf("%s: no \"you win\" in the %s", name, what)
			}
		}
		for _, want := range []string{"you play ", "You play ", "you win ", "you resign"} {
			if !strings.Contains(strings.ReplaceAll(page.String(), "You resign", "you resign"), want) {
				t.Errorf("%s: the page never says %q", name, want)
			}
		}
	}
}

// A match of four rolls is too short for a rating difference.
func TestWords_ratingOfShortMatches(t *testing.T) {
	m, _ := analysed(t, "match5.sgf")
	m.Games = m.Games[:1]
	g := &m.Games[0]
	g.Result = record.Result{Winner: record.NoPlayer}
	all := slices.Clone(g.Actions)
	read := func(n int) (*analyse.Summary, string) {
		g.Actions = all[:n]
		s := analyse.Summarise(m, nil, analyse.DefaultLimits)
		var b bytes.Buffer
		if err := WriteText(&b, m, s, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		return s, b.String()
	}
	s, text := read(4)
	for _, row := range []string{"Estimated FIBS rating", "Rating by errors a decision", "Rating lost by plays / by the cube"} {
		if !regexp.MustCompile(regexp.QuoteMeta(row) + ` +n/a +n/a`).MatchString(text) {
			t.Errorf("four rolls have a %q:\n%s", row, text)
		}
	}
	if !math.IsNaN(s.RatingByKind[0]) || !math.IsNaN(s.RatingByDecision[1]) {
		t.Errorf("ratings of four rolls: %v, %v", s.RatingByKind, s.RatingByDecision)
	}
	// Enough decisions, but errors beyond what the estimate was made of.
	for i := range all {
		if a := all[i].Analysis; a != nil && len(a.Candidates) > 1 {
			for k := range a.Candidates {
				a.Candidates[k].Outcome.Cubeful = 0.5 - 0.4*float64(k)
			}
			a.Played = len(a.Candidates) - 1
		}
	}
	if s, text = read(len(all)); !regexp.MustCompile(`Estimated FIBS rating +below 0 +below 0`).MatchString(text) || s.RatingByKind[0] != 0 {
		t.Errorf("ratings %v of nothing but blunders:\n%s", s.RatingByKind, text)
	}
}

// The share of wrong answers reckons with the beaver where the rules have it.
func TestWords_wrongAnswerBeaver(t *testing.T) {
	c := CubeChoice{NoDouble: 0.1, DoubleTake: -0.2, DoublePass: 1, Action: "no_double_take"}
	c.wrong()
	if want := 0.25; math.Abs(c.WrongAnswer-want) > 1e-4 || c.wrongAnswer(nil) != "a double would be right if the opponent passes wrongly more than 25.0% of the time" {
		t.Errorf("take: %v, want %v: %q", c.WrongAnswer, want, c.wrongAnswer(nil))
	}
	// A beaver costs the doubler 0.4: x - 0.4 (1-x) = 0.1.
	beavered := -0.4
	c.Action, c.DoubleBeaver = "no_double_beaver", &beavered
	c.wrong()
	if want := 0.5 / 1.4; math.Abs(c.WrongAnswer-want) > 1e-4 || c.wrongAnswer(nil) != "a double would be right if the opponent passes wrongly more than 35.7% of the time and beavers otherwise" {
		t.Errorf("beaver: %v, want %v: %q", c.WrongAnswer, want, c.wrongAnswer(nil))
	}
}
