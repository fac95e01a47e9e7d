//go:build !js

package ops

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Metrics are the figures of one process. All are safe for concurrent use. The labels of each
// are in NewMetrics.
type Metrics struct {
	registry *prometheus.Registry

	Line         *prometheus.GaugeVec // Unix time in seconds
	Matches      *prometheus.CounterVec
	Queue        *prometheus.GaugeVec
	Reconnects   *prometheus.CounterVec // reasons are a few constant words, never text from the server
	Invitations  *prometheus.CounterVec
	Unknown      *prometheus.CounterVec
	Rating       *prometheus.GaugeVec
	Saved        *prometheus.GaugeVec
	Backlog      prometheus.Gauge
	ErrorRate    *prometheus.HistogramVec
	Luck         *prometheus.HistogramVec
	Transcript   *prometheus.CounterVec
	Build        *prometheus.GaugeVec
	Notes        *prometheus.CounterVec
	Waiting      prometheus.Gauge
	Bearoff      prometheus.Gauge
	ArchiveFails prometheus.Counter
	Engines      *prometheus.CounterVec

	connected  *prometheus.GaugeVec
	decisions  *prometheus.HistogramVec
	reloads    *prometheus.CounterVec
	reloadOK   prometheus.Gauge
	indexOK    prometheus.Gauge
	indexBad   prometheus.Counter
	journalOK  *prometheus.GaugeVec
	journalBad *prometheus.CounterVec
	unfiled    *prometheus.GaugeVec
}

// NewMetrics makes a registry with all figures at zero.
func NewMetrics() *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	with := promauto.With(registry)
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return with.NewGaugeVec(prometheus.GaugeOpts{Namespace: "fibsbot", Name: name, Help: help}, labels)
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return with.NewCounterVec(prometheus.CounterOpts{Namespace: "fibsbot", Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return with.NewHistogramVec(prometheus.HistogramOpts{Namespace: "fibsbot", Name: name, Help: help, Buckets: buckets}, labels)
	}
	m := &Metrics{
		registry:    registry,
		connected:   gauge("connected", "1 while logged in.", "account"),
		Line:        gauge("last_line_timestamp_seconds", "When the server last sent a line, Unix time.", "account"),
		Matches:     counter("matches_total", "Matches ended, by result: won, lost, saved.", "account", "result"),
		Queue:       gauge("send_queue_length", "Commands waiting to be sent.", "account"),
		Reconnects:  counter("reconnects_total", "Connections lost, by reason.", "account", "reason"),
		Invitations: counter("invitations_total", "Invitations, by the key of bot.yaml that decided and the verdict.", "account", "rule", "accepted"),
		Unknown:     counter("unknown_lines_total", "Lines of the server that no rule understands.", "account"),
		reloads:     counter("config_reloads_total", "Attempts to read the configuration again.", "ok"),
		reloadOK:    gauge("config_last_reload_successful", "1 when the last reload worked.").WithLabelValues(),
		Saved:       gauge("saved_matches", "Interrupted matches that wait to be resumed.", "account"),
		Backlog:     gauge("analysis_backlog", "Matches that wait for their analysis.").WithLabelValues(),
		ErrorRate: histogram("match_error_rate", "Error of a player for each decision of a match, in thousandths of a point.",
			[]float64{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30}, "account", "player"),
		Luck: histogram("match_luck", "Luck of a player in a match, in points.",
			[]float64{-3, -2, -1.5, -1, -.5, -.25, 0, .25, .5, 1, 1.5, 2, 3}, "account", "player"),
		Transcript:   counter("transcript_errors_total", "Lines that could not be written to a transcript.", "account"),
		Build:        gauge("build_info", "1; which build this is.", "version", "goversion"),
		Notes:        counter("notifications_total", "Events for the operator, by outcome: delivered, failed (and tried again), omitted by the limit, dropped.", "outcome"),
		indexOK:      gauge("index_ok", "0 while the index of the archive does not work; matches are filed without it.").WithLabelValues(),
		indexBad:     counter("index_errors_total", "Failures to read or write the index.").WithLabelValues(),
		Bearoff:      gauge("bearoff_unused", "Bearoff databases that cannot be used, or not everywhere; the log names them.").WithLabelValues(),
		journalOK:    gauge("journal_ok", "0 while the account's journals cannot be written; it does not play then.", "account"),
		journalBad:   counter("journal_errors_total", "Failures to write a journal or the files of a match.", "account"),
		unfiled:      gauge("matches_unfiled", "Matches that have ended and whose files could not be written yet.", "account"),
		Waiting:      gauge("notifications_waiting", "Events for the operator that are not delivered yet.").WithLabelValues(),
		ArchiveFails: counter("archive_errors_total", "Matches whose files could not be moved, converted, described or analysed at a try.").WithLabelValues(),
		Engines:      counter("engine_failures_total", "Failures of another engine; the built-in one answered instead.", "account", "engine"),
		Rating:       gauge("rating", "The account's rating on the server.", "account"),
		decisions: histogram("decision_seconds", "Time the engine took for a decision, without pacing, by preset.",
			[]float64{.001, .003, .01, .03, .1, .3, 1, 3, 10}, "account", "kind", "preset"),
	}
	m.reloadOK.Set(1)
	m.indexOK.Set(1)
	for _, outcome := range []string{"delivered", "failed", "omitted", "dropped"} {
		m.Notes.WithLabelValues(outcome)
	}
	for _, ok := range []string{"yes", "no"} {
		m.reloads.WithLabelValues(ok)
	}
	return m
}

