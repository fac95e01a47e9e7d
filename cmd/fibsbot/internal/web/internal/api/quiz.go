package api

import (
	"errors"
	"math"
	"net/http"
	"time"

	"fibsbot/bot/archive/owner"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
)

// rightWithin is the loss (EMG) up to which an answer is correct. Analyses of different
// depths differ by as much.
const rightWithin = 0.02

// QuizNext is the question to ask now, null if no question is due, and the tally.
type QuizNext struct {
	Question *quiz.Question `json:"question"`
	Position *Described     `json:"position"`
	// Moves are the ways to play the dice, for a question about a play.
	Moves play.Tree  `json:"moves,omitempty"`
	Tally quiz.Tally `json:"tally"`
}

// QuizAnswer answers a question: a play in notation, or double, roll, take or drop.
type QuizAnswer struct {
	Answer string `json:"answer"`
}

// QuizResult is the verdict on an answer.
type QuizResult struct {
	Right bool `json:"right"`
	// Loss of the answer in EMG, and the best one.
	Loss  float64            `json:"loss"`
	Best  string             `json:"best"`
	Plays *advice.Plays      `json:"plays,omitempty"`
	Cube  *advice.Evaluation `json:"cube,omitempty"`
	Words string             `json:"words,omitempty"`
	Again time.Time          `json:"again"` // when it is asked again
}

var errNoQuiz = &Problem{Status: http.StatusNotFound, Text: "the quiz needs an archive (start fibsbot web with --archive DIR)"}

func (a *API) quizNext(r *http.Request, _ any) (any, error) {
	if a.opt.Quiz == nil {
		return nil, errNoQuiz
	}
	who := owner.Names{r.URL.Query().Get("player")}
	var err error
	switch who[0] {
	case "", "me":
		who, err = a.me()
	case "*":
		who = nil
	}
	if err != nil {
		return nil, err
	}
	q, t, err := a.opt.Quiz.Next(r.Context(), who)
	if err != nil {
		return nil, err
	}
	out := QuizNext{Question: q, Tally: t}
	if q != nil {
		d := described(q.Situation, q.Rules)
		out.Position = &d
		if q.Kind == quiz.Play {
			out.Moves = play.Steps(q.Rules, q.Situation.Position, q.Situation.Dice)
		}
	}
	return out, nil
}

func (a *API) quizAnswer(r *http.Request, in any) (any, error) {
	if a.opt.Quiz == nil {
		return nil, errNoQuiz
	}
	q, err := a.opt.Quiz.Find(r.Context(), r.PathValue("id"))
	if errors.Is(err, quiz.ErrUnknown) {
		return nil, &Problem{Status: http.StatusNotFound, Text: err.Error(), Field: "id"}
	}
	if err != nil {
		return nil, err
	}
	text := in.(QuizAnswer).Answer
	var v QuizResult
	if q.Kind == quiz.Play {
		v, err = a.judgePlay(r, q, text)
	} else {
		v, err = a.judgeCube(r, q, text)
	}
	if err != nil {
		return nil, err
	}
	v.Right = v.Loss <= rightWithin
	card, err := a.opt.Quiz.Answered(q.ID, v.Right)
	v.Again = card.Due
	return v, err
}

func (a *API) judgePlay(r *http.Request, q quiz.Question, text string) (v QuizResult, err error) {
	s := q.Situation
	pl, err := q.Rules.ParsePlay(s.Position, s.Dice, text)
	if err != nil {
		return v, bad("answer", "%v", err)
	}
	p, err := a.preset("worldclass")
	if err != nil {
		return v, err
	}
	e, err := a.opt.Engine.With(r.Context(), q.Rules)
	if err != nil {
		return v, bad("id", "%v", err)
	}
	list, err := e.Hint(r.Context(), s.Position, s.Dice, s.State, p)
	if err != nil {
		return v, err
	}
	if len(list) == 0 {
		return v, bad("answer", "no play is legal")
	}
	doc := advice.PlaysOf(q.Rules, s, list)
	v.Plays, v.Best = &doc, doc.Moves[0].Move
	if pl.Result != list[0].Play.Result {
		// At one depth, see play.Match.Cost.
		pair, err := e.Search().Rate(r.Context(), s.Position, []board.Play{list[0].Play, pl}, s.State, p.Checker)
		if err != nil {
			return v, err
		}
		v.Loss = math.Max(0, pair[0].Equity-pair[1].Equity)
	}
	return v, nil
}

func (a *API) judgeCube(r *http.Request, q quiz.Question, text string) (v QuizResult, err error) {
	p, err := a.preset("worldclass")
	if err != nil {
		return v, err
	}
	e, err := a.opt.Engine.With(r.Context(), q.Rules)
	if err != nil {
		return v, bad("id", "%v", err)
	}
	d, err := e.CubeDecision(r.Context(), q.Situation.Position, q.Situation.State, p)
	if err != nil {
		return v, err
	}
	doc := advice.EvaluationOf(e.Table(), q.Rules, q.Situation, d)
	v.Cube, v.Words = &doc, advice.Words(d)
	// The loss of each answer, and the better one.
	loss := map[string]float64{}
	if q.Kind == quiz.Double {
		gain := math.Min(d.DoubleTake, d.DoublePass) - d.NoDouble
		loss["double"], loss["roll"] = math.Max(0, -gain), math.Max(0, gain)
		v.Best = map[bool]string{true: "double", false: "roll"}[gain > 0]
	} else {
		gain := d.DoublePass - d.DoubleTake
		loss["take"], loss["drop"] = math.Max(0, -gain), math.Max(0, gain)
		v.Best = map[bool]string{true: "take", false: "drop"}[gain >= 0]
	}
	cost, ok := loss[text]
	if !ok {
		return v, bad("answer", "%.20q: want %s", text, map[bool]string{true: "double or roll", false: "take or drop"}[q.Kind == quiz.Double])
	}
	v.Loss = cost
	return v, nil
}
