package config

import (
	"errors"
	"fmt"
	"os"
)

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
