package ops

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

var deployDir = filepath.Join("..", "..", "docs", "deploy")

// full is a registry in which every metric has a value.
func full() *Metrics {
	m := NewMetrics()
	m.Connected("Robo", true)
	m.Line.WithLabelValues("Robo").Set(1)
	m.Matches.WithLabelValues("Robo", "won").Inc()
	m.Decision("Robo", "play", "expert", 20*time.Millisecond)
	m.Queue.WithLabelValues("Robo").Set(3)
	m.Reconnects.WithLabelValues("Robo", "refused").Inc()
	m.Invitations.WithLabelValues("Robo", "opponents.block", YesNo(false)).Inc()
	m.Unknown.WithLabelValues("Robo").Inc()
	m.Rating.WithLabelValues("Robo").Set(1700)
	m.Reload(true)
	m.Journal("Robo", false, 1)
	m.Index(false)
	m.Bearoff.Set(1)
	m.Notes.WithLabelValues("dropped").Inc()
	m.Saved.WithLabelValues("Robo").Set(2)
	m.Backlog.Set(1)
	m.ErrorRate.WithLabelValues("Robo", "us").Observe(4)
	m.Luck.WithLabelValues("Robo", "us").Observe(0.2)
	m.Transcript.WithLabelValues("Robo").Inc()
	m.Build.WithLabelValues("v1", "go").Set(1)
	return m
}

// TestDeploy_everyMetricExists: the bot exports every metric that alerts and dashboard use, and
// they use every metric that it exports.
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

// TestDeploy_alertsFire runs promtool's rule tests: each alert fires on its cause and not
// before. bot/host tests that a live bot exports the metrics that the alerts use.
func TestDeploy_alertsFire(t *testing.T) {
	testsize.Medium(t)
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("skipped: no promtool here (Debian: apt-get install prometheus)")
	}
	cases := filepath.Join("testdata", "alerts.yaml")
	if out, err := exec.Command(promtool, "test", "rules", cases).CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
	text, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile(filepath.Join(deployDir, "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1) {
		if strings.Count(string(text), "alertname: "+m[1]+"\n") < 2 {
			t.Errorf("%s is not tested, fired and quiet", m[1])
		}
	}
}
