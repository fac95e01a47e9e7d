package browser

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The path of a room comes from the address, which another site's link may hold: it never leads
// out of the folder of the site or runs a script.
func TestAddress_staysInTheFolder(t *testing.T) {
	tool, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node installed (Debian: apt-get install nodejs)")
	}
	script, err := filepath.Abs("site/address.js")
	if err != nil {
		t.Fatal(err)
	}
	rooms := map[string]string{ // by their path
		"/": "play/", "/play": "play/", "/positions?id=a%2Bb#x": "positions/?id=a%2Bb#x", "/matches": "matches/",
		"/matches/a%20b+c?x=1#d2": "match/?x=1&id=a+b%2Bc#d2", "/matches/%": "match/?id=%25",
	}
	hostile := []string{
		"/javascript:alert(1)", "javascript:alert(1)", "/java\tscript:alert(1)", "/\u0001javascript:alert(1)", " javascript:x", "//evil.example/x", "/\\evil.example",
		"///evil.example", "/https://evil.example", "/..//evil.example", "/%2e%2e//evil.example/", "/../../x", "\\\\evil.example", "/data:text/html,x", "/blob:x",
		"/matches/..", "/./javascript:alert(1)", "?javascript:x", "#javascript:x", "",
	}
	var paths []string
	for path := range rooms {
		paths = append(paths, path)
	}
	paths = append(paths, hostile...)
	list, err := json.Marshal(paths)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tool, "--input-type=module", "-e", `const { address, base } = await import("file://`+filepath.ToSlash(script)+`");
		console.log(JSON.stringify([base.href, ...`+string(list)+`.map(address)]));`)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for i, path := range paths {
		below, ok := strings.CutPrefix(got[i+1], got[0])
		if !ok {
			t.Errorf("%q leads to %q, out of %q", path, got[i+1], got[0])
		}
		if want, known := rooms[path]; known && below != want {
			t.Errorf("%q leads to %q, want %q", path, below, want)
		}
	}
}
