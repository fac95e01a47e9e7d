package farm

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions are what Serve needs.
type ServerOptions struct {
	// Listen is HOST:PORT; port 0 takes a free one.
	Listen string
	// Dir is the farm's folder: users, certificates, what is stored.
	Dir string
	// MaxStore bounds what is stored, in bytes; 0 is 8 GiB.
	MaxStore int64
	// Cert and CertKey are files of a certificate to use instead of one of the farm's
	// own authority.
	Cert, CertKey string
	// Keep is for how long results of unfinished jobs are kept; 0 is a week.
	Keep time.Duration
}

// Server is an embedded NATS server with JetStream. Close ends it.
type Server struct {
	nats *server.Server
	opts *server.Options
	dir  string
	stop context.CancelFunc
	done chan struct{}
}

// Serve starts a server. Keys for one submitter (submit.key) and for workers
// (work.key) are made in its folder where there are no users yet. The error wraps
// ErrRefused where an option is wrong.
func Serve(ctx context.Context, o ServerOptions) (_ *Server, err error) {
	host, portText, err := net.SplitHostPort(o.Listen)
	port, perr := strconv.Atoi(portText)
	if err != nil || perr != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("%w: %q is not HOST:PORT", ErrRefused, o.Listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	cert, err := o.certificate()
	if err != nil {
		return nil, err
	}
	users, err := readUsers(o.Dir)
	if err != nil {
		return nil, err
	}
	if len(users) == 0 {
		for _, r := range []Role{RoleSubmit, RoleWork} {
			if err := NewKey(o.Dir, string(r), r, filepath.Join(o.Dir, string(r)+".key")); err != nil {
				return nil, err
			}
		}
	}
	if o.MaxStore == 0 {
		o.MaxStore = 8 << 30
	}
	s := &Server{dir: o.Dir, done: make(chan struct{})}
	s.opts = &server.Options{
		ServerName: "fibsbot", Host: host, Port: port, NoSigs: true, NoLog: true, MaxPayload: MaxPayload,
		JetStream: true, StoreDir: filepath.Join(o.Dir, storeDir), JetStreamMaxStore: o.MaxStore, JetStreamMaxMemory: 64 << 20,
		SyncAlways: true, // without it acknowledged results can be lost with the power
		TLS:        true, TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13},
		TLSTimeout: 10, AuthTimeout: 20,
	}
	if s.opts.Nkeys, err = s.users(); err != nil {
		return nil, err
	}
	if s.nats, err = server.NewServer(s.opts); err != nil {
		return nil, fmt.Errorf("%w: server: %w", ErrRefused, err)
	}
	s.nats.Start()
	defer func() {
		if err != nil {
			s.nats.Shutdown()
		}
	}()
	if !s.nats.ReadyForConnections(30 * time.Second) {
		return nil, fmt.Errorf("%w: nothing can listen on %s (is a farm served there already?)", ErrRefused, o.Listen)
	}
	if err := s.setup(ctx, o); err != nil {
		return nil, err
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	go s.watchUsers(watching)
	return s, nil
}

func (o *ServerOptions) certificate() (tls.Certificate, error) {
	if o.Cert == "" && o.CertKey == "" {
		return serverCertificate(o.Dir)
	}
	c, err := tls.LoadX509KeyPair(o.Cert, o.CertKey)
	if err != nil {
		return c, fmt.Errorf("%w: certificate: %w", ErrRefused, err)
	}
	return c, authority(o.Dir)
}

// setup makes the streams, over a connection in the process.
func (s *Server) setup(ctx context.Context, o ServerOptions) error {
	key, err := s.ownKey()
	if err != nil {
		return err
	}
	c, err := dial("", key, nats.InProcessServer(s.nats))
	if err != nil {
		return err
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return c.setup(ctx, Limits{Store: o.MaxStore, Keep: o.Keep})
}

// ownKey is a key of the server itself, for the connection in its process alone: it is
// on no disk.
func (s *Server) ownKey() (*Key, error) {
	k, err := newOwnKey()
	if err != nil {
		return nil, err
	}
	changed := *s.opts
	changed.Nkeys = append([]*server.NkeyUser{{Nkey: k.public}}, s.opts.Nkeys...)
	if err := s.nats.ReloadOptions(&changed); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	return k, nil
}

// users are those of the folder with their rights.
func (s *Server) users() (out []*server.NkeyUser, err error) {
	list, err := readUsers(s.dir)
	if err != nil {
		return nil, err
	}
	for _, u := range list {
		n := &server.NkeyUser{Nkey: u.public}
		if u.role == RoleWork {
			n.Permissions = workerRights(u.public)
		}
		out = append(out, n)
	}
	return out, nil
}

// workerRights let a worker fetch tasks, read jobs and files, store results where there
// are none, and report itself. Answers come to an inbox of its own, which no other
// worker can listen to.
func workerRights(public string) *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"farm.result.>", "$KV." + beatBucket + ".worker.*",
			"$JS.ACK." + taskStream + ".>",
			"$JS.API.CONSUMER.MSG.NEXT." + taskStream + ".*", "$JS.API.CONSUMER.INFO." + taskStream + ".*",
			"$JS.API.STREAM.INFO.KV_" + jobBucket, "$JS.API.DIRECT.GET.KV_" + jobBucket + ".>",
			"$JS.API.STREAM.INFO." + blobStream, "$JS.API.DIRECT.GET." + blobStream + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(public) + ".>"}},
	}
}

func inbox(public string) string { return "_INBOX_" + public }

// watchUsers lets in who was added to the file of users, and out who was taken out.
func (s *Server) watchUsers(ctx context.Context) {
	defer close(s.done)
	path := filepath.Join(s.dir, usersFile)
	stamp := func() (t time.Time, n int64) {
		if st, err := os.Stat(path); err == nil {
			return st.ModTime(), st.Size()
		}
		return t, -1
	}
	at, size := stamp()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		t, n := stamp()
		if t.Equal(at) && n == size {
			continue
		}
		if list, err := s.users(); err == nil {
			changed := *s.opts
			changed.Nkeys = list
			if s.nats.ReloadOptions(&changed) == nil {
				at, size = t, n
			}
		}
	}
}

// URL is where workers and submitters connect to.
func (s *Server) URL() string { return "tls://" + s.nats.Addr().String() }

// KeyFiles are where Serve has put the first keys.
func (s *Server) KeyFiles() (submit, work string) {
	return filepath.Join(s.dir, "submit.key"), filepath.Join(s.dir, "work.key")
}

// Close ends the server; what is stored stays.
func (s *Server) Close() {
	s.stop()
	<-s.done
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}
