//go:build !js

package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
	"fibsbot/internal/texts"
)

// room is a page of the site.
type room struct {
	Path, Name, Title string
	file              string
}

var rooms = []room{
	{"/play", "Play", "Play against the engine", "play.html"},
	onlineRoom,
	{"/positions", "Positions", "Set up and analyse a position", "positions.html"},
	{"/matches", "Matches", "The archive", "matches.html"},
	{"/openings", "Openings", "Openings and replies, rolled out", "openings.html"},
	{"/met", "MET", "Match equities, take points and gammon prices", "met.html"},
	{"/quiz", "Quiz", "Errors as questions", "quiz.html"},
	{"/statistics", "Statistics", "Error rates, luck and ratings over time", "statistics.html"},
	botsRoom,
}

// onlineRoom needs a program that connects to servers.
var onlineRoom = room{"/online", "Online", "Online", "online.html"}

var botsRoom = room{"/bots", "Bots", "What the running bot does", "bots.html"}

// view is the data of a template.
type view struct {
	Room    room
	Rooms   []room
	Version string
	Tag     string
	// Archive and Bots report whether there is an archive, a bot; Orders whether it takes orders.
	Archive, Bots, Orders bool
	ID                    string // of the match
	// Status of the bots, for browsers without scripts; nil on other pages.
	Status *ops.Status
	Texts  *texts.Catalogue
	Prefix string // of all addresses, see Options
	Share  string // see Options
}

// Languages are those that the reader can choose.
func (v view) Languages() (out []*texts.Catalogue) {
	for _, name := range texts.Languages() {
		c, _ := texts.Find(name)
		out = append(out, c)
	}
	return out
}

// game is a variation as pages need it.
type game struct{ record.VariationInfo }

// Value is the game's word in forms and addresses, "" for backgammon.
func (g game) Value() string {
	if g.Variation == record.Backgammon {
		return ""
	}
	return g.Word
}

// Checkers are those of a side at the start, by own point, as JSON.
func (g game) Checkers() (string, error) {
	b, err := json.Marshal(g.Start().Me)
	return string(b), err
}

// Games are the games that the page plays.
func (v view) Games() (out []game) {
	for _, g := range record.Variations {
		out = append(out, game{g})
	}
	return out
}

// Boards are the first games with each number of checkers: a position says no more.
func (v view) Boards() (out []game) {
	seen := map[int]bool{}
	for _, g := range v.Games() {
		if n := g.VariationInfo.Checkers(); !seen[n] {
			seen[n], out = true, append(out, g)
		}
	}
	return out
}

// Lengths are those that an invitation offers, in points.
func (v view) Lengths() []int { return []int{1, 3, 5, 7, 9, 11, 15, 21} }

// Formats are those that the page of a match offers.
func (v view) Formats() []formats.Format { return formats.Texts }

// T is a text in the language of the page.
func (v view) T(text string) string { return v.Texts.T(text) }

// matchRoom is the page of one match; no menu links to it.
var matchRoom = room{"/matches/{id}", "Matches", "A match", "match.html"}

// missing is shown at an address without a page.
var missing = room{"/", "", "This page does not exist", "missing.html"}

// templates are the page templates by file.
var templates = func() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, r := range append(rooms[:len(rooms):len(rooms)], matchRoom, missing, storageRoom) {
		out[r.file] = template.Must(template.ParseFS(files, "page/layout.html", "page/board.html", "page/watched.html", "page/"+r.file))
	}
	return out
}()

