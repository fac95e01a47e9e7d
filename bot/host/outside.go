package host

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/notify"
	"fibsbot/bot/ops"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/external"
	"fibsbot/internal/sanitize"
)

// SpecOf returns how an engine of the list engines is reached.
func SpecOf(e config.OutsideEngine) external.Spec {
	return external.Spec{Protocol: external.Protocol(e.Protocol), Command: strings.Fields(e.Command), Address: e.Address}
}

// openOutside returns the engines of the list engines. Each is started when it is first asked.
func (h *Host) openOutside(c *config.Config) map[string]*external.Kept {
	list := map[string]*external.Kept{}
	for _, e := range c.Engines {
		within := e.Within.Std()
		if within == 0 {
			within = c.Strength.Within.Std()
		}
		said := &logLines{log: func(line string) { h.opt.Log.WithField("engine", e.Name).Info(line) }}
		list[e.Name] = external.Keep(context.Background(), SpecOf(e), within, said)
	}
	return list
}

// closeOutside ends them.
func (h *Host) closeOutside() {
	for _, k := range h.outside {
		_ = k.Close() // it has nothing to save
	}
}

// outside returns what answers for the seat: the engine of that name, or own if there is none.
func (s *seat) outside(name string, own bot.Player) table.Decider {
	k := s.h.outside[name]
	if k == nil {
		return own
	}
	return bot.Guest{Name: name, Engine: k, Own: own, Failed: func(err error) {
		s.log.WithField("engine", name).WithError(err).Warn("engine failed: the built-in engine answers")
		s.h.opt.Metrics.Engines.WithLabelValues(s.label, name).Inc()
		if h := k.Health(); h.InARow == 1 {
			s.tellOperator(notify.EngineFailed, "", "The engine "+sanitize.Text(err.Error()), map[string]any{"engine": name})
		}
		if e, _ := s.h.opt.Config().Outside(name); e.OnFailure == "drain" && !s.stay.leaving.Swap(true) {
			s.log.WithField("engine", name).Warn("leaving after this match (on_failure: drain)")
			s.poke()
		}
	}}
}

// health returns the state of the engines that may play for the account.
func (s *seat) health() map[string]ops.Engine {
	out := map[string]ops.Engine{}
	for name, k := range s.h.outside {
		if s.Engine == "" || s.Engine == name {
			out[name] = ops.Engine(k.Health())
		}
	}
	return out
}

// Bounds of what an engine may log.
const (
	maxEngineLine  = 400 // bytes
	maxEngineLines = 60  // a minute
)

// logLines logs the lines written to it, as many as a log can bear.
type logLines struct {
	mu     sync.Mutex
	log    func(string)
	part   []byte
	minute time.Time
	lines  int
}

var _ io.Writer = (*logLines)(nil)

// Write never fails.
func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range p {
		if b != '\n' {
			if len(l.part) < maxEngineLine {
				l.part = append(l.part, b)
			}
			continue
		}
		if now := time.Now(); now.Sub(l.minute) >= time.Minute {
			l.minute, l.lines = now, 0
		}
		if l.lines++; l.lines <= maxEngineLines && len(l.part) > 0 {
			l.log(sanitize.Text(string(l.part)))
		}
		l.part = l.part[:0]
	}
	return len(p), nil
}
