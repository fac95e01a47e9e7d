package api

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/internal/testsize"
)

// begun is a match in two files, one a game.
var begun = [2]string{" 3 point match\n\n Game 1\n anna : 0                       bert : 0\n  1) 31: 8/5 6/5                 52: 13/8 24/22\n  2)  Doubles => 2                Drops\n      Wins 1 point\n",
	" 3 point match\n\n Game 2\n anna : 1                       bert : 0\n  1) 42: 8/4 6/4                 61: 13/7 8/7\n"}

// The files of a selection are one set: a file a game is one match, positions go into a
// collection, and each file has its result. Apart, they are offered and joined by hand.
func TestImport_set(t *testing.T) {
	testsize.Medium(t)
	c := newCaller(t)
	var in Imported
	c.ask("POST", "/matches", form{{"a/m.mat", begun[0]}, {"a/m_002.mat", begun[1]}, {"tens.txt", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n"}, {"notes.txt", "Hello.\n"}}, http.StatusOK, &in)
	if in.New != 1 || in.Joined != 1 || in.Positions != 1 || in.Unreadable != 1 || len(in.Matches) != 1 || len(in.Files) != 4 {
		t.Fatalf("%+v", in)
	}
	if f := in.Files; f[0].New != 1 || f[1].Joined != 1 || f[2].Collection != "tens" || !strings.Contains(f[3].Problem, "format") {
		t.Errorf("%+v %+v %+v %+v", f[0], f[1], f[2], f[3])
	}
	var all []collection.Collection
	if c.ask("GET", "/collections", nil, http.StatusOK, &all); len(all) != 1 || len(all[0].Items) != 1 {
		t.Errorf("%+v", all)
	}

	c = newCaller(t)
	for _, file := range begun {
		c.ask("POST", "/matches", file, http.StatusOK, &in)
	}
	if len(in.Perhaps) != 1 {
		t.Fatalf("%+v", in)
	}
	pair := in.Perhaps[0]
	var row index.Match
	c.ask("POST", "/matches/"+pair[0]+"/merge", map[string]any{"with": pair[1]}, http.StatusOK, &row)
	if row.Games != 2 {
		t.Errorf("%+v", row)
	}
	c.ask("POST", "/matches/"+row.ID+"/merge", map[string]any{"with": row.ID}, http.StatusBadRequest, nil)
}

// A file that is the body of a request goes where it goes in a form: its positions into the
// collection of its name, without which they are refused.
func TestImport_positionsOfABody(t *testing.T) {
	testsize.Medium(t)
	const one, ten = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n", "XGID=-a----E-C---eE---c-e----B-:0:0:1:%s:0:0:0:7:10\n"
	all := ""
	for _, dice := range strings.Fields("11 21 31 41 51 61 22 32 42 52") {
		all += strings.Replace(ten, "%s", dice, 1)
	}
	xgp, err := os.ReadFile("../../../../../../engine/record/xg/testdata/cube.xgp")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		file, text, collection string
		positions              int
	}{{"one.txt", one, "one", 1}, {"a/tens.txt", all, "tens", 10}, {"cube.xgp", string(xgp), "cube", 1}} {
		c := newCaller(t)
		var in Imported
		var refused Problem
		c.ask("POST", "/matches", test.text, http.StatusBadRequest, &refused)
		if refused.Field != "name" || !strings.Contains(refused.Text, "?name=FILE") {
			t.Errorf("%s without its name: %+v", test.file, refused)
		}
		c.ask("POST", "/matches?name="+test.file, test.text, http.StatusOK, &in)
		if in.New != 0 || len(in.Matches) != 0 || in.Positions != test.positions || len(in.Files) != 1 || in.Files[0].Collection != test.collection {
			t.Errorf("%s: %+v", test.file, in)
		}
		var list MatchList
		if c.ask("GET", "/matches", nil, http.StatusOK, &list); len(list.Matches) != 0 {
			t.Errorf("%s: %d matches in the archive", test.file, len(list.Matches))
		}
		var got []collection.Collection
		if c.ask("GET", "/collections", nil, http.StatusOK, &got); len(got) != 1 || got[0].Name != test.collection || len(got[0].Items) != test.positions {
			t.Errorf("%s: %+v", test.file, got)
		}
	}
	// The date in the name counts, as in a form.
	c := newCaller(t)
	var in Imported
	c.ask("POST", "/matches?name=2024-03-05.mat", begun[0], http.StatusOK, &in)
	var row index.Match
	if c.ask("GET", "/matches/"+in.Matches[0], nil, http.StatusOK, &row); row.Started.Format(time.DateOnly) != "2024-03-05" {
		t.Errorf("started %v", row.Started)
	}
}
