package bot

import (
	"context"
	"fmt"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/internal/panics"
	"fibsbot/internal/sanitize"
)

// guarded serves a connection like loop. A panic ends only this connection: the server saves
// the match, the log has the line that caused the panic, and a new table is built from the
// journal, because the old one may be in any state.
func (a *Account) guarded(ctx context.Context, link Link) (why reason) {
	defer func() {
		if p := recover(); p != nil {
			why = a.crashed(p)
		}
	}()
	return a.loop(ctx, link)
}

// attempt makes one connection, from opening the archive to its end. A panic anywhere has
// the same effect as in guarded.
func (a *Account) attempt(ctx context.Context) (why reason) {
	defer func() {
		if p := recover(); p != nil {
			why = a.crashed(p)
		}
	}()
	if why = a.openArchive(); why.err != nil {
		return why
	}
	return a.session(ctx)
}

func (a *Account) crashed(p any) reason {
	fault := panics.Of(p)
	a.Log.WithFields(logrus.Fields{"panic": fmt.Sprint(fault.Value), "line": sanitize.Text(a.reading), "stack": string(fault.Stack)}).
		Error("a fault of this program: connection closed; the match resumes from its journal")
	if a.journal != nil {
		if err := a.journal.Close(); err != nil {
			a.Log.WithError(err).Error("journal not closed")
		}
		a.journal = nil
	}
	a.tbl = table.New(a.Table)
	return reason{text: fault.Error(), cause: protocol.CauseCrash}
}
