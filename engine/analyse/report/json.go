package report

import (
	"math"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
)

// Document is the JSON form of an analysed match. Error rates are millipoints a
// decision, luck and single losses normalised equity.
type Document struct {
	// File is the name of the match file, for the caller of Build to fill in.
	File    string   `json:"file,omitempty"`
	Match   Match    `json:"match"`
	Players []Player `json:"players"`
	Games   []Game   `json:"games"`
}

// Match is the frame of the document. Length 0 is money play.
type Match struct {
	Players [2]string `json:"players"`
	Length  int       `json:"length"`
	Score   [2]int    `json:"score"`
	// Variation is the game, such as Hypergammon2; empty for backgammon.
	Variation string `json:"variation,omitempty"`
	// Egyptian says that no more than five checkers may stand on a point.
	Egyptian bool   `json:"egyptian,omitempty"`
	Date     string `json:"date,omitempty"`
	Result   Result `json:"result"`
}

// Result names the winner by index, -1 while unfinished (or level in money
// play), and the winner's points.
type Result struct {
	Winner int `json:"winner"`
	Points int `json:"points"`
}

// Player is one player's figures over the match.
type Player struct {
	Name string `json:"name"`
	// The counts are those of analyse.Sums. An error is millipoints a decision of its
	// kind, unforced moves and close cube decisions; its total is EMG.
	Moves              int     `json:"moves"`
	UnforcedMoves      int     `json:"unforced_moves"`
	CheckerError       float64 `json:"checker_error"`
	CheckerErrorTotal  float64 `json:"checker_error_total"`
	CubeDecisions      int     `json:"cube_decisions"`
	CloseCubeDecisions int     `json:"close_cube_decisions"`
	CubeError          float64 `json:"cube_error"`
	CubeErrorTotal     float64 `json:"cube_error_total"`
	ErrorPerDecision   float64 `json:"error_per_decision"`
	// SnowieError is millipoints a move of either player.
	SnowieError float64 `json:"snowie_error"`
	// PR is 500 times the mean error (EMG) of the decisions that count, see
	// analyse.Sums.PR; CheckerPR and CubePR are those of plays and cube apart.
	PR               float64 `json:"pr"`
	CheckerPR        float64 `json:"checker_pr"`
	CubePR           float64 `json:"cube_pr"`
	CountedDecisions int     `json:"counted_decisions"`
	Marked           Marked  `json:"marked"`
	// Luck is EMG, LuckRate millipoints a move, LuckWord what rating.LuckWord calls it.
	Luck     float64 `json:"luck"`
	LuckRate float64 `json:"luck_rate"`
	LuckWord string  `json:"luck_word,omitempty"`
	// The results and the chance are those of analyse.Summary.
	ActualResult       float64 `json:"actual_result"`
	LuckAdjustedResult float64 `json:"luck_adjusted_result"`
	Chance             float64 `json:"chance_against_opponent"`
	// RatingWord is what rating.Word calls the error per decision, "n/a" without any.
	RatingWord string `json:"rating_word"`
	// The estimates are FIBS rating points, null when there was nothing to judge.
	RatingEstimate           *float64 `json:"rating_estimate"`
	RatingEstimateByDecision *float64 `json:"rating_estimate_by_decision"`
	// Phases are the decisions by phase of the game, those without any left out.
	Phases []PhaseFigures `json:"phases"`
}

// PhaseFigures are one player's figures in one phase of the games.
type PhaseFigures struct {
	// Phase is the word of an analyse.Phase. ErrorTotal and Luck are EMG.
	Phase            string  `json:"phase"`
	PR               float64 `json:"pr"`
	CountedDecisions int     `json:"counted_decisions"`
	ErrorTotal       float64 `json:"error_total"`
	Luck             float64 `json:"luck"`
	// Result is what the phases' turns made of match winning chance, or of points;
	// LuckAdjustedResult the same without the luck of both.
	Result             float64 `json:"result"`
	LuckAdjustedResult float64 `json:"luck_adjusted_result"`
}

// Marked counts plays and cube actions by their mark.
type Marked struct {
	VeryBad  int `json:"very_bad"`
	Bad      int `json:"bad"`
	Doubtful int `json:"doubtful"`
}

// Game is one game with its marked decisions.
type Game struct {
	// Number and Score are those of the record.Game: counted from 0, before the game.
	Number int    `json:"number"`
	Score  [2]int `json:"score"`
	Result Result `json:"result"`
	// Errors are the marked decisions, in order.
	Errors []Mistake `json:"errors"`
	// Players are the figures of the game by player.
	Players [2]GamePlayer `json:"players"`
	// Decisions are all decisions in order, right and wrong.
	Decisions []Row `json:"decisions"`
}

