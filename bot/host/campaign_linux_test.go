package host

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/config"
	"fibsbot/internal/postgrestest"
	"fibsbot/internal/testsize"
)

// FIBSBOT_CAMPAIGN=N runs the heavy form with N rounds. FIBSBOT_CAMPAIGN_PROGRAM=FILE attacks
// that build of fibsbot instead of a host in a copy of the test process.

// TestCampaignChild is the process that TestCampaign attacks; otherwise it does nothing.
func TestCampaignChild(t *testing.T) {
	dir := os.Getenv("FIBSBOT_CAMPAIGN_CHILD")
	if dir == "" {
		t.Skip("skipped: only as a child of TestCampaign")
	}
	c := testConfig(t, "", "")
	c.Accounts, c.Logs.Dir = nil, filepath.Join(filepath.Dir(os.Getenv("FIBSBOT_CAMPAIGN_SOCKET")), "logs")
	c.Archive.DSN = config.Secret(os.Getenv("FIBSBOT_CAMPAIGN_DSN"))
	for addr := range strings.SplitSeq(os.Getenv("FIBSBOT_CAMPAIGN_SERVERS"), ",") {
		c.Accounts = append(c.Accounts, config.Account{Name: "robbie", Password: "secret", Address: addr})
	}
	c.Archive.Dir = dir
	c.Opponents.Limit.Matches, c.Opponents.MaxDrops, c.Opponents.MaxSaved = 0, 0, 0 // the test plays more than users do
	r := startHost(t, c, nil, func(h *Host) { h.fileAgain = time.Second })
	served := make(chan error, 1)
	go func() {
		served <- (&ops.Server{Socket: os.Getenv("FIBSBOT_CAMPAIGN_SOCKET"), Status: r.Status, Metrics: r.opt.Metrics}).Run(context.Background())
	}()
	orphaned := make(chan struct{})
	go func() { // ends with the parent, which closes our input
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(orphaned)
	}()
	select {
	case <-orphaned:
		os.Exit(1)
	case <-r.done:
		t.Fatalf("the host ended: %v", r.err)
	case err := <-served:
		t.Fatalf("status: %v", err)
	}
}

// TestCampaign_nothingStopsOrFalsifiesIt attacks a bot process that has two accounts of one
// name on two servers. Within 30 s of the end of each cause both accounts must play again. At
// the end the archive must hold exactly the matches of the servers, unchanged. With
// FIBSBOT_CAMPAIGN=n the test runs all causes n times and adds the slow ones.
func TestCampaign_nothingStopsOrFalsifiesIt(t *testing.T) {
	testsize.Large(t)
	c := newCampaign(t, "")
	for round := range max(1, c.rounds) {
		for _, k := range c.causes() {
			if k.heavy && c.rounds == 0 {
				continue
			}
			if k.why != "" {
				if round == 0 {
					t.Logf("left out: %s: %s", k.name, k.why)
				}
				continue
			}
			c.suffer(k)
		}
	}
	c.judge()
}

// TestCampaign_postgres: PostgreSQL stops and starts again while the bot plays. At the end every
// match is in the index.
func TestCampaign_postgres(t *testing.T) {
	if os.Getenv("FIBSBOT_CAMPAIGN") == "" {
		t.Skip("skipped: set FIBSBOT_CAMPAIGN=1; restarts a PostgreSQL server")
	}
	db := postgrestest.New(t)
	c := newCampaign(t, db.DSN)
	for range max(1, c.rounds) {
		c.suffer(cause{name: "PostgreSQL restarted", do: func() {
			db.Stop()
			c.plays("without PostgreSQL", c.back)
			db.Start()
		}})
		c.suffer(cause{name: "killed, started without PostgreSQL", do: func() {
			c.kill()
			db.Stop()
			c.start()
			c.plays("started without PostgreSQL", c.back)
			db.Start()
		}})
	}
	c.judge()
}
