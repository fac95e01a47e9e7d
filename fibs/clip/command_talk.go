package clip

// Chat commands.
type (
	// Tell says Text to Name alone. It is written as tellx, which does not
	// complete names: tell bob could reach bobby after bob logged out.
	Tell struct{ Name, Text string }
	// TellPrefix is Tell as people type it, with the server's completion of
	// names, for servers without tellx.
	TellPrefix struct{ Name, Text string }
	// Say says Text to the opponent.
	Say struct{ Text string }
	// Kibitz says Text to players and watchers.
	Kibitz struct{ Text string }
	// Whisper says Text to the watchers.
	Whisper struct{ Text string }
	// Shout says Text to everybody. Bots should not.
	Shout struct{ Text string }
	// Message leaves Text for Name.
	Message struct{ Name, Text string }
)

// Encode implements [Command].
func (t Tell) Encode() (string, error) { return spokenTo("tellx", t.Name, t.Text) }

// Encode implements [Command].
func (t TellPrefix) Encode() (string, error) { return spokenTo("tell", t.Name, t.Text) }

// Encode implements [Command].
func (s Say) Encode() (string, error) { return spoken(s.Text, "say") }

// Encode implements [Command].
func (k Kibitz) Encode() (string, error) { return spoken(k.Text, "kibitz") }

// Encode implements [Command].
func (w Whisper) Encode() (string, error) { return spoken(w.Text, "whisper") }

// Encode implements [Command].
func (s Shout) Encode() (string, error) { return spoken(s.Text, "shout") }

// Encode implements [Command].
func (m Message) Encode() (string, error) { return spokenTo("message", m.Name, m.Text) }

func spokenTo(verb, name, text string) (string, error) {
	if !isName(name) {
		return "", commandError("%s: %.30q is no name", verb, name)
	}
	return spoken(text, verb, name)
}
