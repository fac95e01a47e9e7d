package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// unknownMatch has the names of its players and a few plays; a resignation ended its first game.
const unknownMatch = `(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RE[W+1R];B[31hjkj];W[21lkrq];B[65afam])
(;FF[4]GM[6]MI[length:5][game:1][ws:1][bs:0]PW[a]PB[b];B[31hjkj];W[21lkrq])`

// zeroFacts are the fields of which 0, -1 or "" is a fact: counts of what there is, results of
// a match in progress, numbers of players and games, and figures that concern no match.
var zeroFacts = strings.Fields(`
	won lost unfinished matches points_for points_against analysed
	score points result winner actual_result number player
	doubles takes passes cube_decisions resignations counted_decisions
	doubles 11 21 22 31 32 33 41 42 43 44 51 52 53 54 55 61 62 63 64 65 66
	replayed pruned without_journal running gnubg
	errors asked right row streak due new questions boxes failed left
	shallow key comment annotator date event place round
	marked loss loss_stderr early_plies first board off length take_points gammon_prices better digits unit undated window`)

// No answer claims to know what nothing says: an unknown number is null, the key of an unknown
// text, word or time is missing.
func TestJSON_unknownIsNoValue(t *testing.T) {
	testsize.Medium(t)
	t.Chdir(t.TempDir())
	file, config := writeFile(t, "none.sgf", unknownMatch), writeFile(t, "bot.yaml", "archive: {analyse: off}\n")
	if code, _, errOut := cli(t, "archive", "import", "--archive", "a", "--no-analyse", file); code != 0 {
		t.Fatal(errOut)
	}
	_, list, _ := cli(t, "archive", "list", "--archive", "a", "--json")
	var row struct{ ID string }
	if err := json.Unmarshal([]byte(list), &row); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, line := range []string{
		"analyse --stored --json " + file, "archive list --json", "archive show --json " + row.ID, "archive stats --json", "archive stats --json --by month", "archive stats --json --by opponent",
		"archive stats --json --by phase", "archive stats --json --rating", "archive stats --json --pr", "archive stats --json --dice", "archive stats --json --player b", "archive stats --json --player nobody",
		"archive errors --json", "archive export --format json", "archive verify --json", "archive verify --evidence --json", "archive undelete --json", "quiz sources --json --player any",
		"collection list --json", "archive search --json --in errors",
	} {
		args := strings.Fields(line)
		if args[0] != "analyse" {
			args = append(args, "--archive", "a")
		}
		code, out, errOut := cli(t, args...)
		if code != 0 && args[1] != "verify" {
			t.Errorf("%s: status %d: %s", line, code, errOut)
		}
		for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s: %v in %s", line, err, out)
			}
			claims(t, line, "", v, used)
		}
	}
	base := startWeb(t, "--archive", "a", "-c", config)
	var api struct {
		Paths map[string]map[string]json.RawMessage
	}
	fetch(t, base+"/api/v1/openapi.json", &api)
	asked := 0
	for path, methods := range api.Paths {
		path = strings.NewReplacer("/matches/{id}", "/matches/"+row.ID, "{place}", "1.1").Replace(path)
		if _, ok := methods["get"]; !ok || strings.Contains(path, "/events") || strings.Contains(path, "{") {
			continue
		}
		var v any
		if fetch(t, base+path, &v) {
			asked++
			claims(t, path, "", v, used)
		}
	}
	if asked < 20 {
		t.Errorf("only %d routes answered", asked)
	}
	for _, name := range zeroFacts {
		if !used[name] {
			t.Errorf("%s is listed as a fact and is in no answer", name)
		}
	}
}

// claims reports the fields of v that claim to know what is unknown.
func claims(t *testing.T, from, name string, v any, used map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			claims(t, from, key, x, used)
		}
	case []any:
		for _, x := range v {
			claims(t, from, name, x, used)
		}
	case float64, string:
		text, _ := v.(string)
		if v != 0.0 && v != -1.0 && v != "" && text != "0-ply" && !strings.HasPrefix(text, "1970-01") && !strings.HasPrefix(text, "0001-01") {
			return
		}
		if used[name] = true; !slices.Contains(zeroFacts, name) {
			t.Errorf("%s: %s is %#v", from, name, v)
		}
	}
}

// startWeb runs fibsbot web for a test and returns its address.
func startWeb(t *testing.T, args ...string) string {
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan int, 1)
	var errOut strings.Builder
	go func() {
		ended <- run(ctx, append([]string{"web", "--listen", "127.0.0.1:0"}, args...), strings.NewReader(""), w, &errOut)
		w.Close()
	}()
	t.Cleanup(func() { stop(); <-ended })
	buf, text := make([]byte, 512), ""
	for address := regexp.MustCompile(`http://[^/\s]+/`); ; {
		n, err := r.Read(buf)
		text += string(buf[:n])
		if at := address.FindString(text); at != "" {
			go io.Copy(io.Discard, r)
			return strings.TrimSuffix(at, "/")
		}
		if err != nil {
			t.Fatalf("%v: %s%s", err, text, errOut.String())
		}
	}
}

// fetch decodes the JSON at an address, and reports whether the answer has JSON.
func fetch(t *testing.T, url string, to any) bool {
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/json" {
		return false
	}
	if err := json.NewDecoder(resp.Body).Decode(to); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return true
}
