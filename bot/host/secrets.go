package host

import (
	"cmp"
	"net/url"
	"slices"
	"sync"

	"fibsbot/bot"
	"fibsbot/config"
	"fibsbot/internal/sanitize"
)

// secrets are the words that must not appear in kept talk: the passwords of all accounts that
// have logged in, and other secrets of the configuration.
type secrets struct {
	mu    sync.Mutex
	words []string // longest first, as one may contain another
}

func (s *secrets) add(words ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range words {
		if w != "" && !slices.Contains(s.words, w) {
			s.words = append(s.words, w)
		}
	}
	slices.SortFunc(s.words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

func (s *secrets) mask(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.words {
		text = sanitize.Secret(text, w)
	}
	return text
}

// secretsOf returns the secrets of a configuration, except the passwords of accounts.
func secretsOf(c *config.Config) []string {
	list := []string{c.Matchmaking.Password.Reveal(), c.Notify.Webhook.Reveal(), c.Notify.HeartbeatURL.Reveal()}
	if v, err := c.Notify.Secret(); err == nil {
		list = append(list, v.Reveal())
	}
	if dsn, err := c.Archive.ResolveDSN(); err == nil {
		list = append(list, dsn)
		if u, err := url.Parse(dsn); err == nil && u.User != nil {
			password, _ := u.User.Password()
			list = append(list, password)
		}
	}
	return list
}

// talk returns the setting of archive.chat.
func (s *seat) talk() bot.Talk {
	switch s.h.opt.Config().Archive.Chat {
	case "kibitz":
		return bot.TalkKibitz
	case "all":
		return bot.TalkAll
	}
	return bot.TalkNone
}
