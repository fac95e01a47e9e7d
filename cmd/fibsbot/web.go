package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"fibsbot/bot/archive/index"
	"fibsbot/bot/ops"
	"fibsbot/bot/strength"
	"fibsbot/cmd/fibsbot/internal/online"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/cmd/fibsbot/internal/web"
	"fibsbot/cmd/fibsbot/internal/web/browser"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/internal/atomicfile"
)

// webFlags are the flags of `fibsbot web`.
type webFlags struct {
	listen, config, archive, token, prefix, share string
	hosts                                         []string
	open                                          bool
	language                                      languageFlag
	parts                                         engineflags.Engine
}

func newWebCmd() *cobra.Command {
	var f webFlags
	cmd := cmdline.New("web", func(cmd *cobra.Command, _ []string) error { return f.run(cmd) })
	fl := cmd.Flags()
	fl.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	fl.StringVarP(&f.config, "config", "c", "", "configuration of the bot to watch (default bot.yaml if it exists)")
	fl.StringVar(&f.archive, "archive", "", "archive folder (default archive.dir of the configuration, or logs/archive)")
	fl.StringVar(&f.token, "token-file", "", "file with the token that visitors need; created if missing")
	fl.StringSliceVar(&f.hosts, "hosts", nil, "names that a reverse proxy uses for this server")
	fl.StringVar(&f.prefix, "prefix", "", "path below which a reverse proxy serves these pages, as /backgammon")
	fl.StringVar(&f.share, "share-base", "", "address of a browser edition, where copied links to reviews open")
	fl.BoolVar(&f.open, "open", false, "open the page in the browser")
	fl.StringVar(&f.language.name, "language", "", "language of readers who choose none: "+languages()+" or a file as nl.json (default the browser's)")
	engineflags.AddEngine(cmd, &f.parts)
	f.parts.UseConfiguredTable(cmd, &f.config)
	cmd.AddCommand(newWebExportCmd(), newWebPublishCmd())
	return cmd
}

func (f *webFlags) run(cmd *cobra.Command) error {
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return cmdline.Usagef("--listen: %q is not HOST:PORT (as 127.0.0.1:8080)", f.listen)
	}
	own, _ := os.Hostname() // "" matches no name
	opts := web.Options{Version: buildVersion().Version, Hosts: f.hosts, Prefix: strings.TrimSuffix(f.prefix, "/")}
	if opts.Prefix != "" {
		if err := web.CheckPrefix(opts.Prefix); err != nil {
			return cmdline.Usagef("--prefix: %w", err)
		}
	}
	if opts.Share, err = shareBase(f.share); err != nil {
		return err
	}
	if opts.Language, err = f.language.open(cmd.ErrOrStderr()); err != nil {
		return err
	}
	switch {
	case f.token != "":
		token, err := web.TokenFrom(f.token)
		if err != nil {
			return cmdline.Usagef("--token-file: %w", err)
		}
		opts.Token, opts.Hosts = token, append(f.hosts, host, own, own+".local")
	case web.NeedsToken(f.listen):
		return cmdline.Usagef("--listen %s can be reached from other machines: give --token-file FILE as well", f.listen)
	}
	c, err := configIf(f.config)
	if err != nil {
		return err
	}
	dir, dsn := "logs/archive", ""
	if c != nil {
		dir = c.Archive.Dir
		if dsn, err = c.Archive.ResolveDSN(); err != nil {
			return cmdline.Usagef("archive: %w", err)
		}
		opts.API.Bots = func(ctx context.Context) (ops.Status, error) { return ops.AskView(ctx, statusSocket(c)) }
		opts.API.Order = func(ctx context.Context, o ops.Order) (ops.Reply, error) { return ops.Give(ctx, statusSocket(c), o) }
		opts.API.Preset = func(name string) (preset.Preset, error) { return engineflags.FindPreset("preset", name, f.config) }
		opts.API.Presets = strength.Names(c)
		opts.API.Me = c.Archive.Me
		for i := range c.Accounts {
			opts.API.Accounts = append(opts.API.Accounts, c.Accounts[i].Name)
		}
	}
	if c == nil || c.Archive.Analyse != "off" {
		opts.API.Analyse = true
	}
	if f.archive != "" {
		dir, dsn = f.archive, ""
	}
	if err := cmdline.WantFolder("--archive", dir); err != nil {
		return err
	}
	if err := atomicfile.MkdirPrivate(dir); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	e, err := f.parts.Open(cmd, 0)
	if err != nil {
		return err
	}
	defer e.Close()
	ln, err := listen(cmd.Context(), f.listen)
	if err != nil {
		return err
	}
	site, err := openSite(cmd.Context(), opts, e, dir, dsn)
	if err != nil {
		ln.Close()
		return err
	}
	defer site.Close()
	return f.serve(cmd, site, ln, opts.Token)
}

