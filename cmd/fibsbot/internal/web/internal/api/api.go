package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/owner"
	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/http"
	"fibsbot/internal/shard"
	"fibsbot/internal/texts"
)

// Options of an API.
type Options struct {
	// Engine answers. Required.
	Engine *engine.Engine
	// Archive is the index of finished matches, or nil.
	Archive *index.DB
	// Me are the user's names, Accounts those of the bots, both of the configuration.
	Me, Accounts owner.Names
	// Analyse reports whether new matches are analysed in the background.
	Analyse bool
	// Look is how often the archive is searched for new matches; usualLook if 0.
	Look time.Duration
	// Matches holds the matches against the engine. Required.
	Matches *play.Store
	// Quiz asks about errors of the archive; nil without an archive.
	Quiz *quiz.Deck
	// Preset finds a preset by name; nil knows the built-in ones.
	Preset func(name string) (preset.Preset, error)
	// Presets lists the names that Preset finds.
	Presets []string
	// Bots returns the status of a running bot; nil if no bot is configured.
	Bots func(context.Context) (ops.Status, error)
	// Order gives an order to the running bot; nil refuses all.
	Order func(context.Context, ops.Order) (ops.Reply, error)
	// Crew returns who plays the pieces of a job, and of how many trials or decisions a piece is.
	// kind is RolloutJob or AnalysisJob, spec that of its package. Nil is this process.
	Crew func(kind string, spec []byte) (crew shard.Crew, size int, err error)
	// Online is where the person logs in to servers, a lobby.Desk; nil has no such accounts. While it
	// plays, the engine is silent.
	Online any
	// Version of the program, for the description.
	Version string
	// Language returns the catalogue for files that people read; nil is always English.
	Language func(*http.Request) *texts.Catalogue
}

// API answers requests. Close ends its jobs.
type API struct {
	opt  Options
	mux  *http.ServeMux
	spec []byte
	lanes
	streams // its context ends the jobs too
	stop    context.CancelFunc
	work    sync.WaitGroup
	jobs    jobs
	due     due

	room
	fairness
}

// New makes an API.
func New(o Options) *API {
	if o.Preset == nil {
		o.Preset, o.Presets = preset.ByName, preset.Names()
	}
	if o.Language == nil {
		o.Language = func(*http.Request) *texts.Catalogue { return nil }
	}
	a := &API{
		opt: o, mux: http.NewServeMux(), lanes: newLanes(), streams: streams{slots: make(chan struct{}, maxStreams)},
	}
	a.ctx, a.stop = context.WithCancel(context.Background())
	a.due.decided = map[string]bool{}
	a.jobs.byID = map[string]*job{}
	a.jobs.run = make(chan struct{}, 1) // one job runs at a time, on all processors
	a.openRoom()
	if o.Archive != nil && o.Analyse {
		a.work.Go(a.watchArchive)
	}
	a.beFair()
	list := slices.Concat(a.routes(), a.onlineRoutes(), a.botRoutes())
	a.spec = describe(list, o.Version)
	for _, r := range list {
		a.mux.HandleFunc(r.method+" /api/v1"+r.path, a.serve(r))
	}
	a.mux.HandleFunc("GET /api/v1/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(a.spec)
	})
	a.mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, &Problem{Status: http.StatusNotFound, Text: "no such address (see /api/v1/openapi.json)"})
	})
	return a
}

// ServeHTTP answers requests below /api/.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

// Close stops all jobs and waits for them.
func (a *API) Close() {
	a.stop()
	a.work.Wait()
}

// Problem is an error for a caller.
type Problem struct {
	Status int    `json:"-"`
	Text   string `json:"error"`
	// Field is the wrong field of the request, or empty.
	Field string `json:"field"`
}

// Error returns the text after the field.
func (p *Problem) Error() string {
	if p.Field == "" {
		return p.Text
	}
	return p.Field + ": " + p.Text
}

var (
	errBusy    = &Problem{Status: http.StatusServiceUnavailable, Text: "the engine is busy (try again in a moment)"}
	errWaited  = &Problem{Status: http.StatusServiceUnavailable, Text: fmt.Sprintf("busy for %v (try again in a moment)", maxWait)}
	errTooLong = &Problem{Status: http.StatusServiceUnavailable, Text: "the answer took too long (choose a weaker preset, or try again later)"}
)

// bad is the problem of a field.
func bad(field, format string, args ...any) *Problem {
	return &Problem{Status: http.StatusBadRequest, Field: field, Text: fmt.Sprintf(format, args...)}
}

