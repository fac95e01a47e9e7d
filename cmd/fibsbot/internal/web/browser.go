//go:build !js

package web

import (
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/subprocess"
)

// openPage sends a browser to an address. Its file keeps the token out of program
// arguments, which every user of the machine can read.
const openPage = `<!doctype html><meta charset="utf-8"><title>fibsbot</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=%[1]s"><a href="%[1]s">fibsbot</a>
`

// OpenBrowser opens an address in the user's browser. If the address holds the token of
// tokenFile, the browser opens a private page beside that file, which leads there; forget
// removes the page.
func OpenBrowser(ctx context.Context, address, tokenFile string) (forget func(), err error) {
	forget = func() {}
	target := address
	if tokenFile != "" {
		if target, err = filepath.Abs(tokenFile + ".html"); err != nil {
			return forget, fmt.Errorf("open a browser: %w", err)
		}
		if err := atomicfile.WriteBytes(target, 0o600, fmt.Appendf(nil, openPage, html.EscapeString(address))); err != nil {
			return forget, fmt.Errorf("open a browser: %w", err)
		}
		page := target
		forget = func() { _ = os.Remove(page) } // if it stays, it is as private as the token file
	}
	name, args := "xdg-open", []string{target}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", target}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return forget, fmt.Errorf("open a browser: %w", err)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = subprocess.Environ() // its group stays ours: the browser is not to end with us
	if err := cmd.Start(); err != nil {
		return forget, fmt.Errorf("open a browser: %w", err)
	}
	go func() { _ = cmd.Wait() }() // its status does not matter
	return forget, nil
}
