package api

import (
	"net/http"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record/formats"
)

// route is one operation of the API. in and out are values of the types of its request and
// its answer, or nil for none; in also holds the defaults of fields that a request omits.
type route struct {
	method, path string
	summary      string
	in, out      any
	query        []param
	file         bool              // takes a match file
	lane         *lane             // in which it waits for its turn; nil for no wait
	status       int               // of success, 200 for 0
	heavy        func(in any) bool // the long lane is for this request; nil never
	do           func(r *http.Request, in any) (any, error)
	// raw handles the request by itself; kind is the content type of its answer.
	raw  http.HandlerFunc
	kind string
}

// param is a parameter of a query.
type param struct{ name, about string }

var filters = []param{
	{"account", "the archive's own side; * stands for anything, me for the names of /me"}, {"opponent", "* stands for anything"},
	{"preset", "that the account played with"}, {"length", "points, 0 for unlimited"},
	{"result", "won, lost or unfinished"}, {"tag", "one of your tags"}, {"from", "first day, as 2026-01-31"}, {"to", "last day"}, {"limit", "at most that many, newest first; 100 without it"},
}

// routes is everything there is, but openapi.json itself.
func (a *API) routes() []route {
	list := []route{
		{method: "POST", path: "/position", summary: "A position in every form: IDs, checkers, counts", in: Position{}, out: Described{}, do: a.describePosition},
		{method: "POST", path: "/eval", summary: "Evaluate a position: chances, equities, the cube decision", in: EvalRequest{}, out: Evaluation{}, lane: a.short, heavy: mapped, do: a.eval},
		{method: "POST", path: "/cube", summary: "Weigh the cube; the same answer as eval", in: EvalRequest{}, out: Evaluation{}, lane: a.short, heavy: mapped, do: a.eval},
		{method: "POST", path: "/plays", summary: "Rank the plays of a roll", in: PlaysRequest{}, out: advice.Plays{}, lane: a.short, do: a.plays},
		{method: "POST", path: "/rolls", summary: "All 21 rolls with the best play, without and with a double before them", in: Position{}, out: advice.RollMap{}, lane: a.long, do: a.rolls},
		{method: "POST", path: "/scores", summary: "The decision at all scores", in: ScoresRequest{}, out: ScoreMatrix{}, lane: a.long, do: a.scores},
		{method: "GET", path: "/presets", summary: "The strengths there are, weakest first", out: []Preset{}, do: a.presets,
			query: []param{{"length", "points of the matches that the rating is for, 0 for money play; 5 without it"}}},

		{method: "GET", path: "/met", summary: "The match equity table up to a length, as met show prints it", out: advice.MatchTable{}, do: a.metTable,
			query: []param{{"length", "points, 1 to 99; 7 without it"}}},
		{method: "GET", path: "/met/prices", summary: "Take points and gammon prices at every score of a match, as met prices prints them", out: advice.Prices{}, do: a.prices,
			query: []param{{"length", "points of the match, 1 to 99; 7 without it"}}},
		{method: "POST", path: "/met/prices", summary: "Take points, gammon prices and market windows at one score or for money", in: WindowRequest{}, out: advice.Windows{}, do: a.windows},
		{method: "POST", path: "/met/eq2mwc", summary: "Convert equities into match winning chances at a score", in: ConvertRequest{}, out: advice.Conversion{}, do: a.eq2mwc},
		{method: "POST", path: "/met/mwc2eq", summary: "Convert match winning chances into equities at a score", in: ConvertRequest{}, out: advice.Conversion{}, do: a.mwc2eq},

		{method: "POST", path: "/rollouts", summary: "Start a rollout", in: RolloutRequest{}, out: Started{}, status: http.StatusAccepted, do: a.startRollout},
		{method: "GET", path: "/rollouts", summary: "List the rollouts", out: []Job{}, do: func(*http.Request, any) (any, error) { return a.list("rollout"), nil }},
		{method: "POST", path: "/rollouts/{id}/continue", summary: "Go on with a stopped rollout, or lengthen one", in: ContinueRequest{}, out: Started{}, status: http.StatusAccepted, do: a.continueRollout},

		{method: "POST", path: "/convert", summary: "Write a match file in another format", file: true, lane: a.files, out: Converted{}, do: a.convert,
			query: []param{{"to", strings.Join(formats.Names(convertible), ", ")}}},
		{method: "POST", path: "/analyse", summary: "Analyse the first match of a file, as a job", file: true, lane: a.files, out: Started{}, status: http.StatusAccepted, do: a.analyseFile,
			query: []param{{"preset", "strength of the judge; worldclass without it"}}},

		{method: "GET", path: "/matches", summary: "List archived matches, newest first", query: filters, out: MatchList{}, do: a.matches},
		{method: "POST", path: "/matches", summary: "Take the matches of a file into the archive", file: true, lane: a.files, out: Imported{}, do: a.importMatch,
			query: []param{{"account", "your name in the file; also corrects known matches"}}},
		{method: "GET", path: "/matches/{id}", summary: "One archived match", out: index.Match{}, do: a.match},
		{method: "PATCH", path: "/matches/{id}", summary: "Change an archived match", in: index.Change{}, out: index.Match{}, do: a.editMatch},
		{method: "DELETE", path: "/matches/{id}", summary: "Move an archived match into the trash", out: index.Match{}, do: a.deleteMatch},
		{method: "GET", path: "/matches/{id}/head", summary: "What the file of an archived match says about it", out: Head{}, lane: a.files, do: a.head},
		{method: "GET", path: "/trash", summary: "The deleted matches; each is kept for 30 days", out: []index.Deleted{}, do: a.trash},
		{method: "POST", path: "/trash/{id}/undelete", summary: "Bring a deleted match back", in: struct{}{}, out: index.Match{}, do: a.undelete},
		{method: "GET", path: "/matches/{id}/file", summary: "An archived match as a file", query: []param{{"to", "sgf (without it) or another one of " + strings.Join(formats.Names(convertible), ", ")}}, lane: a.files, raw: a.download, kind: "application/octet-stream"},
		{method: "GET", path: "/matches/{id}/review", summary: "The report of an archived match", out: report.Document{}, lane: a.files, do: a.review},
		{method: "POST", path: "/matches/{id}/analyse", summary: "Analyse an archived match, as a job", in: AnalyseRequest{}, out: Started{}, status: http.StatusAccepted, do: a.analyseMatch},
		{method: "GET", path: "/analysis", summary: "How the analysis in the background stands", out: Analysing{}, do: a.analysing},
		{method: "POST", path: "/analysis", summary: "Analyse all archived matches that have no analysis, in the background", in: struct{}{}, out: Analysing{}, status: http.StatusAccepted, do: a.analyseAll},
		{method: "DELETE", path: "/analysis", summary: "Stop the analysis in the background", out: Analysing{}, do: a.stopAnalysing},
		{method: "GET", path: "/statistics/columns", summary: "The statistics that tables show, in their order", out: []StatisticColumn{}, do: a.statisticColumns},
		{method: "GET", path: "/statistics", summary: "Sums over archived matches, your own where your names are known", query: append([]param{{"by", strings.Join(index.Groups, ", ") + "; all together without it"}, {"player", "a player on either side; given twice it compares two, and adds the matches between them"}}, filters...), out: []index.Stats{}, do: a.statistics},

		{method: "GET", path: "/characters", summary: "List the named opponents, weakest first", out: []play.Character{}, do: func(*http.Request, any) (any, error) { return play.Characters(), nil }},
		{method: "GET", path: "/games", summary: "Unfinished matches against the engine", out: GameList{}, do: a.games},
		{method: "POST", path: "/games", summary: "Begin a match against the engine", in: play.Options{Length: play.UsualLength}, out: GameState{}, status: http.StatusCreated, do: a.newGame},
		{method: "GET", path: "/games/{id}", summary: "A match against the engine", out: GameState{}, do: a.game},
		{method: "DELETE", path: "/games/{id}", summary: "Give a match up without a result", out: struct{}{}, do: a.dropGame},
		{method: "POST", path: "/games/{id}/acts", summary: "Roll, play, double, answer, resign", in: ActRequest{}, out: GameState{}, lane: a.short, do: a.act},
		{method: "POST", path: "/games/{id}/think", summary: "Let the engine do its next act", in: VersionRequest{}, out: GameState{}, lane: a.short, do: a.think},
		{method: "POST", path: "/games/{id}/undo", summary: "Take the last decision back", in: VersionRequest{}, out: GameState{}, do: a.undo},
		{method: "POST", path: "/games/{id}/close", summary: "End a money session between two games and archive it", in: VersionRequest{}, out: GameState{}, do: a.closeGame},
		{method: "GET", path: "/games/{id}/hint", summary: "What the engine would do", query: []param{{"preset", "worldclass without it"}}, out: GameHint{}, lane: a.short, do: a.hint},

		{method: "GET", path: "/me", summary: "Your names", out: Me{}, do: a.getMe},
		{method: "PUT", path: "/me", summary: "Set your names", in: MeRequest{}, out: Me{}, do: a.setMe},

		{method: "GET", path: "/quiz", summary: "The next question about an error in the archive", query: []param{{"player", "whose errors; * for anyone; without it yours where your names are known, else anyone's"}}, out: QuizNext{}, do: a.quizNext},
		{method: "POST", path: "/quiz/{id}/answers", summary: "Answer a question", in: QuizAnswer{}, out: QuizResult{}, lane: a.short, do: a.quizAnswer},

		{method: "GET", path: "/bots", summary: "What a running bot does", out: ops.Status{}, raw: a.ofFeed((*Feed).answer)},
		{method: "GET", path: "/bots/events", summary: "The same as server-sent events: \"bots\" at each change, \"gone\" while none answers", raw: a.ofFeed((*Feed).events), kind: "text/event-stream"},
		{method: "GET", path: "/jobs", summary: "List rollouts and analyses", out: []Job{}, do: a.listJobs},
	}
	for _, kind := range []string{"rollouts", "jobs"} {
		list = append(list,
			route{method: "GET", path: "/" + kind + "/{id}", summary: "A job as it stands", out: Job{}, do: a.getJob},
			route{method: "DELETE", path: "/" + kind + "/{id}", summary: "Stop a job; forget one that has ended", out: Job{}, do: a.stopJob},
			route{method: "GET", path: "/" + kind + "/{id}/events", summary: "A job as server-sent events, one \"job\" at each change", raw: a.events, kind: "text/event-stream"},
		)
	}
	return list
}

// Preset is a strength. Rating is about what it plays at on FIBS, to the next ten; with
// beyond it plays above that, and by how much was not measured. There is none for presets
// of bot.yaml that no built-in one is like.
type Preset struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	play.Standing
}

// usualLength is that of the matches that a rating is for when nobody asks for another.
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
		out = append(out, Preset{Name: name, Summary: p.Summary, Standing: play.StandingOf(p, length)})
	}
	return out, nil
}
