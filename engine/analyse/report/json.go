package report

import (
	"math"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
)

// Document is the JSON form of an analysed match. Error rates are millipoints a
// decision, luck and single losses normalised equity. What was not measured is null.
type Document struct {
	// File is the name of the match file, for the caller of Build to fill in.
	File  string `json:"file,omitempty"`
	Match Match  `json:"match"`
	// Judge is what analysed the match, null where nothing did.
	Judge   *AnalysedBy `json:"judge"`
	Players []Player    `json:"players"`
	Games   []Game      `json:"games"`
}

// AnalysedBy says what analysed a match; what is not known is left out.
type AnalysedBy struct {
	// Program has its version behind it. Depth is "2-ply", "mostly 4-ply", "rollouts"; LuckDepth
	// is that of the luck of the rolls, also "as stated in the file" without a known depth.
	Program   string `json:"program,omitempty"`
	Preset    string `json:"preset,omitempty"`
	Depth     string `json:"depth,omitempty"`
	LuckDepth string `json:"luck_depth,omitempty"`
	Nets      string `json:"nets,omitempty"`
	Table     string `json:"match_equities,omitempty"`
	Date      string `json:"date,omitempty"` // YYYY-MM-DD
	// SameDepth marks the players who searched as deep while playing as the analysis does: it
	// finds few of their errors.
	SameDepth [2]bool `json:"same_depth,omitzero"`
}

// Match is the frame of the document. Length 0 is money play.
type Match struct {
	Players [2]string `json:"players"`
	Length  int       `json:"length"`
	Score   [2]int    `json:"score"`
	// Variation is the game, such as Hypergammon2; empty for backgammon.
	Variation string `json:"variation,omitempty"`
	// Egyptian reports whether a point may hold no more than five checkers.
	Egyptian bool `json:"egyptian,omitempty"`
	// Drops is "position" if the position says what a pass costs; empty for the usual rule.
	Drops string `json:"drops,omitempty"`
	Date  string `json:"date,omitempty"`
	// The rest of the head is as the file has it.
	Event     string `json:"event,omitempty"`
	Round     string `json:"round,omitempty"`
	Place     string `json:"place,omitempty"`
	Annotator string `json:"annotator,omitempty"`
	Comment   string `json:"comment,omitempty"`
	Result    Result `json:"result"`
}

// Result names the winner by index, -1 while unfinished (or level in money
// play), and the winner's points.
type Result struct {
	Winner int `json:"winner"`
	Points int `json:"points"`
}

