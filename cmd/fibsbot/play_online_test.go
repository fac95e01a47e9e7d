package main

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestPlay_server: a person registers, sees who is there and leaves; what cannot work is one line.
func TestPlay_server(t *testing.T) {
	testsize.Medium(t)
	s, err := server.New(server.Options{Seed: 1, CheapPasswords: true})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(ctx, ln) }()
	defer func() { stop(); <-done }()
	addr, archive := ln.Addr().String(), t.TempDir()
	at := []string{"--server", addr, "--account", "anna"}
	t.Setenv("FIBSBOT_PASSWORD", "secret")
	in, typed := io.Pipe()
	said := &answering{to: typed}
	var e strings.Builder
	if code := run(t.Context(), append([]string{"play", "--plain", "--archive", archive, "--register"}, at...), in, said, &e); code != 0 || !strings.Contains(said.String(), "invite NAME POINTS") {
		t.Errorf("register: exit status %d, %q, %q", code, said, e.String())
	}
	// refused plays; the input stays open, so that what ends the program is not its end.
	refused := func(says string, args ...string) {
		t.Helper()
		in, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		defer w.Close()
		var o, e strings.Builder
		code := run(t.Context(), append([]string{"play", "--plain", "--archive", archive}, args...), in, &o, &e)
		if code != 2 || !strings.Contains(e.String(), says) || strings.Count(strings.TrimSpace(e.String()), "\n") > 0 || strings.Contains(e.String(), "secret") {
			t.Errorf("%v: exit status %d, %q, %q", args, code, o.String(), e.String())
		}
	}
	for _, c := range []struct {
		password, says string
		args           []string
	}{
		{"secret", "already used", append(at, "--register")},
		{"other", "wrong name or password for anna", at},
		{"", "set FIBSBOT_PASSWORD", at},
		{"secret", "--account", []string{"--server", addr}},
		{"secret", "--account", append(at, "--protocol", "bgammon", "--account", "BOT_anna")},
		{"secret", "--register", append(at, "--protocol", "bgammon", "--register")},
		{"secret", "unknown protocol", append(at, "--protocol", "gopher")},
		{"secret", "--preset is for a match against the engine", append(at, "--preset", "expert")},
		{"secret", "--tutor is for a match against the engine", append(at, "--tutor")},
		{"secret", "--register: belongs to a server", []string{"--register"}},
		{"secret", "--protocol: belongs to a server", []string{"--protocol", "fibs"}},
		{"secret", "--server", []string{"--server", "nowhere", "--account", "anna"}},
	} {
		t.Setenv("FIBSBOT_PASSWORD", c.password)
		refused(c.says, c.args...)
	}
	t.Setenv("FIBSBOT_PASSWORD", "")
	for command, says := range map[string]string{
		"echo other":       "wrong name or password for anna",
		"echo secret >&2;": "FIBSBOT_PASSWORD_COMMAND: password_command: the password is empty",
		"exit 3":           "FIBSBOT_PASSWORD_COMMAND: password_command: exit status 3",
	} {
		t.Setenv("FIBSBOT_PASSWORD_COMMAND", command)
		refused(says, at...)
	}
	t.Setenv("FIBSBOT_PASSWORD_COMMAND", `echo "$FIBSBOT_ACCOUNT@$FIBSBOT_SERVER"`)
	desk, err := openDesk(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{"": "anna@" + addr, "typed": "typed"} {
		acc, err := desk.Open(lobby.Login{Server: addr, Protocol: "fibs", Account: "anna", Password: typed})
		if err != nil || acc.Password.Reveal() != want {
			t.Errorf("password typed %q: used %v, %v", typed, acc.Password, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(archive, "state", "*.settings.json")); len(left) > 0 {
		t.Errorf("settings not put back: %v", left)
	}
}

// answering asks for help and leaves once the account is registered.
type answering struct {
	said strings.Builder
	to   *io.PipeWriter
}

func (a *answering) String() string { return a.said.String() }

func (a *answering) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "anna is registered.") {
		go func() { _, _ = io.WriteString(a.to, "help\nquit\n") }()
	}
	return a.said.Write(b)
}
