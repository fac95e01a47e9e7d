package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"fibsbot/bot/archive/history"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/archive/review"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/analyse/share"
	"fibsbot/engine/explain"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/http"
)

// MatchList holds the matches of a filter.
type MatchList struct {
	Matches []index.Match `json:"matches"`
	// More reports that more matches fit than the limit.
	More bool `json:"more"`
}

var errNoArchive = &Problem{Status: http.StatusNotFound, Text: "no archive (start fibsbot web with --archive DIR)"}

// filterOf reads a filter from a query. The account me means the user's names if they are
// known.
func (a *API) filterOf(r *http.Request, account string) (index.Filter, error) {
	f, err := queried(r.URL.Query())
	f.Account = cmp.Or(f.Account, account)
	if err != nil || f.Account != "me" {
		return f, err
	}
	me, err := a.me()
	if err != nil {
		return f, err
	}
	f.Account = ""
	_, err = me.Filter(r.Context(), a.opt.Archive, &f)
	return f, err
}

// number reads a whole number of a query between low and high; usual if absent. wrong is what to
// say of another text.
func number(q url.Values, name string, usual, low, high int, wrong string) (int, error) {
	text := q.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, bad(name, "%.20q%s", text, wrong)
	}
	return n, nil
}

func queried(q url.Values) (index.Filter, error) {
	f := index.Filter{Account: q.Get("account"), Opponent: q.Get("opponent"), Preset: q.Get("preset"), Tag: q.Get("tag"), Event: q.Get("event"), Text: q.Get("text"), Result: q.Get("result"), IDs: q["id"]}
	for name := range q {
		if name != "by" && name != "player" && !slices.ContainsFunc(filters, func(p param) bool { return p.name == name }) {
			return f, bad(name, "no such filter")
		}
	}
	if len(f.IDs) > maxRows {
		return f, bad("id", "%d IDs: want up to %d", len(f.IDs), maxRows)
	}
	var err error
	if f.Length, err = number(q, "length", 0, 0, math.MaxInt, ": want points, or 0 for unlimited"); err != nil {
		return f, err
	}
	f.Unlimited = q.Get("length") != "" && f.Length == 0
	if f.Limit, err = number(q, "limit", 100, 1, maxRows, fmt.Sprintf(": want 1 to %d", maxRows)); err != nil {
		return f, err
	}
	if err := f.Days(q.Get("since"), q.Get("until")); err != nil {
		return f, err
	}
	switch f.Result {
	case "", "won", "lost", "unfinished":
	default:
		return f, bad("result", "%.20q: want won, lost or unfinished", f.Result)
	}
	return f, nil
}

// anyone is the filter of a request, mine that for the user's matches unless it names an account.
func (a *API) anyone(r *http.Request) (index.Filter, error) { return a.filterOf(r, "") }
func (a *API) mine(r *http.Request) (index.Filter, error)   { return a.filterOf(r, "me") }

func (a *API) matches(r *http.Request, f index.Filter, _ any) (any, error) {
	want := f.Limit
	f.Limit++
	out := MatchList{Matches: []index.Match{}}
	err := a.opt.Archive.List(r.Context(), f, func(m *index.Match) error {
		if len(out.Matches) == want {
			out.More = true
			return nil
		}
		out.Matches = append(out.Matches, *m)
		return nil
	})
	return out, err
}

func (a *API) statistics(r *http.Request, f index.Filter, _ any) (any, error) {
	f.Limit = 0
	if players := r.URL.Query()["player"]; len(players) > 0 {
		if len(players) > 2 {
			return nil, bad("player", "one or two players, not %d", len(players))
		}
		return a.opt.Archive.Compare(r.Context(), f, players...)
	}
	by := r.URL.Query().Get("by")
	if by != "" && !slices.Contains(index.Groups, by) {
		return nil, bad("by", "%.20q: want %s", by, strings.Join(index.Groups, ", "))
	}
	return a.opt.Archive.Stats(r.Context(), f, by)
}

