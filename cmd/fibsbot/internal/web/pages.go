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
	"sync"

	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
)

//go:embed page assets texts
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
	{"/openings", "Openings", "Openings and replies, rolled out", "openings.html"},
	{"/quiz", "Quiz", "Errors as questions", "quiz.html"},
	{"/statistics", "Statistics", "Error rates, luck and ratings over time", "statistics.html"},
	botsRoom,
}

var botsRoom = room{"/bots", "Bots", "What the running bot does", "bots.html"}

// pages renders the rooms.
type pages struct {
	api           *api.API
	version       string
	archive, bots bool
}

// view is the data of a template.
type view struct {
	Room    room
	Rooms   []room
	Version string
	Tag     string
	// Archive and Bots report whether there is an archive, a bot.
	Archive, Bots bool
	ID            string // of the match
	// Status of the bots, for browsers without scripts; nil on other pages.
	Status *ops.Status
	// Lang is the language of the page, Texts its catalogue, nil for English.
	Lang  string
	Texts map[string]string
}

// T is a text in the language of the page.
func (v view) T(text string) string { return translate(v.Texts, text) }

// asset is a file loaded by pages.
type asset struct {
	kind string
	body []byte
}

// assets are the files loaded by pages, and a tag that changes with any of them.
var assets = sync.OnceValues(func() (map[string]asset, string) {
	sum, all := sha256.New(), map[string]asset{}
	names, err := fs.Glob(files, "assets/*")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		body, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // the files are in the binary
		}
		name = path.Base(name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(body), body)
		kind := mime.TypeByExtension(path.Ext(name))
		if strings.HasSuffix(name, ".js") {
			kind = "text/javascript; charset=utf-8" // the system's table varies
		}
		all[name] = asset{kind, body}
	}
	script := report.Script()
	fmt.Fprintf(sum, "report.js %d\n%s", len(script), script)
	all["report.js"] = asset{"text/javascript; charset=utf-8", []byte(script)}
	return all, hex.EncodeToString(sum.Sum(nil))[:12]
})

// serveAssets adds the files to mux.
func serveAssets(mux *http.ServeMux) {
	all, tag := assets()
	// The folder is named by its contents, so a browser can cache every file forever and
	// never mixes two versions.
	mux.HandleFunc("GET /assets/{tag}/{name}", func(w http.ResponseWriter, r *http.Request) {
		a, ok := all[r.PathValue("name")]
		if !ok || r.PathValue("tag") != tag {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(a.body)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/assets/"+tag+"/icon.svg", http.StatusSeeOther)
	})
}

// render writes a page.
func render(w http.ResponseWriter, r *http.Request, v view) {
	v.Lang, v.Texts = language(r)
	_, v.Tag = assets()
	var b bytes.Buffer
	if err := templates[v.Room.file].ExecuteTemplate(&b, "layout.html", v); err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Vary", "Accept-Language")
	if v.Room == missing {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = w.Write(b.Bytes())
}

// matchRoom is the page of one match; no menu links to it.
var matchRoom = room{"/matches/{id}", "Matches", "A match", "match.html"}

// missing is shown at an address without a page.
var missing = room{"/", "", "This page does not exist", "missing.html"}

// templates are the page templates by file.
var templates = func() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, r := range append(rooms[:len(rooms):len(rooms)], matchRoom, missing) {
		out[r.file] = template.Must(template.ParseFS(files, "page/layout.html", "page/"+r.file))
	}
	return out
}()

// routes adds the pages to mux.
func (p *pages) routes(mux *http.ServeMux) {
	serveAssets(mux)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/play", http.StatusSeeOther) })
	for _, room := range append(rooms[:len(rooms):len(rooms)], matchRoom) {
		mux.HandleFunc("GET "+room.Path, func(w http.ResponseWriter, r *http.Request) {
			render(w, r, view{Room: room, Rooms: rooms, Version: p.version, Archive: p.archive, Bots: p.bots, ID: r.PathValue("id")})
		})
	}
	mux.HandleFunc("GET /matches/{id}/report", p.report)
	mux.HandleFunc(missing.Path, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !strings.Contains(r.Header.Get("Accept"), "text/html") {
			http.NotFound(w, r)
			return
		}
		render(w, r, view{Room: missing, Rooms: rooms, Version: p.version})
	})
}

var (
	styleBlock  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	scriptBlock = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// report serves the review of an archived match: a page of package report with its own
// styles, which the room of the match also shows. Its policy allows those blocks by their
// hashes.
func (p *pages) report(w http.ResponseWriter, r *http.Request) {
	done, err := p.api.FileTurn(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer done()
	m, row, err := p.api.Load(r)
	if err != nil {
		http.Error(w, "no such match", http.StatusNotFound)
		return
	}
	var b bytes.Buffer
	if err := report.HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), report.PageOptions{Me: p.api.Seat(m, row)}); err != nil {
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
	w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src"+
		hashes(styleBlock)+"; script-src"+hashes(scriptBlock))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(b.Bytes())
}
