package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// maintainer is the maintainer of the packages. Publishers replace it by their own address:
// .invalid has no mailbox (RFC 2606).
const maintainer = "The fibsbot project <packages@fibsbot.invalid>"

// description is what package managers show.
const description = `Backgammon bot for FIBS with its own engine
 It plays on FIBS-compatible servers, archives and analyses every match, and
 brings a server, a web interface and tools for players and engine builders.`

// afterInstall makes the user and makes systemd read the unit. It does not start the service,
// which needs an account first.
const afterInstall = `#!/bin/sh
set -e
if ! getent group fibsbot >/dev/null; then groupadd --system fibsbot; fi
if ! getent passwd fibsbot >/dev/null; then
	useradd --system --gid fibsbot --home-dir /var/lib/fibsbot --shell /usr/sbin/nologin --comment "fibsbot" fibsbot
fi
chgrp fibsbot /etc/fibsbot /etc/fibsbot/bot.yaml
chmod 750 /etc/fibsbot
chmod 640 /etc/fibsbot/bot.yaml
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
`

// beforeRemove stops the service when the package goes for good: dpkg says "remove", rpm
// says 0.
const beforeRemove = `#!/bin/sh
set -e
case "$1" in
remove | 0) if [ -d /run/systemd/system ]; then systemctl disable --now fibsbot.service || true; fi ;;
esac
`

// packages makes the .deb and the .rpm of a platform.
func (r *release) packages(ctx context.Context, platform, binary string, common tree) error {
	dir := filepath.Join(r.work, "nfpm", strings.ReplaceAll(platform, "/", "_"))
	conf, err := r.nfpmConfig(dir, platform, binary, common)
	if err != nil {
		return err
	}
	data, err := yaml.Marshal(conf)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "nfpm.yaml")
	if err := writeFile(file, data); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		cmd := exec.CommandContext(ctx, r.nfpm, "package", "-f", file, "-p", kind, "-t", r.out)
		cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.at.Unix()))
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("nfpm, %s for %s: %w\n%s", kind, platform, err, said)
		}
	}
	r.say("%s packed", platform)
	return nil
}

type content struct {
	Src  string         `yaml:"src,omitempty"`
	Dst  string         `yaml:"dst"`
	Type string         `yaml:"type,omitempty"`
	Info map[string]any `yaml:"file_info"`
}

// nfpmConfig writes the files of a package to dir and returns nfpm's configuration.
func (r *release) nfpmConfig(dir, platform, binary string, common tree) (map[string]any, error) {
	_, arch, _ := strings.Cut(platform, "/")
	when := r.at.Format("2006-01-02T15:04:05Z07:00")
	info := func(mode int) map[string]any { return map[string]any{"mode": mode, "mtime": when} }
	contents := []content{
		{Src: binary, Dst: "/usr/bin/fibsbot", Info: info(0o755)},
		{Dst: "/etc/fibsbot", Type: "dir", Info: info(0o755)},
	}
	places := []struct{ from, to, kind string }{
		{"bot.yaml", "/etc/fibsbot/bot.yaml", "config|noreplace"},
		{"systemd/", "/usr/lib/systemd/system/", ""},
		{"completions/bash/", "/usr/share/bash-completion/completions/", ""},
		{"completions/zsh/", "/usr/share/zsh/vendor-completions/", ""},
		{"completions/fish/", "/usr/share/fish/vendor_completions.d/", ""},
		{"completions/", "", ""},
		{"man/", "/usr/share/man/man1/", ""},
		{"browser/", "/usr/share/fibsbot/browser/", ""},
		{"LICENSE", "/usr/share/doc/fibsbot/copyright", ""},
		{"", "/usr/share/doc/fibsbot/", ""},
	}
	for _, name := range common.sorted() {
		for _, p := range places {
			rest, ok := strings.CutPrefix(name, p.from)
			if !ok {
				continue
			}
			if p.to != "" {
				src := filepath.Join(dir, "files", filepath.FromSlash(name))
				if err := writeFile(src, common[name]); err != nil {
					return nil, err
				}
				contents = append(contents, content{Src: src, Dst: p.to + rest, Type: p.kind, Info: info(0o644)})
			}
			break
		}
	}
	scripts := map[string]string{}
	for name, text := range map[string]string{"postinstall": afterInstall, "preremove": beforeRemove} {
		scripts[name] = filepath.Join(dir, name+".sh")
		if err := writeFile(scripts[name], []byte(text)); err != nil {
			return nil, err
		}
	}
	return map[string]any{
		"name": "fibsbot", "arch": arch, "platform": "linux", "version": r.version, "section": "games", "priority": "optional",
		"maintainer": maintainer, "description": description, "license": "Apache-2.0",
		"mtime": when, "contents": contents, "scripts": scripts, "recommends": []string{"ca-certificates"},
		"rpm": map[string]any{"group": "Amusements/Games", "buildhost": "localhost"},
		"deb": map[string]any{"compression": "xz"},
	}, nil
}
