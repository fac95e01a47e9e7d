package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// site writes the browser edition as a .zip for web hosts, and adds to t what `fibsbot web
// export` looks for beside the program.
func (r *release) site(ctx context.Context, t tree) error {
	dir := filepath.Join(r.work, "site")
	cmd := exec.CommandContext(ctx, r.host, "web", "export", dir)
	cmd.Dir, cmd.Env = r.root, cleanEnv()
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("fibsbot web export: %w\n%s", err, said)
	}
	files := tree{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range []string{"fibsbot.bin", "wasm_exec.js", "licences.txt"} {
		found, err := filepath.Glob(filepath.Join(dir, "engine", "*", name))
		if name == "licences.txt" {
			found = []string{filepath.Join(dir, name)}
		}
		if err != nil || len(found) != 1 {
			return fmt.Errorf("fibsbot web export: the site has %d files %s, want one (%w)", len(found), name, err)
		}
		if t["browser/"+name], err = os.ReadFile(found[0]); err != nil {
			return err
		}
	}
	t["browser/version.txt"] = []byte(r.version + "\n")
	stem := "fibsbot-" + strings.TrimPrefix(r.version, "v") + "-site"
	f, err := os.Create(filepath.Join(r.out, stem+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(r.zipped(f, stem, files), f.Close())
}
