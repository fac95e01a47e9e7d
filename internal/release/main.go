package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// platforms are those that are released.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64", "freebsd/amd64", "freebsd/arm64"}

// release is one run.
type release struct {
	version   string
	platforms []string
	root, out string    // the repository, the folder of the results
	work      string    // for what is made on the way
	at        time.Time // every file's time
	nfpm      string    // the program, empty for no packages
	host      string    // a binary that runs here
	say       func(format string, args ...any)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	fl := flag.NewFlagSet("release", flag.ContinueOnError)
	version := fl.String("version", "", "the version, as v1.2.3")
	out := fl.String("out", "dist", "folder of the results; it must be empty or not there")
	which := fl.String("platforms", strings.Join(platforms, ","), "GOOS/GOARCH, with commas between")
	nfpm := fl.String("nfpm", "nfpm", "the nfpm program; empty makes no packages")
	check := fl.Bool("check", false, "build the first platform twice, from two folders, compare, and end")
	if err := fl.Parse(args); err != nil {
		return err
	}
	r := &release{version: *version, platforms: strings.Split(*which, ","), say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	if err := r.prepare(ctx, *out, *nfpm, *check); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if *check {
		return r.check(ctx)
	}
	if err := r.make(ctx); err != nil {
		return err
	}
	r.say("%s is made", r.out)
	return nil
}

var versionForm = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$`)

// prepare checks the flags and makes the folders.
func (r *release) prepare(ctx context.Context, out, nfpm string, check bool) (err error) {
	if check && r.version == "" {
		r.version = "v0.0.0"
	}
	if !versionForm.MatchString(r.version) {
		return fmt.Errorf("-version %q: not a version (use v1.2.3 or v1.2.3-rc.1)", r.version)
	}
	for _, p := range r.platforms {
		if !slices.Contains(platforms, p) {
			return fmt.Errorf("-platforms: unknown platform %q (use %s)", p, strings.Join(platforms, ", "))
		}
	}
	if r.root, err = os.Getwd(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(r.root, "cmd", "fibsbot")); err != nil {
		return errors.New("run it in the repository's root")
	}
	if r.at, err = commitTime(ctx, r.root); err != nil {
		return err
	}
	if check {
		r.work, err = os.MkdirTemp("", "fibsbot-release-")
		return err
	}
	if nfpm != "" {
		if r.nfpm, err = exec.LookPath(nfpm); err != nil {
			return fmt.Errorf("%w (go tool -modfile=internal/tools/go.mod -n nfpm builds it and prints its path; -nfpm '' does without)", err)
		}
	}
	if r.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if list, err := os.ReadDir(r.out); err == nil && len(list) > 0 {
		return fmt.Errorf("-out: %s is not empty", r.out)
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	r.work, err = os.MkdirTemp("", "fibsbot-release-")
	return err
}

// commitTime is SOURCE_DATE_EPOCH, else the time of the last commit.
func commitTime(ctx context.Context, root string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		cmd := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct")
		cmd.Dir = root
		said, err := cmd.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("time of the last commit: %w (set SOURCE_DATE_EPOCH)", err)
		}
		text = strings.TrimSpace(string(said))
	}
	sec, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(sec, 0).UTC(), nil
}

// make makes everything.
func (r *release) make(ctx context.Context) error {
	mods, err := r.modules(ctx)
	if err != nil {
		return err
	}
	r.say("%d modules, their licences are known", len(mods))
	if r.host, err = r.build(ctx, r.root, hostPlatform()); err != nil {
		return err
	}
	tree, err := r.common(ctx, mods)
	if err != nil {
		return err
	}
	if err := r.site(ctx, tree); err != nil {
		return err
	}
	for _, p := range r.platforms {
		binary, err := r.build(ctx, r.root, p)
		if err != nil {
			return err
		}
		if err := r.archive(p, binary, tree); err != nil {
			return err
		}
		if r.nfpm != "" && strings.HasPrefix(p, "linux/") {
			if err := r.packages(ctx, p, binary, tree); err != nil {
				return err
			}
		}
	}
	if err := r.sbom(mods); err != nil {
		return err
	}
	return r.sums()
}
