// Package blocklist keeps a block list that is published on the web.
//
// The list is fetched in the background and again after an interval, with If-None-Match, so
// that an unchanged list costs one short answer. After any failure (no network, an error
// page, a list that is too big or not a list) the names read before stay in force. They are
// also kept on disk, for a restart without the network.
package blocklist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/internal/names"
	"fibsbot/internal/atomicfile"
)

// Bounds of what is taken from the network.
const (
	maxBytes  = 1 << 20
	maxNames  = 100_000
	maxName   = 64 // characters of a name or pattern; FIBS names have 20
	maxETag   = 1024
	maxHops   = 5
	timeLimit = 10 * time.Second
)

const (
	// retry is the wait after a failure, where the interval is not shorter.
	retry = 5 * time.Minute
	// look is how often Run checks whether the list is due or its address has changed.
	look = time.Second
)

// File returns the path of an archive's list.
func File(archive string) string { return filepath.Join(archive, "state", "blocklist.json") }

// kept is the file's content, and the list in memory.
type kept struct {
	URL   string   `json:"url"`
	ETag  string   `json:"etag,omitempty"`
	Names []string `json:"names"`
}

// List is the list of one address at a time. Has is safe for concurrent use; the other
// methods belong to one goroutine.
type List struct {
	file   string
	log    logrus.FieldLogger
	client *http.Client
	// Changed, if set before Run, is called with the number of names when a new version
	// of the list takes effect.
	Changed func(names int)

	// Owned by the goroutine that refreshes.
	url    string    // the address the fields below are about
	tried  time.Time // zero: not yet
	failed bool      // the last attempt

	mu    sync.RWMutex
	have  kept
	names names.Set // of have
}

// New makes an empty list that is kept in file.
func New(file string, log logrus.FieldLogger) *List {
	return &List{file: file, log: log, client: &http.Client{CheckRedirect: redirect}}
}

// redirect follows redirections to https, and over http only within the same host, because
// an attacker could write the list on the way to another host. It never follows one from
// https to http.
func redirect(to *http.Request, via []*http.Request) error {
	switch s := to.URL.Scheme; {
	case len(via) > maxHops:
		return fmt.Errorf("more than %d redirections", maxHops)
	case s != "http" && s != "https", s == "http" && via[len(via)-1].URL.Scheme == "https":
		return fmt.Errorf("redirection to %s refused", s)
	case s == "http" && !strings.EqualFold(to.URL.Host, via[0].URL.Host):
		return fmt.Errorf("redirection over http to another host (%.100s) refused", to.URL.Host)
	}
	return nil
}

// Has reports whether name is on the list of url. Without url it returns false.
func (l *List) Has(url, name string) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return url != "" && url == l.have.URL && l.names.Has(name)
}

// Run keeps the list fresh until ctx ends. terms returns the address and the
// interval in force, and is asked every second.
func (l *List) Run(ctx context.Context, terms func() (url string, every time.Duration)) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		url, every := terms()
		l.Refresh(ctx, url, every, time.Now())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Recall reads the list from disk if it is that of url.
func (l *List) Recall(url string) {
	if url == l.url {
		return
	}
	l.url, l.tried, l.failed = url, time.Time{}, false
	if url == "" {
		return
	}
	var k kept
	err := atomicfile.ReadJSON(l.file, 8*maxBytes, &k)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil && k.URL == url {
		err = k.check()
	}
	if err != nil {
		l.log.WithError(err).Warn("opponents.block_url: the list kept on disk is not used")
		return
	}
	if k.URL == url {
		l.use(k)
		l.log.WithField("names", len(k.Names)).Info("opponents.block_url: the list of the last run is in force")
	}
}

// Refresh fetches the list if it is due at now, and logs the result; a lasting failure is
// logged once.
func (l *List) Refresh(ctx context.Context, url string, every time.Duration, now time.Time) {
	l.Recall(url)
	wait := every
	if l.failed {
		wait = min(every, retry)
	}
	if url == "" || !l.tried.IsZero() && now.Sub(l.tried) < wait {
		return
	}
	l.tried = now
	old := l.have // written by this goroutine only
	k, err := l.fetch(ctx, url)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		if !l.failed {
			l.log.WithError(err).Warn("opponents.block_url: not refreshed; the names read before stay in force")
		}
		l.failed = true
		return
	}
	if l.failed {
		l.failed = false
		l.log.Info("opponents.block_url: refreshed again")
	}
	changed := k.URL != old.URL || !slices.Equal(k.Names, old.Names)
	if changed {
		l.log.WithField("names", len(k.Names)).Info("opponents.block_url: a new list is in force")
		if l.Changed != nil {
			l.Changed(len(k.Names))
		}
	}
	if changed || k.ETag != old.ETag {
		l.use(k)
		if err := atomicfile.WriteJSON(l.file, k); err != nil {
			l.log.WithError(err).Warn("opponents.block_url: the list is in force and not kept for the next start")
		}
	}
}

// fetch returns the list of url, or the present one if it has not changed.
func (l *List) fetch(ctx context.Context, url string) (kept, error) {
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return kept{}, err
	}
	req.Header.Set("User-Agent", "fibsbot")
	same := l.have.URL == url && l.have.ETag != ""
	if same {
		req.Header.Set("If-None-Match", l.have.ETag)
	}
	res, err := l.client.Do(req)
	if err != nil {
		return kept{}, err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotModified && same:
		return l.have, nil
	case res.StatusCode != http.StatusOK:
		return kept{}, fmt.Errorf("%s answers %s", req.URL.Host, res.Status)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBytes+1))
	if err != nil {
		return kept{}, fmt.Errorf("read the list: %w", err)
	}
	if len(body) > maxBytes {
		return kept{}, fmt.Errorf("the list is longer than %d bytes", maxBytes)
	}
	k := kept{URL: url, Names: []string{}}
	if tag := res.Header.Get("ETag"); len(tag) <= maxETag {
		k.ETag = tag
	}
	for line := range strings.Lines(string(body)) {
		name, _, _ := strings.Cut(line, "#")
		if name = strings.TrimSpace(name); name != "" {
			k.Names = append(k.Names, name)
		}
	}
	return k, k.check()
}

// check refuses a text that is not a list of names, such as an error page.
func (k *kept) check() error {
	if len(k.Names) > maxNames {
		return fmt.Errorf("the list has more than %d names", maxNames)
	}
	for _, name := range k.Names {
		_, err := path.Match(name, "x")
		if err != nil || name == "" || len(name) > maxName || strings.ContainsFunc(name, foreign) {
			return fmt.Errorf("%.40q is not a name or pattern", name)
		}
	}
	return nil
}

// foreign reports whether a character cannot occur in a FIBS name or a pattern.
func foreign(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune("_*?[]^-", r)
}

// use makes a list the present one.
func (l *List) use(k kept) {
	set := names.Of(k.Names...)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.have, l.names = k, set
}
