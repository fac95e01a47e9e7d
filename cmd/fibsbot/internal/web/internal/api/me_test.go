package api

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
)

// short is a match of one point, given up at the second roll.
func short(first, second string) string {
	return " 1 point match\n\n Game 1\n " + first + " : 0                     " + second + " : 0\n" +
		"  1) 31: 8/5 6/5                   42: 8/4 6/4\n  2)  Drops                         Wins 1 point and the match\n"
}

func TestMe_filesAndCounts(t *testing.T) {
	c := newCaller(t)
	type m = map[string]any
	var me Me
	c.ask("GET", "/me", nil, http.StatusOK, &me)
	if len(me.Names)+len(me.Configured) != 0 {
		t.Fatalf("%+v", me)
	}
	c.ask("PUT", "/me", m{"names": []string{"["}}, http.StatusBadRequest, nil)
	c.ask("PUT", "/me", m{"names": []string{"ali*"}}, http.StatusOK, &me)
	if len(me.Names) != 1 {
		t.Fatalf("%+v", me)
	}
	var in Imported
	c.ask("POST", "/matches", short("alison", "bob"), http.StatusOK, &in)
	c.ask("POST", "/matches", short("carl", "dora"), http.StatusOK, &in)
	if len(in.Guessed) != 1 || in.Guessed[0].Name != "dora" {
		t.Fatalf("%+v", in)
	}
	var sums []struct{ Matches int }
	for account, want := range map[string]int{"": 1, "account=*": 2, "account=dora": 1, "player=carl&player=dora": 1} {
		c.ask("GET", "/statistics?"+account, nil, http.StatusOK, &sums)
		if sums[0].Matches != want {
			t.Errorf("%q: %+v", account, sums)
		}
	}
	var list MatchList
	c.ask("GET", "/matches?account=me", nil, http.StatusOK, &list)
	if len(list.Matches) != 1 || list.Matches[0].Account != "alison" {
		t.Fatalf("%+v", list)
	}
	// Both corrections: the match, and the file once more.
	var row index.Match
	c.ask("PATCH", "/matches/"+in.Matches[0], m{"account": "carl"}, http.StatusOK, &row)
	if row.Account != "carl" || row.Opponent != "dora" || row.ID != in.Matches[0] {
		t.Fatalf("%+v", row)
	}
	c.ask("PATCH", "/matches/"+in.Matches[0], m{"account": "eve"}, http.StatusBadRequest, nil)
	c.ask("POST", "/matches?account=DORA", short("carl", "dora"), http.StatusOK, &in)
	if in.New != 0 || in.Corrected != 1 {
		t.Fatalf("%+v", in)
	}
	c.ask("GET", "/matches/"+in.Matches[0], nil, http.StatusOK, &row)
	if row.Account != "dora" {
		t.Fatalf("%+v", row)
	}
}

// A new statistic is a row of index.Statistics; the page's columns and the schema follow.
func TestStatistics_columnsFollowTheList(t *testing.T) {
	old := index.Statistics
	t.Cleanup(func() { index.Statistics = old })
	index.Statistics = append(slices.Clone(old), index.Statistic{Name: "plays", Label: "Plays", X: "moves"})
	c := newCaller(t)
	var columns []StatisticColumn
	c.ask("GET", "/statistics/columns", nil, http.StatusOK, &columns)
	if last := columns[len(columns)-1]; last.Name != "plays" || last.Label != "Plays" {
		t.Errorf("%+v", columns)
	}
	if _, ok := (&schemas{named: object{}}).stats()["properties"].(object)["plays"]; !ok {
		t.Error("not in the schema")
	}
}

func TestAnalysis_inTheBackground(t *testing.T) {
	c := newCaller(t)
	c.api.opt.Analyse = true
	var in Imported
	c.ask("POST", "/matches", short("alison", "bob"), http.StatusOK, &in)
	var row index.Match
	for deadline := time.Now().Add(time.Minute); ; {
		var v Analysing
		c.ask("GET", "/analysis", nil, http.StatusOK, &v)
		c.ask("GET", "/matches/"+in.Matches[0], nil, http.StatusOK, &row)
		if row.Plies.Known() {
			break
		}
		if v.Failed > 0 || time.Now().After(deadline) {
			t.Fatalf("%+v: not analysed", v)
		}
	}
	// Off, it waits until all are asked for.
	c.api.opt.Analyse = false
	c.ask("POST", "/matches", short("carl", "dora"), http.StatusOK, &in)
	ids, err := c.api.unanalysed(t.Context())
	if err != nil || len(ids) != 1 || ids[0] != in.Matches[0] {
		t.Fatalf("%v %v", ids, err)
	}
	var v Analysing
	c.ask("POST", "/analysis", map[string]any{}, http.StatusAccepted, &v)
	if v.Left == 0 && v.Match == "" {
		c.ask("GET", "/matches/"+in.Matches[0], nil, http.StatusOK, &row)
		if !row.Plies.Known() {
			t.Errorf("nothing is queued: %+v", v)
		}
	}
}