// archiveSite is a site with the archive that it shows.
type archiveSite struct {
	*web.Site
	desk *online.Desk
	db   *index.DB
}

// openSite makes a site with the archive in dir and what people keep there, and with e to answer.
func openSite(ctx context.Context, opts web.Options, e *engine.Engine, dir, dsn string) (*archiveSite, error) {
	db, err := index.OpenComplete(ctx, dir, dsn)
	if err != nil {
		return nil, err
	}
	if opts.API.Quiz, err = quiz.Of(db); err != nil {
		db.Close()
		return nil, err
	}
	desk, err := openDesk(db, e)
	if err != nil {
		db.Close()
		return nil, err
	}
	opts.API.Online = desk
	opts.API.Engine, opts.API.Archive, opts.API.Matches = e, db, play.NewStore(filepath.Join(dir, "play"), db)
	opts.API.Matches.Presets = opts.API.Preset
	site, err := web.New(opts)
	if err != nil {
		db.Close()
		return nil, err
	}
	return &archiveSite{site, desk, db}, nil
}

// Close ends the site, then its archive.
func (s *archiveSite) Close() {
	s.desk.Logout()
	s.Site.Close()
	s.db.Close()
}

// errInUse is an address on which another program listens.
var errInUse = errors.New("in use by another program")

// listen listens on an address of --listen.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is %w; choose another address with --listen", addr, errInUse)
	}
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return ln, nil
}

func (f *webFlags) serve(cmd *cobra.Command, site *archiveSite, ln net.Listener, token string) error {
	urls := webURLs(f.listen, ln.Addr(), token)
	if f.open {
		forget, err := web.OpenBrowser(cmd.Context(), urls[len(urls)-1], f.token)
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: --open: %v\n", err)
		}
		defer forget()
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "fibsbot web (Ctrl-C stops) on\n%s\n", strings.Join(urls, "\n")); err != nil {
		ln.Close()
		return err
	}
	return site.Serve(cmd.Context(), ln)
}

// maxShown bounds the addresses printed for one that means all interfaces.
const maxShown = 4

// webURLs are the addresses of a page that listens on a, the one for this machine last.
func webURLs(listen string, a net.Addr, token string) []string {
	host, _, _ := net.SplitHostPort(listen)
	_, port, _ := net.SplitHostPort(a.String())
	hosts := []string{}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && ip.IsUnspecified():
		own, _ := net.InterfaceAddrs() // without them the last line is enough
		for _, o := range own {
			n, ok := o.(*net.IPNet)
			if ok && n.IP.IsGlobalUnicast() && (n.IP.To4() != nil) == (err != nil || ip.Is4()) && len(hosts) < maxShown {
				hosts = append(hosts, n.IP.String())
			}
		}
		host = "127.0.0.1"
		if err == nil && ip.Is6() {
			host = "::1"
		}
	}
	urls := []string{}
	for _, h := range append(hosts, host) {
		u := url.URL{Scheme: "http", Host: net.JoinHostPort(h, port), Path: "/"}
		if token != "" {
			u.RawQuery = "token=" + token
		}
		urls = append(urls, u.String())
	}
	return urls
}

func newWebExportCmd() *cobra.Command {
	module := false
	cmd := cmdline.New("export DIR", func(cmd *cobra.Command, args []string) error {
		version := buildVersion().Version
		p, err := browser.Find(cmd.Context(), version)
		if err != nil {
			return fmt.Errorf("web export: %w", err)
		}
		write, what := browser.Write, "the site is written"
		if module {
			write, what = browser.WriteModule, "the module is written"
		}
		err = write(args[0], version, p)
		if errors.Is(err, browser.ErrFolder) {
			return cmdline.Usagef("web export: %w", err)
		}
		if err != nil {
			return fmt.Errorf("web export: %w", err)
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s (%.1f MB of engine); put the folder on any web host\n", args[0], what, float64(len(p.Packed))/1e6)
		return err
	})
	cmd.Flags().BoolVar(&module, "module", false, "write a JavaScript module instead of the pages")
	return cmd
}
