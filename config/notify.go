package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Notify is what reaches the operator.
type Notify struct {
	Command           string         `yaml:"command" doc:"Shell command that receives each event as a line of JSON on standard input; exit status 0 means delivered. It has 30s, and its environment lacks the bot's secrets. Empty means no command."`
	Webhook           Secret         `yaml:"webhook" web:"https://example.org/hook" doc:"Web address that each event is sent to (POST, JSON); it may hold a token, and is shown masked. Empty means no address."`
	WebhookSecretEnv  string         `yaml:"webhook_secret_env" doc:"Environment variable with the secret that signs what is sent: X-Fibsbot-Signature is sha256= and the HMAC of time, full stop and body."`
	WebhookSecretFile string         `yaml:"webhook_secret_file" doc:"File whose first line is that secret."`
	Events            []string       `yaml:"events" default:"[]" doc:"Which: match_begun, match_ended, disconnected, connected, login_refused, account_stopped, archive_failed, index_failed, bearoff_failed, rating_low, rating_high, complaint, engine_failed, block_list. Empty means all." enum:"match_begun,match_ended,disconnected,connected,login_refused,account_stopped,archive_failed,index_failed,bearoff_failed,rating_low,rating_high,complaint,engine_failed,block_list"`
	Quiet             string         `yaml:"quiet" form:"hours" doc:"Time of day, as 22:00-07:00 local time, in which only urgent events are sent; the others are sent afterwards."`
	Urgent            []string       `yaml:"urgent" default:"[login_refused, account_stopped, archive_failed]" doc:"Events that are also sent in the quiet hours; [] means none." enum:"match_begun,match_ended,disconnected,connected,login_refused,account_stopped,archive_failed,index_failed,bearoff_failed,rating_low,rating_high,complaint,engine_failed,block_list"`
	PerHour           int            `yaml:"per_hour" default:"20" must:"not be negative" doc:"At most this many events of a kind an hour; the others are counted in the next one. 0 means no limit."`
	Limits            map[string]int `yaml:"limits" default:"{}" must:"not be negative" doc:"Other limits than per_hour by kind, as {match_ended: 100, complaint: 3}; 0 means no limit."`
	DisconnectedAfter Duration       `yaml:"disconnected_after" default:"10m" must:"be above 0" doc:"How long an account must be disconnected before the event is sent."`
	Heartbeat         Duration       `yaml:"heartbeat" doc:"How often to tell a monitor that the bot lives, at least 10s; 0 means never. A heartbeat that fails is not repeated."`
	HeartbeatURL      Secret         `yaml:"heartbeat_url" web:"https://example.org/hook" doc:"Web address asked (GET) at each heartbeat; it may hold a token, and is shown masked. Empty sends the event heartbeat to command and webhook instead."`
	RatingBelow       float64        `yaml:"rating_below" must:"not be negative" doc:"Send an event when an account's rating falls below this; 0 means never."`
	RatingAbove       float64        `yaml:"rating_above" must:"not be negative" doc:"Send an event when an account's rating rises above this; 0 means never."`
	Complaints        []string       `yaml:"complaints" default:"[cheat, complain, report you, unfair, bug, stuck, hang]" doc:"Words that make a tell to an account a complaint; case is ignored."`
}

// notifyKinds are the kinds of event that can be told.
var notifyKinds = func() []string {
	f, _ := reflect.TypeFor[Notify]().FieldByName("Events")
	return strings.Split(f.Tag.Get("enum"), ",")
}()

// Limit is how many events of a kind are told in an hour, 0 for any number.
func (n *Notify) Limit(kind string) int {
	if limit, own := n.Limits[kind]; own {
		return limit
	}
	return n.PerHour
}

// Secret returns the secret that signs notifications, or "" if they are unsigned.
func (n *Notify) Secret() (secret Secret, err error) {
	var text string
	switch {
	case n.WebhookSecretEnv != "" && n.WebhookSecretFile != "":
		err = errors.New("both webhook_secret_env and webhook_secret_file (use one)")
	case n.WebhookSecretEnv != "":
		text, err = fromEnv(n.WebhookSecretEnv)
	case n.WebhookSecretFile != "":
		text, err = lineOf("webhook_secret_file", n.WebhookSecretFile)
	}
	return Secret(text), err
}

// check implements checked.
func (n Notify) check(k *checker, _ string) {
	k.want(n.Heartbeat == 0 || n.Heartbeat.Std() >= 10*time.Second, "notify.heartbeat", "must be at least 10s, or 0 for never")
	k.want(n.Heartbeat == 0 || n.HeartbeatURL != "" || n.Webhook != "" || n.Command != "", "notify.heartbeat", "reaches no one without heartbeat_url, webhook or command")
	k.want(n.HeartbeatURL == "" || n.Heartbeat > 0, "notify.heartbeat_url", "needs notify.heartbeat, the interval (as 5m)")
	if _, err := n.Secret(); err != nil {
		field := "notify.webhook_secret_file"
		if n.WebhookSecretEnv != "" {
			field = "notify.webhook_secret_env"
		}
		k.fail(field, "%v", err)
	}
	for _, kind := range slices.Sorted(maps.Keys(n.Limits)) {
		field := "notify.limits." + kind
		if !slices.Contains(notifyKinds, kind) {
			k.fail(field, "unknown event%s", suggest(kind, notifyKinds))
		}
	}
	k.want(n.RatingAbove == 0 || n.RatingAbove > n.RatingBelow, "notify.rating_above", "must be above rating_below (%v)", n.RatingBelow)
	if i := slices.IndexFunc(n.Complaints, func(w string) bool { return strings.TrimSpace(w) == "" }); i >= 0 {
		k.fail(fmt.Sprintf("notify.complaints[%d]", i), "empty: every tell would be a complaint")
	}
}