// GamePlayer are one player's figures in one game.
type GamePlayer struct {
	// ErrorTotal and Luck are EMG; the results points in money play, in a match the change
	// of match winning chance.
	PR                 float64 `json:"pr"`
	CountedDecisions   int     `json:"counted_decisions"`
	ErrorTotal         float64 `json:"error_total"`
	Luck               float64 `json:"luck"`
	ActualResult       float64 `json:"actual_result"`
	LuckAdjustedResult float64 `json:"luck_adjusted_result"`
}

// Mistake is one decision that gave something up.
type Mistake struct {
	Index      int      `json:"index"`  // of the action in its game, from 0
	Player     int      `json:"player"` // who decided, 0 or 1
	Kind       string   `json:"kind"`   // move, double, take, drop, no_double
	PositionID string   `json:"position_id"`
	MatchID    string   `json:"match_id"`
	Dice       []int    `json:"dice,omitempty"` // the larger first; of a move
	Played     string   `json:"played"`
	Best       string   `json:"best"`
	Loss       float64  `json:"loss"`           // EMG, above 0
	Mark       string   `json:"mark"`           // doubtful, bad or very_bad
	Luck       *float64 `json:"luck,omitempty"` // of the roll of a move, EMG
}

// Build makes the document of a match and its summary. A nil s, or one of another match,
// is made of what stands in m; the document of no match has no games.
func Build(m *record.Match, s *analyse.Summary) Document {
	m, s = fitting(m, s)
	score := m.FinalScore()
	d := Document{
		Match: Match{
			Players: [2]string{m.Players[0].Name, m.Players[1].Name}, Length: m.Length, Variation: string(m.Rules.Variation), Egyptian: m.Rules.Egyptian,
			Score: score, Date: m.Date, Result: overall(m, score),
		},
		Games: []Game{},
	}
	d.Players = players(m, s, Part{})
	actual, adjusted := s.GameResults(m, nil)
	for i := range s.Games {
		g := &s.Games[i]
		out := Game{Number: g.Number, Score: g.Score, Result: Result{Winner: record.NoPlayer}, Errors: []Mistake{}}
		if g.Result.Finished() {
			out.Result = Result{Winner: g.Result.Winner, Points: g.Result.Points}
		}
		for k := range g.Decisions {
			out.Errors = append(out.Errors, mistakes(&g.Decisions[k])...)
		}
		for p, sign := range [2]float64{1, -1} {
			x := &g.Players[p]
			out.Players[p] = GamePlayer{PR: round(x.PR(), 3), CountedDecisions: x.Counted, ErrorTotal: round(x.Error().EMG, 6), Luck: round(x.Luck.EMG, 6),
				ActualResult: round(sign*actual[i], 6), LuckAdjustedResult: round(sign*adjusted[i], 6)}
		}
		if out.Decisions = Rows(m, s, i, nil); out.Decisions == nil {
			out.Decisions = []Row{}
		}
		d.Games = append(d.Games, out)
	}
	return d
}

// players are the figures of both in the part's game; whole is the summary of the match.
func players(m *record.Match, whole *analyse.Summary, part Part) (out []Player) {
	s := part.summary(m, whole)
	phases := s.ByPhase(nil)
	actual, adjusted := whole.PhaseResults(m, nil, part.Game)
	for p, sign := range [2]float64{1, -1} {
		x := player(m, s, p)
		x.Phases = []PhaseFigures{}
		for ph := range analyse.Phase(analyse.Phases) {
			if v := &phases[p][ph]; v.Decisions > 0 || v.Luck.EMG != 0 {
				x.Phases = append(x.Phases, PhaseFigures{Phase: ph.String(), PR: round(v.PR(), 3), CountedDecisions: v.Decisions,
					ErrorTotal: round(v.Error.EMG, 6), Luck: round(v.Luck.EMG, 6), Result: round(sign*actual[ph], 6), LuckAdjustedResult: round(sign*adjusted[ph], 6)})
			}
		}
		out = append(out, x)
	}
	return out
}

func overall(m *record.Match, score [2]int) Result {
	w := record.NoPlayer
	for p := range 2 {
		if m.Length > 0 && score[p] >= m.Length || m.Length == 0 && score[p] > score[1-p] {
			w = p
		}
	}
	if w == record.NoPlayer {
		return Result{Winner: w}
	}
	return Result{Winner: w, Points: score[w]}
}

