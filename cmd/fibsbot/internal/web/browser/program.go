package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fibsbot/internal/fileerr"
	"fibsbot/internal/licence"
	"fibsbot/internal/subprocess"
)

// Names of the files that hold the program beside fibsbot.
const (
	packedName   = "fibsbot.bin"
	execName     = "wasm_exec.js"
	licencesName = "licences.txt"
	// versionName holds the version of fibsbot that the others belong to.
	versionName = "version.txt"
	// siteFolder is beside the program, or in ../share/fibsbot.
	siteFolder = "browser"
)

// ErrNoProgram means that the program is neither beside fibsbot nor in a checkout.
var ErrNoProgram = errors.New("no engine for browsers beside this fibsbot (releases have it in their folder " + siteFolder + "; in a clone of the source, Go builds it)")

// enginePackage is its source.
const enginePackage = "./cmd/fibsbot/internal/web/browser/engine"

// Find returns the program beside this executable, or builds it in the checkout that has the
// present folder. A program beside it must be of the version of this executable.
func Find(ctx context.Context, version string) (*Program, error) {
	exe, err := os.Executable()
	if err != nil {
		exe = "" // only a checkout can have it
	}
	return find(ctx, exe, version)
}

// find is Find for an executable.
func find(ctx context.Context, exe, version string) (*Program, error) {
	if real, err := filepath.EvalSymlinks(exe); err == nil && exe != "" {
		at := filepath.Dir(real)
		for _, dir := range []string{filepath.Join(at, siteFolder), filepath.Join(at, "..", "share", "fibsbot", siteFolder)} {
			if p, err := read(dir, version); !errors.Is(err, os.ErrNotExist) {
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

func read(dir, version string) (p *Program, err error) {
	p = &Program{}
	if p.Packed, err = os.ReadFile(filepath.Join(dir, packedName)); err != nil {
		return nil, err
	}
	var of []byte
	for name, part := range map[string]*[]byte{execName: &p.Exec, licencesName: &p.Licences, versionName: &of} {
		if *part, err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("%w (unpack the whole release again)", errors.New(fileerr.Text(err)))
		}
	}
	if v := strings.TrimSpace(string(of)); v != version {
		return nil, fmt.Errorf("%s: the engine is of fibsbot %.40q, this is %s (unpack the whole release again)", dir, v, version)
	}
	return p, nil
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

// notInlined are packages whose speed does not count. Without inlining there the compressed program is
// 0.32 MB smaller. (Of all packages, rollouts took twice as long.)
var notInlined = []string{
	"archive/...", "bufio", "bytes", "compress/...", "container/...", "context", "crypto/...", "database/...", "encoding/...", "errors", "fmt", "hash/...", "html/...", "image/...",
	"internal/bisect", "internal/fmtsort", "internal/godebug", "internal/poll", "internal/strconv", "io/...", "log/...", "math/big", "mime/...", "net/...", "os", "path/...", "reflect", "regexp/...", "sort", "strconv", "strings", "syscall", "text/...",
	"time", "unicode/...", "vendor/...",
	"github.com/...", "gonum.org/...", "gopkg.in/...",
	"fibsbot/bot/...", "fibsbot/config", "fibsbot/engine/advice", "fibsbot/engine/analyse/...", "fibsbot/engine/diagram/...", "fibsbot/engine/opening",
	"fibsbot/engine/preset", "fibsbot/engine/record/...", "fibsbot/engine/cardset", "fibsbot/engine/explain", "fibsbot/engine/luck", "fibsbot/engine/pace", "fibsbot/engine/rating",
	"fibsbot/engine/rollout/recorded", "fibsbot/engine/tune/...", "fibsbot/fibs/...",
	"fibsbot/internal/apkg", "fibsbot/internal/atomicfile", "fibsbot/internal/figure", "fibsbot/internal/fileerr", "fibsbot/internal/lockfile",
	"fibsbot/internal/minify", "fibsbot/internal/sanitize", "fibsbot/internal/shard", "fibsbot/internal/texts",
	"fibsbot/cmd/fibsbot/internal/collection", "fibsbot/cmd/fibsbot/internal/input", "fibsbot/cmd/fibsbot/internal/play", "fibsbot/cmd/fibsbot/internal/quiz",
	"fibsbot/cmd/fibsbot/internal/web", "fibsbot/cmd/fibsbot/internal/web/internal/...", enginePackage,
}

// Build builds the program in the checkout at root.
func Build(ctx context.Context, root string) (*Program, error) {
	dir, err := os.MkdirTemp("", "fibsbot-browser-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "fibsbot.wasm")
	// The program asks and answers through the browser, which has HTTP/2 itself.
	args := []string{"build", "-trimpath", "-buildvcs=false", "-tags=nethttpomithttp2", "-ldflags=-s -w -buildid=", "-o", file}
	for _, p := range notInlined {
		args = append(args, "-gcflags="+p+"=-l")
	}
	cmd := subprocess.Command(ctx, "go", append(args, enginePackage)...)
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
	if p.Exec, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", execName)); err != nil {
		return nil, err
	}
	p.Licences, err = licences(ctx, root)
	return p, err
}

// licences are those of this project and of everything that is compiled in.
func licences(ctx context.Context, root string) ([]byte, error) {
	mods, err := licence.Modules(ctx, root, subprocess.Environ(), licence.Program{Package: enginePackage, Platforms: []string{"js/wasm"}})
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, name := range []string{"NOTICE", "LICENSE"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		out = append(append(out, text...), '\n')
	}
	return append(out, licence.ThirdParty(mods)...), nil
}
