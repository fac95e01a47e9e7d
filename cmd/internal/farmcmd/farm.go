// Package farmcmd is fibsbot farm and the flags by which other commands send their work
// to a farm: it joins package internal/farm, which knows no engine, to package remote,
// which knows no network.
package farmcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine/nn"
	"fibsbot/internal/farm"
	"fibsbot/internal/figure"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/nice"
	"fibsbot/internal/version"
)

// Flags say which farm, and with which key.
type Flags struct {
	URL, Key string
	// Piece is about how long a piece takes on one thread.
	Piece time.Duration
}

// Add puts the flags on a command that has heavy work.
func (f *Flags) Add(cmd *cobra.Command) {
	f.address(cmd)
	cmd.Flags().DurationVar(&f.Piece, "farm-piece", 2*time.Second, "with --farm: aim for pieces of this length on one thread")
}

func (f *Flags) address(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.URL, "farm", "", "address of a farm, as farm serve prints it (of a cluster several, with commas)")
	cmd.Flags().StringVar(&f.Key, "farm-key", "", "key file of the farm")
}

func (f *Flags) dial() (*farm.Client, error) {
	k, err := farm.ReadKey(f.Key)
	if err != nil {
		return nil, withoutPrefix("--farm-key", err)
	}
	c, err := farm.Dial(f.URL, k)
	if err != nil {
		return nil, withoutPrefix("--farm", err)
	}
	return c, nil
}

// withoutPrefix names the flag instead of the farm, which was not asked yet.
func withoutPrefix(flag string, err error) error {
	return cmdline.Usagef("%s: %s", flag, strings.TrimPrefix(fileerr.Text(err), farm.ErrRefused.Error()+": "))
}

// build names this build: results of one version are not those of another. A version that
// does not name a revision gets the checksum of the executable.
func build() string {
	v := version.Number()
	_, modified := version.Revision()
	if modified {
		v = "dev-modified"
	}
	if v == "dev" || modified {
		v += "+" + farm.Executable()
	}
	return v
}

// New makes fibsbot farm with its subcommands.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "farm",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newServeCmd(), NewWork("fibsbot", remote.Product()), newStatusCmd(), newCancelCmd(), newKeyCmd())
	return cmd
}

// size returns the columns and rows of a terminal, 0 if unknown.
func size(w io.Writer) (columns, rows int) {
	if f, ok := w.(*os.File); ok {
		columns, rows, _ = term.GetSize(int(f.Fd())) // 0 if unknown
	}
	return columns, rows
}

// dataFlag adds --data. Help shows no path of this machine as its default.
func dataFlag(fl *pflag.FlagSet, dir *string) {
	fl.StringVar(dir, "data", farmDir(), "folder of the farm (default fibsbot/farm in your configuration folder)")
	fl.Lookup("data").DefValue = ""
}

// farmDir is the default of --data.
func farmDir() string {
	if dir, err := os.UserConfigDir(); err == nil {
		return filepath.Join(dir, "fibsbot", "farm")
	}
	return "farm"
}

func newServeCmd() *cobra.Command {
	o := farm.ServerOptions{}
	var storeMB int64
	var metrics string
	cmd := &cobra.Command{
		Use:  "serve",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.MaxStore = storeMB << 20
			if storeMB < 64 || storeMB > 1<<30 {
				return cmdline.Usagef("--max-store-mb: %d is not between 64 and %d", storeMB, 1<<30)
			}
			if (o.Cert == "") != (o.CertKey == "") {
				return cmdline.Usagef("--tls-cert, --tls-key: give both or none")
			}
			if o.Keep < time.Minute {
				return cmdline.Usagef("--keep: %v is too short (minimum 1m)", o.Keep)
			}
			o.Log = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), cmd.Root().Name()+": "+text) }
			told, err := listenMetrics(cmd, metrics, o.Listen) // first: an address in use must not leave a half started server
			if err != nil {
				return err
			}
			if told != nil {
				defer told.Close()
			}
			s, err := farm.Serve(cmd.Context(), o)
			if err != nil {
				return err
			}
			defer func() {
				holds := s.Holds()
				s.Close()
				o.Log("the farm ended; " + holds)
			}()
			submit, work := s.KeyFiles()
			fmt.Fprintf(cmd.OutOrStdout(), "keys: %s for commands, %s for workers\n%s\n", submit, work, s.Address())
			if told != nil {
				c, err := s.Client()
				if err != nil {
					return err
				}
				defer c.Close()
				return serveMetrics(cmd, c, told)
			}
			<-cmd.Context().Done()
			return nil
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&o.Listen, "listen", "127.0.0.1:4333", "address to listen on")
	dataFlag(fl, &o.Dir)
	fl.Int64Var(&storeMB, "max-store-mb", 8192, "storage limit in MiB")
	fl.StringVar(&o.Cert, "tls-cert", "", "certificate file instead of the farm's own")
	fl.StringVar(&o.CertKey, "tls-key", "", "key file of --tls-cert")
	fl.DurationVar(&o.Keep, "keep", 7*24*time.Hour, "how long to keep results of unfinished jobs")
	fl.StringVar(&metrics, "metrics", "", "address of the metrics for Prometheus")
	return cmd
}

