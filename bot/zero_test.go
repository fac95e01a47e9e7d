package bot_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/archive/prune"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/fibs"
	"fibsbot/bot/notify"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/engine/preset"
)

// TestZeroValues: a zero value works, or returns an error that names what it lacks; none
// panics.
func TestZeroValues(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx := context.Background()
	if (&bot.Account{}).Run(ctx) == nil {
		t.Error("an account without a protocol runs")
	}
	if _, err := archive.Open(archive.Options{}); err == nil {
		t.Error("a journal without an account is opened")
	}
	if watch.Run(ctx, nil, watch.Options{}, 1) == nil {
		t.Error("nothing is watched without a word")
	}
	if _, err := prune.Run(ctx, nil, prune.Options{Before: time.Now()}); err == nil {
		t.Error("a folder that is not an archive is pruned")
	}
	if r, err := verify.Run(ctx, nil, verify.Options{}); err == nil || r == nil {
		t.Errorf("a folder that is not an archive is verified: %v, %v", r, err)
	}
	v, err := watch.NewJudge(nil, preset.Preset{}, nil).Judge(ctx, watch.Act{Kind: watch.Double})
	if err != nil || v.Err == nil || v.Kind != watch.Double {
		t.Errorf("judged without an engine: %+v, %v", v, err)
	}
	o := notify.Open(filepath.Join(t.TempDir(), "notify.json"), nil, nil, nil)
	if o.Add(notify.Event{Kind: notify.Complaint}); o.Waiting() != 0 {
		t.Error("an event without a target is sent")
	}

	var l protocol.Lobby
	l.Event(&protocol.Event{Kind: protocol.UserInfo, User: &protocol.User{Name: "bob"}})
	if _, known := l.User("bob"); !known || l.Me().Name != "" {
		t.Error("the zero Lobby does not take bob in")
	}

	l.Event(nil)
	protocol.Enter(nil, &protocol.Event{Kind: protocol.Score}, "me")
	protocol.Enter(sheet.New("bob", 3, true), nil, "me")
	if err := (&protocol.Failure{Cause: protocol.CauseStuck}); err.Error() != "stuck" {
		t.Errorf("a failure without an error: %q", err.Error())
	}
	if ev := fibs.Event(nil); ev.Raw != "" {
		t.Errorf("no line says %+v", ev)
	}

	now := time.Now()
	for _, tbl := range []*table.Table{table.New(table.Options{}), {}} {
		if len(tbl.Ready(now).Send) == 0 {
			t.Error("a table without options asks nothing of the server")
		}
		due := tbl.Event(protocol.Event{Kind: protocol.Invites, Name: "bob", Length: 3}, now)
		if len(due.Invitations) != 1 {
			t.Errorf("a table without options: %+v", due)
		}
	}
	tbl := new(table.Table)
	tbl.Restore(nil, now)
	tbl.Restore(sheet.New("bob", 3, true), now)
	if !tbl.SavedWith("bob") {
		t.Error("the zero table does not take a saved match in")
	}
	if due := new(table.Table).Event(protocol.Event{Kind: protocol.Score}, now); len(due.Send) != 0 {
		t.Errorf("the zero table does %+v", due)
	}
}
