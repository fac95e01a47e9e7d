package bot

import (
	"context"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// scripted is a Plain with parts that a test replaces.
type scripted struct {
	Plain
	step func()
	told func(News)
	rest func(Ending)
}

func (s *scripted) Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) time.Time {
	if s.step != nil {
		s.step()
	}
	return s.Plain.Step(t, due, ev, now)
}

func (s *scripted) Told(n News) {
	if s.told != nil {
		s.told(n)
	}
	s.Plain.Told(n)
}

func (s *scripted) Rest(ctx context.Context, end Ending) {
	if s.rest != nil {
		s.rest(end)
		return
	}
	s.Plain.Rest(ctx, end)
}