// Searches exports two counters of this process's searches, as counted returns them: nodes
// searched and nodes found in the cache. Only the first call has an effect.
func (m *Metrics) Searches(counted func() (nodes, hits uint64)) {
	show := func(name, help string, value func() float64) {
		// Registering fails for a further engine of this process.
		_ = m.registry.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "fibsbot", Name: name, Help: help}, value))
	}
	show("search_nodes_total", "Positions of searches whose rolls were looked at.", func() float64 { n, _ := counted(); return float64(n) })
	show("search_cache_hits_total", "Positions of searches that the cache knew.", func() float64 { _, n := counted(); return float64(n) })
}

// Account begins the figures of an account at zero. A counter that first appears with
// its first event has not risen as far as an alert can see. causes are the words of
// Reconnect.
func (m *Metrics) Account(account string, causes ...string) {
	m.Connected(account, false)
	for _, c := range causes {
		m.Reconnects.WithLabelValues(account, c)
	}
	for _, result := range []string{"won", "lost", "saved"} {
		m.Matches.WithLabelValues(account, result)
	}
	m.Unknown.WithLabelValues(account)
	m.Transcript.WithLabelValues(account)
	m.Queue.WithLabelValues(account)
	m.Saved.WithLabelValues(account)
	m.journalBad.WithLabelValues(account)
	m.Journal(account, true, 0)
}

// Connected records whether the account is logged in.
func (m *Metrics) Connected(account string, yes bool) {
	m.connected.WithLabelValues(account).Set(one(yes))
}

// Decision records the time the engine took for one decision of a kind: roll,
// play, take or resign. Presets made for a rating count by its hundreds: opponents decide
// which ratings there are, and each series stays in memory.
func (m *Metrics) Decision(account, kind, preset string, took time.Duration) {
	if of, ok := strings.CutPrefix(preset, "rating "); ok && len(of) > 2 {
		preset = "rating " + of[:len(of)-2] + "00"
	}
	m.decisions.WithLabelValues(account, kind, preset).Observe(took.Seconds())
}

// Index records whether the index of the archive works.
func (m *Metrics) Index(ok bool) {
	if m.indexOK.Set(one(ok)); !ok {
		m.indexBad.Inc()
	}
}

// Journal records whether an account's journals can be written, and how many ended
// matches wait for their files.
func (m *Metrics) Journal(account string, ok bool, unfiled int) {
	if m.journalOK.WithLabelValues(account).Set(one(ok)); !ok {
		m.journalBad.WithLabelValues(account).Inc()
	}
	m.unfiled.WithLabelValues(account).Set(float64(unfiled))
}

// Reload records an attempt to read the configuration again.
func (m *Metrics) Reload(ok bool) {
	m.reloads.WithLabelValues(YesNo(ok)).Inc()
	m.reloadOK.Set(one(ok))
}

// one is 1 for true.
func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// YesNo is the value of a label.
func YesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
