package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"

	"fibsbot/bot/web/api"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
)

//go:embed page assets
var files embed.FS

// room is a page of the site.
type room struct {
	Path, Name, Title string
	file              string
}

var rooms = []room{
	{"/play", "Play", "Play against the engine", "play.html"},
	{"/positions", "Positions", "Set up and analyse a position", "positions.html"},
	{"/matches", "Matches", "The archive", "matches.html"},
	{"/quiz", "Quiz", "Errors as questions", "quiz.html"},
	{"/statistics", "Statistics", "Error rates, luck and ratings over time", "statistics.html"},
	{"/bots", "Bots", "What the running bot does", "bots.html"},
}

// pages shows the rooms.
type pages struct {
	api           *api.API
	version       string
	archive, bots bool
	tag           string // changes with the assets
}

// view is what a template gets.
type view struct {
	Room    room
	Rooms   []room
	Version string
	Tag     string
	// Archive and Bots tell whether there is anything of the kind to show.
	Archive, Bots bool
	ID            string // of the match shown
}

// routes adds the pages to mux.
func (p *pages) routes(mux *http.ServeMux) error {
	assets, err := fs.Sub(files, "assets")
	if err != nil {
		return err
	}
	sum := sha256.New()
	names, err := fs.ReadDir(assets, ".")
	if err != nil {
		return err
	}
	type asset struct {
		kind string
		body []byte
	}
	all := map[string]asset{}
	for _, n := range names {
		body, err := fs.ReadFile(assets, n.Name())
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n%s", n.Name(), len(body), body)
		all[n.Name()] = asset{mime.TypeByExtension(path.Ext(n.Name())), body}
	}
	p.tag = hex.EncodeToString(sum.Sum(nil))[:12]
	// The name of the folder changes with its contents, so that a browser may keep
	// every file for good and still never mixes two versions.
	mux.HandleFunc("GET /assets/{tag}/{name}", func(w http.ResponseWriter, r *http.Request) {
		a, ok := all[r.PathValue("name")]
		if !ok || r.PathValue("tag") != p.tag {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.PathValue("name"), ".js") {
			a.kind = "text/javascript; charset=utf-8" // what the system's table says varies
		}
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(a.body)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/assets/"+p.tag+"/icon.svg", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/play", http.StatusSeeOther) })
	for _, room := range append(rooms, room{"/matches/{id}", "Matches", "A match", "match.html"}) {
		t, err := template.ParseFS(files, "page/layout.html", "page/"+room.file)
		if err != nil {
			return err
		}
		mux.HandleFunc("GET "+room.Path, func(w http.ResponseWriter, r *http.Request) {
			v := view{Room: room, Rooms: rooms, Version: p.version, Tag: p.tag, Archive: p.archive, Bots: p.bots, ID: r.PathValue("id")}
			var b bytes.Buffer
			if err := t.ExecuteTemplate(&b, "layout.html", v); err != nil {
				http.Error(w, "the page cannot be made", http.StatusInternalServerError)
				return
			}
			if room.file == "match.html" { // holds the report in a frame
				w.Header().Set("Content-Security-Policy", policy+"; frame-src 'self'")
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Cache-Control", "no-cache")
			_, _ = w.Write(b.Bytes())
		})
	}
	mux.HandleFunc("GET /matches/{id}/report", p.report)
	return nil
}

var (
	styleBlock  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	scriptBlock = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// report is the review of an archived match as package report writes it for a file:
// with its own style within. Its policy allows just those blocks, by their hashes.
func (p *pages) report(w http.ResponseWriter, r *http.Request) {
	m, _, err := p.api.Load(r)
	if err != nil {
		http.Error(w, "no such match", http.StatusNotFound)
		return
	}
	var b bytes.Buffer
	if err := report.HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), nil); err != nil {
		http.Error(w, "the report cannot be made", http.StatusInternalServerError)
		return
	}
	hashes := func(block *regexp.Regexp) string {
		out := ""
		for _, found := range block.FindAllSubmatch(b.Bytes(), -1) {
			sum := sha256.Sum256(found[1])
			out += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		}
		if out == "" {
			return " 'none'"
		}
		return out
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; style-src"+
		hashes(styleBlock)+"; script-src"+hashes(scriptBlock))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(b.Bytes())
}
