package farm

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// maxConns bounds the connections, since the store's files need descriptors too. Silent ones
// count and are closed after ten seconds.
const maxConns = 2000

// ServerOptions are the options of Serve.
type ServerOptions struct {
	// Listen is HOST:PORT; port 0 takes a free one.
	Listen string
	// Dir is the farm's folder, with users, certificates and the store.
	Dir string
	// MaxStore bounds the store in bytes; 0 means 8 GiB.
	MaxStore int64
	// Cert and CertKey are files of a certificate to use instead of one by the farm's own
	// authority.
	Cert, CertKey string
	// Keep is how long results of unfinished jobs are kept; 0 means a week.
	Keep time.Duration
	// Log, if not nil, receives messages for the operator.
	Log func(string)

	free  func(dir string) int64 // bytes left on the disk, or -1 if unknown
	conns int                    // instead of maxConns, for tests
	pace  pace                   // likewise
}

// Server is an embedded NATS server with JetStream. Close ends it.
type Server struct {
	nats  *server.Server
	gate  gate
	o     ServerOptions
	key   *Key    // the server's own, for connections in this process; never on disk
	self  *Client // such a connection
	shown atomic.Pointer[tls.Certificate]
	// loaded are the files of --tls-cert and --tls-key as they were read, trouble is why newer
	// ones were not, already logged.
	loaded  [2]stamp
	trouble string
	dir     string
	held    *flock.Flock
	stop    context.CancelFunc
	tasks   sync.WaitGroup
}

// Serve starts a server. If its folder has no users, it makes keys for one submitter
// (submit.key) and for workers (work.key). The error wraps ErrRefused for a wrong option.
func Serve(ctx context.Context, o ServerOptions) (_ *Server, err error) {
	if _, _, err := hostPort(o.Listen); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w: folder of the farm: %w", ErrRefused, err)
	}
	held := flock.New(filepath.Join(o.Dir, "lock")) // two servers would damage the store
	if ok, err := held.TryLock(); err != nil || !ok {
		return nil, fmt.Errorf("%w: folder %s is used by another farm server, or is not writable", ErrRefused, o.Dir)
	}
	defer func() {
		if err != nil {
			_ = held.Unlock()
		}
	}()
	if err := writable(o.Dir); err != nil {
		return nil, err
	}
	if err := listenable(ctx, o.Listen); err != nil {
		return nil, err
	}
	o.pace = cmp.Or(o.pace, paceOf(time.Second))
	s := &Server{held: held, dir: o.Dir, o: o}
	if err := changing(o.Dir, func() error {
		if err := s.firstCertificate(); err != nil {
			return err
		}
		return firstKeys(o.Dir)
	}); err != nil {
		return nil, err
	}
	if err := errors.Join(s.o.fit(), dropQueue(o.Dir)); err != nil {
		return nil, err
	}
	if s.key, err = newOwnKey(); err != nil {
		return nil, err
	}
	seen := s.stamp() // before the list is read, so that watch sees a change in between
	list, err := s.users(ctx)
	if err != nil {
		return nil, err
	}
	s.gate.list.Store(&list)
	defer func() {
		if err != nil {
			s.halt()
		}
	}()
	if err := s.start(); err != nil {
		return nil, err
	}
	if err := s.setup(ctx); err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.tasks.Go(func() { s.watch(watching, seen) })
	s.tasks.Go(func() { s.tidy(watching) })
	return s, nil
}

// start starts the NATS server and connects to it; it does not listen yet.
func (s *Server) start() error {
	host, port, err := hostPort(s.o.Listen)
	if err != nil {
		return err
	}
	if s.nats, err = server.NewServer(s.options(host, port)); err != nil {
		return fmt.Errorf("%w: server: %w", ErrRefused, err)
	}
	s.nats.Start()
	if !s.nats.ReadyForConnections(30 * time.Second) {
		return fmt.Errorf("%w: the server of %s does not start", ErrRefused, s.dir)
	}
	s.self, err = s.Client()
	return err
}