var prefixes = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`)

// CheckPrefix returns an error unless a prefix is a path as /club/backgammon whose first part is
// no page of the site.
func CheckPrefix(prefix string) error {
	if !prefixes.MatchString(prefix) {
		return fmt.Errorf("%q is not a path (as /backgammon)", prefix)
	}
	first := "/" + strings.Split(prefix, "/")[1]
	if first == "/api" || first == "/assets" || slices.ContainsFunc(rooms, func(r room) bool { return r.Path == first }) {
		return fmt.Errorf("%q is an address of these pages (choose another)", first)
	}
	return nil
}

// rooms adds the rooms and their assets to mux.
func (p *pages) rooms(mux *http.ServeMux) {
	serveAssets(mux)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, p.prefix+"/play", http.StatusSeeOther)
	})
	for _, room := range append(rooms[:len(rooms):len(rooms)], matchRoom) {
		mux.HandleFunc("GET "+room.Path, func(w http.ResponseWriter, r *http.Request) {
			render(w, r, view{Room: room, Rooms: rooms, Version: p.version, Archive: p.archive, Bots: p.bots, Orders: p.orders, ID: r.PathValue("id"), Texts: p.texts, Prefix: p.prefix, Share: p.share})
		})
	}
	mux.HandleFunc(missing.Path, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !strings.Contains(r.Header.Get("Accept"), "text/html") {
			http.NotFound(w, r)
			return
		}
		render(w, r, view{Room: missing, Rooms: rooms, Version: p.version, Texts: p.texts, Prefix: p.prefix})
	})
}

// page returns a page as HTML.
func page(v view) ([]byte, error) {
	_, v.Tag = assets()
	var b bytes.Buffer
	err := templates[v.Room.file].ExecuteTemplate(&b, "layout.html", v)
	if v.Prefix == "" {
		return b.Bytes(), err
	}
	html := strings.ReplaceAll(b.String(), `="/`, `="`+v.Prefix+`/`)
	return []byte(strings.Replace(html, "<html ", `<html data-prefix="`+v.Prefix+`" `, 1)), err
}

// render writes a page.
func render(w http.ResponseWriter, r *http.Request, v view) {
	v.Texts = languageOf(r, v.Texts)
	html, err := page(v)
	if err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Vary", "Accept-Language, Cookie")
	if v.Room == missing {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = w.Write(html)
}

// Static are the rooms as files, for a site that is not served by this program.
type Static struct {
	// Pages are the rooms by their names; "match" is that of a match, with MatchID for its ID.
	Pages map[string][]byte
	// Assets are the files that pages load, by their paths, which contain Tag.
	Assets map[string][]byte
	Tag    string
}

// ofServers are the assets that only a site with a server needs.
var ofServers = []string{"bots.css", "bots.js", "botorders.js", "botrecord.js", "online.css", "online.js", "watched.js"}

// MatchID stands for the ID of a match in Static.
const MatchID = "MATCH-ID"

// storageRoom is the room of a site without a server.
var storageRoom = room{"/storage", "Storage", "What this browser stores", "storage.html"}

// Rooms returns the rooms as files. Instead of Online and the bots, which need a program, there is a
// room for what the browser stores.
func Rooms(version string) (*Static, error) {
	out := &Static{Pages: map[string][]byte{}, Assets: map[string][]byte{}}
	list := append(slices.DeleteFunc(slices.Clone(rooms), func(r room) bool { return r == botsRoom || r == onlineRoom }), storageRoom)
	for _, r := range append(list[:len(list):len(list)], matchRoom) {
		v, name := view{Room: r, Rooms: list, Version: version, Archive: true}, r.Path[1:]
		if r == matchRoom {
			v.ID, name = MatchID, "match"
		}
		html, err := page(v)
		if err != nil {
			return nil, err
		}
		out.Pages[name] = html
	}
	var all map[string]asset
	all, out.Tag = assets()
	for name, a := range all {
		if slices.Contains(ofServers, name) {
			continue
		}
		out.Assets[path.Join("assets", out.Tag, name)] = a.body
	}
	return out, nil
}

// maxWatchers bounds the event streams of the page.
const maxWatchers = 128

// BotsPage is the page Bots alone, which the process of the bots serves at dashboard.listen.
// It is read-only. source returns the present view; ctx ends the streams. The server that
// holds it controls access.
func BotsPage(ctx context.Context, source func(context.Context) (ops.Status, error), version string) http.Handler {
	mux := http.NewServeMux()
	serveAssets(mux)
	api.NewFeed(ctx, source, maxWatchers).Routes(mux)
	own := botsRoom
	own.Path = "/"
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		v := view{Room: own, Rooms: []room{own}, Version: version, Bots: true}
		if st, err := source(r.Context()); err == nil {
			v.Status = &st
		}
		render(w, r, v)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		if !sameOrigin(r, r.Host) {
			http.Error(w, "the request comes from another site", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
