package api

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/review"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/engine"
	"fibsbot/engine/explain"
	"fibsbot/engine/preset"
	"fibsbot/internal/http"
)

// QuizNext is the question to ask now, null if no question is due, and the tally.
type QuizNext struct {
	Question *quiz.Question `json:"question"`
	Position *Described     `json:"position"`
	// Moves are the ways to play the dice, for a question about a play.
	Moves play.Tree `json:"moves,omitempty"`
	// Options are answers to choose from, if the request asks for them.
	Options  []string      `json:"options,omitempty"`
	Tally    quiz.Tally    `json:"tally"`
	Progress quiz.Progress `json:"progress"`
}

// QuizAnswer answers a question: a play in notation; roll, double, double/take or double/pass; take or drop.
type QuizAnswer struct {
	Answer string `json:"answer"`
}

// QuizResult is the verdict on an answer.
type QuizResult struct {
	quiz.Assessment
	Again    time.Time     `json:"again"` // when it is asked again
	Progress quiz.Progress `json:"progress"`
	explain.Doc
}

// QuizSources are where questions come from.
type QuizSources struct {
	// Errors is the number of errors of the player that are asked.
	Errors      int          `json:"errors"`
	Collections []SourceSize `json:"collections"`
	Sets        []quiz.Set   `json:"sets"`
	// Themes of the player's errors, the costliest first.
	Themes []quiz.Theme `json:"themes"`
	// Phases, Plans and Verdicts are the words of filters.
	Phases   []string      `json:"phases"`
	Verdicts []string      `json:"verdicts"`
	Plans    []string      `json:"plans"`
	Progress quiz.Progress `json:"progress"`
}

// SourceSize is a collection with the number of its positions.
type SourceSize struct {
	Name      string `json:"name"`
	Questions int    `json:"questions"`
}

var errNoQuiz = &Problem{Status: http.StatusNotFound, Text: "the quiz needs an archive (start fibsbot web with --archive DIR)"}

// quizFilters are the query parameters that choose questions.
var quizFilters = []param{
	{"player", "whose errors, * for anyone; default yours, of the account of each match if your names are not known"}, {"match", "ID of the match whose errors are asked; default all"}, {"source", "errors (default), set:NAME or collection:NAME"},
	{"phase", "phase of the game"}, {"plan", "game plan"}, {"kind", "play, cube, double or take"}, {"score", strings.Join(collection.Scores, ", ") + ", or points away as 3-5"},
	{"min_loss", "smallest loss of an error; default 0.08"}, {"max_loss", "largest loss of an error"},
	{"worst", "number of the costliest themes whose errors are asked; default all"},
}

// who chooses the errors of the players that a query names.
func (a *API) who(q url.Values, f *quiz.Filter) (err error) {
	switch name := q.Get("player"); name {
	case "", "me":
		f.Mine = true
		f.Who, err = a.me()
	case "*":
	default:
		f.Who = owner.Names{name}
	}
	return err
}

func (a *API) quizFilter(r *http.Request) (f quiz.Filter, err error) {
	q := r.URL.Query()
	if a.opt.Quiz == nil {
		return f, errNoQuiz
	}
	f = quiz.Filter{From: q.Get("source"), Phase: q.Get("phase"), Plan: q.Get("plan"), Kind: q.Get("kind"), Score: q.Get("score")}
	for _, n := range []struct {
		name string
		to   *float64
	}{{"min_loss", &f.Min}, {"max_loss", &f.Max}} {
		if text := q.Get(n.name); text != "" {
			if *n.to, err = strconv.ParseFloat(text, 64); err != nil {
				return f, bad(n.name, "%.20q is not a number", text)
			}
		}
	}
	if f.Worst, err = number(q, "worst", 0, math.MinInt, math.MaxInt, " is not a number"); err != nil {
		return f, err
	}
	if f.Match, err = a.matchOf(r); err == nil {
		err = a.who(q, &f)
	}
	return f, err
}

// matchOf is the ID of the match that a query names, or "".
func (a *API) matchOf(r *http.Request) (string, error) {
	id := r.URL.Query().Get("match")
	if id == "" || a.opt.Archive == nil {
		return "", nil
	}
	row, err := a.opt.Archive.Show(r.Context(), id)
	if err != nil {
		return "", err
	}
	return row.ID, nil
}

// sourceProblem is the problem of a source that is no collection.
func sourceProblem(err error) error {
	if errors.Is(err, collection.ErrNotFound) {
		return &Problem{Status: http.StatusNotFound, Text: err.Error(), Field: "source"}
	}
	return err
}

// judge returns the preset that judges answers to q, and the engine for its game.
func (a *API) judge(r *http.Request, q *quiz.Question) (p preset.Preset, e *engine.Engine, err error) {
	if p, err = a.preset("worldclass"); err != nil {
		return p, nil, err
	}
	if e, err = a.opt.Engine.With(r.Context(), q.Rules); err != nil {
		return p, nil, bad("id", "%v", err)
	}
	return p, e, nil
}