// Player is one player's figures over the match. A figure is null where nothing was
// measured that it could follow from: an unanalysed match has no PR.
type Player struct {
	Name string `json:"name"`
	// Rating is the rating before the match as the file writes it.
	Rating string `json:"rating,omitempty"`
	// The counts are those of analyse.Sums. An error is millipoints a decision of its
	// kind, unforced moves and close cube decisions; its total is EMG; its cost is match
	// winning chance (0 to 1), or points in money play.
	Moves              int         `json:"moves"`
	UnforcedMoves      int         `json:"unforced_moves"`
	CheckerMarked      *Marked     `json:"checker_marked"`
	CheckerError       *float64    `json:"checker_error"`
	CheckerErrorTotal  *float64    `json:"checker_error_total"`
	CheckerCost        *float64    `json:"checker_cost"`
	CheckerWord        *string     `json:"checker_word"`
	CubeDecisions      int         `json:"cube_decisions"`
	CloseCubeDecisions *int        `json:"close_cube_decisions"`
	Doubles            int         `json:"doubles"`
	Takes              int         `json:"takes"`
	Passes             int         `json:"passes"`
	CubeErrors         []CubeFault `json:"cube_errors"` // null where the cube was not analysed
	CubeError          *float64    `json:"cube_error"`
	CubeErrorTotal     *float64    `json:"cube_error_total"`
	CubeCost           *float64    `json:"cube_cost"`
	CubeWord           *string     `json:"cube_word"`
	ErrorPerDecision   *float64    `json:"error_per_decision"`
	ErrorTotal         *float64    `json:"error_total"`
	ErrorCost          *float64    `json:"error_cost"`
	// SnowieError is millipoints a move of either player.
	SnowieError *float64 `json:"snowie_error"`
	// PR is 500 times the mean error (EMG) of the decisions that count, see
	// analyse.Sums.PR; CheckerPR and CubePR are those of plays and cube apart. PRWord is
	// what eXtreme Gammon calls the PR (rating.PRWord).
	PR               *float64 `json:"pr"`
	CheckerPR        *float64 `json:"checker_pr"`
	CubePR           *float64 `json:"cube_pr"`
	PRWord           *string  `json:"pr_word"`
	CountedDecisions int      `json:"counted_decisions"`
	Marked           *Marked  `json:"marked"`
	// Rolls counts rolls by their luck. Luck is EMG, LuckCost in the unit of the costs,
	// LuckRate millipoints a roll, LuckWord what rating.LuckWord calls it.
	Rolls    *Rolls   `json:"rolls"`
	Luck     *float64 `json:"luck"`
	LuckCost *float64 `json:"luck_cost"`
	LuckRate *float64 `json:"luck_rate"`
	LuckWord string   `json:"luck_word,omitempty"`
	// The results and the chance are those of analyse.Summary.
	ActualResult       float64  `json:"actual_result"`
	LuckAdjustedResult *float64 `json:"luck_adjusted_result"`
	Chance             *float64 `json:"chance_against_opponent"`
	// PointsPerGame is the mean result of a game of money play with half its 95 %
	// confidence interval; LuckAdjustedPointsPerGame is the same less the luck.
	PointsPerGame             *Interval `json:"points_per_game,omitempty"`
	LuckAdjustedPointsPerGame *Interval `json:"luck_adjusted_points_per_game,omitempty"`
	// RatingWord is what gnubg calls the error per decision (rating.Word).
	RatingWord *string `json:"rating_word"`
	// The estimates are FIBS rating points. RatingLostChecker and RatingLostCube are the
	// parts of what RatingEstimate lacks of a perfect player's rating.
	RatingEstimate           *float64 `json:"rating_estimate"`
	RatingLostChecker        *float64 `json:"rating_lost_checker"`
	RatingLostCube           *float64 `json:"rating_lost_cube"`
	RatingEstimateByDecision *float64 `json:"rating_estimate_by_decision"`
	// RatingDifference is the rating difference to the opponent at which the luck-adjusted
	// result of a match is expected. One match says little about it.
	RatingDifference *float64 `json:"rating_difference"`
	// Resignations counts the games that the player resigned, null if the end of one that he lost
	// is not known. WrongResignations, null if none was judged, are those made too early or
	// accepted too cheaply, with what they gave up.
	Resignations          *int     `json:"resignations"`
	WrongResignations     *int     `json:"wrong_resignations"`
	ResignationErrorTotal *float64 `json:"resignation_error_total"`
	ResignationCost       *float64 `json:"resignation_cost"`
	// Phases are the decisions by phase of the game, those without any left out.
	Phases []PhaseFigures `json:"phases"`
}

// CubeFault counts the cube errors of one kind.
type CubeFault struct {
	// Kind is "missed double", "missed cash", "wrong double", "doubled too good",
	// "wrong take" or "wrong pass". Error is EMG, Cost in the unit of a Player's costs.
	Kind  string  `json:"kind"`
	Count int     `json:"count"`
	Error float64 `json:"error"`
	Cost  float64 `json:"cost"`
}

// Rolls counts rolls by their luck, see analyse.Limits.
type Rolls struct {
	VeryLucky   int `json:"very_lucky"`
	Lucky       int `json:"lucky"`
	Unlucky     int `json:"unlucky"`
	VeryUnlucky int `json:"very_unlucky"`
}

// Interval is a mean with half the width of its 95 % confidence interval.
type Interval struct {
	Mean float64 `json:"mean"`
	Half float64 `json:"half"`
}

// PhaseFigures are one player's figures in one phase of the games, null where nothing was
// measured.
type PhaseFigures struct {
	// Phase is the word of an analyse.Phase. ErrorTotal and Luck are EMG.
	Phase            string   `json:"phase"`
	PR               *float64 `json:"pr"`
	CountedDecisions int      `json:"counted_decisions"`
	ErrorTotal       *float64 `json:"error_total"`
	Luck             *float64 `json:"luck"`
	// Result is what the phases' turns made of match winning chance, or of points;
	// LuckAdjustedResult the same without the luck of both.
	Result             *float64 `json:"result"`
	LuckAdjustedResult *float64 `json:"luck_adjusted_result"`
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
	PR                 *float64 `json:"pr"`
	CountedDecisions   int      `json:"counted_decisions"`
	ErrorTotal         *float64 `json:"error_total"`
	Luck               *float64 `json:"luck"`
	ActualResult       float64  `json:"actual_result"`
	LuckAdjustedResult *float64 `json:"luck_adjusted_result"`
}