func player(m *record.Match, s *analyse.Summary, p int) Player {
	x := &s.Players[p]
	r := x.Rates()
	out := Player{
		Name: m.Players[p].Name, Moves: x.Moves, UnforcedMoves: x.Unforced,
		CheckerError: milli(r.Checker), CheckerErrorTotal: round(x.PlayError.EMG, 6),
		CubeDecisions: x.CubeDecisions, CloseCubeDecisions: x.Close,
		CubeError: milli(r.Cube), CubeErrorTotal: round(x.CubeError().EMG, 6),
		ErrorPerDecision: milli(r.PerDecision), SnowieError: milli(s.Snowie[p]),
		PR: round(x.PR(), 3), CheckerPR: round(x.CheckerPR(), 3), CubePR: round(x.CubePR(), 3), CountedDecisions: x.Counted,
		Marked: marked(s, p),
		Luck:   round(x.Luck.EMG, 6), ActualResult: s.Actual[p], LuckAdjustedResult: round(s.LuckAdjusted[p], 6),
		Chance: round(s.Chance[p], 6), RatingWord: "n/a",
		RatingEstimate: number(s.RatingByKind[p]), RatingEstimateByDecision: number(s.RatingByDecision[p]),
	}
	if x.Unforced+x.Close > 0 {
		out.RatingWord = rating.Word(r.PerDecision)
	}
	if x.Moves > 0 {
		out.LuckRate = milli(x.Luck.EMG / float64(x.Moves))
		out.LuckWord = rating.LuckWord(x.Luck.EMG / float64(x.Moves))
	}
	return out
}

func marked(s *analyse.Summary, p int) (m Marked) {
	count := func(k record.Mark) {
		switch k {
		case record.VeryBad:
			m.VeryBad++
		case record.Bad:
			m.Bad++
		case record.Doubtful:
			m.Doubtful++
		}
	}
	for i := range s.Games {
		for k := range s.Games[i].Decisions {
			if j := &s.Games[i].Decisions[k]; j.Turn.Player == p {
				count(j.Mark)
				count(j.CubeMark)
			}
		}
	}
	return m
}

// mistakes lists the marked parts of one turn: the roll that should have been a
// double and the play itself are two decisions.
func mistakes(j *analyse.Judged) (out []Mistake) {
	base := Mistake{
		Index: j.Turn.Index, Player: j.Turn.Player, PositionID: j.Turn.Position.ID(), MatchID: situation(j).MatchID(),
	}
	if j.CubeMark != record.Unmarked {
		d := base
		d.Kind, d.Played, d.Best, d.Loss, d.Mark = "no_double", "no double", "double", round(j.CubeLoss, 6), markName(j.CubeMark)
		out = append(out, d)
	}
	if j.Mark != record.Unmarked {
		d := base
		d.Kind, d.Loss, d.Mark = j.Turn.Action.Kind.String(), round(j.Loss, 6), markName(j.Mark)
		d.Played, d.Best = played(j)
		if j.Turn.Action.Kind == record.Move {
			dice := j.Turn.Action.Dice.Sorted()
			d.Dice = []int{int(dice.A), int(dice.B)}
			if a := j.Turn.Action.Analysis; a != nil {
				d.Luck = a.Luck
			}
		}
		out = append(out, d)
	}
	return out
}

// played returns what was done and what was best, in words.
func played(j *analyse.Judged) (did, best string) {
	a := j.Turn.Action
	switch a.Kind {
	case record.Move:
		did = notation(&j.Turn.Position, a.Steps)
		if a.Analysis != nil && len(a.Analysis.Candidates) > 0 {
			best = notation(&j.Turn.Position, a.Analysis.Candidates[0].Steps)
		}
	case record.Double:
		did, best = "double", "no double"
	case record.Take:
		did, best = "take", "drop"
	case record.Drop:
		did, best = "drop", "take"
	}
	return did, best
}

func notation(p *board.Position, steps []board.Step) string {
	if len(steps) == 0 {
		return "cannot move"
	}
	return board.FormatSteps(*p, steps)
}

func markName(m record.Mark) string {
	switch m {
	case record.VeryBad:
		return "very_bad"
	case record.Bad:
		return "bad"
	case record.Doubtful:
		return "doubtful"
	}
	return ""
}

// milli turns normalised equity into millipoints with three digits.
func milli(x float64) float64 { return round(1000*x, 3) }

func round(x float64, digits int) float64 {
	f := math.Pow(10, float64(digits))
	return math.Round(x*f) / f
}

// number is nil for what JSON cannot hold.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	r := round(x, 1)
	return &r
}
