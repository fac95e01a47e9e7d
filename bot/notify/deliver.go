package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/config"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/subprocess"
)

// webLimit is how long one request may take.
const webLimit = 10 * time.Second

// commandLimit is how long one run of the command may take; a variable for tests.
var commandLimit = 30 * time.Second

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
// is delivered. After commandLimit it is killed with all that it has started.
func runCommand(ctx context.Context, command string, e *Event) error {
	body, err := e.body()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	cmd := subprocess.Shell(ctx, command)
	cmd.Stdin = bytes.NewReader(append(body, '\n'))
	said := &tail{}
	cmd.Stderr = said
	err = cmd.Run()
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("notify.command: not done after %v%w", commandLimit, errOutOfOrder)
	case len(said.text) > 0:
		return fmt.Errorf("notify.command: %w: %s", err, sanitize.Text(strings.TrimSpace(string(said.text))))
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

// poster sends events to a web address. It follows no redirects.
var poster = &http.Client{Timeout: webLimit, Transport: staying{}}

// staying removes the target of a redirect. A client that parses the target quotes it in
// errors, and it may contain the token of the address.
type staying struct{}

// RoundTrip is http.RoundTripper's.
func (staying) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		res.Header.Del("Location")
	}
	return res, err
}

// post sends an event. The address may hold a token: no error has more of it than the host.
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
	req.Header.Set("X-Fibsbot-Event", e.Kind)
	req.Header.Set("X-Fibsbot-Delivery", e.ID)
	req.Header.Set("X-Fibsbot-Timestamp", strconv.FormatInt(now.Unix(), 10))
	if secret != "" {
		req.Header.Set("X-Fibsbot-Signature", "sha256="+Sign(secret.Reveal(), now.Unix(), body))
	}
	return reach("notify.webhook", req)
}

// reach sends a request for a key of bot.yaml. A status of 2xx means that it is delivered.
func reach(key string, req *http.Request) error {
	req.Header.Set("User-Agent", "fibsbot")
	res, err := poster.Do(req)
	if err != nil {
		return fmt.Errorf("%s: %s: %s%w", key, req.URL.Host, unanswered(err), errOutOfOrder)
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 64<<10) // so that the connection can be used again
	// What the receiver writes beside the number may hold the token of the address.
	switch err = fmt.Errorf("%s: %s answers %d %s", key, req.URL.Host, res.StatusCode, http.StatusText(res.StatusCode)); {
	case res.StatusCode/100 == 2:
		return nil
	case slices.Contains(waitingStates, res.StatusCode):
		return fmt.Errorf("%w%w", err, errOutOfOrder)
	}
	return err
}

// errOutOfOrder marks what went wrong with the way, and would with every other event. It adds
// nothing to the text.
var errOutOfOrder = outOfOrder{}

type outOfOrder struct{}

// Error is error's.
func (outOfOrder) Error() string { return "" }

// waitingStates are the answers of a receiver that wants to be left alone for a while.
var waitingStates = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// maxTrouble bounds the reported text of a failed delivery, in bytes.
const maxTrouble = 200

// unanswered is what kept an answer away, without the address, which may hold a token, and
// without our own port, which is another one each time.
func unanswered(err error) string {
	var address *url.Error
	if errors.As(err, &address) {
		if address.Timeout() {
			return fmt.Sprintf("no answer within %v", webLimit)
		}
		err = address.Err
	}
	var op *net.OpError
	if errors.As(err, &op) {
		bare := *op
		bare.Source = nil
		err = &bare
	}
	text := sanitize.Text(err.Error())
	if len(text) > maxTrouble {
		text = strings.ToValidUTF8(text[:maxTrouble], "") + "..."
	}
	return text
}

// Try sends a test event through every way that is configured, now, and a heartbeat to its
// address, and returns what went wrong.
func Try(ctx context.Context, n *config.Notify) error {
	err := send(ctx, n, Event{Kind: Test, Text: "fibsbot tries its notifications."})
	if n.HeartbeatURL != "" {
		err = errors.Join(err, Beat(ctx, n, "", nil))
	}
	return err
}

// Beat sends one heartbeat, now: a request to heartbeat_url, or else an event with a text and
// figures through every way that is configured.
func Beat(ctx context.Context, n *config.Notify, text string, data map[string]any) error {
	if n.HeartbeatURL == "" {
		return send(ctx, n, Event{Kind: Heartbeat, Text: text, Data: data})
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.HeartbeatURL.Reveal(), nil)
	if err != nil {
		return errors.New("notify.heartbeat_url: not an address")
	}
	return reach("notify.heartbeat_url", req)
}

// send sends an event once through every way that is configured.
func send(ctx context.Context, n *config.Notify, e Event) error {
	now := time.Now()
	e.ID, e.At = newID(), now.UTC()
	var errs []error
	if n.Command != "" {
		errs = append(errs, runCommand(ctx, n.Command, &e))
	}
	if n.Webhook != "" {
		errs = append(errs, post(ctx, n, &e, now))
	}
	return errors.Join(errs...)
}

// The kinds of event; package config has the same words, without Heartbeat and Test.
const (
	MatchBegun     = "match_begun"
	MatchEnded     = "match_ended"
	Disconnected   = "disconnected"
	Connected      = "connected" // again, after Disconnected
	LoginRefused   = "login_refused"
	AccountStopped = "account_stopped"
	ArchiveFailed  = "archive_failed"
	IndexFailed    = "index_failed"
	BearoffFailed  = "bearoff_failed"
	RatingLow      = "rating_low"
	RatingHigh     = "rating_high"
	Complaint      = "complaint"
	EngineFailed   = "engine_failed"
	BlockList      = "block_list"
	Heartbeat      = "heartbeat" // see Beat
	Test           = "test"      // of `config check --notify`
)

// Event is something an operator may want to know.
type Event struct {
	ID      string    `json:"id"`
	Kind    string    `json:"event"`
	At      time.Time `json:"at"`
	Account string    `json:"account,omitempty"`
	Server  string    `json:"server,omitempty"`
	// Opponent is the other player, where there is one.
	Opponent string `json:"opponent,omitempty"`
	// Text says it in a sentence.
	Text string `json:"text"`
	// Data are the figures: length, score, result, error_rate, rating and so on.
	Data map[string]any `json:"data,omitempty"`
	// Omitted counts events of this kind that were left out before this one,
	// because there were more than the limit allows.
	Omitted int `json:"omitted,omitempty"`
}

func (e *Event) body() ([]byte, error) { return json.Marshal(e) }
