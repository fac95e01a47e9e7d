package browser

import (
	"encoding/json"
	"errors"
	"fibsbot/internal/chromium"
	"fibsbot/internal/testsize"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the types of the module")

// The example answers, and every function does what fibsbot.d.ts says.
func TestModule(t *testing.T) {
	testsize.Large(t)
	chrome := chromium.Shared(t)
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for range 2 { // the second replaces the first
		if err := WriteModule(dir, "v1.2.3", p); err != nil {
			t.Fatal(err)
		}
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(s.Close)
	ctx, cancel := chromedp.NewContext(chrome)
	t.Cleanup(cancel)
	b := &tab{T: t, host: &site{Server: s}, ctx: ctx, stop: cancel}
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.Navigate(s.URL + "/example.html"))
	b.wait(`document.querySelector("li")?.textContent.startsWith("8/5 6/5")`)
	for _, c := range []struct{ script, want string }{
		{`m.evaluate({position: "4HPwATDgc/ABMA", preset: "expert"}).then((e) => e.class)`, "contact"},
		{`m.cube({position: "4HPwATDgc/ABMA", preset: "expert", length: 3}).then((c) => c.action)`, "no_double_take"},
		{`m.rollout({position: "4HPwATDgc/ABMA", trials: 6}, {onProgress() {}}).then((r) => String(r.arms[0].trials))`, "6"},
		{`m.analyse("; [Site \"x\"]\n 3 point match\n\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   62: 24/18 13/11\n", {preset: "expert"}).then((d) => d.match.players.join())`, "a,b"},
		{`m.hint({position: "4HPwATDgc/ABMA"})`, "EngineError: plays need dice (dice)"},
		{`m.evaluate({positio: "4HPwATDgc/ABMA"})`, "EngineError: positio: unknown field (positio)"},
		{`m.analyse("nothing")`, "EngineError: "},
		{`m.load({threads: 0})`, "EngineError: threads: 0 is not a number of workers (use 1 or more) (threads)"},
		{`m.rollout({position: "4HPwATDgc/ABMA", trials: 40000}, {signal: AbortSignal.timeout(300)})`, "TimeoutError: "},
		{`m.close(); m.hint({position: "4HPwATDgc/ABMA", dice: [3, 1], preset: "expert"}).then((h) => h.moves[0].move)`, "8/5 6/5"},
	} {
		got := js[string](b, `import("./fibsbot.js").then(async (m) => { try { return await (async () => { `+
			strings.Replace("return "+c.script, "return m.close(); ", "m.close(); return ", 1)+` })(); } catch (e) { return e.name + ": " + e.message + (e.field ? " (" + e.field + ")" : ""); } })`)
		if got != c.want && (!strings.HasSuffix(c.want, ": ") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.script, got, c.want)
		}
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteModule(other, "v1.2.3", p); !errors.Is(err, ErrFolder) {
		t.Errorf("a folder of other files: %v", err)
	}
}

// schema is a part of an OpenAPI description.
type schema struct {
	Ref        string `json:"$ref"`
	Type       string
	Nullable   bool
	AllOf      []schema
	Items      *schema
	Properties map[string]schema
	Additional json.RawMessage `json:"additionalProperties"`
	Required   []string
	Max        int `json:"maxItems"`
}

// typesBegin is what the types made of the API follow in fibsbot.d.ts and api.d.ts.
const typesBegin = "/* Questions and answers, made of the HTTP API: go test ./cmd/fibsbot/internal/web/browser -run types -update */\n"

// The types of questions and answers are those of the API: in fibsbot.d.ts those of the module, in
// api.d.ts all of them, for the scripts of the pages.
func TestModule_types(t *testing.T) {
	n := &native{site: nativeSite(t)}
	var api struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(n.ask("GET", "/api/v1/openapi.json", ""), "200 ")), &api); err != nil {
		t.Fatal(err)
	}
	for file, due := range map[string][]string{
		"site/module/fibsbot.d.ts": {"EvalRequest", "Evaluation", "PlaysRequest", "RankedPlays", "RolloutRequest", "Rollout", "report.Document"},
		"../api.d.ts":              slices.Sorted(maps.Keys(api.Components.Schemas)),
	} {
		writtenTypes(t, file, api.Components.Schemas, due)
	}
}

// writtenTypes checks that the file has the types of due, and those that they need.
func writtenTypes(t *testing.T, file string, schemas map[string]schema, due []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), typesBegin)
	want := head + typesBegin
	for i := 0; i < len(due); i++ {
		s, ok := schemas[due[i]]
		if !ok {
			t.Fatalf("the API has no type %s", due[i])
		}
		body := typeOf(&s, "", func(name string) {
			if !slices.Contains(due, name) {
				due = append(due, name)
			}
		})
		want += "\nexport interface " + typeName(due[i]) + " " + body + "\n"
	}
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("%s (-want +got), -update writes it:\n%s", file, diff)
	}
}

// typeName is the name in TypeScript of a type of the API: report.Document is ReportDocument.
func typeName(name string) string {
	return regexp.MustCompile(`^(\w)(\w*)\.`).ReplaceAllStringFunc(name, func(s string) string {
		return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".")
	})
}

// typeOf writes a type in TypeScript. use is called with the named types in it.
func typeOf(s *schema, indent string, use func(string)) string {
	out := ""
	switch {
	case len(s.AllOf) == 1:
		out = typeOf(&s.AllOf[0], indent, use)
	case s.Ref != "":
		name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		use(name)
		out = typeName(name)
	case s.Type == "array":
		one := typeOf(s.Items, indent, use)
		if s.Max > 0 && s.Max <= 5 {
			out = "[" + strings.TrimSuffix(strings.Repeat(one+", ", s.Max), ", ") + "]"
		} else if strings.Contains(one, "|") {
			out = "(" + one + ")[]"
		} else {
			out = one + "[]"
		}
	case s.Type == "object" && s.Properties == nil:
		var of schema
		if json.Unmarshal(s.Additional, &of) == nil {
			out = "Record<string, " + typeOf(&of, indent, use) + ">"
		}
	case s.Type == "object":
		names := []string{}
		for name := range s.Properties {
			names = append(names, name)
		}
		slices.Sort(names)
		out = "{\n"
		for _, name := range names {
			p, maybe := s.Properties[name], "?"
			if slices.Contains(s.Required, name) {
				maybe = ""
			}
			out += fmt.Sprintf("%s  %s%s: %s;\n", indent, name, maybe, typeOf(&p, indent+"  ", use))
		}
		out += indent + "}"
	case s.Type == "integer":
		out = "number"
	default:
		out = s.Type
	}
	if s.Nullable {
		out += " | null"
	}
	return out
}
