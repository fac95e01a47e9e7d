package farm

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// authority makes the farm's own certificate authority unless there is one. It is called under
// changing.
func authority(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, caFile)); err == nil {
		return nil
	}
	t := template()
	t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign
	return issue(filepath.Join(dir, caKeyFile), filepath.Join(dir, caFile), t, nil, nil)
}

// template is a certificate that is valid by any clock, so that neither it nor the key files
// that trust it have to be renewed.
func template() *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err) // the system has no randomness
	}
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: serverName},
		NotBefore: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)}
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
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &secret.PublicKey, signer)
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	if err := writeOwn(keyPath, 0o600, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})); err != nil {
		return err
	}
	return writeOwn(certPath, 0o644, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// serverCertificate returns the farm's own certificate. It makes a new one for a new authority
// and if the old one ends before the authority does.
func serverCertificate(dir string) (tls.Certificate, error) {
	if err := authority(dir); err != nil {
		return tls.Certificate{}, err
	}
	ca, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, caKeyFile))
	if err != nil {
		return ca, fmt.Errorf("%w: authority of the farm: %w", ErrRefused, err)
	}
	certPath, keyPath := filepath.Join(dir, certFile), filepath.Join(dir, certKeyFil)
	if old, err := tls.LoadX509KeyPair(certPath, keyPath); err == nil && old.Leaf.CheckSignatureFrom(ca.Leaf) == nil && !old.Leaf.NotAfter.Before(ca.Leaf.NotAfter) {
		return old, nil
	}
	t := template()
	t.NotBefore, t.NotAfter = ca.Leaf.NotBefore, ca.Leaf.NotAfter
	t.DNSNames = []string{serverName}
	t.KeyUsage, t.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if err := issue(keyPath, certPath, t, ca.Leaf, ca.PrivateKey); err != nil {
		return ca, err
	}
	return tls.LoadX509KeyPair(certPath, keyPath)
}

// firstCertificate reads or makes the certificate that new connections see.
func (s *Server) firstCertificate() error {
	if s.o.Cert == "" {
		c, err := serverCertificate(s.dir)
		s.shown.Store(&c)
		return err
	}
	if err := s.loadCertificate(); err != nil {
		return fmt.Errorf("%w: certificate: %w", ErrRefused, err)
	}
	return authority(s.dir)
}

// loadCertificate reads the files of --tls-cert and --tls-key.
func (s *Server) loadCertificate() error {
	at := s.certStamps()
	c, err := tls.LoadX509KeyPair(s.o.Cert, s.o.CertKey)
	if err != nil {
		return err
	}
	s.loaded = at
	s.shown.Store(&c)
	if now := time.Now(); now.Before(c.Leaf.NotBefore) || now.After(c.Leaf.NotAfter) {
		s.o.tell("no client will connect: the certificate of " + s.o.Cert + " is " + validity(c.Leaf))
	}
	return nil
}

func (s *Server) certStamps() [2]stamp { return [2]stamp{stampOf(s.o.Cert), stampOf(s.o.CertKey)} }

// renewCertificate reads the files of --tls-cert and --tls-key again if they have changed.
// Existing connections stay. One of the files may not be written yet: the next call reads both.
func (s *Server) renewCertificate() {
	if s.o.Cert == "" || s.certStamps() == s.loaded {
		return
	}
	text := ""
	if err := s.loadCertificate(); err != nil {
		text = "the server's certificate stays as it was: certificate: " + err.Error()
	} else {
		s.o.tell("the server's certificate is a new one, good until " + s.shown.Load().Leaf.NotAfter.UTC().Format(time.DateOnly))
	}
	if text != "" && text != s.trouble {
		s.o.tell(text)
	}
	s.trouble = text
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
