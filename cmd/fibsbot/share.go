package main

import (
	"io"
	"net/url"
	"strings"

	"github.com/spf13/pflag"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/analyse/share"
	"fibsbot/engine/record"
)

// shareFlags ask for links that hold a review.
type shareFlags struct {
	on   bool
	base string
}

func (s *shareFlags) add(fl *pflag.FlagSet) {
	fl.BoolVar(&s.on, "share", false, "print links that hold the reviews; --share-base says where they open")
	fl.StringVar(&s.base, "share-base", "", "address of a browser edition, for --share")
}

// check refuses links that lead nowhere.
func (s *shareFlags) check() (err error) {
	switch {
	case s.on && s.base == "":
		return cmdline.Usagef("--share: needs --share-base URL, the address of a browser edition (fibsbot web export makes one); for a file to send: fibsbot analyse --format html")
	case !s.on && s.base != "":
		return cmdline.Usagef("--share-base: only with --share")
	}
	s.base, err = shareBase(s.base)
	return err
}

// write writes the link of m on a line.
func (s *shareFlags) write(w io.Writer, m *record.Match) error {
	if _, err := io.WriteString(w, s.base+"#"); err != nil {
		return err
	}
	return share.Write(w, m)
}

// shareBase checks the address of a browser edition and returns it with a slash at its end.
func shareBase(address string) (string, error) {
	if address == "" {
		return "", nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Fragment != "" || u.RawQuery != "" {
		return "", cmdline.Usagef("--share-base: %q is not the address of a site (as https://example.org/backgammon/)", address)
	}
	return strings.TrimSuffix(u.String(), "/") + "/", nil
}
