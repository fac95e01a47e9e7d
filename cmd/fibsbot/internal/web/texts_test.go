package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/config"
	"fibsbot/engine/advice"
	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/tune"
	"fibsbot/internal/chromium"
	"fibsbot/internal/texts"
)

var update = flag.Bool("update", false, "write en.json of package texts")

var inPage = regexp.MustCompile("\\$\\.T (?:\"([^\"]*)\"|`([^`]*)`)")

// keysIn are the keys of the texts in a module: _`…` with {0} for each ${…}.
func keysIn(t *testing.T, name, code string) (keys []string) {
	t.Helper()
	for i := 0; i < len(code); i++ {
		if !strings.HasPrefix(code[i:], "_`") || i > 0 && strings.ContainsRune("abcdefghijklmnopqrstuvwxyz_$", rune(code[i-1])) {
			continue
		}
		key, n := "", 0
		j := i + 2
		for ; j < len(code) && code[j] != '`'; j++ {
			switch {
			case code[j] == '\\':
				j++
				key += code[j : j+1]
			case strings.HasPrefix(code[j:], "${"):
				key += fmt.Sprintf("{%d}", n)
				n++
				// To the bracket that ends the value; texts within values are found on their own.
				for depth := 1; depth > 0; {
					j++
					switch {
					case j+1 >= len(code):
						t.Fatalf("%s: a value has no end", name)
					case j > 1 && strings.HasPrefix(code[j:], "${") || code[j] == '{' && code[j-1] != '$':
						depth++
					case code[j] == '}':
						depth--
					}
				}
			default:
				key += code[j : j+1]
			}
		}
		keys = append(keys, key)
	}
	return keys
}

