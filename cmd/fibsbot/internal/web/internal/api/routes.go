package api

import (
	"strings"

	"fibsbot/bot/archive/history"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record/formats"
	"fibsbot/engine/tune"
	"fibsbot/internal/http"
)

// call answers a request: in is a value of the type of its body, nil for none.
type call struct {
	in any
	do func(r *http.Request, in any) (any, error)
}

// with is the call of a handler that takes a body of type T, or none if T is any.
func with[T any](do func(*http.Request, T) (any, error)) call {
	var none T
	return call{none, func(r *http.Request, in any) (any, error) {
		q, _ := in.(T)
		return do(r, q)
	}}
}

// found is a handler for what find finds for a request.
func found[X, T any](find func(*http.Request) (X, error), do func(*http.Request, X, T) (any, error)) func(*http.Request, T) (any, error) {
	return func(r *http.Request, q T) (any, error) {
		x, err := find(r)
		if err != nil {
			return nil, err
		}
		return do(r, x, q)
	}
}

// route is one operation of the API. out is a value of the type of its answer, nil for none.
type route struct {
	method, path string
	summary      string
	call
	out         any
	query       []param
	file        bool              // the request is a match file
	form        bool              // or a form with match files
	lane        *lane             // where requests wait; nil for no wait
	status      int               // of success; 0 means 200
	archive     bool              // needs an archive
	quiz        bool              // needs the quiz, which has one
	collections bool              // needs the collections
	heavy       func(in any) bool // sends a request to the long lane; nil for never
	// raw handles the request itself; kind is the content type of its answer.
	raw  http.HandlerFunc
	kind string
}

// param is a query parameter.
type param struct{ name, about string }

var filters = []param{
	{"account", "account, with * as a wildcard, or me for the names of /me"}, {"opponent", "opponent, with * as a wildcard"},
	{"preset", "preset of the account"}, {"length", "points, 0 for unlimited"},
	{"result", "won, lost or unfinished"}, {"tag", "one of your tags"}, {"event", "event, such as a tournament; * matches anything"}, {"text", "part of the account, the opponent, the event or a tag"}, {"since", "first day, as 2026-01-31"}, {"until", "last day"}, {"limit", "number of matches, newest first; default 100"},
	{"id", "ID of a match; repeat for several"},
}

// playLimit is the query parameter of reports.
var playLimit = param{"limit", "plays listed per decision, 0 (default) for all"}