// halt ends the NATS server, if it was started.
func (s *Server) halt() {
	if s.self != nil {
		s.self.Close()
	}
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
}

// hostPort splits an address to listen on. Port 0 means a free one.
func hostPort(listen string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(listen)
	port, perr := strconv.Atoi(text)
	if err != nil || perr != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%w: %q is not HOST:PORT", ErrRefused, listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// options returns the options of the NATS server.
func (s *Server) options(host string, port int) *server.Options {
	return &server.Options{
		ServerName: "fibsbot", Host: host, Port: port, NoSigs: true, NoLog: true, MaxPayload: maxPayload,
		JetStream: true, StoreDir: filepath.Join(s.dir, storeDir), JetStreamMaxStore: s.o.MaxStore, JetStreamMaxMemory: 64 << 20,
		SyncAlways: true, // otherwise a power failure can lose acknowledged results
		TLS:        true, TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13,
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.shown.Load(), nil }},
		CustomClientAuthentication: &s.gate, AlwaysEnableNonce: true,
		TLSTimeout: 10, AuthTimeout: 20, MaxConn: cmp.Or(s.o.conns, maxConns),
		DontListen: true, // until the streams are made: see listen
	}
}

// writable checks that a folder can be written. In an existing farm folder only the store would
// find out, after half a minute and without the reason.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return fmt.Errorf("%w: folder %s is not writable: %w", ErrRefused, dir, unpath(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// listenable checks, before anything is written or logged, that an address is free and of this
// machine.
func listenable(ctx context.Context, address string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return cannotListen(address, err)
	}
	return l.Close()
}

func cannotListen(address string, err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err // without the address
	}
	hint := ""
	if errors.Is(err, syscall.EADDRINUSE) {
		hint = " (is a farm served there already?)"
	}
	return fmt.Errorf("%w: cannot listen on %s: %w%s", ErrRefused, address, err, hint)
}

// listen admits clients, after the streams were made. A submitter that connects earlier would
// make them as well, as on a cluster, and each would find the store taken by the other's.
func (s *Server) listen() error {
	ready := make(chan struct{})
	go s.nats.AcceptLoop(ready)
	<-ready
	if s.nats.Addr() == nil {
		return cannotListen(s.o.Listen, syscall.EADDRINUSE)
	}
	return nil
}

// setup makes and repairs the streams over a connection in this process, and reads which keys
// are left out.
func (s *Server) setup(ctx context.Context) error {
	if err := s.makeStreams(ctx); err != nil {
		return err
	}
	if err := s.mend(ctx); err != nil {
		return err
	}
	return s.letIn(ctx)
}

// users returns the roles of the folder's users, and of the server itself, by public key.
func (s *Server) users(ctx context.Context) (map[string]Role, error) {
	list, err := readUsers(s.dir)
	if err != nil {
		return nil, err
	}
	var bans map[string]ban
	if s.self != nil {
		if bans, err = s.self.bans(ctx); err != nil {
			return nil, err
		}
	}
	out := map[string]Role{s.key.public: serverRole}
	for _, u := range list {
		out[u.public] = u.role
		if _, banned := bans[u.public]; banned && u.role == RoleWork {
			out[u.public] = leftOutRole
		}
	}
	return out, nil
}

// ackLife is how long a worker may acknowledge a task after its delivery.
const ackLife = 20 * time.Minute

// workerRights let a worker fetch tasks, read jobs and files, store results and failures and
// report itself under its own key's id, and hear news. It can acknowledge only tasks that it was
// given, since the right to answer comes with a message. Its answers come to an inbox that no
// other worker can read.
func workerRights(public string) *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			resultSubject("*", "*", public), resultSubject("*", "*", public) + "." + failed, reportSubject(public, "*"),
			"$JS.API.CONSUMER.MSG.NEXT." + taskStream + ".*", "$JS.API.CONSUMER.INFO." + taskStream + ".*",
			"$JS.API.STREAM.INFO.KV_" + jobBucket, "$JS.API.DIRECT.GET.KV_" + jobBucket + ".>",
			"$JS.API.STREAM.INFO." + blobStream, "$JS.API.DIRECT.GET." + blobStream + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(public) + ".>", newsSubject}},
		Response:  &server.ResponsePermission{MaxMsgs: -1, Expires: ackLife},
	}
}

