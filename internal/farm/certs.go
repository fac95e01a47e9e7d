package farm

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	day = 24 * time.Hour
	// certLife is the life of a server's certificate, renewBefore the time before its end when
	// the next one is made.
	certLife    = 2 * 365 * day
	renewBefore = 30 * day
	// authorityLife is the life of an authority. Warnings begin warnBefore its end, since many
	// key files may have to be replaced.
	authorityLife = 10 * 365 * day
	warnBefore    = 180 * day
)

// authority makes the farm's own certificate authority unless there is one. It is called under
// changing.
func authority(dir string, now time.Time) error {
	if _, err := os.Stat(filepath.Join(dir, caFile)); err == nil {
		return nil
	}
	return issue(filepath.Join(dir, caKeyFile), filepath.Join(dir, caFile), authorityTemplate(now), nil, nil)
}

func authorityTemplate(now time.Time) *x509.Certificate {
	t := template(now, now.Add(authorityLife))
	t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign
	return t
}

// template is a certificate that began a day ago: clocks may be wrong.
func template(now, end time.Time) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err) // the system has no randomness
	}
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: serverName}, NotBefore: now.Add(-day), NotAfter: end}
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
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	text, err := sign(t, parent, &secret.PublicKey, signer)
	if err != nil {
		return err
	}
	if err := writeOwn(keyPath, 0o600, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})); err != nil {
		return err
	}
	return writeOwn(certPath, 0o644, text)
}

func sign(t, parent *x509.Certificate, public, signer any) (text []byte, err error) {
	der, err := x509.CreateCertificate(rand.Reader, t, parent, public, signer)
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// serverCertificate returns the farm's own certificate. It makes a new one in the last month, for
// a new authority, or if the clock was wrong when the old one was made. It does not outlive the
// authority. An error comes with the old one if that is still valid.
func serverCertificate(dir string, now time.Time) (tls.Certificate, error) {
	if err := authority(dir, now); err != nil {
		return tls.Certificate{}, err
	}
	certPath, keyPath := filepath.Join(dir, certFile), filepath.Join(dir, certKeyFil)
	old, oldErr := tls.LoadX509KeyPair(certPath, keyPath)
	good := oldErr == nil && now.After(old.Leaf.NotBefore) && now.Before(old.Leaf.NotAfter)
	if good && old.Leaf.NotAfter.Sub(now) > renewBefore {
		if ca, err := readAuthority(dir); err != nil || old.Leaf.CheckSignatureFrom(ca) == nil {
			return old, nil
		}
	}
	ca, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, caKeyFile))
	if err != nil {
		err = fmt.Errorf("%w: authority of the farm: %w", ErrRefused, err)
		if !good {
			old = tls.Certificate{}
		}
		return old, err
	}
	end := now.Add(certLife)
	if ca.Leaf.NotAfter.Before(end) {
		end = ca.Leaf.NotAfter
	}
	if good && !end.After(old.Leaf.NotAfter) && old.Leaf.CheckSignatureFrom(ca.Leaf) == nil {
		return old, nil // the authority ends as early
	}
	t := template(now, end)
	t.DNSNames = []string{serverName}
	t.KeyUsage, t.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if err := issue(keyPath, certPath, t, ca.Leaf, ca.PrivateKey); err != nil {
		return old, err
	}
	return tls.LoadX509KeyPair(certPath, keyPath)
}

// readAuthority reads the certificate of the farm's own authority.
func readAuthority(dir string) (*x509.Certificate, error) {
	text, err := os.ReadFile(filepath.Join(dir, caFile))
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: no certificate", filepath.Join(dir, caFile))
	}
	return x509.ParseCertificate(block.Bytes)
}

