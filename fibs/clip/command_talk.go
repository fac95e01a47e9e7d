package clip

// Chat commands.
type (
	// Tell says Text to Name alone. It is written as tellx, which does not
	// complete names: tell bob could reach bobby after bob logged out.
	Tell struct{ Name, Text string }
	// Kibitz says Text to players and watchers.
	Kibitz struct{ Text string }
	// Whisper says Text to the watchers.
	Whisper struct{ Text string }
)

// Encode implements [Command].
func (t Tell) Encode() (string, error) { return spokenTo("tellx", t.Name, t.Text) }

// Encode implements [Command].
func (k Kibitz) Encode() (string, error) { return spoken(k.Text, "kibitz") }

// Encode implements [Command].
func (w Whisper) Encode() (string, error) { return spoken(w.Text, "whisper") }

func spokenTo(verb, name, text string) (string, error) {
	if !isName(name) {
		return "", commandError("%s: %.30q is not a name", verb, name)
	}
	return spoken(text, verb, name)
}
