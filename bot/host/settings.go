package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fibsbot/bot/protocol"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// maxSettings bounds the file of an account's settings when it is read.
const maxSettings = 64 << 10

// settingsFile is a protocol.Store in a file.
type settingsFile struct {
	file string
	warn func(error)
}

// SettingsStore keeps the settings that an account had before the bot changed them, in the
// folder of an archive. warn receives failures.
func SettingsStore(archive, name, server string, warn func(error)) protocol.Store {
	return settingsFile{fileOf(archive, name, server, ".settings.json"), warn}
}

// Load implements protocol.Store.
func (s settingsFile) Load() []byte {
	f, err := os.Open(s.file)
	if err == nil {
		defer f.Close()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(f, maxSettings)); err == nil {
			return data
		}
	}
	if !errors.Is(err, os.ErrNotExist) {
		s.warn(fmt.Errorf("settings of the account not read: %w", err))
	}
	return nil
}

// Save implements protocol.Store.
func (s settingsFile) Save(data []byte) {
	var err error
	if data == nil {
		if err = os.Remove(s.file); errors.Is(err, os.ErrNotExist) {
			return
		}
	} else {
		err = atomicfile.WritePrivate(s.file, data)
	}
	if err != nil {
		s.warn(fmt.Errorf("settings of the account not kept, so that a killed process could not put them back: %w", err))
	}
}

// Lock locks an account in the folder of an archive, so that no two processes on this machine run
// the account and disconnect each other again and again. The error wraps ErrRunning.
func Lock(archive, name, server string) (unlock func(), err error) {
	file := fileOf(archive, name, server, ".lock")
	if err := atomicfile.MkdirPrivate(filepath.Dir(file)); err != nil {
		return nil, err
	}
	release, err := lockfile.Take(file, 0o600)
	if errors.Is(err, lockfile.ErrLocked) {
		return nil, fmt.Errorf("%w (%s)", ErrRunning, file)
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = release() }, nil
}