// listenMetrics listens on the address of --metrics before other work starts, or returns nil if
// address is empty. The address must differ from served, the one of --listen.
func listenMetrics(cmd *cobra.Command, address, served string) (net.Listener, error) {
	if address == "" {
		return nil, nil
	}
	if address == served && !strings.HasSuffix(address, ":0") {
		return nil, cmdline.Usagef("--metrics: %s is the address of --listen (choose another one)", address)
	}
	l, err := (&net.ListenConfig{}).Listen(cmd.Context(), "tcp", address)
	if err != nil {
		return nil, cmdline.Usagef("--metrics: %w", err)
	}
	return l, nil
}

// serveMetrics serves metrics until the command ends.
func serveMetrics(cmd *cobra.Command, c *farm.Client, l net.Listener) error {
	mux := http.NewServeMux()
	mux.Handle("/metrics", c.Metrics())
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}
	context.AfterFunc(cmd.Context(), func() { _ = s.Close() })
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return cmdline.Usagef("--metrics: %w", err)
	}
	return nil
}

// NewWork makes the command that runs pieces of jobs of these kinds.
func NewWork(program string, kinds []remote.Kind) *cobra.Command {
	var f Flags
	w := farm.Worker{}
	var cacheMB int
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Run pieces of jobs for a farm",
		Long: `Fetches pieces of jobs from the farm, runs them and stores their results there, until
Ctrl-C or SIGTERM; running pieces may finish within --grace. Weights and bearoff files
come from the farm, by checksum. It reconnects when the server or the network comes back,
and runs at a low priority.`,
		Example: "  " + program + " farm work --farm tls://desk:4333 --farm-key work.key\n  " + program + " farm work --farm tls://desk:4333 --farm-key work.key --threads 4",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if w.Threads < 0 || w.Threads > 1024 {
				return cmdline.Usagef("--threads: %d is not between 0 and 1024", w.Threads)
			}
			if w.Grace < 0 {
				return cmdline.Usagef("--grace: %v is negative", w.Grace)
			}
			if w.Threads == 0 {
				w.Threads = runtime.GOMAXPROCS(0)
			}
			c, err := f.dial()
			if err != nil {
				return err
			}
			defer c.Close()
			nice.Lower()
			// Workers run beside other programs: prefer less memory to a faster collector.
			debug.SetGCPercent(50)
			w.Client, w.Version, w.Kernel = c, build(), nn.Kernel()
			for _, k := range kinds {
				if k.Program != "" && !slices.Contains(w.Programs, k.Program) {
					w.Programs = append(w.Programs, k.Program)
				}
			}
			w.Log = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), cmd.Root().Name()+": "+text) }
			w.Prepare = (&bench{kinds: kinds, cacheMB: cacheMB, warn: w.Log}).prepare
			joined := false
			w.Joined = func() {
				joined = true
				w.Log(fmt.Sprintf("%s works with %s for %s", w.Name, figure.Count(w.Threads, "thread"), f.URL))
			}
			err = w.Run(cmd.Context())
			if r := w.Report(); joined {
				left := ""
				if n := w.Left(); n > 0 {
					left = fmt.Sprintf(", %d left to others", n)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s, %s, %.0f s of threads%s\n", figure.Count(int(r.Pieces), "piece"), figure.Count(int(r.Failures), "failure"), r.Seconds, left)
			}
			return err
		},
	}
	f.address(cmd)
	host, _ := os.Hostname()
	cache := "farm-cache"
	if dir, err := os.UserCacheDir(); err == nil {
		cache = filepath.Join(dir, "fibsbot", "farm")
	}
	fl := cmd.Flags()
	fl.IntVar(&w.Threads, "threads", 0, "pieces at a time, 0 for one per processor")
	fl.StringVar(&w.Name, "machine", host, "name of this machine on the farm (default its host name)")
	fl.StringVar(&w.Dir, "cache", cache, "folder for files of jobs (default fibsbot/farm in your cache folder)")
	fl.Lookup("machine").DefValue, fl.Lookup("cache").DefValue = "", ""
	fl.IntVar(&cacheMB, "cache-mb", 16, "evaluation cache in MiB")
	fl.DurationVar(&w.Grace, "grace", 8*time.Second, "time for running pieces to finish at the end")
	return cmd
}

func newStatusCmd() *cobra.Command {
	var f Flags
	var asJSON, once bool
	var metrics string
	cmd := &cobra.Command{
		Use:  "status",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			told, err := listenMetrics(cmd, metrics, "")
			if err != nil {
				return err
			}
			if told != nil {
				defer told.Close()
			}
			c, err := f.dial()
			if err != nil {
				return err
			}
			defer c.Close()
			if told != nil {
				return serveMetrics(cmd, c, told)
			}
			out := cmd.OutOrStdout()
			live := cmdline.IsTerminal(out) && !asJSON && !once
			if live {
				fmt.Fprint(out, "\x1b[2J")
			}
			var last farm.Status
			var at, old time.Time
			for {
				s, err := c.Status(cmd.Context())
				if err != nil && (!live || cmd.Context().Err() != nil) {
					return err
				}
				if asJSON {
					enc := json.NewEncoder(out)
					enc.SetIndent("", "  ")
					return enc.Encode(s)
				}
				if !live {
					s.Print(out)
					return nil
				}
				if err == nil {
					last, at, old = s, time.Now(), time.Time{}
				} else {
					old = at
				}
				columns, rows := size(out)
				last.Live(out, columns, rows, old)
				select {
				case <-cmd.Context().Done():
					return nil
				case <-time.After(time.Second):
				}
			}
		},
	}
	f.address(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&once, "once", false, "print once, even on a terminal")
	cmd.Flags().StringVar(&metrics, "metrics", "", "serve metrics for Prometheus there instead")
	return cmd
}
