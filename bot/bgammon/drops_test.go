package bgammon_test

import (
	"context"
	"testing"
	"time"

	"fibsbot/bgammon/server"
	"fibsbot/bot"
	"fibsbot/bot/table"
)

// timid doubles whenever it may, and drops.
type timid struct{ table.Simple }

func (p timid) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	switch {
	case s.Ask == table.AskRoll && s.MayDouble:
		return table.Answer{Action: table.Double}, nil
	case s.Ask == table.AskTake:
		return table.Answer{Action: table.Drop}, nil
	}
	return p.Simple.Decide(ctx, s)
}

// A match of many games that end by drops, of which no play tells: the bot does not take
// the next game for one that never begins.
func TestSelfPlay_gamesOfDropsOnly(t *testing.T) {
	selfPlay(t, 2, 60, server.Options{Seed: 6}, time.Hour, nil, func(a *bot.Account) { a.Decider = timid{} })
}
