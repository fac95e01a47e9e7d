package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fibsbot/internal/subprocess"
)

// Names of the files that hold the program beside fibsbot.
const (
	PackedName = "fibsbot.bin"
	ExecName   = "wasm_exec.js"
	// Folder is beside the program, or in ../share/fibsbot.
	Folder = "browser"
)

// ErrNoProgram means that the program is neither beside fibsbot nor in a checkout.
var ErrNoProgram = errors.New("this fibsbot has no browser program beside it (run it in a clone of the source with Go installed)")

// Find returns the program beside this executable, or builds it in the checkout that has the
// present folder.
func Find(ctx context.Context) (*Program, error) {
	exe, err := os.Executable()
	if err == nil {
		at := filepath.Dir(exe)
		for _, dir := range []string{filepath.Join(at, Folder), filepath.Join(at, "..", "share", "fibsbot", Folder)} {
			if p, err := read(dir); !errors.Is(err, os.ErrNotExist) {
				return p, err
			}
		}
	}
	root, err := checkout(ctx)
	if err != nil {
		return nil, ErrNoProgram
	}
	return Build(ctx, root)
}

func read(dir string) (p *Program, err error) {
	p = &Program{}
	if p.Packed, err = os.ReadFile(filepath.Join(dir, PackedName)); err != nil {
		return nil, err
	}
	p.Exec, err = os.ReadFile(filepath.Join(dir, ExecName))
	return p, err
}

// checkout returns the root of the checkout of fibsbot that has the present folder.
func checkout(ctx context.Context) (string, error) {
	out, err := subprocess.Command(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if err != nil {
		return "", err
	}
	name, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if name != "fibsbot" {
		return "", ErrNoProgram
	}
	return dir, nil
}

// Build builds the program in the checkout at root.
func Build(ctx context.Context, root string) (*Program, error) {
	dir, err := os.MkdirTemp("", "fibsbot-browser-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "fibsbot.wasm")
	cmd := subprocess.Command(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", file, "./cmd/fibsbot/internal/web/browser/engine")
	cmd.Dir, cmd.Env = root, append(subprocess.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the browser program: %w\n%s", err, out)
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := &Program{}
	if p.Packed, err = pack(wasm); err != nil {
		return nil, err
	}
	env := subprocess.Command(ctx, "go", "env", "GOROOT")
	env.Dir = root
	goroot, err := env.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	p.Exec, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", ExecName))
	return p, err
}
