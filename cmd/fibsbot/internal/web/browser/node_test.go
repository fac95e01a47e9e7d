package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/board"
	"fibsbot/internal/testsize"
)

// node is the worker of the site in Node.
type node struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	spent time.Duration
}

// startNode starts the worker with that many threads, or skips the test without Node.
func startNode(t *testing.T, threads int) *node {
	t.Helper()
	testsize.Large(t)
	tool, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node installed (Debian: apt-get install nodejs)")
	}
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Write(dir, "v1.2.3", p); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "engine", "*", "worker.js"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the worker: %q, %v", found, err)
	}
	cmd := exec.CommandContext(t.Context(), tool, "--no-warnings", "--stack-size=8192", "testdata/node.mjs", filepath.Dir(found[0]), fmt.Sprint(threads))
	cmd.Stderr = os.Stderr
	n := &node{t: t, cmd: cmd}
	if n.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	n.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		n.in.Close()
		_ = cmd.Wait()
	})
	return n
}

// end ends the worker and returns the processor time that it has used.
func (n *node) end() time.Duration {
	n.t.Helper()
	n.in.Close()
	if err := n.cmd.Wait(); err != nil {
		n.t.Fatal(err)
	}
	return n.cmd.ProcessState.UserTime() + n.cmd.ProcessState.SystemTime()
}

// ask sends a request and returns status and body.
func (n *node) ask(method, path, body string) string {
	n.t.Helper()
	began := time.Now()
	line, err := json.Marshal(map[string]string{"method": method, "path": path, "body": body, "type": contentType(body)})
	if err != nil {
		n.t.Fatal(err)
	}
	if _, err := n.in.Write(append(line, '\n')); err != nil {
		n.t.Fatal(err)
	}
	text, err := n.out.ReadString('\n')
	if err != nil {
		n.t.Fatalf("%s %s: %v", method, path, err)
	}
	var answer struct {
		Status int
		Body   string
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		n.t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	n.spent += time.Since(began)
	return fmt.Sprint(answer.Status, " ", answer.Body)
}

// contentType is that of a request: of a file, unless it is JSON.
func contentType(body string) string {
	if body == "" || json.Valid([]byte(body)) {
		return "application/json"
	}
	return "application/octet-stream"
}

// native asks the handlers of this program.
type native struct {
	site  http.Handler
	spent time.Duration
}

func (n *native) ask(method, path, body string) string {
	began := time.Now()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Content-Type", contentType(body))
	w := httptest.NewRecorder()
	n.site.ServeHTTP(w, r)
	n.spent += time.Since(began)
	return fmt.Sprint(w.Code, " ", w.Body.String())
}

// finished starts a job and returns what it ends with, without its ID and times.
func finished(t *testing.T, ask func(method, path, body string) string, path, body string) string {
	t.Helper()
	started := ask("POST", path, body)
	_, text, _ := strings.Cut(started, " ")
	var job map[string]any
	if err := json.Unmarshal([]byte(text), &job); err != nil || job["id"] == nil {
		t.Fatalf("%s %s: %s", path, body, started)
	}
	id := job["id"].(string)
	ask("GET", "/api/v1/jobs/"+id+"/events", "") // ends with the job
	_, text, _ = strings.Cut(ask("GET", "/api/v1/jobs/"+id, ""), " ")
	if err := json.Unmarshal([]byte(text), &job); err != nil || job["state"] != "done" {
		t.Fatalf("%s %s: %s", path, body, text)
	}
	ask("DELETE", "/api/v1/jobs/"+id, "")
	for _, key := range []string{"id", "created", "seconds"} {
		delete(job, key)
	}
	out, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Evaluations, plays, cube decisions and rollouts with a seed equal those of the native program,
// to the last digit of the answers, on 150 positions of random games. FIBSBOT_BROWSER is the
// number of trials, 2 without it; with it there are 500 positions.
func TestNode_answersAsNative(t *testing.T) {
	n, here := startNode(t, 2), &native{site: nativeSite(t)}
	positions, trials := 500, os.Getenv("FIBSBOT_BROWSER")
	if trials == "" {
		positions, trials = 150, "2"
	}
	same := func(path, body, want, got string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s %s (-native +node):\n%s", path, body, diff)
		}
	}
	rng := rand.New(rand.NewPCG(5, 8))
	p := board.Start
	for i := range positions {
		d := board.Dice{A: uint8(rng.IntN(6) + 1), B: uint8(rng.IntN(6) + 1)}
		preset := "expert"
		if i%50 == 0 {
			preset = "worldclass"
		}
		body := fmt.Sprintf(`{"position":%q,"dice":[%d,%d],"preset":%q,"limit":5}`, p.ID(), d.A, d.B, preset)
		same("/plays", body, here.ask("POST", "/api/v1/plays", body), n.ask("POST", "/api/v1/plays", body))
		body = fmt.Sprintf(`{"position":%q,"preset":%q,"length":7,"score":[%d,%d]}`, p.ID(), preset, i%7, i/7%7)
		same("/eval", body, here.ask("POST", "/api/v1/eval", body), n.ask("POST", "/api/v1/eval", body))
		body = fmt.Sprintf(`{"position":%q,"kind":%q,"trials":%s,"truncate":%d,"seed":%d}`, p.ID(), []string{"position", "cube"}[i%2], trials, 3+i%5, i+1)
		same("/rollouts", body, finished(t, here.ask, "/api/v1/rollouts", body), finished(t, n.ask, "/api/v1/rollouts", body))
		plays := board.AppendPlays(nil, p, d)
		if len(plays) == 0 {
			p = p.Swap()
		} else if p = plays[rng.IntN(len(plays))].Result.Swap(); p.Result() != 0 || i%60 == 59 {
			p = board.Start
		}
	}
	t.Logf("%d positions: native %s, node %s", positions, here.spent.Round(time.Millisecond), n.spent.Round(time.Millisecond))
}

// Rollouts and analyses are the same with any number of threads.
func TestNode_threads(t *testing.T) {
	here := &native{site: nativeSite(t)}
	match, err := os.ReadFile("../internal/api/testdata/match.mat")
	if err != nil {
		t.Fatal(err)
	}
	jobs := [][2]string{
		{"/api/v1/rollouts", `{"position":"4HPwATDgc/ABMA","dice":[3,1],"plays":["8/5 6/5","24/23 13/10"],"trials":24,"seed":7}`},
		{"/api/v1/analyse?preset=expert", string(match)},
	}
	want := make([]string, len(jobs))
	for i, job := range jobs {
		want[i] = finished(t, here.ask, job[0], job[1])
	}
	for _, threads := range []int{3, -3} {
		if threads < 0 { // the browser refuses further workers: one thread
			t.Setenv("LOSE_HELPERS", "yes")
			threads = -threads
		}
		n := startNode(t, threads)
		for i, job := range jobs {
			if diff := cmp.Diff(want[i], finished(t, n.ask, job[0], job[1])); diff != "" {
				t.Errorf("%d threads, %s (-native +node):\n%s", threads, job[0], diff)
			}
		}
		t.Logf("%d threads: native %s, node %s", threads, here.spent.Round(time.Millisecond), n.spent.Round(time.Millisecond))
	}
}
