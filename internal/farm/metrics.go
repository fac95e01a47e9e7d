package farm

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// collector collects the status for Prometheus.
type collector struct{ c *Client }

var (
	workersDesc  = prometheus.NewDesc("fibsbot_farm_workers", "Workers that reported in the last 30 s.", nil, nil)
	coresDesc    = prometheus.NewDesc("fibsbot_farm_cores", "Threads of all workers.", nil, nil)
	busyDesc     = prometheus.NewDesc("fibsbot_farm_busy", "Threads that run a piece.", nil, nil)
	queueDesc    = prometheus.NewDesc("fibsbot_farm_queue", "Tasks that have no result yet.", nil, nil)
	storedDesc   = prometheus.NewDesc("fibsbot_farm_stored_bytes", "Bytes of results of unfinished jobs.", nil, nil)
	roomDesc     = prometheus.NewDesc("fibsbot_farm_room_bytes", "Most bytes of results.", nil, nil)
	piecesDesc   = prometheus.NewDesc("fibsbot_farm_pieces_total", "Pieces run.", []string{"worker"}, nil)
	failuresDesc = prometheus.NewDesc("fibsbot_farm_failures_total", "Pieces that failed.", []string{"worker"}, nil)
	leftOutDesc  = prometheus.NewDesc("fibsbot_farm_left_out", "Machines that came to wrong results and are left out.", nil, nil)
	doneDesc     = prometheus.NewDesc("fibsbot_farm_job_done", "Results of a job.", []string{"job", "kind"}, nil)
)

var descs = []*prometheus.Desc{workersDesc, coresDesc, busyDesc, queueDesc, storedDesc, roomDesc,
	piecesDesc, failuresDesc, leftOutDesc, doneDesc}

// Describe implements prometheus.Collector.
func (x collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range descs {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (x collector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	s, err := x.c.Status(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(workersDesc, err)
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	gauge(workersDesc, float64(len(s.Workers)))
	gauge(coresDesc, float64(s.Cores))
	gauge(busyDesc, float64(s.Busy))
	gauge(queueDesc, float64(s.Queue))
	gauge(storedDesc, float64(s.Stored))
	gauge(roomDesc, float64(s.Room))
	gauge(leftOutDesc, float64(len(s.LeftOut)))
	for _, w := range s.Workers {
		ch <- prometheus.MustNewConstMetric(piecesDesc, prometheus.CounterValue, float64(w.Pieces), w.ID)
		ch <- prometheus.MustNewConstMetric(failuresDesc, prometheus.CounterValue, float64(w.Failures), w.ID)
	}
	for _, j := range s.Jobs {
		gauge(doneDesc, float64(j.Done), j.ID, j.Kind)
	}
}

// Metrics serves the status to Prometheus.
func (c *Client) Metrics() http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(collector{c})
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{})
}