// RenewAuthority extends the authority of the farm in dir to ten years from now. Its secret
// stays, so distributed key files work until the old end. The named files and the farm's first
// ones get the new certificate. It returns the new end and the files written. The error wraps
// ErrRefused if the folder has no authority or a file is not a key of this farm; nothing is
// changed then.
func RenewAuthority(dir string, now time.Time, files ...string) (end time.Time, written []string, err error) {
	if _, err := os.Stat(filepath.Join(dir, caFile)); err != nil {
		return end, nil, fmt.Errorf("%w: no farm in %s: %w", ErrRefused, dir, unpath(err))
	}
	err = changing(dir, func() error {
		ca, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, caKeyFile))
		if err != nil {
			return fmt.Errorf("%w: authority of the farm: %w", ErrRefused, err)
		}
		signer, ok := ca.PrivateKey.(crypto.Signer)
		if !ok {
			return fmt.Errorf("%w: the authority of the farm cannot sign", ErrRefused)
		}
		t := authorityTemplate(now)
		text, err := sign(t, t, signer.Public(), signer)
		if err != nil {
			return err
		}
		end = t.NotAfter.Truncate(time.Second)
		renewed := map[string][]byte{}
		for _, path := range files {
			if renewed[path], err = retrust(path, ca.Leaf, text); err != nil {
				return fmt.Errorf("%w: key file %s: %w", ErrRefused, path, unpath(err))
			}
		}
		for _, r := range []Role{RoleSubmit, RoleWork} {
			path := filepath.Join(dir, string(r)+".key")
			if out, err := retrust(path, ca.Leaf, text); err == nil && renewed[path] == nil { // it may be missing, or another farm's
				renewed[path], files = out, append(files, path)
			}
		}
		if err := writeOwn(filepath.Join(dir, caFile), 0o644, text); err != nil {
			return err
		}
		for _, path := range files {
			if err := writeOwn(path, 0o600, renewed[path]); err != nil {
				return err
			}
			written = append(written, path)
		}
		return nil
	})
	return end, written, err
}

