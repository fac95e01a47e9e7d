package farm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Client is a connection to a farm. It reconnects when the server or the network comes back. A request
// whose context has no deadline waits five seconds for an answer.
type Client struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	key     *Key          // or nil
	id      string        // of the key, as subjects have it
	closed  chan struct{} // the connection is given up: the key was withdrawn
	denied  chan struct{} // closed when the key may not do something
	once    sync.Once
	streams sync.Map // handles by name

	pace  pace
	ahead time.Duration // added to the age of files on the farm, for tests
}

// Dial connects to the farm at address, which may list several servers of a cluster,
// separated by commas. key is nil for a server that needs none. The error wraps ErrRefused and
// says in one line what to do.
func Dial(address string, key *Key) (*Client, error) {
	if address == "" {
		return nil, errNoAddress
	}
	for part := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(part)
		if err != nil || u.Host == "" || u.Scheme != "tls" && u.Scheme != "nats" && u.Scheme != "wss" && u.Scheme != "ws" {
			return nil, fmt.Errorf("%w: %q is not an address (use tls://HOST:PORT, as fibsbot farm serve prints it)", ErrRefused, part)
		}
		if n, err := strconv.Atoi(u.Port()); u.Port() != "" && (err != nil || n < 1 || n > 65535) {
			return nil, fmt.Errorf("%w: address %q: the port must be 1 to 65535", ErrRefused, part)
		}
	}
	return dial(address, key)
}

func dial(address string, key *Key, more ...nats.Option) (*Client, error) {
	c := &Client{key: key, id: key.id(), closed: make(chan struct{}), denied: make(chan struct{}), pace: paceOf(time.Second)}
	opts := []nats.Option{
		nats.Name("fibsbot"), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(200*time.Millisecond, 200*time.Millisecond), nats.Timeout(10 * time.Second),
		nats.ReconnectBufSize(-1), // this package sends again
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ClosedHandler(func(*nats.Conn) { close(c.closed) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			// A denied call only times out; the server reports the denial here. A client
			// without the right to hear news polls.
			if strings.Contains(err.Error(), newsSubject) {
				return
			}
			if errors.Is(err, nats.ErrPermissionViolation) || strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
				c.once.Do(func() { close(c.denied) })
			}
		}),
	}
	if key != nil {
		opts = append(opts, key.options(address)...)
	}
	nc, err := nats.Connect(address, append(opts, more...)...)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrRefused, address, plain(address, err))
	}
	c.nc = nc
	if c.js, err = jetstream.New(nc); err != nil {
		nc.Close()
		return nil, err
	}
	return c, nil
}

// options are the connection options for the key.
func (k *Key) options(address string) (out []nats.Option) {
	if k.creds != "" {
		return []nats.Option{nats.UserCredentials(k.creds)}
	}
	out = append(out, nats.Nkey(k.public, func(nonce []byte) ([]byte, error) { return k.pair.Sign(nonce) }),
		nats.CustomInboxPrefix(inbox(k.public)))
	if k.roots != nil && address != "" && !strings.HasPrefix(address, "nats:") {
		secure := &tls.Config{RootCAs: k.roots, MinVersion: tls.VersionTLS13}
		if k.own {
			secure.ServerName = serverName
		}
		out = append(out, nats.Secure(secure))
	}
	return out
}

// newOwnKey makes a key that is not written to a file.
func newOwnKey() (*Key, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	public, err := pair.PublicKey()
	return &Key{pair: pair, public: public}, err
}

// plain explains why a connection failed.
func plain(address string, err error) error {
	var header tls.RecordHeaderError
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var where *net.DNSError
	text := err.Error()
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Errorf("the server's certificate has expired (%s); set this machine's clock, or renew the certificate", validity(invalid.Cert))
	case (errors.As(err, &unknown) || errors.As(err, &host)) && strings.HasPrefix(address, "nats:"):
		return errors.New("the server needs TLS (use tls:// instead of nats://)")
	case errors.As(err, &unknown):
		return errors.New("the key file does not trust the server's certificate (wrong farm, or no --farm-key FILE)")
	case errors.As(err, &host):
		return errors.New("the server's certificate is for another host (or --farm-key FILE is missing)")
	case errors.As(err, &where):
		return fmt.Errorf("no such host: %s", where.Name)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), strings.Contains(text, "Authorization Violation"),
		errors.Is(err, nats.ErrNkeysNotSupported), strings.Contains(text, "nkey"):
		return errors.New("the farm does not accept this key (use --farm-key FILE with a key of this farm)")
	case errors.Is(err, nats.ErrSecureConnRequired), errors.Is(err, nats.ErrSecureConnWanted), errors.As(err, &header):
		return errors.New("only one side uses TLS (try tls:// or nats://, wss:// or ws://)")
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		if u, perr := url.Parse(address); perr == nil && u.Port() == "" && !strings.Contains(address, ",") && (u.Scheme == "tls" || u.Scheme == "nats") {
			return fmt.Errorf("no farm answers there (the default port is %d, farm serve uses 4333)", nats.DefaultPort)
		}
		return errors.New("no farm answers there")
	}
	return err
}

