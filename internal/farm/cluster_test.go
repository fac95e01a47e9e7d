package farm

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"fibsbot/internal/freeport"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// freePorts returns addresses that are free.
func freePorts(t *testing.T, n int) (out []string) {
	t.Helper()
	for len(out) < n {
		if a := freeport.On(t, "127.0.0.1"); !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// TestFarm_recipeOfACluster starts three servers from the configuration in docs/deploy with
// keys of fibsbot farm key --cluster and has a job run there; in the heavy form it loses a
// server on the way.
func TestFarm_recipeOfACluster(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	dir := t.TempDir()
	text, err := os.ReadFile("../../docs/deploy/farm-cluster.conf")
	if err != nil {
		t.Fatal(err)
	}
	users := "users: [\n"
	for _, r := range []Role{RoleSubmit, RoleWork} {
		entry, err := NewClusterKey(string(r), r, filepath.Join(dir, string(r)+".key"))
		if err != nil {
			t.Fatal(err)
		}
		users += entry
	}
	if err := os.WriteFile(filepath.Join(dir, "farm-users.conf"), []byte(users+"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ports := freePorts(t, 6)
	var all []*server.Server
	for i := range 3 {
		name := fmt.Sprint("n", i)
		environment := strings.NewReplacer("$NODE", name, "$CLIENTS", strconv.Quote(ports[i]), "$ROUTE", strconv.Quote(ports[3+i]),
			"$STORE", strconv.Quote(filepath.Join(dir, name)),
			"$PEERS", fmt.Sprintf("[%q, %q, %q]", "nats://"+ports[3], "nats://"+ports[4], "nats://"+ports[5]))
		file := filepath.Join(dir, name+".conf")
		if err := os.WriteFile(file, []byte(environment.Replace(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := server.ProcessConfigFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o.NoSigs, o.NoLog = true, true
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		defer s.Shutdown()
		all = append(all, s)
	}
	url := "nats://" + strings.Join(ports[:3], ",nats://")
	for _, s := range all {
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("no cluster")
		}
	}
	boss := client(t, url, filepath.Join(dir, "submit.key"))
	var crew *Crew
	for end := time.Now().Add(2 * time.Minute); crew == nil; { // until the servers have a leader
		crew, err = boss.Submit(t.Context(), Job{Kind: "square", Spec: []byte("1"), Engine: testEngine}, Command{Size: oneEach})
		if err != nil && time.Now().After(end) {
			t.Fatal(err)
		}
	}
	var runs atomic.Int64
	for _, name := range []string{"a", "b"} {
		testWorker(t, client(t, url, filepath.Join(dir, "work.key")), name, nil, square{runs: &runs})
	}
	done := 0
	err = crew.Do(t.Context(), numbers(120), nil, func(k int, r shard.Result) error {
		if string(r.Data) != strconv.Itoa(k*k) {
			t.Errorf("piece %d: %s", k, r.Data)
		}
		if done++; done == 60 && os.Getenv("FIBSBOT_FARM_CLUSTER") != "" {
			all[0].Shutdown()
		}
		return nil
	})
	if err != nil || done != 120 {
		t.Fatalf("%d, %v", done, err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
	if _, _, err := client(t, url, filepath.Join(dir, "work.key")).last(context.Background(), resultStream, resultSubject("square-1", "p", "x")); err == nil {
		t.Error("a worker reads results")
	}
}

// TestFarm_cluster is the heavy form: three servers with three replicas, two of them
// lost one after the other, 10,000 pieces.
func TestFarm_cluster(t *testing.T) {
	if os.Getenv("FIBSBOT_FARM_CLUSTER") == "" {
		t.Skip("skipped: minutes of three servers; FIBSBOT_FARM_CLUSTER=1 runs it")
	}
	ports := freePorts(t, 6)
	var urls, routes []string
	for i := range 3 {
		urls, routes = append(urls, "nats://"+ports[i]), append(routes, "nats://"+ports[3+i])
	}
	port := func(i int) int {
		_, text, _ := net.SplitHostPort(ports[i])
		n, _ := strconv.Atoi(text) // as the system gave it
		return n
	}
	dirs := [3]string{t.TempDir(), t.TempDir(), t.TempDir()}
	begin := func(i int) *server.Server {
		s, err := server.NewServer(&server.Options{ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: port(i), JetStream: true,
			StoreDir: dirs[i], NoSigs: true, NoLog: true, Routes: server.RoutesFromStr(strings.Join(routes, ",")),
			Cluster: server.ClusterOpts{Name: "farm", Host: "127.0.0.1", Port: port(3 + i)}})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		return s
	}
	all := [3]*server.Server{begin(0), begin(1), begin(2)}
	defer func() {
		for _, s := range all {
			s.Shutdown()
		}
	}()
	for _, s := range all {
		if !s.ReadyForConnections(30 * time.Second) {
			t.Fatal("no cluster")
		}
	}
	dial := func() *Client {
		c, err := Dial(strings.Join(urls, ","), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	crew := submit(t, dial(), "cluster")
	var runs atomic.Int64
	for _, name := range []string{"a", "b"} {
		testWorker(t, dial(), name, nil, square{runs: &runs})
	}
	done := 0
	err := crew.Do(t.Context(), numbers(10_000), nil, func(k int, r shard.Result) error {
		if string(r.Data) != strconv.Itoa(k*k) {
			t.Errorf("piece %d: %s", k, r.Data)
		}
		switch done++; done {
		case 2000:
			all[0].Shutdown()
		case 4000:
			all[0] = begin(0)
		case 6000:
			all[1].Shutdown()
		}
		return nil
	})
	if err != nil || done != 10_000 {
		t.Fatalf("%d, %v", done, err)
	}
	t.Logf("%d pieces run for 10,000", runs.Load())
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}
