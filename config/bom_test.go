package config

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The byte order mark with which some Windows editors begin a file belongs to no password
// and no name.
func TestBOM(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("\ufeffs3cret\r\nmore\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := Account{PasswordFile: file}
	if s, err := a.Resolve(); err != nil || s.Reveal() != "s3cret" {
		t.Errorf("password %q %v", s.Reveal(), err)
	}
	n := Notify{WebhookSecretFile: file}
	if s, err := n.Secret(); err != nil || s.Reveal() != "s3cret" {
		t.Errorf("webhook secret %q %v", s.Reveal(), err)
	}
	if names, err := ReadNames(file); err != nil || !slices.Equal(names, []string{"s3cret", "more"}) {
		t.Errorf("names %q %v", names, err)
	}
}