// validity returns a certificate's validity and the time of this machine's clock.
func validity(c *x509.Certificate) string {
	const layout = time.DateTime
	return fmt.Sprintf("valid from %s to %s, this machine's clock: %s UTC", c.NotBefore.UTC().Format(layout), c.NotAfter.UTC().Format(layout), time.Now().UTC().Format(layout))
}

// Close ends the connection.
func (c *Client) Close() { c.nc.Close() }

// fileLife is the least age at which a file expires. A command stores an older one than half of
// that again when it begins, so that workers can join its job for a month.
const fileLife = 60 * 24 * time.Hour

// replicas returns the replicas of a stream: three in a cluster.
func (c *Client) replicas() int {
	if c.nc.ConnectedClusterName() != "" {
		return 3
	}
	return 1
}

// defaultStore is the store in bytes of a farm, defaultKeep how long it keeps unfinished jobs.
const (
	defaultStore = 8 << 30
	defaultKeep  = 7 * 24 * time.Hour
)

// setup makes the streams and buckets for store bytes in all and unfinished jobs that are kept so
// long, or gives existing ones these bounds.
func (c *Client) setup(ctx context.Context, store int64, keep time.Duration) error {
	n := c.replicas()
	for _, s := range []jetstream.StreamConfig{
		{Name: taskStream, Subjects: []string{"farm.task.>"}, Retention: jetstream.WorkQueuePolicy, MaxMsgs: 200_000,
			MaxBytes: store / 16, Discard: jetstream.DiscardNew, MaxAge: keep},
		{Name: resultStream, Subjects: []string{"farm.result.>"}, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
			MaxBytes: store / 2, Discard: jetstream.DiscardNew, MaxAge: keep},
		{Name: blobStream, Subjects: []string{"farm.blob.>"}, MaxMsgsPerSubject: 1, AllowDirect: true,
			MaxBytes: store / 4, Discard: jetstream.DiscardNew, MaxAge: max(4*keep, fileLife)},
	} {
		s.Storage, s.Replicas = jetstream.FileStorage, n
		if _, err := c.js.CreateOrUpdateStream(ctx, s); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
	}
	if _, err := c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: jobBucket, TTL: keep, MaxBytes: store / 32,
		MaxValueSize: maxPayload, Storage: jetstream.FileStorage, Replicas: n}); err != nil {
		return fmt.Errorf("bucket %s: %w", jobBucket, err)
	}
	// A bucket without roll-ups, with which one worker could remove the reports of all.
	if _, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "KV_" + beatBucket, Subjects: []string{"$KV." + beatBucket + ".>"},
		MaxMsgsPerSubject: 1, MaxAge: c.pace.beatLife, MaxBytes: 16 << 20, MaxMsgSize: maxReport, Discard: jetstream.DiscardNew, DenyDelete: true, AllowDirect: true,
		Storage: jetstream.MemoryStorage, Replicas: n}); err != nil {
		return fmt.Errorf("bucket %s: %w", beatBucket, err)
	}
	return nil
}

// ready makes the streams on a cluster that has none yet. All streams exist once the last one
// does; another client may be making them.
func (c *Client) ready(ctx context.Context) error {
	asking, cancel := c.permitted(ctx)
	defer cancel()
	_, err := c.js.Stream(asking, "KV_"+beatBucket)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		// Nodes with little disk get smaller streams.
		for store := int64(defaultStore); store >= leastStore; store /= 2 {
			// Two clients at once find the room reserved by each other: wait a random time.
			for range 3 {
				if err = c.setup(asking, store, defaultKeep); !tooBig(err) {
					return c.setupError(err)
				}
				select {
				case <-time.After(time.Duration(50+rand.IntN(200)) * time.Millisecond):
				case <-asking.Done():
					return c.setupError(asking.Err())
				}
			}
		}
	}
	return c.setupError(err)
}