// leftOutRights let a worker find out that its key is left out, and nothing else.
func leftOutRights(public string) *server.Permissions {
	r := workerRights(public)
	r.Publish.Allow = []string{"$JS.API.STREAM.INFO.KV_" + jobBucket, "$JS.API.DIRECT.GET.KV_" + jobBucket + ".>"}
	r.Response = nil
	return r
}

func inbox(public string) string { return "_INBOX_" + public }

func (s *Server) stamp() stamp { return stampOf(filepath.Join(s.dir, usersFile)) }

// watch follows changes of the users' file and of --tls-cert, and checks the disk. It reads the
// users when their file stands still from one look to the next: editors empty it before they write.
func (s *Server) watch(ctx context.Context, seen stamp) {
	tick := time.NewTicker(s.o.pace.beat)
	defer tick.Stop()
	shut, unread, heard, before := false, "", s.self.hear(ctx), seen
	for {
		select {
		case <-ctx.Done():
			return
		case <-heard: // a key may have been left out or readmitted
			if err := s.letIn(ctx); err != nil {
				seen = stamp{}
			}
			continue
		case <-tick.C:
		}
		shut = s.watchDisk(ctx, shut)
		s.renewCertificate()
		now := s.stamp()
		still := now == before
		if before = now; now == seen || !still {
			continue
		}
		said := unread
		if err := s.letIn(ctx); err != nil {
			unread = plainText(err)
		} else {
			unread, seen = "", now
		}
		switch {
		case unread == said:
		case unread == "":
			s.o.tell("the list of users is read again")
		default:
			s.o.tell("who may come stays as it was: " + unread)
		}
	}
}

// letIn admits exactly the keys of the users' file. A left-out key keeps the right to find that
// out.
func (s *Server) letIn(ctx context.Context) error {
	list, err := s.users(ctx)
	if err != nil {
		return err
	}
	return s.gate.change(list, s.nats)
}

// Client returns a connection in this process, with all rights and without a key file.
func (s *Server) Client() (*Client, error) {
	c, err := dial("", s.key, nats.InProcessServer(s.nats))
	if err == nil {
		c.pace = s.o.pace
	}
	return c, err
}

// URL returns the address for workers and submitters.
func (s *Server) URL() string { return "tls://" + s.nats.Addr().String() }

// Address returns URL for other machines: with this machine's name if the server listens on all
// addresses.
func (s *Server) Address() string {
	host, port, err := net.SplitHostPort(s.nats.Addr().String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return s.URL()
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		host = name
	}
	return "tls://" + net.JoinHostPort(host, port)
}

// KeyFiles returns the paths of the first keys.
func (s *Server) KeyFiles() (submit, work string) {
	return filepath.Join(s.dir, "submit.key"), filepath.Join(s.dir, "work.key")
}

// Holds describes what a farm that ends now keeps.
func (s *Server) Holds() string {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	ids, err := s.self.jobs(ctx)
	if err != nil {
		return "what is stored is kept in " + s.dir
	}
	results, err := s.self.js.Stream(ctx, resultStream)
	if err != nil {
		return "what is stored is kept in " + s.dir
	}
	switch state := results.CachedInfo().State; {
	case len(ids) == 0:
		return "no job is unfinished"
	case len(ids) == 1:
		return fmt.Sprintf("one job is unfinished, %d results (%.1f MiB) are kept in %s", state.Msgs, float64(state.Bytes)/(1<<20), s.dir)
	default:
		return fmt.Sprintf("%d jobs are unfinished, %d results (%.1f MiB) are kept in %s", len(ids), state.Msgs, float64(state.Bytes)/(1<<20), s.dir)
	}
}

// Close ends the server and keeps the store.
func (s *Server) Close() {
	s.stop()
	s.tasks.Wait()
	s.halt()
	_ = s.held.Unlock()
}
