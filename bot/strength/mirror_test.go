package strength

import (
	"reflect"
	"slices"
	"testing"

	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// TestMirror: bot.yaml has a key for every setting of a search and of its rollouts, but for
// those that a user does not set. The types differ because a key that is absent keeps the
// base preset's value, and because config imports no engine.
func TestMirror(t *testing.T) {
	for _, tt := range []struct {
		keys, settings any
		notKeys        []string
	}{
		{config.Settings{}, search.Settings{}, []string{"Seed", "Budget"}},
		{config.Rollout{}, preset.Close{}, nil},
	} {
		keys, settings := names(tt.keys), append(names(tt.settings), tt.notKeys...)
		for _, name := range keys {
			if !slices.Contains(settings, name) {
				t.Errorf("%T has %s, %T has not", tt.keys, name, tt.settings)
			}
		}
		for _, name := range settings {
			if !slices.Contains(keys, name) && !slices.Contains(tt.notKeys, name) {
				t.Errorf("%T has %s, %T has not", tt.settings, name, tt.keys)
			}
		}
	}
}

func names(v any) (fields []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if f.IsExported() {
			fields = append(fields, f.Name)
		}
	}
	return fields
}
