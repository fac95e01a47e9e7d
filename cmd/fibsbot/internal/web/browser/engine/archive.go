//go:build js

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"fibsbot/bot/archive/backup"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/http"
	"fibsbot/internal/texts"
)

// maxBackup bounds an imported backup in bytes: it is held in memory.
const maxBackup = 512 << 20

// backupFile is where backups are written and read.
const backupFile = "/tmp/backup.zip"

// errNotStored means that the browser refuses to store an import, or has no room for it.
var errNotStored = errors.New("import: the browser did not store the backup, so nothing was imported (free space, or allow this site to store data)")

// archiveRoutes adds export and import of everything, and takes the texts of a language. keep returns an error unless all files
// are stored. restart is called after an import: the engine has the old archive open.
func archiveRoutes(mux *http.ServeMux, version string, keep func() error, restart func()) {
	refuse := func(w http.ResponseWriter, status int, err error) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": strings.ReplaceAll(fileerr.Text(err), backupFile, "the file"), "field": ""})
	}
	mux.HandleFunc("GET /api/browser/archive", func(w http.ResponseWriter, r *http.Request) {
		defer os.Remove(backupFile)
		if _, err := backup.File(r.Context(), archiveDir, backupFile, true, backup.Options{Program: version}); err != nil {
			refuse(w, http.StatusInternalServerError, err)
			return
		}
		data, err := os.ReadFile(backupFile)
		if err != nil {
			refuse(w, http.StatusInternalServerError, err)
			return
		}
		w.Header().Set("Content-Type", "application/zip")
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "fibsbot-"+time.Now().Format(time.DateOnly)+".zip"))
		_, _ = w.Write(data)
	})
	mux.HandleFunc("PUT /api/browser/texts/{lang}", func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err == nil {
			var c *texts.Catalogue
			if c, err = texts.Read(r.PathValue("lang"), data); err == nil {
				texts.Add(c)
				return
			}
		}
		refuse(w, http.StatusBadRequest, err)
	})
	mux.HandleFunc("POST /api/browser/archive", func(w http.ResponseWriter, r *http.Request) {
		n, err := restore(r, keep)
		switch {
		case errors.Is(err, errNotStored):
			refuse(w, http.StatusInsufficientStorage, err)
			return
		case err != nil:
			refuse(w, http.StatusBadRequest, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]int{"matches": n})
		restart()
	})
}

// restore replaces the archive by a backup and returns how many matches it has. If the browser
// does not store them, the archive stays as it was.
func restore(r *http.Request, keep func() error) (matches int, err error) {
	defer os.Remove(backupFile)
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBackup))
	if err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	if err := os.WriteFile(backupFile, data, 0o600); err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	b, err := backup.Open(r.Context(), backupFile, nil)
	if err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	out, err := b.Restore(r.Context(), backup.Target{Dir: archiveDir, Force: true})
	if err = errors.Join(err, b.Close()); err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	if keep() != nil {
		err := os.RemoveAll(archiveDir)
		if err == nil && out.Aside != "" {
			err = os.Rename(out.Aside, archiveDir)
		}
		_ = keep() // the room of the backup is free again; the page says if it is full
		return 0, errors.Join(errNotStored, err)
	}
	if out.Aside != "" {
		err = os.RemoveAll(out.Aside)
	}
	return out.Index.Added + out.Index.Pruned, err
}
