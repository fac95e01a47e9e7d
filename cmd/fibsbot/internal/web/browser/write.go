package browser

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"fibsbot/cmd/fibsbot/internal/web"
	"fibsbot/config"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/kernel"
	"fibsbot/internal/minify"
	"fibsbot/internal/texts"
)

//go:embed site
var files embed.FS

// policy allows a page only files of its site and WebAssembly.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'"

// Program is the engine of the browser edition.
type Program struct {
	// Packed is the WebAssembly, compressed by gzip.
	Packed []byte
	// Exec is wasm_exec.js of the Go that compiled it.
	Exec []byte
	// Licences are those of this project and of what is compiled in.
	Licences []byte
}

// ErrFolder means that the site cannot be written to a folder.
var ErrFolder = errors.New("not a folder for a site")

// marker is a file that only a site has.
const marker = "manifest.webmanifest"

// Write writes the site to the folder dir, which it makes. A folder that has files must hold an
// earlier site: the files of the new one replace it. The page that starts the site is written
// last, so an interrupted Write leaves the old site or the new one.
func Write(dir, version string, p *Program) error {
	if err := usable(dir, marker); err != nil {
		return err
	}
	site, err := content(version, p)
	if err != nil {
		return err
	}
	if err := save(dir, site); err != nil {
		return err
	}
	return sweep(dir, site)
}

// save writes the files of a site or module.
func save(dir string, site map[string][]byte) error {
	names := slices.Sorted(maps.Keys(site))
	slices.SortStableFunc(names, func(a, b string) int { return order(a) - order(b) })
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := atomicfile.WriteBytes(file, 0o644, site[name]); err != nil {
			return err
		}
	}
	return nil
}

// order says when a file is written: what it refers to comes first.
func order(name string) int {
	switch {
	case name == "index.html" || name == moduleMarker:
		return 2
	case name == "sw.js":
		return 1
	}
	return 0
}

// usable returns an error unless dir is missing, empty or has the marker.
func usable(dir, marker string) error {
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(list) == 0 || slices.ContainsFunc(list, func(e os.DirEntry) bool { return e.Name() == marker }):
		return nil
	}
	return fmt.Errorf("%s: %w: it holds other files (choose an empty folder)", dir, ErrFolder)
}

// sweep removes the versioned folders of an earlier site.
func sweep(dir string, site map[string][]byte) error {
	for _, top := range []string{"assets", "engine"} {
		list, err := os.ReadDir(filepath.Join(dir, top))
		if err != nil {
			return err
		}
		for _, e := range list {
			used := func(name string) bool { return strings.HasPrefix(name, top+"/"+e.Name()+"/") }
			if e.IsDir() && !slices.ContainsFunc(slices.Collect(maps.Keys(site)), used) {
				if err := os.RemoveAll(filepath.Join(dir, top, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// content returns the files of the site by their names.
func content(version string, p *Program) (map[string][]byte, error) {
	rooms, err := web.Rooms(version)
	if err != nil {
		return nil, err
	}
	out := maps.Clone(rooms.Assets)
	out[licencesName] = p.Licences
	v := values{Policy: policy, Version: version, Size: len(p.Packed), Tag: rooms.Tag, Languages: strings.Join(texts.Languages()[1:], " ")}
	scripts, err := engineFiles(p, "address.js", "frame.js", "save.js", "shell.css", "shell.js")
	if err != nil {
		return nil, err
	}
	v.Engine = tagOf(scripts)
	for name, data := range scripts {
		out[path.Join("engine", v.Engine, name)] = data
	}
	for name, html := range rooms.Pages {
		out[path.Join(name, "index.html")] = framed(html, v.Engine)
	}
	for _, name := range []string{"icon-192.png", "icon-512.png", "icon-maskable-512.png"} {
		if out[name], err = files.ReadFile("site/" + name); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"index.html", marker} {
		if out[name], err = v.fill(name); err != nil {
			return nil, err
		}
	}
	for name, data := range out {
		if ext := path.Ext(name); ext == ".js" || ext == ".css" {
			out[name] = []byte(minify.Lines(string(data)))
		}
	}
	// The version of the worker changes with any file.
	v.Version = tagOf(out)
	list := []string{} // what every reader loads
	for _, name := range slices.Sorted(maps.Keys(out)) {
		list = append(list, "./"+strings.TrimSuffix(name, "index.html"))
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	v.Files = string(data)
	if out["sw.js"], err = v.fill("sw.js"); err != nil {
		return nil, err
	}
	for _, lang := range texts.Languages()[1:] {
		c, _ := texts.Find(lang)
		said := maps.Clone(c.All())
		for _, text := range config.Sentences() {
			delete(said, text) // of bots
		}
		if out[catalogueName(rooms.Tag, lang)], err = json.Marshal(said); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// catalogueName is the file with the texts of a language, which its readers load.
func catalogueName(tag, lang string) string { return path.Join("assets", tag, lang+".json") }

// engineFiles returns what the engine consists of, and more files of the site.
func engineFiles(p *Program, more ...string) (out map[string][]byte, err error) {
	out = map[string][]byte{"fibsbot.bin": p.Packed, "wasm_exec.js": p.Exec, "kernel.wasm": kernel.SIMD}
	for _, name := range append(more, "engine.js", "fs.js", "helper.js", "helpers.js", "kernel.js", "program.js", "store.js", "unpack.js", "worker.js") {
		if out[name], err = files.ReadFile("site/" + name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// values fill the templates of the site.
type values struct {
	Policy, Version, Tag, Engine, Files, Languages string
	Size                                           int
}

func (v values) fill(name string) ([]byte, error) {
	text, err := files.ReadFile("site/" + name)
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, v)
	return b.Bytes(), err
}

// framed makes a page of package web one of the site: in a folder of its own, with the policy
// and with the script that asks the engine.
func framed(html []byte, engine string) []byte {
	s := strings.NewReplacer(`="/assets/`, `="../assets/`).Replace(string(html))
	s = strings.Replace(s, `<meta charset="utf-8">`, `<meta charset="utf-8">`+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, 1)
	return []byte(strings.Replace(s, `<script type="module"`, `<script type="module" src="../engine/`+engine+`/frame.js"></script>`+"\n"+`<script type="module"`, 1))
}

// tagOf is a name that changes with any of the files.
func tagOf(list map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(sum, "%s %d\n", name, len(list[name]))
		sum.Write(list[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// moduleMarker is a file that only a module has.
const moduleMarker = "fibsbot.js"

// WriteModule writes the engine to the folder dir as a JavaScript module for other pages, with
// its types and an example. A folder that has files must hold an earlier module: the files of
// the new one replace it.
func WriteModule(dir, version string, p *Program) error {
	if err := usable(dir, moduleMarker); err != nil {
		return err
	}
	out, err := engineFiles(p)
	if err != nil {
		return err
	}
	out[licencesName] = p.Licences
	v := values{Version: version, Size: len(p.Packed)}
	if out[moduleMarker], err = v.fill("module/" + moduleMarker); err != nil {
		return err
	}
	for _, name := range []string{"fibsbot.d.ts", "example.html"} {
		if out[name], err = files.ReadFile("site/module/" + name); err != nil {
			return err
		}
	}
	return save(dir, out)
}
