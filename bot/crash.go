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

// guarded serves a connection as loop does. A fault of this program ends the
// connection and no other account: the server saves the match, the line that did it
// is in the log, and the table is made anew from the journal, for the old one may be
// in any state.
func (a *Account) guarded(ctx context.Context, link Link) (why reason) {
	defer func() {
		if p := recover(); p != nil {
			why = a.crashed(p)
		}
	}()
	return a.loop(ctx, link)
}

// attempt is one connection with all before and after it; a fault there costs no more
// than one in the middle.
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
		Error("a fault of this program; the match is left to the server and resumed from the journal")
	if a.journal != nil {
		if err := a.journal.Close(); err != nil {
			a.Log.WithError(err).Error("journal not closed")
		}
		a.journal = nil
	}
	a.tbl = table.New(a.Table)
	return reason{text: fault.Error(), cause: protocol.CauseCrash}
}