// inGo are the keys of the texts in the program: arguments of Catalogue.T and texts.Key.
func inGo(t *testing.T, put func(key string)) {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		code, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(code, []byte(`.T("`)) && !bytes.Contains(code, []byte(`texts.Key("`)) {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, code, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			text, literal := call.Args[0].(*ast.BasicLit)
			if ok && literal && (f.Sel.Name == "T" || f.Sel.Name == "Key") {
				key, err := strconv.Unquote(text.Value)
				if err != nil {
					t.Errorf("%s: %s: %v", file, text.Value, err)
				}
				put(key)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// en.json lists exactly the texts of the program and the pages, and every other catalogue
// translates only these.
func TestTexts_catalogueIsComplete(t *testing.T) {
	want := map[string]string{}
	for _, key := range texts.Formats {
		want[key] = key
	}
	inGo(t, func(key string) { want[key] = key })
	for _, room := range append(rooms[:len(rooms):len(rooms)], matchRoom) {
		want[room.Name], want[room.Title] = room.Name, room.Title
	}
	// What the archive names, see phrase in site.js.
	for _, name := range index.FaultNames {
		want[name] = name
	}
	for i := range index.Statistics {
		want[index.Statistics[i].Label] = index.Statistics[i].Label
		if unit := index.Statistics[i].Unit; unit != "" {
			want[unit] = unit
		}
	}
	for _, s := range quiz.Sets() {
		want[s.Title] = s.Title
	}
	for i := range analyse.Phase(analyse.Phases) {
		want[i.String()] = i.String()
	}
	for i := range analyse.Plan(analyse.Plans) {
		want[i.String()] = i.String()
	}
	for _, text := range engineTexts(t) {
		want[text] = text
	}
	for _, pattern := range []string{"page/*.html", "assets/*.js"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range inPage.FindAllStringSubmatch(string(data), -1) {
				want[m[1]+m[2]] = m[1] + m[2]
			}
			if strings.HasSuffix(name, ".js") {
				for _, key := range keysIn(t, name, string(data)) {
					if key != "…" { // of a comment
						want[key] = key
					}
				}
			}
		}
	}
	shell, err := os.ReadFile("browser/site/shell.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keysIn(t, "shell.js", string(shell)) {
		want[key] = key
	}
	for key := range want { // see texts.Key
		want[key], _, _ = strings.Cut(key, "|")
	}
	if *update {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		if err := enc.Encode(want); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("..", "..", "..", "..", "internal", "texts", "en.json")
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return // the next run has it
	}
	if d := cmp.Diff(want, texts.English()); d != "" {
		t.Errorf("internal/texts/en.json is not what the program says (go test ./cmd/fibsbot/internal/web -run Texts -update writes it): %s", d)
	}
	for _, lang := range texts.Languages()[1:] {
		c, _ := texts.Find(lang)
		for key := range c.All() {
			if _, known := want[key]; !known {
				t.Errorf("%s: there is no text %q", lang, key)
			}
		}
		for key := range want {
			if c.All()[key] == "" {
				t.Errorf("%s: %q is not translated", lang, key)
			}
		}
	}
	if len(want) < 200 {
		t.Errorf("only %d texts", len(want))
	}
}

// engineTexts are the words of the engine that pages show.
func engineTexts(t *testing.T) []string {
	t.Helper()
	out := []string{"cannot move", "roll", "take", "drop", "beaver", "raccoon", "accept", "reject", "double",
		"resign a single game", "resign a gammon", "resign a backgammon", "no double", "redouble", "no redouble", "pass", "double/take", "position"}
	for a := cube.NoDoubleTake; a.String() != "" && !strings.HasPrefix(a.String(), "Action("); a++ {
		for _, redouble := range []bool{false, true} {
			for _, dead := range []bool{false, true} {
				out = append(out, advice.ActionWords(a, redouble, dead))
			}
		}
	}
	for c := eval.Class(0); !strings.HasPrefix(c.String(), "Class("); c++ {
		out = append(out, c.String())
	}
	for _, name := range preset.Names() {
		p, err := preset.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name, p.Summary)
	}
	out = append(out, "human-like")
	for _, l := range tune.Levels() {
		out = append(out, l.Summary)
	}
	for _, p := range play.Characters() {
		out = append(out, p.Name, p.Summary)
	}
	for _, g := range record.Variations {
		out = append(out, g.Title)
	}
	out = append(out, config.Sentences()...)
	// Words of reports.
	out = append(out, report.Keys()...)
	for a := cube.NoDoubleTake; a.String() != "" && !strings.HasPrefix(a.String(), "Action("); a++ {
		for _, redouble := range []bool{false, true} {
			beaver := 1.0
			c := report.CubeChoice{Action: a.String(), Redouble: redouble, DoubleBeaver: &beaver}
			out = append(out, c.Words())
			for _, l := range c.Lines() {
				out = append(out, l.Name, strings.ToLower(l.Name))
			}
		}
	}
	for v := -0.2; v < 0.2; v += 0.001 {
		luck := rating.LuckWord(v)
		out = append(out, rating.Word(v), rating.PRWord(500*v), luck, strings.ToLower(luck))
	}
	out = append(out, "doubtful", "bad", "very bad")
	differ := [2]sgf.Evaluator{{Settings: record.Settings{Plies: 1}}, {}}
	for _, c := range []sgf.Context{
		{Cubeful: true, VarianceReduction: true, Late: true, Truncated: true, Initial: true},
		{Checker: differ, OneSided: true, TwoSided: true},
		{OneSided: true}, {TwoSided: true}, {Cubeful: true, Cube: differ},
		{Cubeful: true, Late: true, LateChecker: differ, LateCube: differ},
	} {
		for _, part := range strings.Split(c.Words(), ", ") {
			out = append(out, withoutFigures(part))
		}
	}
	return slices.DeleteFunc(out, func(text string) bool { return text == "" })
}

// withoutFigures is the key of a text with figures, see Catalogue.Counted.
func withoutFigures(text string) string {
	n := 0
	return regexp.MustCompile(`\d+`).ReplaceAllStringFunc(text, func(string) string {
		n++
		return fmt.Sprintf("{%d}", n-1)
	})
}

func TestTexts_languageOfARequest(t *testing.T) {
	for header, want := range map[string]string{"": "en", "en-GB,de": "en", "en;q=0.5,xx": "en", "-,;;": "en", "xx, yy;q=0.5": "en", "qps-ploc": texts.Pseudo, "QPS-PLOC;q=1, en": texts.Pseudo, strings.Repeat("xx,", 5000): "en"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Language", header)
		if got := languageOf(r, nil).Lang(); got != want {
			t.Errorf("%.20q: %s", header, got)
		}
	}
}

// TestBrowser_everyTextIsOfTheCatalogue looks at every room in a language that marks what
// comes from the catalogue: nothing else is left but figures, names and what the engine says.
func TestBrowser_everyTextIsOfTheCatalogue(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1400, 900, "light")
	b.run(network.SetExtraHTTPHeaders(network.Headers{"Accept-Language": texts.Pseudo}))
	bare := `(() => { const out = [], skip = "script, style, iframe, option[value=''], noscript, .ids, .move, .who, [data-data], #language option, .talk, .heat, .brand, .pips + .score b";
	  const roots = [document.body, document.querySelector("#report")?.shadowRoot].filter(Boolean);
	  for (const root of roots) for (const w = document.createTreeWalker(root, NodeFilter.SHOW_TEXT); w.nextNode();) {
	    const n = w.currentNode, text = n.textContent.trim();
	    if (/[a-z]{3}/i.test(text) && !text.includes("⟦") && !n.parentElement.closest(skip)) out.push(text);
	  }
	  for (const a of ["aria-label", "title", "placeholder"]) for (const root of roots) for (const el of root.querySelectorAll("[" + a + "]")) {
	    const text = el.getAttribute(a);
	    if (/[a-z]{3}/i.test(text) && !text.includes("⟦") && !el.closest("noscript")) out.push(text);
	  }
	  return [...new Set(out)]; })()`
	// Data, not texts: names, presets, plays, addresses of the sample.
	data := regexp.MustCompile(`fibs\.example|^<b>bot|^Idle$|^bob"|^expert$|^(worldclass|club player|anna|casual)$|script>|demobot|<img|next try at|XGID|^OGID=|^[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}$|^\d\d: |^(\.(sgf|mat)|PDF)$|0 plies|plies, |^[0-9a-z*/() ]*(off|bar)[0-9a-z*/() ]*$|^\d+/|JSD$|-ply|FIBS$|^PR$|, \d{4}$|^(Thorp|Keith|Ward|Isight|Kleinman)$|^dora|^carl|^emil|^(Bob|Alice)$|^[A-Z][a-z]{2} \d+ [0-9:]+ [AP]M$`)
	for _, name := range append(preset.Names(), play.Pubeval) { // names of opponents are names
		data = regexp.MustCompile(data.String() + "|^" + name + "$")
	}
	game := matchAtFirstPlay(t, server.URL)
	seen := map[string]bool{}
	check := func(where string) {
		var left []string
		b.eval(bare, &left)
		for _, text := range left {
			if !data.MatchString(text) && !seen[text] {
				seen[text] = true
				t.Errorf("%s: %q is not of the catalogue", where, text)
			}
		}
	}
	for _, r := range rooms {
		b.navigate(r.Path)
		b.until(ready[r.Path])
		check(r.Path)
	}
	b.navigate("/play?m=" + game)
	b.until(`document.querySelector(".bg-can")`)
	check("the table")
	b.run(chromedp.KeyEvent("h"))
	b.until(`document.querySelector("#advice .plays tbody tr")`)
	check("a hint")
	for _, name := range slices.Sorted(maps.Keys(map[string]bool{"rolls": true, "scores": true, "counts": true, "rollout": true})) {
		b.navigate("/positions?p=XGID%3D-a--BBC-B---dE---d-e----A-:0:0:1:00:0:0:0:7:10")
		b.until(ready["/positions"])
		b.eval(`document.querySelector("#tab-`+name+`").click()`, nil)
		b.until(`document.querySelector("#panel").children.length && document.querySelector("#panel").ariaBusy !== "true"`)
		check(name)
	}
	b.navigate("/matches/" + firstMatch(t, server.URL))
	b.until(`document.querySelectorAll("#preset option").length`)
	check("a match")
	b.navigate("/matches/" + importAnalysed(t, server.URL))
	// Who analysed the match is said in the words of the review.
	b.until(`document.querySelector("#progress").textContent.startsWith(document.querySelector("#report").shadowRoot.querySelector(".judge")?.textContent ?? "-")`)
	b.until(inReview + `?.querySelector("#card svg")`)
	for _, list := range []string{"sheet", "errors", "stats", "rolls"} {
		b.eval(inReview+`.querySelector('#tabs a[href="#`+list+`"]').click()`, nil)
		check("the review, " + list)
	}
	b.clean()
}

