package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"fibsbot/cmd/internal/doccheck"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestDocs_blocks runs the fenced blocks of the README and the pages of docs. The blocks of a
// page run in order, in one folder. A block marked "example" after its language is not run:
// its commands are only checked by TestDocs_commandsAreReal.
//
// A line of sh whose comment has "Ctrl-C" is interrupted when it has printed something. Every call of
// fibsbot must print something.
func TestDocs_blocks(t *testing.T) {
	testsize.Large(t)
	all, err := blocks("../..")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][]block{}
	ran := 0
	for _, b := range all {
		switch b.Language {
		case "sh", "python", "js", "go", "yaml":
			if !b.Example {
				pages[b.Page] = append(pages[b.Page], b)
				ran++
			}
		case "text", "mermaid":
		default:
			t.Errorf("%s: language %q of a block (use sh, python, js, go, yaml, text or mermaid; \"sh example\" is not run)", b.Where, b.Language)
		}
	}
	if ran < 10 {
		t.Errorf("only %d blocks are run", ran)
	}
	wholeProcesses(t)
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for page, blocks := range pages {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			f := newReader(t, top)
			for _, b := range blocks {
				f.follow(b)
			}
		})
	}
}

// reader follows a page in a folder that has what the pages ask for: a match file, match.mat,
// a folder with another, old, and servers.
type reader struct {
	t             *testing.T
	top, dir, log string
	fibs, web     string // addresses
}

func newReader(t *testing.T, top string) *reader {
	t.Helper()
	r := &reader{t: t, top: top, dir: t.TempDir(), log: t.TempDir()}
	match := filepath.Join(top, "engine/analyse/testdata/gnubg/match5.sgf")
	text, err := os.ReadFile(match)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(r.dir, "old"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("old/match.sgf", string(text), 0o644)
	if code, _, errOut := cli(t, "convert", match, filepath.Join(r.dir, "match.mat")); code != 0 {
		t.Fatal(errOut)
	}
	program, err := plainProgram() // the pages analyse whole matches
	if err != nil {
		t.Fatal(err)
	}
	// What the program prints is kept, also if a pipe swallows it.
	r.write("fibsbot", fmt.Sprintf(`#!/bin/bash
case "$1 $*" in
web*--listen*) ;;
web*) set -- "$@" --listen 127.0.0.1:0 ;;
esac
log=${LOG_OF_STOPPED:-$(mktemp %q/XXXXXX)}
echo "fibsbot $*" > "$log"
export %s="$(IFS=$'\n'; echo "$*")"
exec %q > >(tee -ia "$log") 2> >(tee -ia "$log" >&2)
`, r.log, childArgs, program), 0o755)
	return r
}

// write writes a file. No process is started meanwhile: with the file open for writing in a child, a
// program in it could not be started.
func (r *reader) write(name, text string, mode os.FileMode) {
	r.t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), mode); err != nil {
		r.t.Fatal(err)
	}
}

// stopped runs a command as a job of its own, and interrupts it when it has printed something.
const stopped = `set -e
stopped() {
	local s=0
	export LOG_OF_STOPPED=$(mktemp %q/XXXXXX)
	set -m; "$@" & set +m
	while kill -0 $! 2>/dev/null && [ "$(wc -l <"$LOG_OF_STOPPED")" -lt 2 ]; do sleep 0.05; done
	kill -INT -- -$! 2>/dev/null || true
	wait $! || s=$?
	unset LOG_OF_STOPPED
	[ $s = 0 ] || [ $s = 130 ]
}
`

// untilStopped is a line of a block that runs until Ctrl-C.
var untilStopped = regexp.MustCompile(`(?m)^(.*?)(\s#.*Ctrl-C.*)$`)

