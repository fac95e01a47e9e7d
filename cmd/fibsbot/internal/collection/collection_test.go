package collection

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/match"
)

const opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"

var now = time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)

func TestStore_keepsCollections(t *testing.T) {
	file := filepath.Join(t.TempDir(), "collections.json")
	s := Open(file)
	a, err := s.Add("Openings", Item{XGID: opening, Name: "Golden", Tags: []string{"Blot  Hits", "x", "X"}}, now)
	if err != nil || a.ID == "" || strings.Join(a.Tags, " ") != "blot-hits x" {
		t.Fatalf("%+v %v", a, err)
	}
	// The same position again changes its words; another window sees both.
	if _, err := s.Add("openings", Item{XGID: opening, Name: "31"}, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 12)
	for i := range cap(errs) { // other windows and programs wait for each other
		go func() {
			_, err := Open(file).Add(fmt.Sprint("Window ", i), Item{XGID: opening}, now)
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if list, err := s.List(); err != nil || len(list) != 13 {
		t.Errorf("%d collections %v", len(list), err)
	}
	c, err := Open(file).Get("OPENINGS")
	if err != nil || len(c.Items) != 1 || c.Items[0].Name != "31" || !c.Items[0].Added.Equal(now) {
		t.Errorf("%+v %v", c, err)
	}
	if err := s.Rename("openings", "Starts"); err != nil {
		t.Error(err)
	}
	if err := s.Remove("Starts", "nothing"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if err := s.Remove("Starts", a.ID); err != nil {
		t.Error(err)
	}
	if err := s.Delete("Starts"); err != nil {
		t.Error(err)
	}
	if err := s.Delete("Starts"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	for _, bad := range []Item{{XGID: "nothing"}, {XGID: opening, Name: strings.Repeat("x", 100)}, {XGID: opening, Tags: strings.Fields(strings.Repeat("a b c d e f g h i j k l m n o p q r s t u v", 1))}} {
		if _, err := s.Add("x", bad, now); !errors.Is(err, ErrBad) {
			t.Errorf("%.40v: %v", bad, err)
		}
	}
	if _, err := s.Add(" ", Item{XGID: opening}, now); !errors.Is(err, ErrBad) {
		t.Error(err)
	}
}

// Where a pass costs what the position says, it is another question.
func TestStore_priceOfAPass(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "collections.json"))
	for _, rule := range []match.DropRule{match.DropSingle, match.DropByPosition} {
		if _, err := s.Add("Openings", Item{XGID: opening, Drops: rule}, now); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Get("Openings")
	if err != nil || len(c.Items) != 2 {
		t.Fatalf("%+v %v", c, err)
	}
	if sit, err := c.Items[1].Situation(); err != nil || sit.State.Drops != match.DropByPosition {
		t.Errorf("%+v %v", sit, err)
	}
	if _, err := s.Add("x", Item{XGID: opening, Drops: 9}, now); !errors.Is(err, ErrBad) {
		t.Error(err)
	}
}

func TestStore_leavesADamagedFileAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "collections.json")
	if err := os.WriteFile(file, []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file).Add("x", Item{XGID: opening}, now); !errors.Is(err, ErrFile) {
		t.Error(err)
	}
	if data, _ := os.ReadFile(file); string(data) != "[{" {
		t.Errorf("%s", data)
	}
}

func TestStructure(t *testing.T) {
	at := func(id string) match.Situation {
		s, err := match.ParseSituation(id)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	start := at(opening)
	bar := at("XGID=ab----E-C---dE---c-e----B-:1:1:1:00:2:6:0:7:10")
	for _, c := range []struct {
		q    Structure
		s    match.Situation
		want bool
	}{
		{Structure{}, start, true},
		{Structure{Made: []int{6, 8, 13, 24}}, start, true},
		{Structure{Made: []int{5}}, start, false},
		{Structure{TheirMade: []int{6}}, start, true},
		{Structure{Back: "2"}, start, true},
		{Structure{Back: "3-"}, start, false},
		{Structure{Lead: "0"}, start, true},
		{Structure{Lead: "-5--1"}, start, false},
		{Structure{Score: "money"}, start, false},
		{Structure{Score: "7-7"}, start, true},
		{Structure{Score: "2-3, 7-7"}, start, true},
		{Structure{Score: "2-3,money"}, start, false},
		{Structure{Score: "match", Cube: 1, Owner: "centre"}, start, true},
		{Structure{Cube: 2}, start, false},
		{Structure{TheirBar: "1"}, bar, true},
		{Structure{TheirBar: "1-2", Cube: 2, Owner: "me", Lead: "10-"}, bar, true},
		{Structure{Bar: "1"}, bar, false},
	} {
		fits, err := c.q.Matcher()
		if err != nil || fits(c.s) != c.want {
			t.Errorf("%+v in %s: want %v, %v", c.q, c.s.XGID(), c.want, err)
		}
	}
	for _, q := range []Structure{{Made: []int{25}}, {Back: "x"}, {Lead: "5-1"}, {Score: "deuce"}, {Owner: "all"}} {
		if _, err := q.Matcher(); err == nil {
			t.Errorf("%+v was read", q)
		}
	}
}
