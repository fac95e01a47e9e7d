//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// playScreen is `fibsbot play` on a pseudo terminal.
type playScreen struct {
	t    *testing.T
	tty  *os.File
	cmd  *exec.Cmd
	out  output
	done chan struct{}
}

func startPlay(t *testing.T, args ...string) *playScreen {
	t.Helper()
	return startScreen(t, append([]string{"play", "--fast"}, args...)...)
}

// startScreen is the program on a pseudo terminal.
func startScreen(t *testing.T, args ...string) *playScreen {
	t.Helper()
	return launchScreen(t, os.Args[0], args...)
}

func launchScreen(t *testing.T, program string, args ...string) *playScreen {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: starts whole processes")
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), childArgs+"="+strings.Join(args, "\n"), "TERM=xterm-256color")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 110})
	if err != nil {
		t.Skipf("skipped: no pseudo terminal: %v", err)
	}
	p := &playScreen{t: t, tty: tty, cmd: cmd, done: make(chan struct{})}
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := tty.Read(buf)
			_, _ = p.out.Write(buf[:n])
			if err != nil {
				break
			}
		}
		_ = cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-p.done
		_ = tty.Close()
	})
	return p
}

func (p *playScreen) press(keys string) {
	p.t.Helper()
	if _, err := p.tty.WriteString(keys); err != nil {
		select {
		case <-p.done: // it had just ended
		default:
			p.t.Fatal(err)
		}
	}
}

// until presses keys in turn until the screen has shown want: the next ones when the
// screen has answered and stands still, so that keys do not queue up on a busy machine,
// which then plays on with them, and types what comes after them much later.
func (p *playScreen) until(want string, keys ...string) {
	p.t.Helper()
	limit := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	const still, deaf = 8, 100 // ticks without a change: it has answered; it does not answer
	last, atPress, quiet, next := "", "none", 0, 0
	for {
		screen := p.out.String()
		if strings.Contains(screen, want) {
			return
		}
		if quiet++; screen != last {
			last, quiet = screen, 0
		}
		if len(keys) > 0 && (quiet >= still && screen != atPress || quiet >= deaf) {
			p.press(keys[next%len(keys)])
			atPress, quiet, next = screen, 0, next+1
		}
		select {
		case <-tick.C:
		case <-limit:
			p.t.Fatalf("no %q on the screen: %q", want, tail(p.out.String(), 3000))
		case <-p.done:
			if !strings.Contains(p.out.String(), want) {
				p.t.Fatalf("ended without %q: %q", want, tail(p.out.String(), 3000))
			}
		}
	}
}

// ended waits for the end and returns the exit status.
func (p *playScreen) ended() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatalf("it does not end: %q", tail(p.out.String(), 2000))
	}
	return p.cmd.ProcessState.ExitCode()
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// Keys: clear what is typed, then choose the first legal play or roll; or accept what
// is offered.
const (
	clearLine = "\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f"
	goOn      = clearLine + "\x1b[B\r"
	accept    = clearLine + "accept\r"
)

