package host

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/internal/sanitize"
)

// transcript is the rotated file of all lines between an account and its server.
type transcript struct {
	file *lumberjack.Logger
	once sync.Once
	// failed is called for every line that was not written; first reports the first one.
	failed func(err error, first bool)
}

// newTranscript opens the transcript of an account, or returns nil if none is kept.
func newTranscript(c *config.Config, name, server string, failed func(err error, first bool)) *transcript {
	if c.Logs.Dir == "" || !c.Logs.Transcript {
		return nil
	}
	return &transcript{failed: failed, file: &lumberjack.Logger{
		Filename: filepath.Join(c.Logs.Dir, transcriptName(c, name, server)),
		MaxSize:  c.Logs.MaxSizeMB, MaxBackups: c.Logs.Keep,
	}}
}

// transcriptName returns the file name of an account's transcript. It contains the server if
// that is not server.address, so that two accounts of one name write two files.
func transcriptName(c *config.Config, name, server string) string {
	if server == c.Server.Address {
		return "transcript-" + name + ".log"
	}
	return "transcript-" + strings.TrimSuffix(filepath.Base(fileOf(c.Archive.Dir, name, server, ".log")), ".log") + ".log"
}

// write writes one line, already masked by the client. Errors only go to failed, because a
// full disk must not end a match.
func (t *transcript) write(l protocol.Line) {
	way := "<"
	if l.Sent {
		way = ">"
	}
	if _, err := fmt.Fprintf(t.file, "%s %s %s\n", l.Time.UTC().Format("2006-01-02T15:04:05.000Z"), way, sanitize.Text(l.Text)); err != nil {
		first := false
		t.once.Do(func() { first = true })
		t.failed(err, first)
	}
}

// close closes the file; the next line opens it again.
func (t *transcript) close() {
	if t != nil {
		_ = t.file.Close()
	}
}
