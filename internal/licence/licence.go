package licence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fibsbot/internal/subprocess"
)

// Module is a dependency of a program, or Go itself.
type Module struct {
	Path, Version string
	Licences      []string // SPDX identifiers
	texts         []text
}

// text is one file of a module that has to go along.
type text struct{ name, body string }

// listed is a package in the output of `go list`.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// Program is a program of the repository and the platforms, as GOOS/GOARCH, that it is built for.
type Program struct {
	Package   string
	Platforms []string
}

// Modules returns what programs of the repository at root are made of, with its licences. env is
// the environment for Go.
func Modules(ctx context.Context, root string, env []string, programs ...Program) ([]Module, error) {
	folders := map[string]map[string]bool{} // of a module's root: those of used packages
	of := map[string]*Module{}
	for _, p := range programs {
		for _, platform := range p.Platforms {
			if err := list(ctx, root, env, p.Package, platform, folders, of); err != nil {
				return nil, err
			}
		}
	}
	cmd := subprocess.Command(ctx, "go", "env", "GOROOT", "GOVERSION")
	cmd.Dir, cmd.Env = root, env
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	folders[goroot], of[goroot] = map[string]bool{goroot: true}, &Module{Path: "std", Version: strings.TrimPrefix(version, "go")}
	var all []Module
	for root, m := range of {
		if err := m.read(root, folders[root]); err != nil {
			return nil, err
		}
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// list adds the modules of a program for one platform.
func list(ctx context.Context, root string, env []string, pkg, platform string, folders map[string]map[string]bool, of map[string]*Module) error {
	goos, arch, _ := strings.Cut(platform, "/")
	cmd := subprocess.Command(ctx, "go", "list", "-deps", "-json=Dir,Standard,Module", pkg)
	cmd.Dir = root
	cmd.Env = append(slices.Clone(env), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list for %s: %w", platform, err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list for %s: %w", platform, err)
		}
		if l.Module == nil || l.Module.Main {
			continue
		}
		if folders[l.Module.Dir] == nil {
			folders[l.Module.Dir] = map[string]bool{}
			of[l.Module.Dir] = &Module{Path: l.Module.Path, Version: l.Module.Version}
		}
		folders[l.Module.Dir][l.Dir] = true
	}
}

