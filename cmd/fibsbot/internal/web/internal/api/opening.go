package api

import (
	"net/http"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/opening"
)

// Openings are the rolled out openings at a score, or the replies to an opening play.
type Openings struct {
	// Score is that of the player to decide.
	Score opening.Score `json:"score"`
	// First is the opening roll and play that is replied to, "" for openings.
	First string `json:"first"`
	// Position is that of the player to decide.
	Position  Described         `json:"position"`
	Decisions []OpeningDecision `json:"decisions"`
}

// OpeningDecision is a roll with its rolled out plays.
type OpeningDecision struct {
	opening.Entry
	XGID string `json:"xgid"`
	// Replies lists the plays whose replies are known.
	Replies []string `json:"replies"`
}

func (a *API) openings(r *http.Request, _ any) (any, error) {
	q := r.URL.Query()
	score, err := opening.ParseScore(q.Get("score"))
	if err != nil {
		return nil, bad("score", "%v", err)
	}
	t := opening.Shipped()
	first := strings.Join(strings.Fields(q.Get("first")), " ")
	out := Openings{Score: score, First: first, Decisions: []OpeningDecision{}}
	list := t.Openings(score)
	if first != "" {
		out.Score = score.Swap()
		list = t.Replies(out.Score, first)
		if len(list) == 0 {
			return nil, &Problem{Status: http.StatusNotFound, Field: "first", Text: "no replies to " + first + " at " + string(score) + " are known"}
		}
	}
	for _, d := range list {
		s := d.Situation()
		x := OpeningDecision{Entry: d, XGID: s.XGID(), Replies: []string{}}
		for _, p := range d.Plays {
			if first == "" && t.HasReplies(score, d.Roll, p.Move) {
				x.Replies = append(x.Replies, p.Move)
			}
		}
		s.Dice = board.Dice{}
		out.Position = described(s, board.Rules{})
		out.Decisions = append(out.Decisions, x)
	}
	return out, nil
}
