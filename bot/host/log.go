package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sirupsen/logrus"
	"gopkg.in/natefinch/lumberjack.v2"

	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/internal/sanitize"
)

// ErrLog is wrapped by errors about the keys under logs.
var ErrLog = errors.New("no log")

// OpenLog opens the log of a bot: on stderr, as text on a terminal and JSON elsewhere, and
// with logs.dir also in a rotated JSON file. The returned function closes that file; the next
// entry opens it again.
func OpenLog(c *config.Config, verbose bool, stderr io.Writer, terminal bool) (*logrus.Logger, func(), error) {
	level, err := logrus.ParseLevel(c.Logs.Level)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: logs.level: %w", ErrLog, err)
	}
	if verbose {
		level = logrus.DebugLevel
	}
	log := logrus.New()
	log.SetLevel(level)
	log.SetOutput(stderr)
	json := harmless{&logrus.JSONFormatter{TimestampFormat: "2006-01-02T15:04:05.000Z07:00"}}
	if c.Logs.Format == "json" || c.Logs.Format == "auto" && !terminal {
		log.SetFormatter(json)
	} else {
		log.SetFormatter(&logrus.TextFormatter{FullTimestamp: true, TimestampFormat: "2006-01-02 15:04:05"})
	}
	if c.Logs.Dir == "" {
		return log, func() {}, nil
	}
	if err := os.MkdirAll(c.Logs.Dir, 0o755); err != nil {
		return nil, nil, fmt.Errorf("%w: logs.dir: %w", ErrLog, err)
	}
	file := LogFile(c)
	log.AddHook(&fileHook{out: file, format: json})
	return log, func() { file.Close() }, nil
}

// LogFile returns the rotated log in logs.dir.
func LogFile(c *config.Config) *lumberjack.Logger {
	return &lumberjack.Logger{Filename: filepath.Join(c.Logs.Dir, "fibsbot.log"), MaxSize: c.Logs.MaxSizeMB, MaxBackups: c.Logs.Keep}
}

// harmless removes terminal control characters from JSON entries, as JSON escapes only some
// of them.
type harmless struct{ logrus.Formatter }

// Format implements logrus.Formatter.
func (h harmless) Format(e *logrus.Entry) ([]byte, error) {
	line, err := h.Formatter.Format(e)
	return []byte(sanitize.Lines(string(line))), err
}

// fileHook writes every entry to the log file too.
type fileHook struct {
	out    io.Writer
	format logrus.Formatter
}

// Levels implements logrus.Hook.
func (h *fileHook) Levels() []logrus.Level { return logrus.AllLevels }

// Fire implements logrus.Hook.
func (h *fileHook) Fire(e *logrus.Entry) error {
	line, err := h.format.Format(e)
	if err != nil {
		return err
	}
	_, err = h.out.Write(line)
	return err
}

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