var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|third.?party)`)

// read finds the licence files in the folders of used packages and above them.
func (m *Module) read(root string, used map[string]bool) error {
	dirs := map[string]bool{}
	for d := range used {
		for ; len(d) >= len(root); d = filepath.Dir(d) {
			dirs[d] = true
		}
	}
	sorted := make([]string, 0, len(dirs))
	for d := range dirs {
		sorted = append(sorted, d)
	}
	slices.Sort(sorted)
	for _, d := range sorted {
		list, err := os.ReadDir(d)
		if err != nil {
			return err
		}
		for _, e := range list {
			ext := filepath.Ext(e.Name())
			if !legal.MatchString(e.Name()) || ext == ".go" || ext == ".s" {
				continue
			}
			if err := m.add(root, filepath.Join(d, e.Name())); err != nil {
				return err
			}
		}
	}
	if len(m.Licences) == 0 {
		return fmt.Errorf("%s %s: no licence found", m.Path, m.Version)
	}
	slices.Sort(m.Licences)
	m.Licences = slices.Compact(m.Licences)
	return nil
}

// add takes a file, or every file of a folder of licences.
func (m *Module) add(root, name string) error {
	return filepath.WalkDir(name, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if not := notOurs[m.Path+" "+rel]; not {
			return nil
		}
		body := strings.ReplaceAll(string(data), "\r\n", "\n")
		m.texts = append(m.texts, text{rel, strings.TrimSpace(body) + "\n"})
		ids, err := identify(m.Path, rel, body)
		if err != nil {
			return fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
		}
		m.Licences = append(m.Licences, ids...)
		return nil
	})
}

// notOurs are files that say nothing about what is in the program.
var notOurs = map[string]bool{
	// Freetype-Go is under either of two licences; we take the FreeType License.
	"github.com/golang/freetype licenses/gpl.txt": true,
	// The terms of a picture that is in no package.
	"modernc.org/memory LICENSE-LOGO": true,
}

// known are the licences that may be in the program, by words that only they have, white
// space taken as one blank. The first that fits names the file.
var known = []struct{ id, words string }{
	{"Apache-2.0 AND MIT", "two different licenses: MIT and Apache"},
	{"Apache-2.0", "Apache License Version 2.0"},
	{"Apache-2.0", "http://www.apache.org/licenses/LICENSE-2.0"},
	{"FTL", "The FreeType Project LICENSE"},
	{"FTL", "subject to your choice of exactly one"}, // which names the FreeType License first
	{"OFL-1.1", "SIL OPEN FONT LICENSE Version 1.1"},
	{"CC-BY-3.0", "creativecommons.org/licenses/by/3.0"},
	{"CC-BY-4.0", "Creative Commons Attribution 4.0"},
	{"BSD-3-Clause", "nor the names of"},
	{"BSD-3-Clause", "nor the name of"},
	{"BSD-3-Clause", "may not be used to endorse or promote products"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce the above copyright"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "Permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"},
	{"Unlicense", "This is free and unencumbered software released into the public domain"},
	{"CC0-1.0", "CC0 1.0 Universal"},
}

// forbidden are words of licences that bind who gives the program away to more than to
// give the licence along.
var forbidden = []string{"GNU GENERAL PUBLIC LICENSE", "GNU LESSER GENERAL PUBLIC LICENSE", "GNU AFFERO", "Mozilla Public License", "Server Side Public License", "Business Source License"}

// identify returns the licences in a file, none for a notice, and an error for a licence
// that is not known.
func identify(module, name, body string) ([]string, error) {
	flat := strings.Join(strings.Fields(body), " ")
	for _, f := range forbidden {
		if strings.Contains(strings.ToUpper(flat), strings.ToUpper(f)) && module != "github.com/golang/freetype" {
			return nil, fmt.Errorf("%s: %s", name, f)
		}
	}
	var ids []string
	for _, k := range known {
		if strings.Contains(strings.ToLower(flat), strings.ToLower(k.words)) {
			ids = append(ids, strings.Split(k.id, " AND ")...)
			if !strings.Contains(strings.ToLower(name), "3rd") { // those list several
				break
			}
		}
	}
	base := strings.ToUpper(filepath.Base(name))
	// The terms of what a module took over itself are of many kinds; they go along.
	taken := strings.HasPrefix(strings.ToUpper(name), "THIRD")
	if len(ids) == 0 && !taken && !strings.HasPrefix(base, "NOTICE") && !strings.HasPrefix(base, "PATENTS") {
		return nil, fmt.Errorf("%s: a licence that internal/licence does not know: %.80q", name, flat)
	}
	return ids, nil
}

// ThirdParty lists modules with the texts of their licences: the file that goes along with
// what they are in.
func ThirdParty(mods []Module) []byte {
	var b bytes.Buffer
	b.WriteString("What fibsbot is made of beside its own code, and under which licences.\nMade by internal/licence; do not edit.\n\n")
	for _, m := range mods {
		fmt.Fprintf(&b, "%-55s %-40s %s\n", Name(m.Path), m.Version, strings.Join(m.Licences, ", "))
	}
	for _, m := range mods {
		for _, t := range m.texts {
			fmt.Fprintf(&b, "\n%s\n%s %s: %s\n%s\n\n%s", strings.Repeat("=", 100), Name(m.Path), m.Version, t.name, strings.Repeat("=", 100), t.body)
		}
	}
	return b.Bytes()
}

// Name is the name of a module for readers.
func Name(path string) string {
	if path == "std" {
		return "Go's standard library and runtime"
	}
	return path
}
