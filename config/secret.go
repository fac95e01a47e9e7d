package config

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
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
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if key := v.Type().Field(i).Tag.Get("yaml"); v.Field(i).Kind() == reflect.String && strings.HasSuffix(key, "_env") {
					names = append(names, v.Field(i).String())
				}
				walk(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(c).Elem())
	return names
}

// ResolveDSN fetches the address of the PostgreSQL index from where the
// configuration says; it is empty for the index in the folder. No error it returns
// contains the address, which may hold a password.
func (a *Archive) ResolveDSN() (string, error) {
	given := 0
	for _, s := range []string{a.DSN.Reveal(), a.DSNEnv, a.DSNFile} {
		if s != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return "", errors.New("more than one of dsn, dsn_env, dsn_file")
	case a.DSNEnv != "":
		v := os.Getenv(a.DSNEnv)
		if v == "" {
			return "", fmt.Errorf("environment variable %s is not set", a.DSNEnv)
		}
		return v, nil
	case a.DSNFile != "":
		f, err := os.Open(a.DSNFile)
		if err != nil {
			return "", fmt.Errorf("dsn_file: %w", err)
		}
		defer f.Close()
		line, err := oneLine(f, "dsn_file "+a.DSNFile)
		if err == nil && line == "" {
			err = fmt.Errorf("dsn_file %s: the first line is empty", a.DSNFile)
		}
		return line, err
	}
	return a.DSN.Reveal(), nil
}