// trends are the lines of the charts of archived matches.
func (a *API) trends(r *http.Request, f index.Filter, _ any) (any, error) {
	return history.TrendsOf(r.Context(), a.opt.Archive, f)
}

// form is how well the account of a match plays.
func (a *API) form(r *http.Request, m *index.Match, _ any) (any, error) {
	return history.FormOf(r.Context(), a.opt.Archive, m)
}

// StatisticColumn describes a statistic to a page.
type StatisticColumn struct {
	Name   string `json:"name"`
	Label  string `json:"label"`
	Unit   string `json:"unit"`
	Better int    `json:"better"` // 1 if higher is better, -1 if lower is
	Core   bool   `json:"core"`   // shown on narrow screens too
	Marked string `json:"marked"` // the statistic that counts matches for which this one says little, or empty
	index.Print
}

// statisticColumns lists the statistics that tables show.
func (a *API) statisticColumns(*http.Request, any) (any, error) {
	out := []StatisticColumn{}
	for i := range index.Statistics {
		if s := &index.Statistics[i]; !s.Detail {
			out = append(out, StatisticColumn{s.Name, s.Label, s.Unit, s.Better, s.Core, s.Marked, s.Print})
		}
	}
	return out, nil
}

// archived finds the archived match that a request's {id} names.
func (a *API) archived(r *http.Request) (*index.Match, error) {
	if a.opt.Archive == nil {
		return nil, errNoArchive
	}
	return a.opt.Archive.Show(r.Context(), r.PathValue("id"))
}

// unpruned is archived for a match whose file is read.
func (a *API) unpruned(r *http.Request) (*index.Match, error) {
	row, err := a.archived(r)
	if err == nil && row.Pruned {
		err = fmt.Errorf("%w: %w", index.ErrNotFound, index.ErrPruned)
	}
	return row, err
}

// Filed is an archived match: its row and what its file has.
type Filed struct {
	Row   *index.Match
	Match *record.Match
}

// Load reads the match that a request's {id} names, for pages that show it.
func (a *API) Load(r *http.Request) (Filed, error) {
	row, err := a.unpruned(r)
	if err != nil {
		return Filed{}, err
	}
	e, err := a.opt.Archive.Edit(row)
	if err != nil {
		return Filed{}, err
	}
	return Filed{row, e.Match}, nil
}

// Seat returns the number of the user in an archived match: the account, or the other player
// if only that is one of the user's names.
func (a *API) Seat(x Filed) int {
	me, err := a.me()
	if err != nil {
		return x.Row.Me
	}
	return me.Seat([2]string{x.Match.Players[0].Name, x.Match.Players[1].Name}, x.Row.Me)
}

// review is the report of an archived match, with every marked decision.
func (a *API) review(r *http.Request, x Filed, _ any) (any, error) {
	limit, err := limitOf(r)
	if err != nil {
		return nil, err
	}
	doc := reportOf(x.Match, a.summary(x.Match), limit)
	doc.Explain(a.Why(r, x.Match))
	return doc, nil
}

// Why are the reasons of errors of a match in the language of a request; none while the engine is silent.
func (a *API) Why(r *http.Request, m *record.Match) report.Why {
	if a.playing() != "" {
		return nil
	}
	return explain.Errors(r.Context(), a.opt.Engine, m, a.opt.Language(r))
}

// summary is the sum of a match at the usual limits.
func (a *API) summary(m *record.Match) *analyse.Summary {
	return analyse.Summarise(m, a.opt.Engine.Table(), analyse.DefaultLimits)
}

// reportOf is the report of a match with up to limit plays per decision, 0 for all.
func reportOf(m *record.Match, s *analyse.Summary, limit int) report.Document {
	doc := report.Build(m, s)
	if limit > 0 {
		doc.LimitPlays(limit)
	}
	return doc
}

// limitOf reads the query's number of plays per decision, 0 for all.
func limitOf(r *http.Request) (int, error) {
	return number(r.URL.Query(), "limit", 0, 0, math.MaxInt, " is not a number of plays (use 0 for all)")
}

