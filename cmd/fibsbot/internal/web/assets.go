//go:build !js

package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"fibsbot/engine/analyse/report"
	"fibsbot/internal/texts"
)

//go:embed page assets
var files embed.FS

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

// languageCookie has the language that the reader chose on a page.
const languageCookie = "language"

// supported are the languages with a catalogue, and what finds the best of them.
var supported = sync.OnceValues(func() ([]string, language.Matcher) {
	names := texts.Languages()
	tags := make([]language.Tag, len(names))
	for i, name := range names {
		tags[i] = language.Make(name)
	}
	return names, language.NewMatcher(tags)
})

// languageOf returns the catalogue for a request: the language that the reader chose, else
// usual, else the first of his browser's that there is, else English.
func languageOf(r *http.Request, usual *texts.Catalogue) *texts.Catalogue {
	if chosen, err := r.Cookie(languageCookie); err == nil {
		if c, ok := texts.Find(chosen.Value); ok {
			return c
		}
	}
	if usual != nil {
		return usual
	}
	header := r.Header.Get("Accept-Language")
	if strings.HasPrefix(strings.ToLower(header), texts.Pseudo) {
		c, _ := texts.Find(texts.Pseudo)
		return c
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return nil
	}
	names, matcher := supported()
	for _, tag := range wanted {
		if _, i, sure := matcher.Match(tag); sure >= language.High {
			c, _ := texts.Find(names[i])
			return c
		}
	}
	return nil
}
