package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tree is what goes into archives and packages beside the binary: names with slashes and
// contents.
type tree map[string][]byte

// stem is the name of a platform's archive without its ending.
func (r *release) stem(platform string) string {
	return fmt.Sprintf("fibsbot-%s-%s", strings.TrimPrefix(r.version, "v"), strings.ReplaceAll(platform, "/", "-"))
}

// archive writes the .tar.gz of a platform, or the .zip for Windows.
func (r *release) archive(platform, binary string, common tree) error {
	data, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	files := tree{filepath.Base(binary): data}
	for name, body := range common {
		if !strings.HasPrefix(name, "systemd/") || strings.HasPrefix(platform, "linux/") {
			files[name] = body
		}
	}
	ext, write := ".tar.gz", r.tarball
	if strings.HasPrefix(platform, "windows/") {
		ext, write = ".zip", r.zipped
	}
	f, err := os.Create(filepath.Join(r.out, r.stem(platform)+ext))
	if err != nil {
		return err
	}
	return errors.Join(write(f, r.stem(platform), files), f.Close())
}

// sorted are the names of a tree in order.
func (t tree) sorted() []string {
	names := make([]string, 0, len(t))
	for n := range t {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// mode are the permissions of a file: the binary is run, the others are read.
func mode(name string) fs.FileMode {
	if name == "fibsbot" || name == "fibsbot.exe" {
		return 0o755
	}
	return 0o644
}

func (r *release) tarball(f *os.File, stem string, files tree) error {
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, name := range files.sorted() {
		h := &tar.Header{Name: stem + "/" + name, Mode: int64(mode(name)), Size: int64(len(files[name])), ModTime: r.at, Format: tar.FormatUSTAR, Uname: "root", Gname: "root"}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(files[name]); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

func (r *release) zipped(f *os.File, stem string, files tree) error {
	z := zip.NewWriter(f)
	for _, name := range files.sorted() {
		h := &zip.FileHeader{Name: stem + "/" + name, Method: zip.Deflate, Modified: r.at}
		h.SetMode(mode(name))
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(files[name]); err != nil {
			return err
		}
	}
	return z.Close()
}