// AnalyseRequest asks for the analysis of an archived match.
type AnalyseRequest struct {
	Preset string `json:"preset,omitempty"` // worldclass without it
	// Again re-analyses decisions that have an analysis of that depth.
	Again bool `json:"again,omitempty"`
	// Limit is the number of plays that the report lists per decision, 0 for all.
	Limit int `json:"limit,omitempty"`
}

func (a *API) analyst(p preset.Preset, report func(done, total int)) (*analyse.Analyst, error) {
	judge := analyse.New(a.opt.Engine.RolloutOptions(), p)
	judge.Progress = report
	return judge, a.assign(judge)
}

func (a *API) analyseMatch(_ *http.Request, row *index.Match, q AnalyseRequest) (any, error) {
	p, err := a.preset(q.Preset)
	if err != nil {
		return nil, err
	}
	return started(a.add(Job{Kind: "analysis", Match: row.ID}, nil, func(ctx context.Context, j *job, progress func(int, int)) error {
		e, err := a.opt.Archive.Edit(row)
		if err != nil {
			return err
		}
		e.Judged()
		judge, err := a.analyst(p, progress)
		if err != nil {
			return err
		}
		judge.Again = q.Again
		_, err = judge.Analyse(ctx, e.Match)
		if err != nil && ctx.Err() == nil {
			return err
		}
		// Also after a stop: the next analysis continues from there.
		if _, err := e.Store(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		doc := reportOf(e.Match, a.summary(e.Match), q.Limit)
		j.change(func(v *Job) { v.Analysis = &doc })
		return nil
	}))
}

// readFile reads the match file of a request.
func readFile(r *http.Request) ([]*record.Match, []record.Warning, error) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, nil, err
	}
	return parseFile(data)
}

// parseFile reads a match file, which is not larger unpacked than packed ones may be: a few
// megabytes of gzip would become gigabytes of matches.
func parseFile(data []byte) ([]*record.Match, []record.Warning, error) {
	list, _, warnings, err := detect.ReadWithin(bytes.NewReader(data), maxFile)
	if err != nil {
		return nil, nil, bad("file", "%v", err)
	}
	return list, warnings, nil
}

// analyseFile analyses the first match of a file as a job.
func (a *API) analyseFile(r *http.Request, _ any) (any, error) {
	p, err := a.preset(r.URL.Query().Get("preset"))
	if err != nil {
		return nil, err
	}
	limit, err := limitOf(r)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if _, _, err := parseFile(data); err != nil {
		return nil, err
	}
	// While the job waits it holds the file, which is smaller than its matches.
	return started(a.add(Job{Kind: "analysis"}, nil, func(ctx context.Context, j *job, progress func(int, int)) error {
		judge, err := a.analyst(p, progress)
		if err != nil {
			return err
		}
		list, _, err := parseFile(data)
		if err != nil {
			return err
		}
		m := list[0]
		sum, err := judge.Analyse(ctx, m)
		if err != nil {
			return err
		}
		doc := reportOf(m, sum, limit)
		j.change(func(v *Job) { v.Analysis = &doc })
		return nil
	}))
}

// Converted is a match file in another format.
type Converted struct {
	Format string `json:"format"`
	Text   string `json:"text"`
	// Matches is the number in the file; formats for one match hold the first.
	Matches int `json:"matches"`
	// Lost lists what the format cannot hold, Warnings the oddities of the file.
	Lost     []string `json:"lost"`
	Warnings []string `json:"warnings"`
}

// maxOddities is how many warnings about one file are returned.
const maxOddities = 20

// target returns the format that the query asks for, by its name or its extension.
func target(r *http.Request, usual string) (formats.Format, error) {
	to := cmp.Or(r.URL.Query().Get("to"), usual)
	f, err := formats.Find(formats.Texts, to, "")
	if err != nil {
		if byExt, failed := formats.Find(formats.Texts, "", "."+to); failed == nil {
			f, err = byExt, nil
		}
	}
	if err != nil {
		return f, bad("to", "%v", err)
	}
	if f.Name == "link" {
		f.Write = share.Write
	}
	return f, nil
}

