package host

import (
	"reflect"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/config"
)

// TestWaits_takesEveryField: bot.Backoff and config.Reconnect have the same fields, and
// Waits copies each of them.
func TestWaits_takesEveryField(t *testing.T) {
	c := config.Default()
	c.Server.Reconnect = config.Reconnect{Min: config.Duration(1 * time.Second), Max: config.Duration(2 * time.Second),
		Kicked: config.Duration(3 * time.Second), Jitter: 0.4}
	if got, want := Waits(c), (bot.Backoff{Min: time.Second, Max: 2 * time.Second, Kicked: 3 * time.Second, Jitter: 0.4}); got != want {
		t.Errorf("Waits: %+v, want %+v", got, want)
	}
	from, to := reflect.TypeFor[config.Reconnect](), reflect.TypeFor[bot.Backoff]()
	if from.NumField() != to.NumField() {
		t.Fatalf("config.Reconnect has %d fields, bot.Backoff %d", from.NumField(), to.NumField())
	}
	for i := range from.NumField() {
		if name := from.Field(i).Name; !hasField(to, name) {
			t.Errorf("bot.Backoff has no field %s", name)
		}
	}
}

func hasField(t reflect.Type, name string) bool {
	_, ok := t.FieldByName(name)
	return ok
}