// problems are the errors of other packages that are the caller's: their status, and the field of
// the request.
var problems = []struct {
	is     error
	status int
	field  string
}{
	{play.ErrNotFound, http.StatusNotFound, ""}, {index.ErrNotFound, http.StatusNotFound, ""}, {play.ErrFull, http.StatusConflict, ""},
	{play.ErrLater, http.StatusBadRequest, "cut"}, {play.ErrNotNow, http.StatusBadRequest, "kind"}, {board.ErrBadPlay, http.StatusBadRequest, "play"},
	{play.ErrOptions, http.StatusBadRequest, "options"}, {match.ErrScore, http.StatusBadRequest, "position"},
	{board.ErrIllegalPosition, http.StatusBadRequest, "position"}, {search.ErrSettings, http.StatusBadRequest, "position"},
	{rollout.ErrSettings, http.StatusBadRequest, "position"}, {index.ErrFilter, http.StatusBadRequest, "filter"}, {owner.ErrName, http.StatusBadRequest, "names"},
	{collection.ErrNotFound, http.StatusNotFound, "name"}, {collection.ErrBad, http.StatusBadRequest, "name"}, {collection.ErrQuery, http.StatusBadRequest, "query"},
	{quiz.ErrUnknown, http.StatusNotFound, "id"}, {quiz.ErrFilter, http.StatusBadRequest, "source"}, {quiz.ErrAnswer, http.StatusBadRequest, "answer"},
}

// problemOf is the problem to report for err.
func problemOf(err error) *Problem {
	var p *Problem
	var tooBig *http.MaxBytesError
	var field *advice.FieldError
	var filter *index.FieldError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &field):
		return bad(field.Field, "%s", field.Problem)
	case errors.As(err, &tooBig):
		return &Problem{Status: http.StatusRequestEntityTooLarge, Text: fmt.Sprintf("the body is longer than %d bytes", tooBig.Limit)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Problem{Status: http.StatusRequestTimeout, Text: "the request did not arrive in time"}
	case errors.Is(err, play.ErrStale):
		return &Problem{Status: http.StatusConflict, Text: "the match has changed in another window", Field: "version"}
	case errors.As(err, &filter):
		return bad(filter.Field, "%s", filter.Problem)
	}
	for _, known := range problems {
		if errors.Is(err, known.is) {
			return &Problem{Status: known.status, Text: err.Error(), Field: known.field}
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &Problem{Status: http.StatusServiceUnavailable, Text: "stopped before the answer was ready"}
	}
	return &Problem{Status: http.StatusInternalServerError, Text: err.Error()}
}

func fail(w http.ResponseWriter, err error) {
	p := problemOf(err)
	if p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	answer(w, p.Status, p)
}

func answer(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"error":"the answer has no JSON form","field":""}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // the caller has gone
}

// document is an answer that is not JSON. With a name browsers store it.
type document struct {
	kind, name string
	body       []byte
}

func (f document) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "no-store")
	if f.name != "" {
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", f.name))
	}
	_, _ = w.Write(f.body) // the caller has gone
}

// serve is the handler of a route: it reads the request, waits in the route's lane and
// writes the answer.
func (a *API) serve(r route) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		why := a.playing()
		switch {
		case why != "" && !r.fair():
			fail(w, &Problem{Status: http.StatusLocked, Text: why})
			return
		case r.archive && a.opt.Archive == nil:
			fail(w, errNoArchive)
			return
		case r.quiz && a.opt.Quiz == nil:
			fail(w, errNoQuiz)
			return
		case r.collections && (a.opt.Quiz == nil || a.opt.Quiz.Collections == nil):
			fail(w, errNoCollections)
			return
		}
		var in any
		if r.in != nil {
			v := reflect.New(reflect.TypeOf(r.in))
			if err := readJSON(w, req, v.Interface()); err != nil {
				fail(w, err)
				return
			}
			in = v.Elem().Interface()
		}
		if r.file {
			most := int64(maxFile)
			switch {
			case r.form && isType(req, formType):
				most = maxSet
			case !isType(req, "application/octet-stream"):
				fail(w, &Problem{Status: http.StatusUnsupportedMediaType, Text: "send the file as application/octet-stream"})
				return
			}
			req.Body = http.MaxBytesReader(w, req.Body, most)
		}
		lane := r.lane
		if r.heavy != nil && r.heavy(in) {
			lane = a.long
		}
		if lane != nil { // before reading a file, which may be long
			ctx, done, err := lane.turn(req.Context())
			if err != nil {
				if r.file && errors.Is(err, errWaited) { // else its client, which still sends, sees no answer
					_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(slowClient))
					_, _ = io.Copy(io.Discard, req.Body)
				}
				fail(w, err)
				return
			}
			defer done()
			req = req.WithContext(ctx)
			if r.file { // the client did not cause the wait
				sending := fileTime
				if isType(req, formType) {
					sending = setTime
				}
				_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(sending)) // recorders of tests have none
			}
		}
		if r.raw != nil {
			r.raw(w, req)
			return
		}
		out, err := r.do(req, in)
		if err != nil && errors.Is(context.Cause(req.Context()), errTooLong) {
			err = errTooLong
		}
		if err != nil {
			fail(w, err)
			return
		}
		if f, ok := out.(document); ok {
			f.send(w)
			return
		}
		answer(w, cmp.Or(r.status, http.StatusOK), out)
	}
}

