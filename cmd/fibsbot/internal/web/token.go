//go:build !js

package web

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"

	"fibsbot/internal/atomicfile"
)

// Bounds of a token in bytes.
const (
	minToken    = 16
	maxTokenLen = 512
)

// ErrToken is wrapped by errors about tokens.
var ErrToken = errors.New("no token")

// NeedsToken reports whether other machines can reach an address to listen on, so visitors
// need a token. "localhost" and loopback addresses need none.
func NeedsToken(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return true
	}
	if strings.EqualFold(host, "localhost") {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return err != nil || !addr.IsLoopback()
}

// TokenFrom reads the token in file, or creates one there, readable only by the owner.
// Errors wrap ErrToken if the file holds no valid token.
func TokenFrom(file string) (string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		var b [24]byte
		_, _ = rand.Read(b[:]) // crypto/rand never fails
		token := base64.RawURLEncoding.EncodeToString(b[:])
		return token, atomicfile.WriteBytes(file, 0o600, []byte(token+"\n"))
	}
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if len(token) < minToken || len(token) > maxTokenLen || strings.ContainsFunc(token, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", r)
	}) {
		return "", fmt.Errorf("%s: %w: want one line of %d or more letters, digits and -._~", file, ErrToken, minToken)
	}
	return token, nil
}
