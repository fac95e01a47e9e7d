package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var deployDir = filepath.Join("..", "..", "docs", "deploy")

// full is a registry in which every metric has a value.
func full() *Metrics {
	m := NewMetrics()
	m.Connected("Robo", true)
	m.Line("Robo", time.Now())
	m.Match("Robo", "won")
	m.Decision("Robo", "play", "expert", 20*time.Millisecond)
	m.Queue("Robo", 3)
	m.Reconnect("Robo", "refused")
	m.Invitation("Robo", "opponents.block", false)
	m.Unknown("Robo")
	m.Rating("Robo", 1700)
	m.Reload(true)
	m.Journal("Robo", false, 1)
	m.Index(false)
	m.Notification("dropped")
	m.Saved("Robo", 2)
	m.Backlog(1)
	m.Judged("Robo", "us", 4, 0.2)
	m.Transcript("Robo")
	m.Build("v1", "go")
	return m
}

// TestDeploy_everyMetricExists: alerts and dashboard ask for nothing that the bot
// does not tell, and every metric of ours is looked at by one of them.
func TestDeploy_everyMetricExists(t *testing.T) {
	families, err := full().registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range families {
		known[f.GetName()] = true
	}
	asked := map[string]bool{}
	name := regexp.MustCompile(`\b(fibsbot|process)_[a-z_]+`)
	for _, file := range []string{"alerts.yaml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join(deployDir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range name.FindAllString(string(text), -1) {
			for _, part := range []string{"_bucket", "_sum", "_count"} {
				if base := strings.TrimSuffix(n, part); base != n && known[base] {
					n = base
				}
			}
			asked[n] = true
			if !known[n] {
				t.Errorf("%s asks for %s, which there is not", file, n)
			}
		}
	}
	for n := range known {
		if strings.HasPrefix(n, "fibsbot_") && !asked[n] && n != "fibsbot_config_reloads_total" {
			t.Errorf("%s is in no alert and on no dashboard", n)
		}
	}
	var board struct {
		Panels []struct{ Title string } `json:"panels"`
	}
	text, _ := os.ReadFile(filepath.Join(deployDir, "grafana.json"))
	if err := json.Unmarshal(text, &board); err != nil || len(board.Panels) < 10 {
		t.Errorf("dashboard: %v, %d panels", err, len(board.Panels))
	}
}

// TestDeploy_prometheus loads the rules into a real Prometheus that scrapes a real
// server, and asks it whether all is well.
func TestDeploy_prometheus(t *testing.T) {
	promtool, err1 := exec.LookPath("promtool")
	prometheus, err2 := exec.LookPath("prometheus")
	if err1 != nil || err2 != nil {
		t.Skip("skipped: no prometheus here (Debian: apt-get install prometheus)")
	}
	rules, err := filepath.Abs(filepath.Join(deployDir, "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(promtool, "check", "rules", rules).CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	address := func() string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l.Addr().String()
	}
	bot, prom, dir := address(), address(), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- (&Server{Listen: bot, Metrics: full(), Status: func() Status { return sample }}).Run(ctx)
	}()
	conf := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%q]\nscrape_configs:\n  - job_name: fibsbot\n    static_configs: [{targets: [%q]}]\n", rules, bot)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(promtool, "check", "config", conf).CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(ctx, prometheus, "--config.file="+conf, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+prom, "--log.level=warn")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = cmd.Wait() // killed
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	ask := func(path string, into any) error {
		res, err := http.Get("http://" + prom + path)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return err
		}
		return json.Unmarshal(body, into)
	}
	var found struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError, State string }
			}
		}
	}
	deadline := time.Now().Add(2 * time.Minute)
	for {
		pending, bad, total := 0, "", 0
		if err := ask("/api/v1/rules", &found); err == nil {
			for _, g := range found.Data.Groups {
				for _, r := range g.Rules {
					total++
					switch r.Health {
					case "unknown":
						pending++
					case "err":
						bad = r.Name + ": " + r.LastError
					}
				}
			}
		}
		var up struct {
			Data struct{ Result []struct{ Value [2]any } }
		}
		isUp := ask(`/api/v1/query?query=fibsbot_journal_ok`, &up) == nil && len(up.Data.Result) == 1
		if bad != "" {
			t.Fatal(bad)
		}
		if total >= 13 && pending == 0 && isUp {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d rules, %d not evaluated, scraped %v", total, pending, isUp)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