func (a *API) convert(r *http.Request, _ any) (any, error) {
	f, err := target(r, "")
	if err != nil {
		return nil, err
	}
	list, warnings, err := readFile(r)
	if err != nil {
		return nil, err
	}
	out := Converted{Format: f.Name, Matches: len(list), Lost: append([]string{}, f.Lost(list[0])...), Warnings: []string{}}
	for _, w := range warnings[:min(len(warnings), maxOddities)] {
		out.Warnings = append(out.Warnings, w.String())
	}
	var b strings.Builder
	if !f.Together {
		list = list[:1]
	}
	err = f.WriteAll(&b, list)
	out.Text = b.String()
	return out, err
}

// download is an archived match as a file.
func (a *API) download(r *http.Request, x Filed, _ any) (any, error) {
	f, err := target(r, "sgf")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = f.Write(&b, x.Match)
	return document{f.ContentType(), fmt.Sprintf("%.12s%s", x.Row.ID, f.Ext), b.Bytes()}, err
}

// importMatches imports a file, or the files of a form as one set.
func (a *API) importMatches(r *http.Request, _ any) (any, error) {
	me, err := a.me()
	if err != nil {
		return nil, err
	}
	im := review.Importer{Filing: owner.Filing{DB: a.opt.Archive, Me: me, Known: a.opt.Accounts}, Positions: a.opt.Quiz.Collections}
	if name := r.URL.Query().Get("account"); name != "" {
		im.Account = owner.Names{name}
		if err := im.Account.Check(); err != nil {
			return nil, bad("account", "%v", err)
		}
	}
	if isType(r, formType) {
		err = a.importSet(r, &im)
	} else {
		err = importOne(r, &im)
	}
	if err == nil {
		err = im.Settle(r.Context())
	}
	if err != nil {
		return nil, err
	}
	out := Imported{Matches: []string{}, Counts: im.Counts(nil), Files: im.Files}
	for _, f := range im.Files {
		for _, id := range f.Matches {
			if !slices.Contains(out.Matches, id) {
				out.Matches = append(out.Matches, id)
			}
		}
	}
	a.analyseLater(out.Matches...)
	return out, nil
}

// importOne imports the file that is the body of a request; its name is in the query.
func importOne(r *http.Request, im *review.Importer) error {
	list, _, err := readFile(r)
	if err != nil {
		return err
	}
	name := r.URL.Query().Get("name")
	if name == "" && slices.ContainsFunc(list, (*record.Match).OnlyPosition) {
		return bad("name", "the file has positions, which go into the collection of its name (use ?name=FILE)")
	}
	record.NameDates(list, path.Base(name))
	return im.Add(r.Context(), name, list)
}

// importSet imports the files of a form: each has the name of its field.
func (a *API) importSet(r *http.Request, im *review.Importer) error {
	form, err := r.MultipartReader()
	if err != nil {
		return bad("file", "%v", err)
	}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var data []byte
		if err == nil {
			data, err = io.ReadAll(io.LimitReader(part, maxFile+1))
		}
		if err != nil {
			return err
		}
		list, _, err := parseFile(data)
		if len(data) > maxFile {
			err = fmt.Errorf("longer than %d bytes", maxFile)
		}
		if err != nil {
			im.Unread++
			im.Into(part.FormName()).Problem = problemOf(err).Text
			continue
		}
		record.NameDates(list, path.Base(part.FormName()))
		if err := im.Add(r.Context(), part.FormName(), list); err != nil {
			return err
		}
	}
}

// Imported is what became of an import.
type Imported struct {
	// Matches are those that the files belong to.
	Matches []string `json:"matches"`
	review.Counts
	Files []*owner.Filed `json:"files"`
}

// MergeRequest names the match that another is joined with.
type MergeRequest struct {
	With string `json:"with"`
}

// mergeMatches joins two parts of a match.
func (a *API) mergeMatches(r *http.Request, q MergeRequest) (any, error) {
	return a.opt.Archive.Merge(r.Context(), r.PathValue("id"), q.With)
}
