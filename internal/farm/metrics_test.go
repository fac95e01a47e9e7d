package farm

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"fibsbot/internal/testsize"
)

var alertsFile = filepath.Join("..", "..", "docs", "deploy", "farm-alerts.yaml")

// scrape is what Prometheus is told.
func scrape(t *testing.T, c *Client) string {
	t.Helper()
	w := httptest.NewRecorder()
	c.Metrics().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// TestMetrics: what a farm at work tells is what Prometheus wants it to be (promtool, where
// it is there), and alerts ask for nothing else.
func TestMetrics(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, boss, work := newFarm(t, ServerOptions{})
	testWorker(t, work(), "kitchen", nil, square{runs: new(atomic.Int64)})
	crew := submit(t, boss, "metrics")
	if _, err := sum(t, crew, 10); err != nil {
		t.Fatal(err)
	}
	present(t, boss, 1)
	text := scrape(t, boss)
	inside, err := s.Client() // as farm serve --metrics asks
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	known := map[string]bool{"up": true}
	for _, m := range regexp.MustCompile(`(?m)^fibsbot_farm_[a-z_]+`).FindAllString(text, -1) {
		known[m] = true
		if !strings.Contains(scrape(t, inside), m) {
			t.Errorf("%s is told outside alone", m)
		}
	}
	for _, d := range descs {
		if name := regexp.MustCompile(`"(fibsbot_[a-z_]+)"`).FindStringSubmatch(d.String())[1]; !known[name] {
			t.Errorf("%s has no value", name)
		}
	}
	rules, err := os.ReadFile(alertsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\bfibsbot_[a-z_]+`).FindAllString(string(rules), -1) {
		if !known[m] {
			t.Errorf("an alert asks for %s, which there is not", m)
		}
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("the rest skipped: no promtool here (Debian: apt-get install prometheus)")
	}
	check := exec.Command(promtool, "check", "metrics")
	check.Stdin = strings.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool check metrics: %v\n%s%s", err, out, text)
	}
}

// TestAlerts: each fires when its cause is there and not before.
func TestAlerts(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	cases := filepath.Join("testdata", "alerts.yaml")
	text, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile(alertsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1) {
		if strings.Count(string(text), "alertname: "+m[1]+"\n") < 2 {
			t.Errorf("%s is not tested, fired and quiet", m[1])
		}
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("the rest skipped: no promtool here (Debian: apt-get install prometheus)")
	}
	if out, err := exec.Command(promtool, "test", "rules", cases).CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}
