// Package pwhash keeps passwords as hashes.
package pwhash

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Costs of a password's hash. Accounts on disk get Argon2id with the lowest cost of OWASP's cheat
// sheet on password storage (19 MiB, 2 passes, 1 lane). Accounts in memory get a cheap hash, so
// that a demo of 200 bots starts fast.
const (
	argonPasses  = 2
	argonMemory  = 19 << 10 // KiB
	memoryRounds = 500      // of PBKDF2
	secretBytes  = 32
	maxRounds    = 10_000_000
	maxArgonKiB  = 1 << 20
)

// Secret is a hashed password. rounds is 0 for Argon2id, otherwise the iterations of
// PBKDF2-SHA256, which hashes cheaply.
type Secret struct {
	salt, hash []byte
	rounds     uint32
	passes     uint32
	memory     uint32 // KiB
}

// Same reports whether two secrets are the same hash, in constant time.
func (k Secret) Same(other Secret) bool { return subtle.ConstantTimeCompare(k.hash, other.hash) == 1 }

// Known reports whether k was made by New or Read.
func (k Secret) Known() bool { return len(k.hash) > 0 }

// New hashes a password, cheaply or well. It takes time; call it without a mutex.
func New(password string, cheap bool) (Secret, error) {
	k := Secret{salt: make([]byte, 16), passes: argonPasses, memory: argonMemory}
	if cheap {
		k = Secret{salt: k.salt, rounds: memoryRounds}
	}
	rand.Read(k.salt)
	var err error
	k.hash, err = k.of(password)
	return k, err
}

// of is the hash of a password with the salt and the cost of k.
func (k Secret) of(password string) ([]byte, error) {
	if k.rounds == 0 && k.passes == 0 {
		return nil, errSecret // an account without a password
	}
	if k.rounds == 0 {
		return argon2.IDKey([]byte(password), k.salt, k.passes, k.memory, 1, secretBytes), nil
	}
	h, err := pbkdf2.Key(sha256.New, password, k.salt, int(k.rounds), secretBytes)
	if err != nil {
		return nil, fmt.Errorf("hash password: %w", err)
	}
	return h, nil
}

// Is reports whether password is the one that was hashed. It takes as long as New.
func (k Secret) Is(password string) bool {
	got, err := k.of(password)
	return err == nil && len(k.hash) == secretBytes && subtle.ConstantTimeCompare(got, k.hash) == 1
}

// Weak reports whether the password should be hashed again.
func (k Secret) Weak(cheap bool) bool {
	return !cheap && (k.rounds > 0 || k.passes < argonPasses || k.memory < argonMemory)
}

// Text is the secret as PHC strings have it: $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH.
func (k Secret) Text() string {
	b := base64.RawStdEncoding
	if k.rounds > 0 {
		return fmt.Sprintf("$pbkdf2-sha256$i=%d$%s$%s", k.rounds, b.EncodeToString(k.salt), b.EncodeToString(k.hash))
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, k.memory, k.passes, b.EncodeToString(k.salt), b.EncodeToString(k.hash))
}

var errSecret = errors.New("the password's hash is not usable")

// Read reads what Text wrote.
func Read(text string) (Secret, error) {
	var k Secret
	f := strings.Split(text, "$")
	switch {
	case len(f) == 5 && f[1] == "pbkdf2-sha256":
		n, err := strconv.Atoi(strings.TrimPrefix(f[2], "i="))
		if err != nil || n < 1 || n > maxRounds {
			return k, errSecret
		}
		k.rounds = uint32(n)
	case len(f) == 6 && f[1] == "argon2id" && f[2] == "v="+strconv.Itoa(argon2.Version):
		if n, err := fmt.Sscanf(f[3], "m=%d,t=%d,p=1", &k.memory, &k.passes); n != 2 || err != nil ||
			k.memory < 8 || k.memory > maxArgonKiB || k.passes < 1 || k.passes > 100 {
			return k, errSecret
		}
	default:
		return k, errSecret
	}
	var err1, err2 error
	k.salt, err1 = base64.RawStdEncoding.DecodeString(f[len(f)-2])
	k.hash, err2 = base64.RawStdEncoding.DecodeString(f[len(f)-1])
	if err1 != nil || err2 != nil || len(k.hash) != secretBytes {
		return k, errSecret
	}
	return k, nil
}