func (a *API) quizNext(r *http.Request, f quiz.Filter, _ any) (any, error) {
	q, t, err := a.opt.Quiz.Next(r.Context(), f)
	if err != nil {
		return nil, sourceProblem(err)
	}
	out := QuizNext{Question: q, Tally: t, Progress: a.opt.Quiz.Progress()}
	if q == nil {
		return out, nil
	}
	d := described(q.Situation, q.Rules)
	out.Position = &d
	if q.Kind == quiz.Play {
		out.Moves = play.Steps(q.Rules, q.Situation.Position, q.Situation.Dice)
	}
	if r.URL.Query().Get("options") == "" {
		return out, nil
	}
	p, e, err := a.judge(r, q)
	if err != nil {
		return nil, err
	}
	out.Options, err = quiz.Options(r.Context(), e, p, q)
	return out, err
}

func (a *API) quizAnswer(r *http.Request, x QuizAnswer) (any, error) {
	q, err := a.opt.Quiz.Find(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	p, e, err := a.judge(r, &q)
	if err != nil {
		return nil, err
	}
	var v QuizResult
	if v.Assessment, err = quiz.Judge(r.Context(), e, p, &q, x.Answer); err != nil {
		if q.Kind == quiz.Play && !errors.Is(err, quiz.ErrAnswer) && r.Context().Err() == nil {
			err = bad("answer", "%v", err)
		}
		return nil, err
	}
	why, err := quiz.Reason(r.Context(), e, p, &q, &v.Assessment, x.Answer)
	if err != nil {
		return nil, err
	}
	v.Doc = why.Doc(a.opt.Language(r))
	card, err := a.opt.Quiz.Answered(q.ID, v.Right)
	v.Again, v.Progress = card.Due, a.opt.Quiz.Progress()
	return v, err
}

func (a *API) quizSkip(r *http.Request, _ struct{}) (any, error) {
	return struct{}{}, a.opt.Quiz.Skip(r.Context(), r.PathValue("id"))
}

func (a *API) quizSources(r *http.Request, _ any) (any, error) {
	match, err := a.matchOf(r)
	if err != nil {
		return nil, err
	}
	f := quiz.Filter{Match: match}
	if err := a.who(r.URL.Query(), &f); err != nil {
		return nil, err
	}
	all, err := a.opt.Quiz.Pool(r.Context(), f)
	if err != nil {
		return nil, err
	}
	out := QuizSources{Errors: len(all), Collections: []SourceSize{}, Sets: quiz.Sets(), Phases: quiz.Phases(), Plans: quiz.Plans(), Verdicts: review.Verdicts, Progress: a.opt.Quiz.Progress()}
	if out.Themes, err = a.opt.Quiz.Themes(r.Context(), f); err != nil {
		return nil, err
	}
	if a.opt.Quiz.Collections != nil {
		list, err := a.opt.Quiz.Collections.List()
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			out.Collections = append(out.Collections, SourceSize{c.Name, len(c.Items)})
		}
	}
	return out, nil
}

// usualExport is how many cards an export has unless the request says otherwise: about a
// minute of work for errors.
const usualExport = 60

// mostDeep is how many cards worldclass judges within the time of a request; larger decks
// are judged by expert.
const mostDeep = 60

// exportQuiz are cards as a file.
func (a *API) exportQuiz(r *http.Request, f quiz.Filter, _ any) (any, error) {
	query := r.URL.Query()
	format := query.Get("format")
	if !slices.Contains(quiz.Formats, format) {
		return nil, bad("format", "unknown format %.20q (use %s)", format, strings.Join(quiz.Formats, ", "))
	}
	limit, err := number(query, "limit", usualExport, 1, quiz.MaxExport, fmt.Sprintf(" is not between 1 and %d", quiz.MaxExport))
	if err != nil {
		return nil, err
	}
	list, err := a.opt.Quiz.Pool(r.Context(), f)
	if err != nil {
		return nil, sourceProblem(err)
	}
	if len(list) == 0 {
		return nil, &Problem{Status: http.StatusNotFound, Text: "no question fits (choose another source or fewer filters)"}
	}
	list = list[:min(limit, len(list))]
	judge := "worldclass"
	if len(list) > mostDeep {
		judge = "expert"
	}
	p, err := a.preset(judge)
	if err != nil {
		return nil, err
	}
	title := "fibsbot " + strings.TrimPrefix(strings.TrimPrefix(list[0].From, quiz.FromSet), quiz.FromCollection)
	if f.Worst > 0 {
		title += " worst themes"
	}
	if f.Plan != "" || f.Phase != "" {
		title += " " + strings.TrimSpace(f.Plan+" "+f.Phase)
	}
	var b bytes.Buffer
	err = quiz.Export(r.Context(), &b, a.opt.Engine, p, list, quiz.Deal{Format: format, Title: title, Now: time.Now(), Texts: a.opt.Language(r)})
	kind := map[string]string{"apkg": "application/octet-stream", "html": "text/html; charset=utf-8"}[format]
	return document{kind, strings.Join(strings.Fields(plainName(title)), "-") + "." + format, b.Bytes()}, err
}

// plainName replaces what a file name should not have.
func plainName(text string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, text)
}
