package web

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// OpenBrowser asks the system to show an address in the user's browser.
func OpenBrowser(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	go func() { _ = cmd.Wait() }() // it tells nothing that matters
	return nil
}
