package ops

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/match"
)

// Saved is a match that waits at the server.
type Saved struct {
	Account, Opponent string
	At                time.Time // when it was interrupted
}

// Ended is a match of the archive.
type Ended struct {
	At                time.Time
	Account, Opponent string
	Length            int // 0 unlimited
	Result            string
	Score             [2]int  // account, opponent
	Rating            float64 // of the account afterwards, 0 if unknown
}

// Matches is what the dashboard shows beside the status: saved matches, longest
// waiting first, and ended ones, newest first.
type Matches struct {
	Saved []Saved
	Ended []Ended
}

const (
	// freshFor is how long a page is shown to everybody before a new one is
	// made: many readers cost no more than one.
	freshFor = time.Second
	// Rows of the page.
	maxSaved = 50
	maxEnded = 20
)

//go:embed page
var page embed.FS

var layout = template.Must(template.New("dashboard.html").Funcs(template.FuncMap{
	"when": func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return t.UTC().Format("2006-01-02 15:04:05 UTC")
	},
}).ParseFS(page, "page/dashboard.html"))

// dashboard makes the page. It only reads: there is nothing on it to press.
type dashboard struct {
	status  func() Status
	matches func() Matches
	now     func() time.Time

	mu   sync.Mutex
	made time.Time
	body []byte
}

// routes adds the page and its two files to mux.
func (d *dashboard) routes(mux *http.ServeMux) {
	guard := func(kind string, h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for k, v := range map[string]string{
				"Content-Type": kind + "; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
				"Referrer-Policy": "no-referrer",
				"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
					"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			} {
				w.Header().Set(k, v)
			}
			h(w, r)
		}
	}
	file := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, page, "page/"+name) }
	}
	mux.HandleFunc("GET /dashboard.css", guard("text/css", file("dashboard.css")))
	mux.HandleFunc("GET /dashboard.js", guard("text/javascript", file("dashboard.js")))
	mux.HandleFunc("GET /{$}", guard("text/html", func(w http.ResponseWriter, _ *http.Request) {
		body, err := d.page()
		if err != nil {
			http.Error(w, "the page could not be made", http.StatusInternalServerError)
			return
		}
		// The reader may have gone; there is nobody to tell.
		_, _ = w.Write(body)
	}))
}

// page returns the page of this second.
func (d *dashboard) page() ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if age := now.Sub(d.made); d.body != nil && age >= 0 && age < freshFor {
		return d.body, nil
	}
	var m Matches
	if d.matches != nil {
		m = d.matches()
	}
	data := struct {
		Status   Status
		Now      time.Time
		Accounts []accountView
		Saved    []Saved
		Ended    []Ended
	}{Status: d.status(), Now: now, Saved: m.Saved[:min(len(m.Saved), maxSaved)], Ended: m.Ended[:min(len(m.Ended), maxEnded)]}
	for _, a := range data.Status.Accounts {
		v := accountView{Account: a, Chart: chartOf(a.Name, m.Ended)}
		if p, err := board.ParseID(a.Board); a.Board != "" && err == nil {
			v.Picture = pictureOf(p)
		}
		data.Accounts = append(data.Accounts, v)
	}
	var b bytes.Buffer
	if err := layout.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("dashboard: %w", err)
	}
	d.made, d.body = now, b.Bytes()
	return d.body, nil
}

// accountView is an account as the page shows it.
type accountView struct {
	Account
	Picture *picture
	Chart   *chart
}

// chart is the rating history of an account.
type chart struct {
	Line      string // points of a polyline, 300 by 100
	Low, High float64
	Matches   int
}

// chartOf draws the ratings after the matches of an account; nil with less than
// two.
func chartOf(account string, ended []Ended) *chart {
	c := chart{Low: math.Inf(1), High: math.Inf(-1)}
	var ratings []float64
	for i := len(ended) - 1; i >= 0; i-- { // oldest first
		if r := ended[i].Rating; ended[i].Account == account && r > 0 {
			ratings = append(ratings, r)
			c.Low, c.High = min(c.Low, r), max(c.High, r)
		}
	}
	if c.Matches = len(ratings); c.Matches < 2 {
		return nil
	}
	span := max(c.High-c.Low, 1)
	var b strings.Builder
	for i, r := range ratings {
		fmt.Fprintf(&b, "%.1f,%.1f ", 40+255*float64(i)/float64(c.Matches-1), 92-84*(r-c.Low)/span)
	}
	c.Line = strings.TrimSpace(b.String())
	return &c
}

// picture is the board of an account, seen by it: its home is at the lower right.
type picture struct {
	Board           template.HTML
	Pips, TheirPips int
}

func pictureOf(p board.Position) *picture {
	d := diagram.Diagram{Situation: match.Situation{Position: p}, Title: "the board", Width: 340}
	return &picture{Board: d.HTML(), Pips: p.Me.Pips(), TheirPips: p.Opp.Pips()}
}
