package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"fibsbot/config"
	"fibsbot/internal/scrub"
)

// How long one delivery may take.
const (
	commandLimit = 30 * time.Second
	webLimit     = 10 * time.Second
)

// Sign is the signature of a request: the hexadecimal HMAC-SHA256, keyed by the
// secret, of the Unix time in X-Fibsbot-Timestamp, a full stop and the body. Whoever
// checks it compares the time with his clock as well, or an old event can be sent
// again.
func Sign(secret string, unix int64, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "%d.", unix)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// runCommand gives an event to a command of the shell. Exit status 0 means that it
// is delivered.
func runCommand(ctx context.Context, command string, e *Event) error {
	body, err := e.body()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stdin = bytes.NewReader(append(body, '\n'))
	cmd.WaitDelay = time.Second
	said := &tail{}
	cmd.Stderr = said
	err = cmd.Run()
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("notify.command: not done after %v", commandLimit)
	case len(said.text) > 0:
		return fmt.Errorf("notify.command: %w: %s", err, scrub.Text(strings.TrimSpace(string(said.text))))
	}
	return fmt.Errorf("notify.command: %w", err)
}

// tail keeps the first bytes of what a command complains about.
type tail struct{ text []byte }

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	if room := 200 - len(t.text); room > 0 {
		t.text = append(t.text, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// poster sends events to a web address. It follows nobody elsewhere.
var poster = &http.Client{Timeout: webLimit, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// post sends an event. A status of 2xx means that it is delivered. The address may
// hold a token: no error has more of it than the host.
func post(ctx context.Context, n *config.Notify, e *Event, now time.Time) error {
	body, err := e.body()
	if err != nil {
		return err
	}
	secret, err := n.Secret()
	if err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.Webhook.Reveal(), bytes.NewReader(body))
	if err != nil {
		return errors.New("notify.webhook: not an address")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "fibsbot")
	req.Header.Set("X-Fibsbot-Event", e.Kind)
	req.Header.Set("X-Fibsbot-Delivery", e.ID)
	req.Header.Set("X-Fibsbot-Timestamp", strconv.FormatInt(now.Unix(), 10))
	if secret != "" {
		req.Header.Set("X-Fibsbot-Signature", "sha256="+Sign(secret.Reveal(), now.Unix(), body))
	}
	res, err := poster.Do(req)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return fmt.Errorf("notify.webhook: %s: %w", req.URL.Host, err)
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 64<<10) // so that the connection can be used again
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("notify.webhook: %s answers %s", req.URL.Host, scrub.Text(res.Status))
	}
	return nil
}

// Try sends a test event through every way that is configured, now, and returns what
// went wrong.
func Try(ctx context.Context, n *config.Notify) error {
	now := time.Now()
	e := &Event{ID: newID(), Kind: Test, At: now.UTC(), Text: "fibsbot tries its notifications."}
	var errs []error
	if n.Command != "" {
		errs = append(errs, runCommand(ctx, n.Command, e))
	}
	if n.Webhook != "" {
		errs = append(errs, post(ctx, n, e, now))
	}
	return errors.Join(errs...)
}
