//go:build !js

package ops

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metrics are the figures of one process. All methods are safe for concurrent
// use; a nil *Metrics ignores them, so that callers need no check.
type Metrics struct {
	registry   *prometheus.Registry
	connected  *prometheus.GaugeVec
	lastLine   *prometheus.GaugeVec
	matches    *prometheus.CounterVec
	decisions  *prometheus.HistogramVec
	queue      *prometheus.GaugeVec
	reconnects *prometheus.CounterVec
	verdicts   *prometheus.CounterVec
	unknown    *prometheus.CounterVec
	reloads    *prometheus.CounterVec
	reloadOK   prometheus.Gauge
	rating     *prometheus.GaugeVec
	saved      *prometheus.GaugeVec
	backlog    prometheus.Gauge
	judged     *prometheus.HistogramVec
	luck       *prometheus.HistogramVec
	dropped    *prometheus.CounterVec
	build      *prometheus.GaugeVec
	notes      *prometheus.CounterVec
	indexOK    prometheus.Gauge
	indexBad   prometheus.Counter
	bearoffBad prometheus.Gauge
	journalOK  *prometheus.GaugeVec
	journalBad *prometheus.CounterVec
	unfiled    *prometheus.GaugeVec
	outbox     prometheus.Gauge
	archiveBad prometheus.Counter
}

// NewMetrics makes a registry with all figures at zero.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry:   prometheus.NewRegistry(),
		connected:  gauge("connected", "1 while logged in.", "account"),
		lastLine:   gauge("last_line_timestamp_seconds", "When the server last sent a line, Unix time.", "account"),
		matches:    counter("matches_total", "Matches ended, by result: won, lost, saved.", "account", "result"),
		queue:      gauge("send_queue_length", "Commands waiting to be sent.", "account"),
		reconnects: counter("reconnects_total", "Connections lost, by reason.", "account", "reason"),
		verdicts:   counter("invitations_total", "Invitations, by the key of bot.yaml that decided and the verdict.", "account", "rule", "accepted"),
		unknown:    counter("unknown_lines_total", "Lines of the server that no rule understands.", "account"),
		reloads:    counter("config_reloads_total", "Attempts to read the configuration again.", "ok"),
		reloadOK:   prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "fibsbot", Name: "config_last_reload_successful", Help: "1 when the last reload worked."}),
		saved:      gauge("saved_matches", "Interrupted matches that wait to be resumed.", "account"),
		backlog:    prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "fibsbot", Name: "analysis_backlog", Help: "Matches that wait for their analysis."}),
		judged: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "fibsbot", Name: "match_error_rate",
			Help: "Error of a player for each decision of a match, in thousandths of a point.", Buckets: []float64{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30}}, []string{"account", "player"}),
		luck: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "fibsbot", Name: "match_luck",
			Help: "Luck of a player in a match, in points.", Buckets: []float64{-3, -2, -1.5, -1, -.5, -.25, 0, .25, .5, 1, 1.5, 2, 3}}, []string{"account", "player"}),
		dropped:    counter("transcript_errors_total", "Lines that could not be written to a transcript.", "account"),
		build:      gauge("build_info", "1; which build this is.", "version", "goversion"),
		notes:      counter("notifications_total", "Events for the operator, by outcome: delivered, failed (and tried again), omitted by the limit, dropped.", "outcome"),
		indexOK:    prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "fibsbot", Name: "index_ok", Help: "0 while the index of the archive does not work; matches are filed without it."}),
		indexBad:   prometheus.NewCounter(prometheus.CounterOpts{Namespace: "fibsbot", Name: "index_errors_total", Help: "Failures to read or write the index."}),
		bearoffBad: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "fibsbot", Name: "bearoff_unused", Help: "Bearoff databases that cannot be used, or not everywhere; the log names them."}),
		journalOK:  gauge("journal_ok", "0 while the account's journals cannot be written; it does not play then.", "account"),
		journalBad: counter("journal_errors_total", "Failures to write a journal or the files of a match.", "account"),
		unfiled:    gauge("matches_unfiled", "Matches that have ended and whose files could not be written yet.", "account"),
		outbox:     prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "fibsbot", Name: "notifications_waiting", Help: "Events for the operator that are not delivered yet."}),
		archiveBad: prometheus.NewCounter(prometheus.CounterOpts{Namespace: "fibsbot", Name: "archive_errors_total",
			Help: "Matches whose files could not be moved, converted, described or analysed at a try."}),
		rating: gauge("rating", "The account's rating on the server.", "account"),
		decisions: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "fibsbot", Name: "decision_seconds", Help: "Time the engine took for a decision, without pacing, by preset.",
			Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10},
		}, []string{"account", "kind", "preset"}),
	}
	m.reloadOK.Set(1)
	m.indexOK.Set(1)
	for _, outcome := range []string{"delivered", "failed", "omitted", "dropped"} {
		m.notes.WithLabelValues(outcome)
	}
	for _, ok := range []string{"yes", "no"} {
		m.reloads.WithLabelValues(ok)
	}
	m.registry.MustRegister(m.connected, m.lastLine, m.matches, m.decisions, m.queue, m.reconnects, m.verdicts,
		m.unknown, m.reloads, m.reloadOK, m.rating, m.journalOK, m.journalBad, m.unfiled, m.indexOK, m.indexBad, m.bearoffBad, m.notes, m.outbox, m.archiveBad, m.saved, m.backlog, m.judged, m.luck, m.dropped, m.build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Searches exports two counters of this process's searches, as counted returns them: nodes
// searched and nodes found in the cache. Only the first call has an effect.
func (m *Metrics) Searches(counted func() (nodes, hits uint64)) {
	if m == nil {
		return
	}
	show := func(name, help string, value func() float64) {
		// Registering fails for a further engine of this process.
		_ = m.registry.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "fibsbot", Name: name, Help: help}, value))
	}
	show("search_nodes_total", "Positions of searches whose rolls were looked at.", func() float64 { n, _ := counted(); return float64(n) })
	show("search_cache_hits_total", "Positions of searches that the cache knew.", func() float64 { _, n := counted(); return float64(n) })
}

func gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "fibsbot", Name: name, Help: help}, labels)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "fibsbot", Name: name, Help: help}, labels)
}

// Account begins the figures of an account at zero. A counter that first appears with
// its first event has not risen as far as an alert can see. causes are the words of
// Reconnect.
func (m *Metrics) Account(account string, causes ...string) {
	if m == nil {
		return
	}
	m.Connected(account, false)
	for _, c := range causes {
		m.reconnects.WithLabelValues(account, c)
	}
	for _, result := range []string{"won", "lost", "saved"} {
		m.matches.WithLabelValues(account, result)
	}
	m.unknown.WithLabelValues(account)
	m.dropped.WithLabelValues(account)
	m.queue.WithLabelValues(account)
	m.saved.WithLabelValues(account)
	m.journalBad.WithLabelValues(account)
	m.Journal(account, true, 0)
}

// Connected records whether the account is logged in.
func (m *Metrics) Connected(account string, yes bool) {
	if m == nil {
		return
	}
	v := 0.0
	if yes {
		v = 1
	}
	m.connected.WithLabelValues(account).Set(v)
}

// Line records that the server spoke.
func (m *Metrics) Line(account string, at time.Time) {
	if m != nil {
		m.lastLine.WithLabelValues(account).Set(float64(at.UnixMilli()) / 1000)
	}
}

// Match records how a match ended: won, lost or saved.
func (m *Metrics) Match(account, result string) {
	if m != nil {
		m.matches.WithLabelValues(account, result).Inc()
	}
}

// Decision records the time the engine took for one decision of a kind: roll,
// play, take or resign. Presets made for a rating count by its hundreds: opponents decide
// which ratings there are, and each series stays in memory.
func (m *Metrics) Decision(account, kind, preset string, took time.Duration) {
	if m != nil {
		if of, ok := strings.CutPrefix(preset, "rating "); ok && len(of) > 2 {
			preset = "rating " + of[:len(of)-2] + "00"
		}
		m.decisions.WithLabelValues(account, kind, preset).Observe(took.Seconds())
	}
}