// tooBig reports whether too few nodes have room for streams of that size, or could make
// their files; a server also fails at that when two clients ask at once.
func tooBig(err error) bool {
	var api *jetstream.APIError
	return full(err) || errors.As(err, &api) && (api.ErrorCode == noPeers || api.ErrorCode == noStore)
}

// setupError explains why the streams could not be made.
func (c *Client) setupError(err error) error {
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("%w: the server has no JetStream (enable it in its configuration)", ErrRefused)
	case err != nil && c.isDenied():
		return fmt.Errorf("%w: this key may run pieces but not submit jobs (use the submit key)", ErrRefused)
	case err != nil:
		return fmt.Errorf("farm: %w", err)
	}
	return nil
}

// permitted is a context that ends when the key turns out to lack a right.
func (c *Client) permitted(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-c.denied:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

func (c *Client) isDenied() bool {
	select {
	case <-c.denied:
		return true
	default:
		return false
	}
}

// put stores a message where its subject is empty. fresh is false where it was not.
func (c *Client) put(ctx context.Context, m *nats.Msg) (fresh bool, err error) {
	_, err = c.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0))
	if alreadyStored(err) || occupied(err) {
		return false, nil
	}
	return err == nil, err
}

// news tells all who listen that jobs or those left out are others now. Who misses it
// sees for himself.
func (c *Client) news() { _ = c.nc.Publish(newsSubject, nil) }

// hear has the channel hold something after news, until ctx ends.
func (c *Client) hear(ctx context.Context) <-chan struct{} {
	heard := make(chan struct{}, 1)
	sub, err := c.nc.Subscribe(newsSubject, func(*nats.Msg) {
		select {
		case heard <- struct{}{}:
		default:
		}
	})
	if err == nil {
		context.AfterFunc(ctx, func() { _ = sub.Unsubscribe() })
	}
	return heard
}

// alreadyStored reports whether storing failed because the subject has a message. Replicated streams
// have a code of their own for that. Code 10077 does not count: a full stream returns it too,
// and results would be lost.
func alreadyStored(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// occupied reports whether storing failed because the subject has a message which the server
// cannot read.
func occupied(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == 10077 && strings.Contains(api.Description, "per subject")
}

// noPeers is the error of a cluster without enough nodes that have room for a stream.
const noPeers = 10005

// noStore is the error of a server that could not make the files of a stream.
const noStore = 10049

// full reports whether storing failed because a stream is full.
func full(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == 10077 || api.ErrorCode == 10047 || api.ErrorCode == 10023)
}

// stream returns a handle of a stream, which is requested once.
func (c *Client) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	if s, ok := c.streams.Load(name); ok {
		return s.(jetstream.Stream), nil
	}
	s, err := c.js.Stream(ctx, name)
	if err == nil {
		c.streams.Store(name, s)
	}
	return s, err
}

// last reads the newest message of a subject, without a consumer. ok is false if the subject
// is empty.
func (c *Client) last(ctx context.Context, stream, subject string) (m *jetstream.RawStreamMsg, ok bool, err error) {
	s, err := c.stream(ctx, stream)
	if err != nil {
		return nil, false, err
	}
	m, err = s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, false, nil
	}
	return m, err == nil, err
}

// subjects lists the subjects of a stream that fit the filter, with their counts.
func (c *Client) subjects(ctx context.Context, stream, filter string) (map[string]uint64, error) {
	s, err := c.stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

// newest reads the newest messages of the subjects that fit the filter, without empty ones.
func (c *Client) newest(ctx context.Context, stream, filter string) (map[string][]byte, error) {
	list, err := c.subjects(ctx, stream, filter)
	out := make(map[string][]byte, len(list))
	for subject := range list {
		m, ok, err := c.last(ctx, stream, subject)
		if err != nil {
			return nil, err
		}
		if ok && len(m.Data) > 0 {
			out[subject] = m.Data
		}
	}
	return out, err
}

// purge removes all messages of the subjects that fit the filter, or with upTo those up to a place in
// the stream.
func (c *Client) purge(ctx context.Context, stream, filter string, more ...jetstream.StreamPurgeOpt) error {
	s, err := c.stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, append(more, jetstream.WithPurgeSubject(filter))...)
}

func upTo(seq uint64) jetstream.StreamPurgeOpt { return jetstream.WithPurgeSequence(seq + 1) }
