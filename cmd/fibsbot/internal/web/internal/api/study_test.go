package api

import (
	"archive/zip"
	"bytes"
	"net/url"
	"strings"
	"testing"

	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/quiz"
)

// study asks for openings, ready sets, cards, collections and a search.
func (c *caller) study() {
	var o Openings
	c.ask("GET", "/openings?score=dmp", nil, 200, &o)
	if len(o.Decisions) != 15 || o.Position.Pips != [2]int{167, 167} {
		c.t.Errorf("openings: %+v", o)
	}
	c.ask("GET", "/openings?score=rubber", nil, 400, nil)

	var q QuizNext
	c.ask("GET", "/quiz?source=set:openings&score=money&options=1", nil, 200, &q)
	if q.Question == nil || q.Question.Kind != quiz.Play || len(q.Options) < 2 || q.Tally.Questions < 10 {
		c.t.Fatalf("a question of a set: %+v", q)
	}
	c.ask("POST", "/quiz/"+q.Question.ID+"/skip", m{}, 200, nil)
	var next QuizNext
	c.ask("GET", "/quiz?source=set:openings&score=money", nil, 200, &next)
	if next.Question.ID == q.Question.ID {
		c.t.Error("the skipped question comes again at once")
	}
	var v QuizResult
	c.ask("POST", "/quiz/"+q.Question.ID+"/answers", m{"answer": q.Options[0]}, 200, &v)
	if v.Source != "rollout" || len(v.Choices) < 2 || v.Choices[0].Answer != v.Best || v.Progress.Today.Asked == 0 || v.Progress.Streak < 1 || len(v.Cubes) != 3 {
		c.t.Errorf("the verdict: %+v", v)
	}
	for _, wrong := range []string{"source=nowhere", "source=set:nothing", "kind=all", "phase=x", "score=x", "min_loss=x", "min_loss=0.5&max_loss=0.1"} {
		c.ask("GET", "/quiz?"+wrong, nil, 400, nil)
	}
	c.ask("GET", "/quiz?source=collection:nothing", nil, 404, nil)

	var sources QuizSources
	c.ask("GET", "/quiz/sources?player=*", nil, 200, &sources)
	if sources.Errors < 2 || len(sources.Sets) != 5 || len(sources.Themes) == 0 || sources.Themes[0].Loss <= 0 {
		c.t.Errorf("sources: %+v", sources)
	}

	_, deck := c.send("GET", "/quiz/export?source=set:bearoffs&format=apkg&limit=3", nil, true)
	z, err := zip.NewReader(bytes.NewReader(deck), int64(len(deck)))
	if err != nil || len(z.File) != 5 {
		c.t.Errorf("apkg: %v, %.100s", err, deck)
	}
	if _, page := c.send("GET", "/quiz/export?player=*&format=html", nil, true); !bytes.Contains(page, []byte("<svg")) || !bytes.Contains(page, []byte("to play")) {
		c.t.Errorf("html: %.200s", page)
	}
	c.ask("GET", "/quiz/export?format=pdf", nil, 400, nil)
	c.ask("GET", "/quiz/export?format=apkg&limit=0", nil, 400, nil)
	c.collections()
}

func (c *caller) collections() {
	const name = "/collections/My%20openings"
	var it collection.Item
	c.ask("POST", name+"/positions", m{"position": start, "dice": []int{6, 4}, "name": "64", "tags": []string{"Opening"}}, 200, &it)
	c.ask("POST", name+"/positions", m{"position": "nothing"}, 400, nil)
	var list []collection.Collection
	c.ask("GET", "/collections", nil, 200, &list)
	if len(list) != 1 || list[0].Name != "My openings" || list[0].Items[0].Tags[0] != "opening" {
		c.t.Errorf("collections: %+v", list)
	}
	var q QuizNext
	c.ask("GET", "/quiz?source="+url.QueryEscape("collection:My openings"), nil, 200, &q)
	if q.Question == nil || q.Question.Name != "64" {
		c.t.Errorf("a question of a collection: %+v", q.Question)
	}
	var found SearchResult
	c.ask("POST", "/search", m{"text": "OPENING", "made": []int{6, 13}, "lead": "0"}, 200, &found)
	if len(found.Found) != 1 || found.Found[0].Collection != "My openings" || found.Found[0].XGID != it.XGID {
		c.t.Errorf("search: %+v", found)
	}
	c.ask("POST", "/search", m{"in": "errors", "min_loss": 0.05}, 200, &found)
	if len(found.Found) < 2 || found.Found[0].Match == "" || found.Found[0].Loss < 0.05 {
		c.t.Errorf("search by loss: %+v", found)
	}
	c.ask("POST", "/search", m{"in": "errors", "their_bar": "2-"}, 200, &found)
	if len(found.Found) != 0 {
		c.t.Errorf("no error has two checkers on the bar: %+v", found)
	}
	for _, wrong := range []m{{"made": []int{30}}, {"lead": "x"}, {"in": "all"}, {"limit": 10000}, {"phase": "x"}} {
		c.ask("POST", "/search", wrong, 400, nil)
	}
	c.ask("PATCH", name, m{"name": "Starts"}, 200, nil)
	c.ask("PATCH", name, m{"name": "x"}, 404, nil)
	c.ask("DELETE", "/collections/Starts/positions/"+it.ID, nil, 200, nil)
	c.ask("DELETE", "/collections/Starts/positions/"+it.ID, nil, 404, nil)
	c.ask("DELETE", "/collections/Starts", nil, 200, nil)
	for to, want := range map[string]string{"svg": "<svg", "png": "PNG", "text": "+13-14"} {
		if _, body := c.send("GET", "/picture?to="+to+"&p="+url.QueryEscape(start+" 31"), nil, true); !strings.Contains(string(body), want) {
			c.t.Errorf("%s: %.80s", to, body)
		}
	}
	c.ask("GET", "/picture?p=nothing", nil, 400, nil)
}

// An export of the worst theme has the errors of that theme.
func TestQuiz_themesAreFilters(t *testing.T) {
	c := newCaller(t)
	c.questions()
	var s QuizSources
	c.ask("GET", "/quiz/sources?player=*", nil, 200, &s)
	for _, theme := range s.Themes {
		var q QuizNext
		c.ask("GET", "/quiz?player=*&"+url.Values{"kind": {theme.Kind}, "phase": {theme.Phase}, "plan": {theme.Plan}}.Encode(), nil, 200, &q)
		if q.Tally.Questions != theme.Questions {
			t.Errorf("%+v: %d questions", theme, q.Tally.Questions)
		}
	}
}