// Queue records the length of the send queue.
func (m *Metrics) Queue(account string, n int) {
	if m != nil {
		m.queue.WithLabelValues(account).Set(float64(n))
	}
}

// Reconnect records why a connection ended. reason is one of a few constant
// words, never text from the server.
func (m *Metrics) Reconnect(account, reason string) {
	if m != nil {
		m.reconnects.WithLabelValues(account, reason).Inc()
	}
}

// Invitation records a verdict of the policy.
func (m *Metrics) Invitation(account, rule string, accepted bool) {
	if m != nil {
		m.verdicts.WithLabelValues(account, rule, yesNo(accepted)).Inc()
	}
}

// Unknown records a line that the parser does not know.
func (m *Metrics) Unknown(account string) {
	if m != nil {
		m.unknown.WithLabelValues(account).Inc()
	}
}

// Notification records the outcome of an event for the operator.
func (m *Metrics) Notification(outcome string) {
	if m != nil {
		m.notes.WithLabelValues(outcome).Inc()
	}
}

// Waiting records how many events for the operator are not delivered yet.
func (m *Metrics) Waiting(n int) {
	if m != nil {
		m.outbox.Set(float64(n))
	}
}

// Archive records that a match could not be filed with all it has, or analysed.
func (m *Metrics) Archive() {
	if m != nil {
		m.archiveBad.Inc()
	}
}

// Build records which build this is.
func (m *Metrics) Build(version, goversion string) {
	if m != nil {
		m.build.WithLabelValues(version, goversion).Set(1)
	}
}

// Saved records how many interrupted matches wait.
func (m *Metrics) Saved(account string, n int) {
	if m != nil {
		m.saved.WithLabelValues(account).Set(float64(n))
	}
}

// Backlog records how many matches wait for their analysis.
func (m *Metrics) Backlog(n int) {
	if m != nil {
		m.backlog.Set(float64(n))
	}
}

// Judged records what the analysis of a match found of a player, us or them: the
// error for each decision in thousandths of a point and the luck in points.
func (m *Metrics) Judged(account, player string, rate, luck float64) {
	if m != nil {
		m.judged.WithLabelValues(account, player).Observe(rate)
		m.luck.WithLabelValues(account, player).Observe(luck)
	}
}

// Transcript records a line that could not be written to a transcript.
func (m *Metrics) Transcript(account string) {
	if m != nil {
		m.dropped.WithLabelValues(account).Inc()
	}
}

// Bearoff records how many bearoff databases cannot be used.
func (m *Metrics) Bearoff(unused int) {
	if m != nil {
		m.bearoffBad.Set(float64(unused))
	}
}

// Index records whether the index of the archive works.
func (m *Metrics) Index(ok bool) {
	switch {
	case m == nil:
	case ok:
		m.indexOK.Set(1)
	default:
		m.indexOK.Set(0)
		m.indexBad.Inc()
	}
}

// Journal records whether an account's journals can be written, and how many ended
// matches wait for their files.
func (m *Metrics) Journal(account string, ok bool, unfiled int) {
	if m == nil {
		return
	}
	m.journalOK.WithLabelValues(account).Set(0)
	if ok {
		m.journalOK.WithLabelValues(account).Set(1)
	} else {
		m.journalBad.WithLabelValues(account).Inc()
	}
	m.unfiled.WithLabelValues(account).Set(float64(unfiled))
}

// Rating records the account's rating.
func (m *Metrics) Rating(account string, rating float64) {
	if m != nil {
		m.rating.WithLabelValues(account).Set(rating)
	}
}

// Reload records an attempt to read the configuration again.
func (m *Metrics) Reload(ok bool) {
	if m == nil {
		return
	}
	m.reloads.WithLabelValues(yesNo(ok)).Inc()
	m.reloadOK.Set(0)
	if ok {
		m.reloadOK.Set(1)
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
