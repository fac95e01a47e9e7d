package config

import "log/slog"

const mask = "********"

// Secret is a password or another word that must not be seen. However it is
// formatted, encoded or logged, it shows as asterisks; only Reveal gives it out.
type Secret string

// Reveal returns the secret itself. Call it only where it is sent.
func (s Secret) Reveal() string { return string(s) }

// String masks the secret; an empty one stays empty, so that "not set" can be
// told from "set".
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return mask
}

// GoString masks the secret for %#v.
func (s Secret) GoString() string { return `config.Secret("` + s.String() + `")` }

// MarshalText masks the secret for JSON and text encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalYAML masks the secret.
func (s Secret) MarshalYAML() (any, error) { return s.String(), nil }

// LogValue masks the secret for structured loggers.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