// Mistake is one decision that gave something up.
type Mistake struct {
	Index      int      `json:"index"`  // of the action in its game, from 0; of a resignation behind the last
	Player     int      `json:"player"` // who decided, 0 or 1
	Kind       string   `json:"kind"`   // move, double, take, drop, no_double, resign
	PositionID string   `json:"position_id"`
	MatchID    string   `json:"match_id"`
	Dice       []int    `json:"dice,omitempty"` // the larger first; of a move
	Played     string   `json:"played"`
	Best       string   `json:"best"`
	Loss       float64  `json:"loss"`           // EMG, above 0
	Mark       string   `json:"mark"`           // doubtful, bad or very_bad
	Luck       *float64 `json:"luck,omitempty"` // of the roll of a move, EMG
}

// Explain adds the reasons of errors.
func (d *Document) Explain(why Why) {
	left := mostReasons
	for i := range d.Games {
		why.explained(d.Games[i].Decisions, &left)
	}
}

// Build returns the document of a match and its summary. If s is nil or of another match, the
// summary is made from m; the document of a nil match has no games.
func Build(m *record.Match, s *analyse.Summary) Document {
	m, s = fitting(m, s)
	score := m.FinalScore()
	d := Document{
		Match: Match{
			Players: [2]string{m.Players[0].Name, m.Players[1].Name}, Length: m.Length, Variation: string(m.Rules.Variation), Egyptian: m.Rules.Egyptian,
			Score: score, Date: m.Date, Event: m.Event, Round: m.Round, Place: m.Place, Annotator: m.Annotator, Comment: m.Comment, Result: overall(m, score),
		},
		Games: []Game{},
	}
	if m.Rules.Drops != match.DropSingle {
		d.Match.Drops = m.Rules.Drops.Name()
	}
	if depth, luck := analyse.Depth(m), analyse.LuckDepth(m); depth != "" || luck != "" {
		d.Judge = &AnalysedBy{Program: m.Judge.Program, Preset: m.Judge.Preset, Depth: depth, LuckDepth: luck, Nets: m.Judge.Nets, Table: m.Judge.Table, Date: m.Judge.Date, SameDepth: m.Judge.SameDepth}
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
		if v := g.Resignation; v != nil && v.Mark != record.Unmarked {
			out.Errors = append(out.Errors, resignMistake(m, i, v))
		}
		for p, sign := range [2]float64{1, -1} {
			x := &g.Players[p]
			out.Players[p] = GamePlayer{PR: orNull(x.PR(), 3), CountedDecisions: x.Counted,
				ErrorTotal: ifKnown(x.Known(), x.Error().EMG, 6), Luck: ifKnown(x.LuckKnown(), x.Luck.EMG, 6),
				ActualResult: round(sign*actual[i], 6), LuckAdjustedResult: orNull(sign*adjusted[i], 6)}
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
			if v := &phases[p][ph]; v.Decisions > 0 || v.Rolls > 0 {
				x.Phases = append(x.Phases, PhaseFigures{Phase: ph.String(), PR: orNull(v.PR(), 3), CountedDecisions: v.Decisions,
					ErrorTotal: ifKnown(v.Decisions > 0, v.Error.EMG, 6), Luck: ifKnown(v.Rolls > 0, v.Luck.EMG, 6),
					Result: orNull(sign*actual[ph], 6), LuckAdjustedResult: orNull(sign*adjusted[ph], 6)})
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
	r, plays, cube, all := x.Rates(), x.PlaysKnown(), x.CubeKnown(), x.Known()
	checker, cubes, both := x.PlayError, x.CubeError(), x.Error()
	out := Player{
		Name: m.Players[p].Name, Rating: m.Players[p].Rating, Moves: x.Moves, UnforcedMoves: x.Unforced,
		CheckerError: milli(r.Checker), CheckerErrorTotal: ifKnown(plays, checker.EMG, 6), CheckerCost: ifKnown(plays, checker.Value, 6), CheckerWord: word(r.Checker),
		CubeDecisions: x.CubeDecisions, Doubles: x.Doubles, Takes: x.Takes, Passes: x.Drops,
		CubeError: milli(r.Cube), CubeErrorTotal: ifKnown(cube, cubes.EMG, 6), CubeCost: ifKnown(cube, cubes.Value, 6), CubeWord: word(r.Cube),
		ErrorPerDecision: milli(r.PerDecision), ErrorTotal: ifKnown(all, both.EMG, 6), ErrorCost: ifKnown(all, both.Value, 6), SnowieError: milli(s.Snowie[p]),
		PR: orNull(x.PR(), 3), CheckerPR: orNull(x.CheckerPR(), 3), CubePR: orNull(x.CubePR(), 3), PRWord: wordOf(x.Graded(x.PR()), rating.PRWord), CountedDecisions: x.Counted,
		Luck: ifKnown(x.LuckKnown(), x.Luck.EMG, 6), LuckCost: ifKnown(x.LuckKnown(), x.Luck.Value, 6), LuckRate: milli(x.LuckRate()),
		ActualResult: round(s.Actual[p], 6), LuckAdjustedResult: orNull(s.LuckAdjusted[p], 6),
		Chance: orNull(s.Chance[p], 6), RatingWord: word(x.Graded(r.PerDecision)),
		RatingEstimate: orNull(s.RatingByKind[p], 1), RatingEstimateByDecision: orNull(s.RatingByDecision[p], 1),
		RatingDifference: orNull(ratingDifference(m, s, p), 1),
	}
	lost := lostRating(m, s, p)
	out.RatingLostChecker, out.RatingLostCube = orNull(lost[0], 1), orNull(lost[1], 1)
	actual, adjusted := perGame(m, s)
	out.PointsPerGame, out.LuckAdjustedPointsPerGame = actual.of(p), adjusted.of(p)
	if plays {
		out.CheckerMarked = &Marked{VeryBad: x.PlayVeryBad, Bad: x.PlayBad, Doubtful: x.PlayDoubtful}
	}
	if all {
		mk := MarkedOf(s, p)
		out.Marked = &mk
	}
	if cube {
		for kind, f := range x.Cube {
			out.CubeErrors = append(out.CubeErrors, CubeFault{Kind: faults[kind], Count: f.Count, Error: round(f.Cost.EMG, 6), Cost: round(f.Cost.Value, 6)})
		}
	}
	if x.LuckKnown() {
		out.Rolls = &Rolls{VeryLucky: x.VeryLucky, Lucky: x.Lucky, Unlucky: x.Unlucky, VeryUnlucky: x.VeryUnlucky}
		out.LuckWord = rating.LuckWord(x.LuckRate())
	}
	if x.CloseKnown() {
		out.CloseCubeDecisions = new(x.Close)
	}
	resigned, judged, unjudged := 0, false, false
	out.Resignations = &resigned
	for i := range s.Games {
		g := &m.Games[i]
		lost := g.Result.Finished() && g.Result.Winner != p
		switch {
		case lost && g.GivenUp():
			resigned++
		case lost && g.EndUnknown:
			out.Resignations = nil
		}
		if s.Games[i].Resignation != nil {
			judged, out.ResignationErrorTotal, out.ResignationCost = true, orNull(x.Resignations.Cost.EMG, 6), orNull(x.Resignations.Cost.Value, 6)
		}
		unjudged = unjudged || s.Games[i].Resignation == nil && g.Result.Finished() && g.Result.Resigned
	}
	if judged || !unjudged {
		out.WrongResignations = new(x.Resignations.Count)
	}
	return out
}

// MarkedOf counts the marks of player p.
func MarkedOf(s *analyse.Summary, p int) (m Marked) {
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
		if v := s.Games[i].Resignation; v != nil && v.Player == p {
			count(v.Mark)
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

// resignMistake is the marked resignation, or its acceptance, that ended game i.
func resignMistake(m *record.Match, i int, v *analyse.Resignation) Mistake {
	t := match.DefaultTable()
	d := resignation(m, i, v, t)
	if v.Player != d.Player {
		d = acceptance(&d, v, t)
	}
	return Mistake{Index: len(m.Games[i].Actions), Player: v.Player, Kind: "resign", PositionID: d.PositionID, MatchID: d.MatchID,
		Played: d.Played, Best: d.Best, Loss: round(v.Loss, 6), Mark: markName(v.Mark)}
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

// milli turns normalised equity into millipoints with three digits, null for NaN.
func milli(x float64) *float64 { return orNull(1000*x, 3) }

// orNull returns x with that many digits, or null if x is unknown (NaN) or infinite.
func orNull(x float64, digits int) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = round(x, digits)
	return &x
}

// figureIf is figure, or null where nothing is known.
func ifKnown(known bool, x float64, digits int) *float64 {
	if !known {
		return nil
	}
	return orNull(x, digits)
}

// word is what gnubg calls an error rate, null for NaN.
func word(rate float64) *string { return wordOf(rate, rating.Word) }

func wordOf(x float64, words func(float64) string) *string {
	if math.IsNaN(x) {
		return nil
	}
	w := words(x)
	return &w
}

// round rounds to that many digits; a zero has no sign.
func round(x float64, digits int) float64 {
	f := math.Pow(10, float64(digits))
	return math.Round(x*f)/f + 0
}