// routes lists all operations but openapi.json.
func (a *API) routes() []route {
	list := []route{
		{method: "POST", path: "/position", summary: "Describe a position in every form: IDs, checkers, pips", out: Described{}, call: with(a.describePosition)},
		{method: "POST", path: "/eval", summary: "Evaluate a position: chances, equities, the cube decision", out: Evaluation{}, lane: a.short, heavy: mapped, call: with(a.eval)},
		{method: "POST", path: "/cube", summary: "Same as /eval", out: Evaluation{}, lane: a.short, heavy: mapped, call: with(a.eval)},
		{method: "POST", path: "/plays", summary: "Rank the plays of a roll", out: RankedPlays{}, lane: a.short, call: with(a.plays)},
		{method: "POST", path: "/rolls", summary: "List all 21 rolls with their best plays, without and after a double", out: advice.RollMap{}, lane: a.long, call: with(a.rolls)},
		{method: "POST", path: "/scores", summary: "Evaluate the decision at all scores", out: ScoreMatrix{}, lane: a.long, call: with(a.scores)},
		{method: "GET", path: "/presets", summary: "List the presets, weakest first", out: []Preset{}, call: with(a.presets),
			query: []param{{"length", "points of the matches that the rating is for, 0 for money play; default 5"}}},

		{method: "GET", path: "/met", summary: "Return the match equity table up to a length, as met show", out: advice.MatchTable{}, call: with(found(points, a.metTable)),
			query: []param{{"length", "points, 1 to 99; default 7"}}},
		{method: "GET", path: "/met/prices", summary: "Return take points and gammon prices at every score, as met prices", out: advice.Prices{}, call: with(found(points, a.prices)),
			query: []param{{"length", "points of the match, 1 to 99; default 7"}}},
		{method: "POST", path: "/met/prices", summary: "Return market windows and gammon prices at one score or for money", out: advice.Windows{}, call: with(a.windows)},
		{method: "POST", path: "/met/eq2mwc", summary: "Convert equities into match winning chances at a score", out: advice.Conversion{}, call: with(a.eq2mwc)},
		{method: "POST", path: "/met/mwc2eq", summary: "Convert match winning chances into equities at a score", out: advice.Conversion{}, call: with(a.mwc2eq)},

		{method: "GET", path: "/openings", summary: "List the rolled out openings, or the replies to an opening play", out: Openings{}, call: with(a.openings),
			query: []param{{"score", "opening player's: money (default), dmp, gammon-go, gammon-save"}, {"first", "opening roll and play that is replied to, as \"31 8/5 6/5\""}}},

		{method: "POST", path: "/rollouts", summary: "Start a rollout", out: Started{}, status: http.StatusAccepted, call: with(a.startRollout)},
		{method: "POST", path: "/rollouts/{id}/save", summary: "Write an ended rollout of a decision into its match", out: Job{}, call: with(found(a.ended, a.saveRollout))},
		{method: "GET", path: "/rollouts", summary: "List the rollouts", out: []Job{}, call: with(func(*http.Request, any) (any, error) { return a.list("rollout"), nil })},
		{method: "POST", path: "/rollouts/{id}/continue", summary: "Continue a stopped rollout, or extend one", out: Started{}, status: http.StatusAccepted, call: with(found(a.ended, a.continueRollout))},

		{method: "POST", path: "/convert", summary: "Convert a match file", file: true, lane: a.files, out: Converted{}, call: with(a.convert),
			query: []param{{"to", strings.Join(formats.Names(formats.Texts), ", ")}}},
		{method: "POST", path: "/analyse", summary: "Analyse the first match of a file, as a job", file: true, lane: a.files, out: Started{}, status: http.StatusAccepted, call: with(a.analyseFile),
			query: []param{{"preset", "preset of the analysis, default worldclass"}, playLimit}},

		{method: "GET", path: "/matches", summary: "List archived matches, newest first", query: filters, out: MatchList{}, archive: true, call: with(found(a.anyone, a.matches))},
		{method: "POST", path: "/matches", summary: "Import the matches of a file, or of the files of a form as one set, in the order of their games", file: true, form: true, lane: a.sets, out: Imported{}, archive: true, collections: true, call: with(a.importMatches),
			query: []param{{"account", "your name in the file; also corrects known matches"}, {"name", "name of the file, without a form: a date in it counts, and positions go into the collection of that name"}}},
		{method: "GET", path: "/matches/{id}", summary: "Return an archived match", out: index.Match{}, call: with(func(r *http.Request, _ any) (any, error) { return a.archived(r) })},
		{method: "PATCH", path: "/matches/{id}", summary: "Change an archived match", out: index.Match{}, call: with(found(a.archived, a.editMatch))},
		{method: "GET", path: "/matches/{id}/form", summary: "Return the PR of an archived match as a level, beside the last matches of its account", out: history.Form{}, call: with(found(a.archived, a.form))},
		{method: "POST", path: "/matches/{id}/merge", summary: "Join two parts of a match", out: index.Match{}, archive: true, call: with(a.mergeMatches)},
		{method: "DELETE", path: "/matches/{id}", summary: "Move an archived match into the trash", out: index.Match{}, call: with(found(a.archived, a.deleteMatch))},
		{method: "GET", path: "/matches/{id}/head", summary: "Return the header of a match file", out: Head{}, lane: a.files, call: with(found(a.Load, a.head))},
		{method: "GET", path: "/trash", summary: "List deleted matches, kept for 30 days", out: []index.Deleted{}, archive: true, call: with(a.trash)},
		{method: "POST", path: "/trash/{id}/undelete", summary: "Restore a deleted match", out: index.Match{}, archive: true, call: with(a.undelete)},
		{method: "GET", path: "/matches/{id}/file", summary: "Download an archived match", query: []param{{"to", "default sgf; one of " + strings.Join(formats.Names(formats.Texts), ", ")}}, lane: a.files, call: with(found(a.Load, a.download)), kind: "application/octet-stream"},
		{method: "GET", path: "/matches/{id}/review", summary: "Return the report of an archived match", query: []param{playLimit}, out: report.Document{}, lane: a.files, call: with(found(a.Load, a.review))},
		{method: "GET", path: "/matches/{id}/report", summary: "Download the report of an archived match as a file", query: []param{{"as", "default html; one of " + strings.Join(reportKinds, ", ")}}, lane: a.files, call: with(found(a.Load, a.downloadReport)), kind: "application/octet-stream"},
		{method: "GET", path: "/matches/{id}/decisions/{place}", summary: "Return the comment on a decision, as 2.14 for decision 14 of game 2", out: Note{}, lane: a.files, call: with(found(a.Load, a.note))},
		{method: "GET", path: "/matches/{id}/decisions/{place}/picture", summary: "Draw a decision as SVG, with what was lost and why", lane: a.short, call: with(found(a.Load, a.decisionPicture)), kind: "image/svg+xml"},
		{method: "GET", path: "/matches/{id}/pictures", summary: "Draw every decision of a match as SVG", out: Pictures{}, lane: a.files, call: with(found(a.Load, a.pictures))},
		{method: "PUT", path: "/matches/{id}/decisions/{place}", summary: "Replace the comment on a decision", out: Note{}, lane: a.files, call: with(found(a.archived, a.setNote))},
		{method: "POST", path: "/matches/{id}/analyse", summary: "Analyse an archived match, as a job", out: Started{}, status: http.StatusAccepted, call: with(found(a.unpruned, a.analyseMatch))},
		{method: "GET", path: "/analysis", summary: "Return the state of the background analysis", out: Analysing{}, call: with(a.analysing)},
		{method: "POST", path: "/analysis", summary: "Analyse all archived matches that have no analysis, in the background", out: Analysing{}, status: http.StatusAccepted, archive: true, call: with(a.analyseAll)},
		{method: "DELETE", path: "/analysis", summary: "Stop the background analysis", out: Analysing{}, call: with(a.stopAnalysing)},
		{method: "GET", path: "/statistics/columns", summary: "List the statistics of tables", out: []StatisticColumn{}, call: with(a.statisticColumns)},
		{method: "GET", path: "/statistics", summary: "Return statistics of archived matches; of yours if your names are known", query: append([]param{{"by", strings.Join(index.Groups, ", ") + "; default one sum"}, {"player", "a player on either side; given twice it compares two, and adds the matches between them"}}, filters...), out: []index.Stats{}, archive: true, call: with(found(a.mine, a.statistics))},

		{method: "GET", path: "/statistics/trends", summary: "Return error rates, luck, ratings and results over time, and sums by kind of decision", query: filters, out: history.Trends{}, archive: true, call: with(found(a.mine, a.trends))},

		{method: "GET", path: "/characters", summary: "List the characters of opponents of a rating", out: []play.Character{}, call: with(func(*http.Request, any) (any, error) { return play.Characters(), nil })},
		{method: "GET", path: "/games", summary: "List unfinished matches against the engine", out: GameList{}, call: with(a.games)},
		{method: "POST", path: "/games", summary: "Start a match against the engine", out: GameState{}, status: http.StatusCreated, call: with(a.newGame)},
		{method: "GET", path: "/games/{id}", summary: "Return a match against the engine", out: GameState{}, call: with(found(a.openGame, a.game))},
		{method: "DELETE", path: "/games/{id}", summary: "Delete a match without a result", out: struct{}{}, call: with(a.dropGame)},
		{method: "POST", path: "/games/{id}/acts", summary: "Roll, play, double, answer, resign, swap sides, begin again", out: GameState{}, lane: a.short, call: with(found(a.openGame, a.act))},
		{method: "POST", path: "/games/{id}/think", summary: "Carry out the engine's next act", out: GameState{}, lane: a.short, call: with(found(a.openGame, a.think))},
		{method: "POST", path: "/games/{id}/correct", summary: "Correct an earlier act of a match of two people", out: GameState{}, call: with(found(a.openGame, a.correct))},
		{method: "POST", path: "/games/{id}/undo", summary: "Undo the last decision", out: GameState{}, call: with(found(a.openGame, a.undo))},
		{method: "POST", path: "/games/{id}/close", summary: "End money play, or games from a position, between two games and archive them", out: GameState{}, call: with(found(a.openGame, a.closeGame))},
		{method: "GET", path: "/games/{id}/hint", summary: "Return the engine's choice", query: []param{{"preset", "default worldclass"}}, out: GameHint{}, lane: a.short, call: with(found(a.openGame, a.hint))},

		{method: "GET", path: "/names", summary: "List the players of the archive with the number of their matches", out: []owner.Count{}, archive: true, call: with(a.names)},
		{method: "POST", path: "/names/rename", summary: "Rename an opponent in all matches, so that two names become one", out: Renamed{}, lane: a.files, archive: true, call: with(a.rename)},
		{method: "GET", path: "/me", summary: "Return your names", out: Me{}, archive: true, call: with(a.getMe)},
		{method: "PUT", path: "/me", summary: "Set your names", out: Me{}, archive: true, call: with(a.setMe)},

		{method: "GET", path: "/quiz", summary: "Return the next quiz question", query: append(quizFilters[:len(quizFilters):len(quizFilters)], param{"options", "any text to get answers to choose from"}), out: QuizNext{}, lane: a.short, call: with(found(a.quizFilter, a.quizNext))},
		{method: "GET", path: "/quiz/sources", summary: "List the sources of questions, the worst themes and the progress", query: quizFilters[:2], out: QuizSources{}, quiz: true, call: with(a.quizSources)},
		{method: "GET", path: "/quiz/export", summary: "Download questions as cards", query: append(quizFilters[:len(quizFilters):len(quizFilters)], param{"format", strings.Join(quiz.Formats, " or ")}, param{"limit", "number of cards, the costliest errors first; default 60"}),
			lane: a.long, call: with(found(a.quizFilter, a.exportQuiz)), kind: "application/octet-stream"},
		{method: "POST", path: "/quiz/{id}/answers", summary: "Answer a question", out: QuizResult{}, lane: a.short, quiz: true, call: with(a.quizAnswer)},
		{method: "POST", path: "/quiz/{id}/skip", summary: "Let a question come last for half an hour", out: struct{}{}, quiz: true, call: with(a.quizSkip)},

		{method: "GET", path: "/collections", summary: "List the collections of positions", out: []collection.Collection{}, collections: true, call: with(a.collections)},
		{method: "POST", path: "/collections/{name}/positions", summary: "Put a position into a collection, which is made if new", out: collection.Item{}, collections: true, call: with(a.collect)},
		{method: "DELETE", path: "/collections/{name}/positions/{id}", summary: "Remove a position from a collection", out: struct{}{}, collections: true, call: with(a.uncollect)},
		{method: "PATCH", path: "/collections/{name}", summary: "Rename a collection", out: collection.Collection{}, collections: true, call: with(a.renameCollection)},
		{method: "DELETE", path: "/collections/{name}", summary: "Delete a collection", out: struct{}{}, collections: true, call: with(a.dropCollection)},
		{method: "POST", path: "/search", summary: "Find positions of matches and collections by structure, theme and loss", out: SearchResult{}, lane: a.long, call: with(a.search)},
		{method: "GET", path: "/picture", summary: "Draw a position as a picture or text", query: []param{{"p", "position in any form"}, {"game", "variation"}, {"to", "svg (default), png or text"}}, lane: a.short, call: with(a.drawPosition), kind: "image/svg+xml"},

		{method: "GET", path: "/jobs", summary: "List rollouts and analyses", out: []Job{}, call: with(a.listJobs)},
	}
	for _, kind := range []string{"rollouts", "jobs"} {
		list = append(list,
			route{method: "GET", path: "/" + kind + "/{id}", summary: "Return a job", out: Job{}, call: with(found(a.find, a.getJob))},
			route{method: "DELETE", path: "/" + kind + "/{id}", summary: "Stop a job; remove one that has ended", out: Job{}, call: with(found(a.find, a.stopJob))},
			route{method: "GET", path: "/" + kind + "/{id}/events", summary: "Stream a job as server-sent events, one \"job\" at each change", raw: a.events, kind: "text/event-stream"},
		)
	}
	return list
}

// Preset is a strength with its approximate FIBS rating, see play.Standing. Presets of
// bot.yaml may have no rating.
type Preset struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	play.Standing
}

// usualLength is the match length of ratings if the request names none.
const usualLength = 5

func (a *API) presets(r *http.Request, _ any) (any, error) {
	length, err := lengthOf(r, 0, usualLength)
	if err != nil {
		return nil, err
	}
	out := []Preset{}
	for _, name := range a.opt.Presets {
		p, err := a.opt.Preset(name)
		if err != nil {
			return nil, err
		}
		x := Preset{Name: name, Summary: p.Summary, Standing: play.StandingOf(p, length)}
		if l, ok := tune.LevelOf(&p); ok {
			x.Summary, x.Standing = l.Summary, play.Standing{Rating: int(l.Rating)}
		}
		out = append(out, x)
	}
	return out, nil
}
