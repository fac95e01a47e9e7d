package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNotify_secret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("s3cret\nmore\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	n := Notify{WebhookSecretFile: file}
	if s, err := n.Secret(); err != nil || s.Reveal() != "s3cret" {
		t.Errorf("%q %v", s.Reveal(), err)
	}
	n.WebhookSecretFile = file + ".none"
	if _, err := n.Secret(); err == nil {
		t.Error("no error for a missing file")
	}
}

func TestNotify_badInput(t *testing.T) {
	text := "accounts: [{name: Robo, password: x}]\nnotify: {webhook: 'ftp://x', quiet: 'late', per_hour: -1, limits: {match_endet: 3, complaint: -1}, urgent: [never], heartbeat: 9s, heartbeat_url: '://', rating_below: 2000, rating_above: 1000, complaints: [''], events: [nosuch], webhook_secret_env: NOT_SET_HERE}\n"
	file := filepath.Join(t.TempDir(), "b")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Problems(file, Known{Presets: []string{"worldclass"}})
	if err == nil {
		t.Fatal("sound")
	}
	for _, want := range []string{"notify.webhook: ", "notify.heartbeat: must be at least 10s", "notify.heartbeat_url: not a web address", "notify.quiet: ", "notify.per_hour: ", "notify.limits.match_endet: unknown event (did you mean match_ended?)", "notify.limits.complaint: ", "notify.urgent[0]: ", "notify.rating_above: ", "notify.complaints[0]: ", "notify.events[0]: ", "NOT_SET_HERE"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no line with %s in\n%v", want, err)
		}
	}
}
