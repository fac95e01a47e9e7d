package fileerr_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/fileerr"
)

func TestText(t *testing.T) {
	dir := t.TempDir()
	_, missing := os.Open(filepath.Join(dir, "match.sgf"))
	_, folder := os.ReadFile(dir)
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, taken := (&net.ListenConfig{}).Listen(context.Background(), "tcp", l.Addr().String())
	for _, tt := range []struct {
		err  error
		want string
	}{
		{missing, filepath.Join(dir, "match.sgf") + ": no such file or folder"},
		{fmt.Errorf("--log: %w", missing), "--log: " + filepath.Join(dir, "match.sgf") + ": no such file or folder"},
		{errors.Join(missing, errors.New("and more")), filepath.Join(dir, "match.sgf") + ": no such file or folder\nand more"},
		{folder, dir + ": is a folder, not a file"},
		{taken, l.Addr().String() + ": the address is in use by another program"},
		{errors.New("no match"), "no match"},
	} {
		if got := fileerr.Text(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
	if err := fileerr.Plain(missing); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "open ") {
		t.Errorf("Plain loses its cause: %v", err)
	}
	if fileerr.Plain(nil) != nil {
		t.Error("Plain(nil) is not nil")
	}
}