// formType is the type of a form with files.
const formType = "multipart/form-data"

func isType(r *http.Request, want string) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == want
}

// readJSON reads a request of one JSON object without unknown fields.
func readJSON(w http.ResponseWriter, r *http.Request, to any) error {
	if !isType(r, "application/json") {
		return &Problem{Status: http.StatusUnsupportedMediaType, Text: "send JSON with Content-Type: application/json"}
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	dec.DisallowUnknownFields()
	err := dec.Decode(to)
	if err == nil {
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			return bad("", "text follows the JSON object")
		}
		return nil
	}
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		return err
	case errors.Is(err, io.EOF):
		return bad("", "the request body is empty (send a JSON object)")
	}
	if err = input.JSONError(err); errors.As(err, new(*advice.FieldError)) {
		return err
	}
	return bad("", "request body is %v", err)
}

// Limits of one process.
const (
	maxBody    = 64 << 10  // of a JSON request
	maxFile    = 8 << 20   // of a match file
	maxSet     = 256 << 20 // of the files of one import
	maxWaiting = 64        // requests that wait in a lane
	fileSlots  = 2         // match files read at a time; one of maxFile takes up to 100 MB
	maxJobs    = 60        // kept, running or ended
	maxRunning = 8         // jobs queued or running
	maxStreams = 200       // event streams
	maxTrials  = 1 << 20   // of a rollout
	maxArms    = 12        // plays of a rollout
	maxRows    = 1000      // of a list of matches
	heartbeat  = 15 * time.Second
	slowClient = 10 * time.Second // to take one event
	fileTime   = 30 * time.Second // to send a match file
	setTime    = 20 * time.Minute // to send and import files
	maxWait    = 20 * time.Second // for a place in a lane
	shortTime  = time.Minute      // for a play, a hint or a cube decision
	longTime   = 3 * time.Minute  // for all rolls, all scores or a match file
)

// lane bounds the requests at work; the others wait.
type lane struct {
	waiting, running chan struct{}
	patience, within time.Duration // for the wait; for the wait and the work together
}

func newLane(slots int, within time.Duration) *lane {
	return &lane{waiting: make(chan struct{}, maxWaiting), running: make(chan struct{}, slots), patience: maxWait, within: within}
}

// lanes keep long requests from delaying a person at a board.
type lanes struct {
	short *lane // plays, hints, cube decisions
	long  *lane // a position at all rolls or all scores
	files *lane // reading and writing match files
	sets  *lane // imports
}

func newLanes() lanes {
	slots := max(2, runtime.GOMAXPROCS(0))
	return lanes{newLane(slots, shortTime), newLane(slots, longTime), newLane(fileSlots, longTime), newLane(fileSlots, setTime)}
}

// turn waits for a place in the lane; done releases it. The context ends with the time of
// the request. With maxWaiting requests waiting it refuses at once, so a flood costs no
// memory; a request that waits too long is refused too.
func (l *lane) turn(ctx context.Context) (in context.Context, done func(), err error) {
	select {
	case l.waiting <- struct{}{}:
	default:
		return nil, nil, errBusy
	}
	defer func() { <-l.waiting }()
	in, cancel := context.WithTimeoutCause(ctx, l.within, errTooLong)
	done = func() { cancel(); <-l.running }
	select {
	case l.running <- struct{}{}:
		return in, done, nil
	default:
	}
	late := time.NewTimer(l.patience)
	defer late.Stop()
	select {
	case l.running <- struct{}{}:
		return in, done, nil
	case <-late.C:
		cancel()
		return nil, nil, errWaited
	case <-in.Done():
		defer cancel()
		return nil, nil, context.Cause(in)
	}
}

// FileTurn waits for a place to read or write a match file; done releases it.
func (a *API) FileTurn(ctx context.Context) (done func(), err error) {
	_, done, err = a.files.turn(ctx)
	return done, err
}
