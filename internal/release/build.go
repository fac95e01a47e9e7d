package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func hostPlatform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// build builds the program for a platform from the sources in root and returns where
// the binary is. One that was built before is not built again.
func (r *release) build(ctx context.Context, root, platform string) (string, error) {
	goos, arch, _ := strings.Cut(platform, "/")
	name := filepath.Join(r.work, "bin", strings.ReplaceAll(platform, "/", "_"), "fibsbot")
	if goos == "windows" {
		name += ".exe"
	}
	if root != r.root {
		name += ".other"
	} else if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	start := time.Now()
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly",
		"-ldflags", "-s -w -buildid= -X fibsbot/internal/version.version="+r.version, "-o", name, "./cmd/fibsbot")
	cmd.Dir = root
	cmd.Env = append(cleanEnv(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch, "GOAMD64=v1", "GOARM64=v8.0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", platform, err, said)
	}
	r.say("%s built in %s", platform, time.Since(start).Round(time.Second))
	return name, nil
}

// cleanEnv is the environment without what changes a build.
func cleanEnv() []string {
	var out []string
	for _, e := range os.Environ() {
		key, _, _ := strings.Cut(e, "=")
		switch key {
		case "GOFLAGS", "GOEXPERIMENT", "GODEBUG", "CGO_ENABLED", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOWORK":
			continue
		}
		out = append(out, e)
	}
	return append(out, "GOWORK=off", "GOFLAGS=")
}

// check builds the first platform from the repository and from a copy of it in another
// folder, and fails when the binaries differ.
func (r *release) check(ctx context.Context) error {
	other := filepath.Join(r.work, "another folder", "with a longer name")
	list, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("list the sources: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(r.root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err == nil {
			err = writeFile(filepath.Join(other, name), data)
		}
		if err != nil {
			return err
		}
	}
	platform := r.platforms[0]
	one, err := r.build(ctx, r.root, platform)
	if err != nil {
		return err
	}
	two, err := r.build(ctx, other, platform)
	if err != nil {
		return err
	}
	a, err := os.ReadFile(one)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(two)
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("%s: two builds from two folders differ", platform)
	}
	for _, trace := range []string{r.root, r.work, other} {
		if bytes.Contains(a, []byte(trace+string(filepath.Separator))) {
			return fmt.Errorf("%s: the binary holds the path %s", platform, trace)
		}
	}
	r.say("%s: two builds from two folders are equal, %d bytes", platform, len(a))
	return nil
}

// writeFile writes a file and the folders above it.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