// TestPlay_onATerminal starts a match on a terminal, resizes the window, leaves with Ctrl-C,
// resumes the match and plays it to its end.
func TestPlay_onATerminal(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	archive := t.TempDir()
	p := startPlay(t, "--archive", archive, "--length", "1", "--preset", "beginner", "--seed", "3")
	p.until("1-point match")
	p.until("legal plays", goOn)
	if err := pty.Setsize(p.tty, &pty.Winsize{Rows: 24, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	p.until("too small")
	if err := pty.Setsize(p.tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	p.press("\x03")
	if code := p.ended(); code != 0 && code != cmdline.ExitInterrupted {
		t.Errorf("Ctrl-C: exit status %d", code)
	}
	if kept, err := filepath.Glob(filepath.Join(archive, "play", "*")); err != nil || len(kept) != 1 {
		t.Fatalf("after Ctrl-C %v is kept, %v", kept, err)
	}

	plain, err := plainProgram() // a whole match of screens
	if err != nil {
		t.Fatal(err)
	}
	p = launchScreen(t, plain, "play", "--fast", "--archive", archive)
	p.until("Resume the 1-point match")
	p.press("\r")
	p.until("Archived as", goOn, accept)
	for n, over := 0, false; !over && n < 20; n++ { // the line may still hold earlier input
		p.press(clearLine + "q")
		select {
		case <-p.done:
			over = true
		case <-time.After(5 * time.Second):
		}
	}
	if code := p.ended(); code != 0 {
		t.Errorf("after the match: exit status %d", code)
	}
	var out, errOut strings.Builder
	if code := run(t.Context(), []string{"archive", "list", "--archive", archive}, strings.NewReader(""), &out, &errOut); code != 0 || !strings.Contains(out.String(), "beginner") {
		t.Errorf("archive list: exit status %d, %q %q", code, out.String(), errOut.String())
	}
	if kept, err := filepath.Glob(filepath.Join(archive, "play", "*.match")); err != nil || len(kept) != 0 {
		t.Errorf("still unfinished: %v, %v", kept, err)
	}
}

func TestPlay_refusals(t *testing.T) {
	testsize.Medium(t)
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"play", "--length", "-1"}, "length"},
		{[]string{"play", "--rating", "1600", "--preset", "expert"}, "rating"},
		{[]string{"play", "--jacoby"}, "money"},
		{[]string{"play", "--rating", "9000"}, "rating"},
		{[]string{"play", "--preset", "nobody"}, "nobody"},
		{[]string{"play", "--resume"}, "no unfinished match"},
		{[]string{"play", "--resume", "--length", "5"}, "--length is for a new match"},
		{[]string{"play", "--resume", "--egyptian"}, "--egyptian is for a new match"},
		{[]string{"play", "--tutor-from", "0"}, "tutor-from"},
		{[]string{"play", "--tutor-from", "NaN"}, "tutor-from"},
		{[]string{"play", "--variation", "acey-deucey"}, "nackgammon"},
		{[]string{"play", "--auto-doubles", "1"}, "--auto-doubles"},
		{[]string{"play", "--rng", "coin"}, "chacha8"},
		{[]string{"play", "--dice-file", "/nowhere"}, "--dice-file"},
		{[]string{"duel", "expert", "advanced", "--auto-doubles", "9"}, "automatic doubles"},
		{[]string{"duel", "expert", "pubeval", "--egyptian"}, "pubeval plays"},
		{[]string{"duel", "cmd:cat", "expert", "--egyptian"}, "Egyptian"},
		{[]string{"duel", "cmd:cat", "expert", "--variation", "hypergammon1"}, "hypergammon"},
	} {
		var out, errOut strings.Builder
		code := run(t.Context(), append(tt.args, map[string][]string{"play": {"--archive", t.TempDir()}}[tt.args[0]]...), strings.NewReader(""), &out, &errOut)
		if code != 2 || !strings.Contains(errOut.String(), tt.says) || strings.Count(strings.TrimSpace(errOut.String()), "\n") > 0 {
			t.Errorf("%v: exit status %d, %q", tt.args, code, errOut.String())
		}
	}
}

// A script plays in plain lines and leaves at the end of its input; --resume goes on.
func TestPlay_plainLines(t *testing.T) {
	archive := t.TempDir()
	var out, errOut strings.Builder
	if code := run(t.Context(), []string{"play", "--archive", archive, "--seed", "5"}, strings.NewReader("hint\n"), &out, &errOut); code != 0 {
		t.Fatalf("exit status %d: %s", code, errOut.String())
	}
	if !strings.Contains(out.String(), "play 5-3>") || !strings.Contains(out.String(), " 1 8/3 6/3") || !strings.Contains(out.String(), "--resume") {
		t.Errorf("%s", out.String())
	}
	out.Reset()
	if code := run(t.Context(), []string{"play", "--archive", archive, "--resume"}, strings.NewReader("8/3 6/3\nquit\n"), &out, &errOut); code != 0 {
		t.Fatalf("exit status %d: %s", code, errOut.String())
	}
	if !strings.Contains(out.String(), "You play 8/3 6/3") {
		t.Errorf("%s", out.String())
	}
}
