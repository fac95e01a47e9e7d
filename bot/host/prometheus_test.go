package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"
)

// deployDir holds the files that operators load.
var deployDir = filepath.Join("..", "..", "docs", "deploy")

// prom is a Prometheus that scrapes a bot.
type prom struct {
	t       *testing.T
	address string
}

// startProm starts Debian's Prometheus with our alert rules on a bot's address, or skips.
func startProm(t *testing.T, bot string) *prom {
	t.Helper()
	promtool, err1 := exec.LookPath("promtool")
	program, err2 := exec.LookPath("prometheus")
	if err1 != nil || err2 != nil {
		t.Skip("skipped: no prometheus here (Debian: apt-get install prometheus)")
	}
	rules, err := filepath.Abs(filepath.Join(deployDir, "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	conf := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 500ms, evaluation_interval: 500ms}\nrule_files: [%q]\nscrape_configs:\n  - job_name: fibsbot\n    static_configs: [{targets: [%q]}]\n", rules, bot)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"check", "rules", rules}, {"check", "config", conf}} {
		if out, err := exec.Command(promtool, args...).CombinedOutput(); err != nil {
			t.Fatalf("promtool %v: %v\n%s", args, err, out)
		}
	}
	p := &prom{t: t, address: freeport.On(t, "127.0.0.1")}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "--config.file="+conf, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+p.address, "--log.level=error")
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // killed
	})
	return p
}

// ask sends a query to Prometheus and returns its answer.
func (p *prom) ask(path string, into any) error {
	res, err := http.Get("http://" + p.address + path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", res.Status, body)
	}
	return json.Unmarshal(body, into)
}

// series counts the series of a query.
func (p *prom) series(query string) (int, error) {
	var found struct {
		Data struct{ Result []json.RawMessage }
	}
	err := p.ask("/api/v1/query?query="+url.QueryEscape(query), &found)
	return len(found.Data.Result), err
}

// until waits for a result that takes Prometheus some scrapes.
func (p *prom) until(what string, ok func() error) {
	p.t.Helper()
	limit := time.Now().Add(2 * time.Minute)
	for {
		err := ok()
		if err == nil {
			return
		}
		if time.Now().After(limit) {
			p.t.Fatalf("%s: %v", what, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// TestPrometheus_liveBot runs Prometheus on a bot that plays. Every rule of docs/deploy must be
// evaluated without an error, the bot must export every metric that rules and dashboard name,
// and every panel must have data.
func TestPrometheus_liveBot(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 5})
	c := testConfig(t, addr, "robbie")
	c.Archive.Analyse = "fast"
	c.Notify.Command, c.Notify.Quiet = "cat > "+filepath.Join(t.TempDir(), "event"), ""
	c.Invitations.Length.Max = 5
	r := startHost(t, c, nil)
	bot := freeport.On(t, "127.0.0.1")
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- (&ops.Server{Listen: bot, Metrics: r.opt.Metrics, Status: r.Status}).Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	p := startProm(t, bot)
	r.ready(1)
	<-spar(t, addr, "human", "robbie", 1, 1, nil)
	q := login(t, addr, "greedy", "secret")
	q.send(clip.Invite{Name: "robbie", Length: 9})
	q.expect("an answer", kind(clip.Says))

	asked := map[string]bool{}
	for _, file := range []string{"alerts.yaml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join(deployDir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range regexp.MustCompile(`\b(fibsbot|process)_[a-z_]+`).FindAllString(string(text), -1) {
			asked[n] = true
		}
	}
	if len(asked) < 20 {
		t.Fatalf("only %d metrics are named", len(asked))
	}
	p.until("metrics that the bot does not tell", func() error {
		var missing []string
		for name := range asked {
			if n, err := p.series(name); err != nil || n == 0 {
				missing = append(missing, fmt.Sprint(name, " ", err))
			}
		}
		if len(missing) > 0 {
			return fmt.Errorf("%s", strings.Join(missing, ", "))
		}
		return nil
	})
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(filepath.Join(deployDir, "grafana.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			p.until("panel "+panel.Title, func() error {
				n, err := p.series(target.Expr)
				if err == nil && n == 0 {
					err = fmt.Errorf("nothing to show for %s", target.Expr)
				}
				return err
			})
		}
	}
	p.until("the rules", func() error {
		var found struct {
			Data struct {
				Groups []struct {
					Rules []struct{ Name, Health, LastError, State string }
				}
			}
		}
		if err := p.ask("/api/v1/rules", &found); err != nil {
			return err
		}
		total := 0
		for _, g := range found.Data.Groups {
			for _, rule := range g.Rules {
				total++
				if rule.Health != "ok" {
					return fmt.Errorf("%s is %s %s", rule.Name, rule.Health, rule.LastError)
				}
				if rule.State == "firing" {
					return fmt.Errorf("%s fires on a bot that is well", rule.Name)
				}
			}
		}
		if total < 15 {
			return fmt.Errorf("%d rules, want at least 15", total)
		}
		return nil
	})
}
