package farm

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"fibsbot/internal/atomicfile"
)

// Role is what a key may do.
type Role string

// The roles. A worker runs pieces: it can neither submit nor read results.
const (
	RoleSubmit Role = "submit"
	RoleWork   Role = "work"
)

// serverName is the name in certificates that Serve makes. Clients ask for it whatever
// the address, so a farm may move without new certificates.
const serverName = "fibsbot-farm"

// maxKeyFile bounds a key file.
const maxKeyFile = 1 << 20

// Key is what a key file holds: who one is, and whose certificates one trusts. It
// never prints its secret.
type Key struct {
	pair   nkeys.KeyPair
	public string
	roots  *x509.CertPool // nil for those of the system
	own    bool           // the roots are of a farm's own authority
	creds  string         // path of a NATS credentials file instead
}

// String implements fmt.Stringer.
func (k *Key) String() string { return "farm key " + k.public }

// GoString implements fmt.GoStringer.
func (k *Key) GoString() string { return k.String() }

// ReadKey reads a key file: an nkey seed with the certificates to trust, as `farm key`
// writes it, or NATS credentials of somebody else's cluster. An empty path is no key.
// The error wraps ErrRefused.
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
		return k, nil
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "SU") {
			if k.pair, err = nkeys.FromSeed([]byte(line)); err == nil {
				k.public, err = k.pair.PublicKey()
			}
			if err != nil {
				return nil, fmt.Errorf("%w: key file %s: the key in it is damaged", ErrRefused, path)
			}
		}
	}
	if k.pair == nil {
		return nil, fmt.Errorf("%w: key file %s: no key in it (fibsbot farm key makes one)", ErrRefused, path)
	}
	if pool := x509.NewCertPool(); pool.AppendCertsFromPEM(text) {
		k.roots = pool
		if block, _ := pem.Decode(text[bytes.Index(text, []byte("-----BEGIN CERT")):]); block != nil {
			c, err := x509.ParseCertificate(block.Bytes)
			k.own = err == nil && c.Subject.CommonName == serverName
		}
	}
	return k, nil
}

// unpath leaves the path out of an error that names it again.
func unpath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Files of a farm's folder.
const (
	usersFile  = "users"      // role, name and public key of all who may come, one a line
	caFile     = "ca.pem"     // certificate of the farm's own authority
	caKeyFile  = "ca.key"     // its secret
	certFile   = "server.pem" // certificate of the server
	certKeyFil = "server.key" // its secret
	storeDir   = "jetstream"  // what the server keeps
)

// user is one who may come.
type user struct {
	role   Role
	name   string
	public string
}

// readUsers reads who may come to the farm in dir.
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
			return nil, fmt.Errorf("%w: %s line %d: want submit or work, a name, a public key", ErrRefused, filepath.Join(dir, usersFile), n+1)
		}
		out = append(out, user{Role(f[0]), f[1], f[2]})
	}
	return out, nil
}

// NewKey makes a key for name, writes it to path and lets it into the farm in dir; a
// server that runs there lets it in within seconds. The error wraps ErrRefused where
// the name or the file is already there.
func NewKey(dir, name string, role Role, path string) error {
	if err := authority(dir); err != nil {
		return err
	}
	users, err := readUsers(dir)
	if err != nil {
		return err
	}
	name = token(name)
	if slices.ContainsFunc(users, func(u user) bool { return u.name == name }) {
		return fmt.Errorf("%w: there is a key of the name %q (its line in %s says whose; without the line the key is withdrawn)",
			ErrRefused, name, filepath.Join(dir, usersFile))
	}
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%w: %s is already there", ErrRefused, path)
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	seed, err := pair.Seed()
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	ca, err := os.ReadFile(filepath.Join(dir, caFile))
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	text := fmt.Sprintf("# fibsbot farm: key of %q, may %s. Keep it secret.\n%s\n%s", name, role, seed, ca)
	if err := atomicfile.WriteBytes(path, 0o600, []byte(text)); err != nil {
		return fmt.Errorf("%w: write key: %w", ErrRefused, unpath(err))
	}
	var list strings.Builder
	list.WriteString("# Who may come to this farm: role, name, public key. A line taken out withdraws the key.\n")
	for _, u := range append(users, user{role, name, public}) {
		fmt.Fprintf(&list, "%s %s %s\n", u.role, u.name, u.public)
	}
	return atomicfile.WriteBytes(filepath.Join(dir, usersFile), 0o600, []byte(list.String()))
}

// authority makes the farm's own authority for certificates where there is none.
func authority(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%w: folder of the farm: %w", ErrRefused, err)
	}
	if _, err := os.Stat(filepath.Join(dir, caFile)); err == nil {
		return nil
	}
	t := template(10 * 365 * 24 * time.Hour)
	t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign
	return issue(filepath.Join(dir, caKeyFile), filepath.Join(dir, caFile), t, nil, nil)
}

// template is a certificate that begins a day ago: clocks may be wrong.
func template(life time.Duration) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err) // the system's source of randomness is gone
	}
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: serverName},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(life)}
}

// issue writes a new secret and its certificate, signed by parent or by itself.
func issue(keyPath, certPath string, t, parent *x509.Certificate, signer any) error {
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	if parent == nil {
		parent, signer = t, secret
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &secret.PublicKey, signer)
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	if err := atomicfile.WriteBytes(keyPath, 0o600, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})); err != nil {
		return err
	}
	return atomicfile.WriteBytes(certPath, 0o644, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// serverCertificate is the farm's own, made anew when less than a month of it is left.
func serverCertificate(dir string) (tls.Certificate, error) {
	if err := authority(dir); err != nil {
		return tls.Certificate{}, err
	}
	certPath, keyPath := filepath.Join(dir, certFile), filepath.Join(dir, certKeyFil)
	pair, err := tls.LoadX509KeyPair(certPath, keyPath)
	if err == nil && time.Until(pair.Leaf.NotAfter) > 30*24*time.Hour {
		return pair, nil
	}
	ca, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, caKeyFile))
	if err != nil {
		return pair, fmt.Errorf("%w: authority of the farm: %w", ErrRefused, err)
	}
	t := template(2 * 365 * 24 * time.Hour)
	t.DNSNames = []string{serverName}
	t.KeyUsage, t.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if err := issue(keyPath, certPath, t, ca.Leaf, ca.PrivateKey); err != nil {
		return pair, err
	}
	return tls.LoadX509KeyPair(certPath, keyPath)
}
