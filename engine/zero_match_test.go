package engine_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/position"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/snowie"
	"fibsbot/engine/record/text"
	"fibsbot/engine/rollout"
)

// TestZeroValues_writers: every writer refuses a nil match.
func TestZeroValues_writers(t *testing.T) {
	for name, write := range map[string]func(io.Writer, *record.Match) error{
		"sgf": sgf.Write, "mat": mat.Write, "gam": mat.WriteGam, "snowie games": mat.WriteSnowie, "xg": mat.WriteXG, "oldmoves": oldmoves.Write,
		"snowie": snowie.Write, "text": text.Write, "jellyfish": jellyfish.Write, "XGID": position.WriteXGID, "OGID": position.WriteOGID,
	} {
		var out strings.Builder
		if err := write(&out, nil); !errors.Is(err, record.ErrNoMatch) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, out.Len())
		}
	}
	if lost := mat.Lost(nil); lost != nil {
		t.Errorf("no match loses %q", lost)
	}
	if _, more := new(record.Replay).Next(); more {
		t.Error("something happened in the zero Replay")
	}
	if n, d := record.Begins(nil, nil); n != 0 || d.Cube != 1 {
		t.Errorf("no game begins with %d actions, %+v", n, d)
	}
}

// TestZeroValues_summaries: what is summed up, merged or taken over of no match is nothing.
func TestZeroValues_summaries(t *testing.T) {
	a := analyse.New(rollout.Options{}, preset.Preset{})
	if s := analyse.Summarise(nil, nil, analyse.DefaultLimits); len(s.Games) != 0 || s.Actual[0] != 0 {
		t.Errorf("summary of no match: %+v", s)
	}
	if s := analyse.Annotate(nil, nil, analyse.DefaultLimits); len(s.Games) != 0 {
		t.Errorf("annotation of no match: %+v", s)
	}
	if s := new(analyse.Summary).OfGame(&record.Match{}, 0, nil); len(s.Games) != 0 {
		t.Errorf("a game that is not there: %+v", s)
	}
	if analyse.Judgement(nil) != nil || analyse.Bare(nil) != nil || analyse.ThoughtCube(nil, match.State{}, preset.Preset{}.Cube, nil) != nil {
		t.Error("something is judged of nothing")
	}
	if n, changed := analyse.Merge(nil, &record.Match{}, nil, analyse.DefaultLimits); n != 0 || changed {
		t.Error("no match gains by another")
	}
	if n := analyse.MergeAnalysis(&record.Match{}, nil, nil, analyse.DefaultLimits); n != 0 {
		t.Error("a match gains by none")
	}
	if a.TakeOver(&record.Match{}, nil) != 0 || a.TakeOver(nil, nil) != 0 {
		t.Error("something is taken over from no match")
	}
}

// TestZeroValues_reports: a report without a summary is made from the analysis in the match.
// Without a match, or with the summary of another match, a report returns an error, or is empty
// if it cannot return one.
func TestZeroValues_reports(t *testing.T) {
	m := &record.Match{Length: 3, Games: []record.Game{{}}}
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	other := &analyse.Summary{}
	if got, want := report.Build(m, nil), report.Build(m, s); len(got.Games) != 1 || len(got.Games) != len(want.Games) || got.Match != want.Match {
		t.Errorf("without a summary: %+v, want %+v", got, want)
	}
	if d := report.Build(m, other); len(d.Games) != 1 {
		t.Errorf("with another match's summary: %+v", d)
	}
	if d := report.Build(nil, nil); d.Games == nil || len(d.Games) != 0 {
		t.Errorf("document of no match: %+v", d)
	}
	if e := report.EntryOf("a.html", nil, nil); e.File != "a.html" || e.Length != 0 {
		t.Errorf("entry of no match: %+v", e)
	}
	if report.Rows(nil, nil, 0, nil) != nil || report.Rows(m, s, 1, nil) != nil || report.Rows(m, s, -1, nil) != nil {
		t.Error("a game that is not there has decisions")
	}
	if d := new(report.Row).Diagram(nil, 0, nil); d.Names != ([2]string{}) {
		t.Errorf("diagram of no match: %+v", d)
	}
	two := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"page of no match": report.HTML(io.Discard, nil, nil, report.PageOptions{}), "page of another": report.HTML(io.Discard, m, other, report.PageOptions{}),
		"text of no match": report.WriteText(io.Discard, nil, nil, report.TextOptions{}), "text of another": report.WriteText(io.Discard, m, other, report.TextOptions{}),
		"part of no match": two(report.BuildPart(nil, nil, report.Part{})), "part of another": two(report.BuildPart(m, other, report.Part{Game: 1})),
		"no decision": report.WriteDecision(io.Discard, m, 1, nil, nil), "check of no match": report.Part{}.Check(nil),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, err := range map[string]error{
		"page": report.HTML(io.Discard, m, nil, report.PageOptions{}), "text": report.WriteText(io.Discard, m, nil, report.TextOptions{}), "part": two(report.BuildPart(m, nil, report.Part{Game: 1})),
	} {
		if err != nil {
			t.Errorf("%s without a summary: %v", name, err)
		}
	}
}