// follow runs a block and complains if it fails, or if a command of it prints nothing.
func (r *reader) follow(b block) {
	r.t.Helper()
	text := strings.NewReplacer("YourName", "Alice", "FIBSBOT_PASSWORD=...", "FIBSBOT_PASSWORD=correcthorse", `"trials": 2592`, `"trials": 36`).Replace(b.Text)
	if strings.Contains(text, "127.0.0.1:8080/api") {
		text = strings.ReplaceAll(text, "http://127.0.0.1:8080", r.webServer())
	}
	dir, command := r.dir, []string{}
	switch b.Language {
	case "sh":
		text = untilStopped.ReplaceAllString(text, "stopped $1")
		r.write("block", fmt.Sprintf(stopped, r.log)+text, 0o644)
		command = []string{"bash", "block"}
	case "python":
		r.write("block.py", text, 0o644)
		command = []string{"python3", "block.py"}
	case "js":
		r.write("block.mjs", text, 0o644)
		command = []string{"node", "block.mjs"}
	case "go":
		r.write("block.go", text, 0o644)
		dir, command = r.top, []string{"go", "run", filepath.Join(r.dir, "block.go")}
	case "yaml":
		r.write("block.yaml", text, 0o644)
		command = []string{"./fibsbot", "config", "show", "block.yaml"}
	}
	for _, tool := range append(needs(text, "curl", "jq"), command[0]) {
		if _, err := exec.LookPath(tool); err != nil && !strings.HasPrefix(tool, "./") {
			r.t.Logf("%s: not run: no %s", b.Where, tool)
			return
		}
	}
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir = dir
	// A block of Go is compiled as .ci/run and a release compile.
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "PATH="+r.dir+":"+os.Getenv("PATH"), "EDITOR=sed -i -e s/fibs.com:4321/"+r.fibsServer(b.Text)+"/ -e s/YourBotName/ReadmeBot/")
	out, err := c.CombinedOutput()
	if err != nil || len(out) == 0 {
		r.t.Errorf("%s: %v\n%s", b.Where, err, out)
	}
	r.spoken(b)
}

// needs returns the tools that a block names.
func needs(text string, tools ...string) (out []string) {
	for _, tool := range tools {
		if strings.Contains(text, tool+" ") {
			out = append(out, tool)
		}
	}
	return out
}

// spoken complains about calls of the program that printed nothing.
func (r *reader) spoken(b block) {
	r.t.Helper()
	logs, err := filepath.Glob(filepath.Join(r.log, "*"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, name := range logs {
		text, err := os.ReadFile(name)
		if err != nil {
			r.t.Fatal(err)
		}
		if command, rest, _ := strings.Cut(string(text), "\n"); strings.TrimSpace(rest) == "" {
			r.t.Errorf("%s: %s prints nothing", b.Where, command)
		}
		if err := os.Remove(name); err != nil {
			r.t.Fatal(err)
		}
	}
}

// fibsServer is the address of a server for a block that edits bot.yaml.
func (r *reader) fibsServer(text string) string {
	r.t.Helper()
	if r.fibs != "" || !strings.Contains(text, "$EDITOR") {
		return r.fibs
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	srv, err := server.New(server.Options{Seed: 7, AutoAccounts: true})
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, ln) }()
	r.t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			r.t.Errorf("server: %v", err)
		}
	})
	r.fibs = ln.Addr().String()
	return r.fibs
}

// webServer is the address of `fibsbot web` for the blocks that use the API.
func (r *reader) webServer() string {
	r.t.Helper()
	if r.web != "" {
		return r.web
	}
	p := start(r.t, r.dir, "web", "--listen", "127.0.0.1:0")
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if r.web = strings.TrimSuffix(address.FindString(p.out.String()), "/"); r.web != "" {
			return r.web
		}
	}
	r.t.Fatalf("fibsbot web prints no address: %s%s", p.out.String(), p.err.String())
	return ""
}

// block is a fenced block of a page.
type block struct {
	Page, Where string // file; file and line
	Language    string // sh, python, js, go, yaml, text, mermaid; "" is an error of the page
	Example     bool   // marked "example": the reader fills in the rest, tests do not run it
	Text        string
}

// blocks returns the fenced blocks of the README and the pages of docs, in order. top is the
// folder of the module.
func blocks(top string) (all []block, err error) {
	err = doccheck.Pages(top, []string{"README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/*.md", "docs/deploy/README.md"}, func(page, text string) {
		all = append(all, blocksOf(page, text)...)
	})
	return all, err
}

func blocksOf(page, text string) (all []block) {
	inside, indent := false, ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```") && !inside:
			inside, indent = true, line[:len(line)-len(strings.TrimLeft(line, " "))]
			language, mark, _ := strings.Cut(trimmed[3:], " ")
			all = append(all, block{Page: page, Where: fmt.Sprintf("%s:%d", page, i+1), Language: language, Example: mark == "example"})
		case strings.HasPrefix(trimmed, "```"):
			inside = false
		case inside:
			all[len(all)-1].Text += strings.TrimPrefix(line, indent) + "\n"
		}
	}
	return all
}
