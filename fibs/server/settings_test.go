package server

import (
	"testing"

	"fibsbot/fibs/clip"
)

// TestToggles_clientUnderstands: whatever our server says about a switch, our
// client knows which switch it is and what it has become. The two keep tables of
// their own, for FIBS has words that we only read and never say.
func TestToggles_clientUnderstands(t *testing.T) {
	for _, toggle := range toggles {
		for on, text := range map[bool]string{true: toggle.yes, false: toggle.no} {
			ev := clip.RunningParser().Parse(text)
			if len(ev) != 1 || ev[0].Kind != clip.Toggled || ev[0].Name != toggle.name || ev[0].On != on {
				t.Errorf("%s %v: %q is read as %+v", toggle.name, on, text, ev)
			}
		}
	}
}
