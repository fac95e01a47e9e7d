package config

import (
	"cmp"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Known names what this build has, so that Check can tell a missing preset or
// filter from a present one without knowing the engine.
type Known struct {
	Presets, Filters []string
	// Protocols are the kinds of servers that the program knows; none leaves that
	// to the host.
	Protocols []Protocol
	// Weights reports what is wrong with a weights file; nil leaves that to the
	// engine.
	Weights func(file string) error
	// Bearoff names what cannot be used of a folder of bearoff databases; nil leaves that
	// to the engine, which does without.
	Bearoff func(dir string) ([]string, error)
	// Table returns an error if name is neither the name nor the file of a match equity
	// table; a nil Table accepts every name.
	Table func(name string) error
	// Outside reports what does not go together in an engine of the list engines; nil leaves
	// that to the host.
	Outside func(OutsideEngine) error
	// Strength reports what is wrong with a preset as a whole, its base included, if
	// each of its values may be; nil leaves that to the engine.
	Strength func(c *Config, preset string) error
}

// Protocol describes a kind of server. Without CheckName and CheckAddress the rules of FIBS
// hold for the names and addresses of accounts.
type Protocol struct {
	Name                    string
	CheckName, CheckAddress func(string) error
	// Opens: no one can invite a bot, which opens matches instead.
	Opens bool
	// Watches: matches of other players can be watched.
	Watches bool
}

// protocol returns the known protocol of that name; known reports whether there is one.
func (k *Known) protocol(name string) (p Protocol, known bool) {
	for _, p := range k.Protocols {
		if p.Name == name {
			return p, true
		}
	}
	return Protocol{Name: name}, false
}

// Check reports every problem of c that its types cannot rule out, in the order
// of the sections. It touches the file system (secrets, block list, weights) but
// never the network. src may be nil.
func Check(c *Config, src *Source, known Known) Errors {
	if src == nil {
		src = &Source{}
	}
	k := &checker{c: c, src: src, known: known}
	visit(reflect.ValueOf(c).Elem(), "", "", k.value)
	return k.errs
}

// Warnings lists settings that are allowed but unwise. src may be nil; with its File the
// permissions of that file are checked too. Of known, it reads only Protocols.
func Warnings(c *Config, src *Source, known Known) Errors {
	if src == nil {
		src = &Source{}
	}
	var list Errors
	warn := func(when bool, field, format string, args ...any) {
		if when {
			list = append(list, src.ErrorAt(field, format, args...))
		}
	}
	private := func(field, file string) {
		mode, open := readByOthers(file)
		warn(open, field, "other users can read %s, mode %04o (chmod 600 prevents it)", file, mode)
	}
	for i, a := range c.Accounts {
		at := fmt.Sprintf("accounts[%d]", i)
		warn(a.Name == exampleName && !a.Disabled, at+".name", "%s is the example name (write the name of your account)", exampleName)
		private(at+".password_file", a.PasswordFile)
		p, ok := known.protocol(cmp.Or(a.Protocol, c.Server.Protocol))
		ok = ok && !a.Disabled
		warn(ok && p.Opens && !c.Matchmaking.Enabled, at+".protocol", "on %s no one can invite a bot: it plays only with matchmaking.enabled: true", p.Name)
		warn(ok && c.Watch.Enabled && !p.Watches, "watch.enabled", "matches on %s cannot be watched (%s)", p.Name, a.Name)
		warn(a.Password != "", at+".password", "the password is readable in this file (use password_file, password_env or password_command)")
	}
	if u, err := url.Parse(c.Archive.DSN.Reveal()); err == nil {
		_, has := u.User.Password()
		warn(has, "archive.dsn", "the password is readable in this file (use dsn_file or dsn_env)")
	}
	private("archive.dsn_file", c.Archive.DSNFile)
	private("notify.webhook_secret_file", c.Notify.WebhookSecretFile)
	for _, f := range []struct {
		field   string
		address Secret
	}{{"notify.webhook", c.Notify.Webhook}, {"notify.heartbeat_url", c.Notify.HeartbeatURL}} {
		u, err := url.Parse(f.address.Reveal())
		if err == nil && (u.User != nil || u.RawQuery != "" || strings.Trim(u.Path, "/") != "") {
			mode, open := readByOthers(src.File)
			warn(open, f.field, "other users can read %s, mode %04o, and with it a token in this address (chmod 600 prevents it)", src.File, mode)
		}
	}
	bot := c.Opponents.RepBot.Name
	warn(bot != "" && !MatchAny(c.Opponents.BotNames, bot), "opponents.repbot.name", "%s is not in bot_names: it would be invited and answered like a person", bot)
	w := &c.Watch
	warn(w.Enabled && w.Channel == "none" && !w.Archive, "watch.enabled", "no effect: it neither comments nor archives (set channel or archive)")
	host, _, err := net.SplitHostPort(c.Dashboard.Listen)
	warn(err == nil && !loopback(host), "dashboard.listen", "everyone who can reach %s sees the page; it has no password", c.Dashboard.Listen)
	l := c.Invitations.Length
	for i, n := range c.Matchmaking.Lengths {
		warn(c.Matchmaking.Enabled && (n < l.Min || n > l.Max || slices.Contains(l.Deny, n)),
			fmt.Sprintf("matchmaking.lengths[%d]", i), "%d points are offered, but invitations.length refuses them", n)
	}
	return list
}

// loopback reports whether only this machine reaches an address.
func loopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// readByOthers reports whether a file may be read by everyone, or by its group where that
// is not how we read it ourselves, with its mode.
func readByOthers(file string) (mode fs.FileMode, open bool) {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() {
		return 0, false
	}
	mode = st.Mode().Perm()
	return mode, mode&0o007 != 0 || mode&0o070 != 0 && owned(st)
}

type checker struct {
	c     *Config
	src   *Source
	known Known
	errs  Errors
}

func (k *checker) fail(field, format string, args ...any) {
	k.errs = append(k.errs, k.src.ErrorAt(field, format, args...))
}

func (k *checker) want(ok bool, field, format string, args ...any) {
	if !ok {
		k.fail(field, format, args...)
	}
}

func (k *checker) address(field, addr string) {
	host, port, err := net.SplitHostPort(addr)
	k.want(err == nil && host != "" && port != "", field, "%q is not HOST:PORT (as fibs.com:4321)", addr)
	if err == nil && port != "" {
		k.port(field, port, 1)
	}
}

// port wants a number: the names of services hold no FIBS server, and a slip of
// the finger would be dialled again and again. Listening may ask for any port, 0.
func (k *checker) port(field, port string, low int) {
	n, err := strconv.Atoi(port)
	k.want(err == nil && n >= low && n <= 65535, field, "%q is not a port (%d to 65535)", port, low)
}

// check implements checked.
func (s Server) check(k *checker, _ string) {
	if p, _ := k.known.protocol(s.Protocol); p.CheckAddress == nil {
		k.address("server.address", s.Address)
	}
	k.protocol("server.protocol", s.Protocol)
	k.want(s.ClientName != "" && len(s.ClientName) <= 20 && !strings.ContainsAny(s.ClientName, " \t\r\n"),
		"server.client_name", "not 1 to 20 characters without blanks")
	k.want(s.Silence > s.Keepalive, "server.silence", "must be longer than keepalive (%v)", s.Keepalive)
	k.want(s.Reconnect.Max >= s.Reconnect.Min, "server.reconnect.max", "is shorter than min (%v)", s.Reconnect.Min)
}

// exampleName is the account in the configuration that Render writes.
const exampleName = "YourBotName"

var userName = regexp.MustCompile(`^[A-Za-z_]{3,20}$`)

// check implements checked.
func (list accounts) check(k *checker, _ string) {
	if len(list) == 0 {
		k.fail("accounts", "no account (name at least one)")
		return
	}
	seen := map[string]int{}
	enabled := 0
	for i := range list {
		a := &list[i]
		f := fmt.Sprintf("accounts[%d]", i)
		addr := k.login(a, f)
		if j, dup := seen[strings.ToLower(a.Name)+"@"+addr]; dup {
			k.fail(f+".name", "%s is account %d already (the server allows one login a name)", a.Name, j+1)
		}
		seen[strings.ToLower(a.Name)+"@"+addr] = i
		if a.Disabled {
			continue
		}
		enabled++
		if _, err := a.Resolve(); err != nil {
			k.fail(f, "%v", err)
		}
		if a.Preset != "" {
			k.preset(f+".preset", a.Preset)
		}
		if a.Engine != "" {
			k.outside(f+".engine", a.Engine)
			k.want(a.Preset == "", f+".engine", "does not go with preset (use only one)")
		}
	}
	k.want(enabled > 0, "accounts", "all accounts are disabled (enable one)")
}

func (k *checker) protocol(field, name string) {
	if _, ok := k.known.protocol(name); !ok && len(k.known.Protocols) > 0 {
		var names []string
		for _, p := range k.known.Protocols {
			names = append(names, p.Name)
		}
		k.fail(field, "unknown protocol %q (use %s)", name, strings.Join(names, ", "))
	}
}

// login checks an account's name and address by the rules of its server and returns the
// address.
func (k *checker) login(a *Account, f string) (addr string) {
	addr = cmp.Or(a.Address, k.c.Server.Address)
	if a.Protocol != "" {
		k.protocol(f+".protocol", a.Protocol)
		k.want(a.Protocol == k.c.Server.Protocol || a.Address != "", f+".address", "no address (server.address is a %s server)", k.c.Server.Protocol)
	}
	p, _ := k.known.protocol(cmp.Or(a.Protocol, k.c.Server.Protocol))
	if p.CheckName == nil {
		k.want(userName.MatchString(a.Name), f+".name", "%q is not a FIBS name (3 to 20 letters and underscores)", a.Name)
	} else if err := p.CheckName(a.Name); err != nil {
		k.fail(f+".name", "%v", err)
	}
	field := f + ".address"
	if a.Address == "" {
		field = "server.address"
	}
	if p.CheckAddress != nil {
		if err := p.CheckAddress(addr); err != nil {
			k.fail(field, "%v", err)
		}
	} else if a.Address != "" {
		k.address(field, addr)
	}
	return addr
}

// check implements checked.
func (in Invitations) check(k *checker, _ string) {
	k.want(in.Length.Max >= in.Length.Min, "invitations.length", "max %d is below min %d", in.Length.Max, in.Length.Min)
	left := in.Unlimited
	for n := in.Length.Min; n <= in.Length.Max && n <= 99; n++ {
		left = left || !slices.Contains(in.Length.Deny, n)
	}
	k.want(left || in.Length.Max < in.Length.Min, "invitations.length.deny", "denies every length")
	var above []When
	for i, r := range in.Rules {
		f := fmt.Sprintf("invitations.rules[%d]", i)
		above = k.when(f, r.When, above)
		k.want(r.Answer != "", f+".answer", "no answer (use accept or decline)")
		k.want(r.Say == "" || r.Answer != "accept", f+".say", "has no effect: an accepted invitation gets no reason")
	}
}

// check implements checked.
func (o Opponents) check(k *checker, _ string) {
	for i, b := range o.Block {
		for _, a := range o.Allow {
			field := fmt.Sprintf("opponents.block[%d]", i)
			switch {
			case strings.EqualFold(a, b):
				k.fail(field, "%s is allowed and blocked", b)
			case !strings.ContainsAny(b, "*?[\\") && MatchName(a, b):
				k.fail(field, "%s has no effect: opponents.allow has %s", b, a)
			}
		}
	}
	k.want(o.Bots != "only" || len(o.BotNames)+len(o.BotClients) > 0, "opponents.bots", `"only" needs bot_names or bot_clients (both are empty)`)
	if o.BlockFile != "" {
		if _, err := ReadNames(o.BlockFile); err != nil {
			k.fail("opponents.block_file", "%v", err)
		}
	}
	u, err := url.Parse(o.BlockURL)
	k.want(err != nil || u.User == nil, "opponents.block_url", "must not contain a name or password: logs show it")
	k.want(o.Pause.Most >= o.Pause.First, "opponents.pause.most", "must not be below opponents.pause.first")
	k.want(o.Limit.Matches == 0 || o.Limit.Per > 0, "opponents.limit.per", "must be above 0 when matches are limited")
}

// check implements checked.
func (m Matchmaking) check(k *checker, _ string) {
	k.want(!strings.ContainsFunc(m.Password.Reveal(), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }),
		"matchmaking.password", "must be one word without blanks")
	if m.Enabled {
		k.want(len(m.Lengths) > 0, "matchmaking.lengths", "no length to offer (name at least one)")
		k.want(m.Gap.Std() >= 10*time.Second, "matchmaking.gap", "%v is too short (minimum 10s)", m.Gap)
		k.want(m.MaxPerHour > 0, "matchmaking.max_per_hour", "must be above 0 when matchmaking is enabled")
		k.want(m.Timeout > 0, "matchmaking.timeout", "must be above 0")
		k.want(!k.c.Saved.Only, "matchmaking.enabled", "does not go with saved.only, which starts no new matches")
	}
}

// check implements checked.
func (p Pacing) check(k *checker, _ string) {
	k.want(p.Max >= p.Min, "pacing.max", "is shorter than min (%v)", p.Min)
}

// check implements checked.
func (i Idle) check(k *checker, _ string) {
	k.want(i.Leave == 0 || i.Leave > i.Ask, "idle.leave", "must be longer than ask (%v)", i.Ask)
}
