package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fibsbot/internal/licence"
)

// modules returns what the binaries of all platforms and the browser edition are made of.
func (r *release) modules(ctx context.Context) ([]licence.Module, error) {
	return licence.Modules(ctx, r.root, cleanEnv(), licence.Program{Package: "./cmd/fibsbot", Platforms: r.platforms},
		licence.Program{Package: "./cmd/fibsbot/internal/web/browser/engine", Platforms: []string{"js/wasm"}})
}

// common makes what is the same on all platforms.
func (r *release) common(ctx context.Context, mods []licence.Module) (tree, error) {
	t := tree{"THIRD-PARTY.txt": licence.ThirdParty(mods)}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "SECURITY.md",
		"docs/operating.md", "docs/archive.md", "docs/configuration.md", "docs/deploy/README.md", "docs/deploy/alerts.yaml", "docs/deploy/grafana.json"} {
		data, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		t[name] = data
	}
	unit, err := r.unit()
	if err != nil {
		return nil, err
	}
	t["systemd/fibsbot.service"] = unit
	for shell, file := range map[string]string{"bash": "fibsbot", "zsh": "_fibsbot", "fish": "fibsbot.fish", "powershell": "fibsbot.ps1"} {
		if t["completions/"+shell+"/"+file], err = r.ask(ctx, "completion", shell); err != nil {
			return nil, err
		}
	}
	conf := filepath.Join(r.work, "bot.yaml")
	if _, err := r.ask(ctx, "config", "init", conf); err != nil {
		return nil, err
	}
	if t["bot.yaml"], err = os.ReadFile(conf); err != nil {
		return nil, err
	}
	return t, r.manual(ctx, t)
}

// ask runs the program that was built for this machine, in an environment that is the
// same everywhere: help texts name folders of the user.
func (r *release) ask(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.host, args...)
	cmd.Dir = r.work
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/home/you", "LANG=C", "TZ=UTC", "NO_COLOR=1", "GOMAXPROCS=1"}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("fibsbot %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// unit is the systemd unit for a package: the program is in /usr/bin, and the user is
// the package's, so that its files keep their owner.
func (r *release) unit() ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(r.root, "docs", "deploy", "fibsbot.service"))
	if err != nil {
		return nil, err
	}
	for _, change := range [][2]string{{"/usr/local/bin/", "/usr/bin/"}, {"DynamicUser=yes\n", "User=fibsbot\nGroup=fibsbot\n"},
		{"/usr/share/doc/fibsbot/configuration.md", "/usr/share/doc/fibsbot/docs/configuration.md"}} {
		if !bytes.Contains(data, []byte(change[0])) {
			return nil, fmt.Errorf("docs/deploy/fibsbot.service: no %q to be changed", change[0])
		}
		data = bytes.ReplaceAll(data, []byte(change[0]), []byte(change[1]))
	}
	return data, nil
}

// manual adds a man page for the program and one for each of its commands, made from
// their help.
func (r *release) manual(ctx context.Context, t tree) error {
	top, err := r.ask(ctx, "help")
	if err != nil {
		return err
	}
	t["man/fibsbot.1"] = r.page("fibsbot", "a backgammon bot for FIBS, with its own engine, server and archive", top, nil)
	for _, c := range commands(top) {
		if c.name == "help" || c.name == "completion" {
			continue
		}
		text, err := r.ask(ctx, "help", c.name)
		if err != nil {
			return err
		}
		var below [][]byte
		for _, sub := range commands(text) {
			more, err := r.ask(ctx, "help", c.name, sub.name)
			if err != nil {
				return err
			}
			below = append(below, append([]byte("\n"+c.name+" "+sub.name+"\n\n"), more...))
		}
		t["man/fibsbot-"+c.name+".1"] = r.page("fibsbot-"+c.name, c.short, text, below)
	}
	return nil
}

// command is a line in a list of commands.
type command struct{ name, short string }

// commands reads the list of commands in a help text.
func commands(help []byte) (out []command) {
	_, list, found := strings.Cut(string(help), "\nAvailable Commands:\n")
	if !found {
		return nil
	}
	for line := range strings.SplitSeq(list, "\n") {
		name, short, ok := strings.Cut(strings.TrimPrefix(line, "  "), " ")
		if !ok || !strings.HasPrefix(line, "  ") {
			break
		}
		out = append(out, command{name, strings.TrimSpace(short)})
	}
	return out
}

// page is a man page; texts stand as they are printed.
func (r *release) page(name, short string, text []byte, below [][]byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 %s \"fibsbot %s\" \"fibsbot\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n", strings.ToUpper(name), r.at.Format("2006-01-02"), r.version, roff(name), roff(short))
	b.WriteString(lines(text))
	for _, more := range below {
		b.WriteString(lines(more))
	}
	b.WriteString(".fi\n.SH SEE ALSO\nfibsbot(1), /usr/share/doc/fibsbot\n")
	return b.Bytes()
}

// roff escapes a text for a man page.
func roff(s string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s) }

func lines(text []byte) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(string(text), "\n"), "\n") {
		if line = roff(line); strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
