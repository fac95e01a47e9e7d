package config

import (
	"errors"
	"log/slog"
	"reflect"
	"strings"
)

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

// secretVariables are the environment variables that hold secrets by what c says: the values
// of all keys whose names end in _env.
func (c *Config) secretVariables() (names []string) {
	visit(reflect.ValueOf(c).Elem(), "", "", func(v reflect.Value, field string, _ reflect.StructTag) {
		if v.Kind() == reflect.String && strings.HasSuffix(field, "_env") {
			names = append(names, v.String())
		}
	})
	return names
}

// ResolveDSN fetches the address of the PostgreSQL index from where the
// configuration says; it is empty for the index in the folder. No error it returns
// contains the address, which may hold a password.
func (a *Archive) ResolveDSN() (string, error) {
	switch {
	case given(a.DSN.Reveal(), a.DSNEnv, a.DSNFile) > 1:
		return "", errors.New("more than one of dsn, dsn_env, dsn_file")
	case a.DSNEnv != "":
		return fromEnv(a.DSNEnv)
	case a.DSNFile != "":
		return lineOf("dsn_file", a.DSNFile)
	}
	return a.DSN.Reveal(), nil
}
