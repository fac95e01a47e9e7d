package farm

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nkeys"

	"fibsbot/internal/atomicfile"
)

// Role is the rights of a key.
type Role string

// The roles. A worker can neither submit jobs nor read results.
const (
	RoleSubmit Role = "submit"
	RoleWork   Role = "work"
)

// serverName is the name in certificates that Serve makes. Clients expect it at any address, so
// that a farm can move without new certificates.
const serverName = "fibsbot-farm"

// maxKeyFile bounds a key file.
const maxKeyFile = 1 << 20

// Key is the contents of a key file: an identity and the trusted certificates. It never prints
// its secret.
type Key struct {
	pair   nkeys.KeyPair
	public string
	own    bool           // it trusts a farm's own authority
	creds  string         // path of a NATS credentials file instead
	roots  *x509.CertPool // nil for the system's certificates
}

// id returns the public part of the key, its name in subjects.
func (k *Key) id() string {
	if k == nil || k.public == "" {
		return nokey
	}
	return k.public
}

// readTrust reads the certificates of a key file, or nil, and whether they are of a farm's own
// authority.
func readTrust(text []byte) (roots *x509.CertPool, own bool) {
	for {
		i := bytes.Index(text, []byte("-----BEGIN CERT"))
		if i < 0 {
			return roots, own
		}
		block, more := pem.Decode(text[i:])
		if block == nil {
			return roots, own
		}
		text = more
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			continue
		}
		if roots == nil {
			roots, own = x509.NewCertPool(), c.Subject.CommonName == serverName
		}
		roots.AddCert(c)
	}
}

// String implements fmt.Stringer.
func (k *Key) String() string { return "farm key " + k.public }

// GoString implements fmt.GoStringer.
func (k *Key) GoString() string { return k.String() }

// ReadKey reads a key file: an nkey seed with the certificates to trust, as `farm key` writes
// it, or NATS credentials of another cluster. It returns nil for an empty path. The error wraps
// ErrRefused.
func ReadKey(path string) (*Key, error) {
	if path == "" {
		return nil, nil
	}
	st, err := os.Stat(path)
	if err == nil && (st.IsDir() || st.Size() > maxKeyFile) {
		err = errors.New("not a key file")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: key file %s: %w", ErrRefused, path, unpath(err))
	}
	k := &Key{}
	if bytes.Contains(text, []byte("BEGIN NATS USER JWT")) {
		k.creds = path
		if k.pair, err = nkeys.ParseDecoratedUserNKey(text); err == nil {
			k.public, err = k.pair.PublicKey()
		}
		if err != nil {
			return nil, fmt.Errorf("%w: key file %s: the key in it is damaged", ErrRefused, path)
		}
		return k, nil
	}
	certificate := false // its lines may begin like a key
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "-----BEGIN CERT"):
			certificate = true
		case strings.HasPrefix(line, "-----END CERT"):
			certificate = false
		case !certificate && strings.HasPrefix(line, "SU"):
			if k.pair, err = nkeys.FromSeed([]byte(line)); err == nil {
				k.public, err = k.pair.PublicKey()
			}
			if err != nil {
				return nil, fmt.Errorf("%w: key file %s: the key in it is damaged", ErrRefused, path)
			}
		}
	}
	if k.pair == nil {
		return nil, fmt.Errorf("%w: key file %s: it has no key (make one with fibsbot farm key)", ErrRefused, path)
	}
	k.roots, k.own = readTrust(text)
	return k, nil
}

// unpath removes the path from an error, for a message that already has it.
func unpath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Files of a farm's folder.
const (
	usersFile  = "users"      // role, name and public key of each user, one per line
	caFile     = "ca.pem"     // certificate of the farm's own authority
	caKeyFile  = "ca.key"     // its secret
	certFile   = "server.pem" // certificate of the server
	certKeyFil = "server.key" // its secret
	storeDir   = "jetstream"  // what the server keeps
)

// user is a line of the users' file.
type user struct {
	role   Role
	name   string
	public string
	path   string // of the key file to be made
}