// A reader who chose a language sees the pages, the review and downloads in it.
func TestTexts_chosenLanguage(t *testing.T) {
	server := serve(t)
	get := func(path, accept, cookie string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Language", accept)
		if cookie != "" {
			r.AddCookie(&http.Cookie{Name: languageCookie, Value: cookie})
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: %d %v", path, resp.StatusCode, err)
		}
		return string(body)
	}
	match := firstMatch(t, server.URL)
	for _, c := range []struct{ path, accept, cookie, want string }{
		{"/play", "de-AT,en;q=0.5", "", `<html lang="de">`}, {"/play", "en", "de", `<option value="de" lang="de" selected>Deutsch`},
		{"/play", "de", "en", `<html lang="en">`}, {"/play", "de", "tlh", `<html lang="de">`}, {"/matches/" + match + "/report", "nl", "de", `<html lang="de">`},
		{"/api/v1/matches/" + match + "/report?as=text", "de", "", "Spieler"}, {"/api/v1/matches/" + match + "/report?as=text", "nl", "", "Player"},
	} {
		if got := get(c.path, c.accept, c.cookie); !strings.Contains(got, c.want) {
			t.Errorf("%s, %q, %q: no %q in %.300s", c.path, c.accept, c.cookie, c.want, got)
		}
	}
}