// retrust returns the text of a key file with the certificates of an authority replaced by ca.
func retrust(path string, old *x509.Certificate, ca []byte) (out []byte, err error) {
	if st, err := os.Stat(path); err == nil && (st.IsDir() || st.Size() > maxKeyFile) {
		return nil, errors.New("not a key file")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := false
	for {
		i := bytes.Index(text, []byte("-----BEGIN CERT"))
		if i < 0 {
			break
		}
		block, rest := pem.Decode(text[i:])
		if block == nil {
			break
		}
		whole := text[:len(text)-len(rest)]
		c, err := x509.ParseCertificate(block.Bytes)
		if err == nil && bytes.Equal(c.RawSubjectPublicKeyInfo, old.RawSubjectPublicKeyInfo) {
			if whole = text[:i]; !found {
				whole = append(bytes.Clone(whole), ca...)
			}
			found = true
		}
		out, text = append(out, whole...), rest
	}
	if !found {
		return nil, errors.New("not a key of this farm")
	}
	return append(out, text...), nil
}

// holder holds the certificate that a server shows and renews it.
type holder struct {
	o       *ServerOptions
	cert    tls.Certificate
	stamps  [2]stamp  // of the files of --tls-cert and --tls-key
	ca      stamp     // of the farm's own authority
	next    time.Time // of a certificate of the farm's own: when to look again
	trouble string    // already logged
	warned  time.Time // time of the last warning about an end
}

// first returns the certificate that a server begins with.
func (h *holder) first() (err error) {
	now := h.o.now()
	if h.o.Cert == "" {
		h.cert, err = serverCertificate(h.o.Dir, now)
		if err != nil && h.cert.Leaf != nil { // it is still valid
			h.say(err)
			err = nil
		}
		h.next, h.ca = now.Add(time.Hour), stampOf(filepath.Join(h.o.Dir, caFile))
	} else {
		if h.stamps, h.cert, err = h.load(); err == nil {
			err = authority(h.o.Dir, now)
		}
	}
	if err == nil {
		h.warn(now)
	}
	return err
}

func (h *holder) load() (at [2]stamp, c tls.Certificate, err error) {
	at = [2]stamp{stampOf(h.o.Cert), stampOf(h.o.CertKey)}
	if c, err = tls.LoadX509KeyPair(h.o.Cert, h.o.CertKey); err != nil {
		return at, c, fmt.Errorf("%w: certificate: %w", ErrRefused, err)
	}
	if c.Leaf == nil {
		c.Leaf, err = x509.ParseCertificate(c.Certificate[0])
	}
	return at, c, err
}

// look reads or makes a newer certificate, and reports whether it did.
func (h *holder) look() (renewed bool) {
	now := h.o.now()
	old, err := h.cert.Leaf, error(nil)
	switch {
	case h.o.Cert != "":
		if now := [2]stamp{stampOf(h.o.Cert), stampOf(h.o.CertKey)}; now != h.stamps {
			var c tls.Certificate
			// One of the two files may not be written yet: the next look reads both.
			if h.stamps, c, err = h.load(); err == nil {
				h.cert = c
			} else {
				h.stamps = [2]stamp{}
			}
		}
	// The clock may have been set, or the authority renewed.
	case !now.Before(h.next) || now.Before(h.next.Add(-2*time.Hour)) || stampOf(filepath.Join(h.o.Dir, caFile)) != h.ca:
		h.next, h.ca = now.Add(time.Hour), stampOf(filepath.Join(h.o.Dir, caFile))
		err = changing(h.o.Dir, func() error {
			c, err := serverCertificate(h.o.Dir, now)
			if c.Leaf != nil {
				h.cert = c
			}
			return err
		})
	}
	h.say(err)
	h.warn(now)
	if renewed = !bytes.Equal(old.Raw, h.cert.Leaf.Raw); renewed {
		h.o.tell("the server's certificate is a new one, good until " + h.cert.Leaf.NotAfter.UTC().Format(time.DateOnly))
	}
	return renewed
}

// say logs an error of certificates once.
func (h *holder) say(err error) {
	text := ""
	if err != nil {
		text = "the server's certificate stays as it was: " + plainText(err)
	}
	if text != "" && text != h.trouble {
		h.o.tell(text)
	}
	h.trouble = text
}

// warn logs once a week which certificates are near their end.
func (h *holder) warn(now time.Time) {
	if since := now.Sub(h.warned); since >= 0 && since < 7*day {
		return
	}
	for _, text := range h.about().Notes {
		h.o.tell(text)
		h.warned = now
	}
}

func (h *holder) about() about {
	a := about{Now: h.o.now(), Dir: h.o.Dir, CertificateBegins: h.cert.Leaf.NotBefore, CertificateEnds: h.cert.Leaf.NotAfter, CertificateFile: h.o.Cert}
	if dir, err := filepath.Abs(h.o.Dir); err == nil {
		a.Dir = dir
	}
	if ca, err := readAuthority(h.o.Dir); err == nil && h.o.Cert == "" {
		a.AuthorityEnds = &ca.NotAfter
	}
	a.Notes = a.notes(a.Now)
	return a
}

// about is a server's answer about itself.
type about struct {
	Dir               string     `json:"dir"`
	CertificateBegins time.Time  `json:"certificate_begins"`
	CertificateEnds   time.Time  `json:"certificate_ends"`
	CertificateFile   string     `json:"certificate_file,omitempty"` // if not of the farm's own authority
	AuthorityEnds     *time.Time `json:"authority_ends,omitempty"`
	Now               time.Time  `json:"now"`
	Notes             []string   `json:"notes,omitempty"` // problems that the operator should fix
}

// notes lists what the operator must do about certificates.
func (a about) notes(now time.Time) (out []string) {
	end := func(t time.Time) string {
		if !now.Before(t) {
			return "has ended on " + t.UTC().Format(time.DateOnly)
		}
		return fmt.Sprintf("ends on %s, in %d days", t.UTC().Format(time.DateOnly), int(t.Sub(now)/day))
	}
	if t := a.AuthorityEnds; t != nil && t.Sub(now) < warnBefore {
		out = append(out, fmt.Sprintf("the farm's certificate authority %s (run fibsbot farm key --renew --data %s on the server, then give the workers the new key files)", end(*t), a.Dir))
	}
	switch {
	case now.Before(a.CertificateBegins) || !now.Before(a.CertificateEnds):
		name := "of the server"
		if a.CertificateFile != "" {
			name = "of " + a.CertificateFile
		}
		const layout = time.DateTime
		out = append(out, fmt.Sprintf("no client will connect: the certificate %s is valid from %s to %s, this machine's clock: %s UTC", name,
			a.CertificateBegins.UTC().Format(layout), a.CertificateEnds.UTC().Format(layout), now.UTC().Format(layout)))
	case a.CertificateFile != "" && a.CertificateEnds.Sub(now) < 14*day:
		out = append(out, fmt.Sprintf("the certificate of %s %s (replace the file; no restart is needed)", a.CertificateFile, end(a.CertificateEnds)))
	case a.CertificateFile == "" && a.CertificateEnds.Sub(now) < renewBefore-day && (a.AuthorityEnds == nil || a.AuthorityEnds.After(a.CertificateEnds)):
		out = append(out, "the server's certificate "+end(a.CertificateEnds)+" and could not be renewed: its log says why")
	}
	return out
}

// stamp identifies a state of a file.
type stamp struct{ changed, size int64 }

func stampOf(path string) stamp {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{st.ModTime().UnixNano(), st.Size()}
}

// plainText returns an error's text without the prefix of ErrRefused.
func plainText(err error) string {
	return strings.TrimPrefix(err.Error(), ErrRefused.Error()+": ")
}