// readUsers reads the users of the farm in dir.
func readUsers(dir string) (out []user, err error) {
	text, err := os.ReadFile(filepath.Join(dir, usersFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 3 || Role(f[0]) != RoleSubmit && Role(f[0]) != RoleWork || !nkeys.IsValidPublicUserKey(f[2]) {
			return nil, fmt.Errorf("%w: %s:%d: not a user (write submit or work, a name, a public key)", ErrRefused, filepath.Join(dir, usersFile), n+1)
		}
		out = append(out, user{role: Role(f[0]), name: f[1], public: f[2]})
	}
	return out, nil
}

// NewKey makes a key for name, writes it to path and adds it to the users of the farm in dir. A
// running server admits it within seconds. The error wraps ErrRefused if the name or the file
// exists.
func NewKey(dir, name string, role Role, path string) error {
	return changing(dir, func() error {
		if err := authority(dir); err != nil {
			return err
		}
		users, err := readUsers(dir)
		if err != nil {
			return err
		}
		name = token(name)
		if slices.ContainsFunc(users, func(u user) bool { return u.name == name }) {
			return fmt.Errorf("%w: a key named %q exists (remove its line in %s to withdraw it)",
				ErrRefused, name, filepath.Join(dir, usersFile))
		}
		return addKeys(dir, users, user{name: name, role: role, path: path})
	})
}

// addKeys makes keys and adds them to the users, all or none.
func addKeys(dir string, users []user, more ...user) error {
	ca, err := os.ReadFile(filepath.Join(dir, caFile))
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	for _, u := range more {
		if u.public, err = writeKey(u.name, u.role, u.path, ca); err != nil {
			return err
		}
		users = append(users, u)
	}
	var list strings.Builder
	list.WriteString("# Who may come to this farm: role, name, public key. A line taken out withdraws the key.\n")
	for _, u := range users {
		fmt.Fprintf(&list, "%s %s %s\n", u.role, u.name, u.public)
	}
	if err := writeOwn(filepath.Join(dir, usersFile), 0o600, []byte(list.String())); err != nil {
		for _, u := range more {
			_ = os.Remove(u.path) // it is useless without its line
		}
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// writeOwn writes a file of a farm's folder, owned by the folder's owner.
func writeOwn(path string, perm fs.FileMode, text []byte) error {
	return atomicfile.Write(path, perm, func(f *os.File) error {
		if _, err := f.Write(text); err != nil {
			return err
		}
		return give(f, filepath.Dir(path))
	})
}

// firstKeys makes a submit and a work key in a folder without users. Existing files of these
// names are left from a killed start or from another farm and are useless here: they are renamed
// to .old.
func firstKeys(dir string) error {
	_, served := os.Stat(filepath.Join(dir, storeDir))
	if _, listed := os.Stat(filepath.Join(dir, usersFile)); served == nil && listed == nil {
		return nil
	}
	users, err := readUsers(dir)
	if err != nil {
		return err
	}
	var more []user
	for _, r := range []Role{RoleSubmit, RoleWork} {
		if slices.ContainsFunc(users, func(u user) bool { return u.name == string(r) }) {
			continue
		}
		u := user{name: string(r), role: r, path: filepath.Join(dir, string(r)+".key")}
		if err := putAside(u.path); err != nil {
			return fmt.Errorf("make key: %w", err)
		}
		more = append(more, u)
	}
	if len(more) == 0 {
		return nil
	}
	return addKeys(dir, users, more...)
}

// putAside renames an existing file to a free name.
func putAside(path string) error {
	for n := 0; ; n++ {
		aside := path + ".old"
		if n > 0 {
			aside += strconv.Itoa(n)
		}
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		if err := os.Rename(path, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
}

// changing runs a change of a farm's keys and certificates under a lock. It makes the folder dir
// if it does not exist.
func changing(dir string, do func() error) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%w: folder of the farm: %w", ErrRefused, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	lock := flock.New(filepath.Join(dir, "keys.lock"))
	_, err := lock.TryLockContext(ctx, 20*time.Millisecond)
	if err == nil {
		err = giveLock(lock.Path())
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%w: folder of the farm: %w", ErrRefused, err), lock.Close())
	}
	return errors.Join(do(), lock.Close())
}

// writeKey writes a new key file, with the certificate to trust, if any, and returns the public
// part.
func writeKey(name string, role Role, path string, ca []byte) (public string, err error) {
	if _, err := os.Stat(path); err == nil {
		return "", fmt.Errorf("%w: key file %s already exists", ErrRefused, path)
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	seed, err := pair.Seed()
	if err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	if public, err = pair.PublicKey(); err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	text := fmt.Sprintf("# fibsbot farm: key of %q, may %s. Keep it secret.\n%s\n%s", name, role, seed, ca)
	if err := atomicfile.WriteBytes(path, 0o600, []byte(text)); err != nil {
		return "", fmt.Errorf("%w: write key: %w", ErrRefused, unpath(err))
	}
	return public, nil
}

// NewClusterKey makes a key for name on servers of another cluster, writes it to path and returns
// the entry for the list "users" of their configuration. The key trusts the system's
// certificates; others may be added to its file as PEM. The error wraps ErrRefused if the file
// exists.
func NewClusterKey(name string, role Role, path string) (entry string, err error) {
	name = token(name)
	public, err := writeKey(name, role, path, nil)
	if err != nil {
		return "", err
	}
	entry = fmt.Sprintf("# fibsbot farm: %s, may %s\n{ nkey: %s", name, role, public)
	if role == RoleWork {
		r, quote := workerRights(public), func(list []string) string { return `"` + strings.Join(list, "\",\n    \"") + `"` }
		entry += fmt.Sprintf(", permissions: {\n  publish: { allow: [\n    %s\n  ] }\n  subscribe: { allow: [\n    %s\n  ] }\n  allow_responses: { max: %d, expires: %q }\n}",
			quote(r.Publish.Allow), quote(r.Subscribe.Allow), r.Response.MaxMsgs, r.Response.Expires)
	}
	return entry + " }\n", nil
}
