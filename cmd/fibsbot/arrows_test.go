package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// layer gives the first path segments of this module's packages that each part
// of the program may import. Anything not named for a part is forbidden: a rule
// nobody checks is a wish.
var layer = []struct{ part, never string }{
	{"internal", "fibs engine/nn engine/eval engine/match bot cmd config bearoff weights"},
	{"internal/farm", "engine"},
	// fibs knows no engine, the engine no protocol.
	{"fibs/", "engine bearoff weights bot cmd config bgammon"},
	{"bgammon", "engine bearoff weights bot cmd config fibs"},
	{"bgammon/wire", "bgammon/client bgammon/server"},
	{"bgammon/client", "bgammon/server"},
	{"bgammon/server", "bgammon/client"},
	{"engine/board", "fibs bot cmd config bearoff weights engine/match engine/nn engine/eval engine/search engine/cube engine/rollout engine/analyse engine/record engine/preset"},
	{"engine/match", "fibs bot cmd config bearoff weights engine/nn engine/eval engine/search engine/cube engine/rollout engine/analyse engine/record"},
	{"engine/race", "fibs bot cmd config bearoff weights engine/match engine/nn engine/eval engine/search engine/cube engine/rollout engine/analyse engine/record"},
	{"engine/nn", "fibs bot cmd config bearoff weights engine/eval engine/search engine/cube engine/rollout engine/analyse"},
	{"engine/eval", "fibs bot cmd config weights engine/search engine/cube engine/rollout engine/analyse"},
	{"engine/cube", "fibs bot cmd config weights engine/search engine/rollout engine/analyse"},
	{"engine/search", "fibs bot cmd config weights engine/rollout engine/analyse"},
	{"engine/record", "fibs bot cmd config bearoff weights engine/nn engine/eval engine/search engine/cube"},
	// Search and rollouts know nothing of those who play with them.
	{"engine/search", "engine/duel engine/external engine/bench"},
	{"engine/rollout", "engine/duel engine/external engine/bench"},
	{"engine/internal/settle", "engine/record engine/analyse"},
	{"engine/rolled", "engine/analyse engine/preset"},
	{"engine/external", "engine/duel engine/bench"},
	{"engine/duel", "engine/bench"},
	// The product carries nothing of the laboratory.
	{"cmd/fibsbot", "cmd/fibslab"},
	{"cmd/internal", "cmd/fibsbot cmd/fibslab"},
	{"cmd/fibslab/internal/reference", "engine/bench cmd/fibslab/internal/pipeline engine/duel"},
	{"engine", "fibs bot cmd config internal/farm"},
	{"bot", "internal/farm"},
	{"internal/shard", "internal/farm"},
	{"bearoff", "fibs bot cmd config"},
	{"weights", "fibs bot cmd config bearoff engine/eval engine/search"},
	{"config", "fibs bot cmd"},
	{"bot", "cmd"},
	// What the bot does knows no server: servers stand behind bot/protocol.
	{"bot/sheet", "fibs bot/fibs bot/protocol bot/table bot/archive bot/policy bot/watch bot/host config bearoff weights"},
	{"bot/protocol", "fibs bot/fibs bot/table bot/archive bot/policy bot/watch bot/host config bearoff weights"},
	{"bot/fibs", "bot/table bot/archive bot/policy bot/watch bot/host config bearoff weights"},
	{"bot/strength", "fibs bgammon bot/fibs bot/protocol bot/table bot/archive bot/watch bot/host bearoff weights"},
	{"bot/internal/names", "fibs engine bearoff weights bot/fibs bot/protocol bot/table bot/archive bot/policy bot/watch bot/host"},
	{"bot/table", "fibs bot/fibs bgammon"},
	{"bot/archive", "fibs bot/fibs bgammon"},
	{"bot/archive/review", "fibs bot/fibs bgammon bot/table bot/policy bot/watch bot/host config cmd"},
	{"bot/archive/backup", "fibs bot/fibs bgammon bot/policy bot/watch bot/host bot/archive/review config cmd"},
	{"bot/archive/prune", "fibs bot/fibs bgammon bot/policy bot/watch bot/host bot/archive/backup config cmd"},
	{"bot/archive/verify", "fibs bot/fibs bgammon bot/policy bot/watch bot/host bot/archive/backup config cmd"},
	{"bot/policy", "fibs bot/fibs bgammon"},
	{"bot/watch", "fibs bot/fibs bgammon"},
	{"bot/host", "fibs bot/fibs bgammon"},
	{"bot/internal/accountview", "fibs bgammon bot/fibs bot/table bot/archive bot/policy bot/watch bot/host cmd/fibsbot/internal/web config"},
	{"bot/ops", "cmd/fibsbot/internal/web bot/host bot/internal/accountview"},
	{"bot/bgammon", "fibs bot/fibs bot/table bot/archive bot/policy bot/watch bot/host config bearoff weights bgammon/server"},
	// People at a screen: matches, cards, pages and account views know no server, pages and
	// cards no running bot.
	{"cmd/fibsbot/internal/play", "fibs bgammon bot/fibs bot/bgammon bot/protocol bot/table bot/policy bot/watch bot/host cmd/fibsbot/internal/web config"},
	{"cmd/fibsbot/internal/quiz", "fibs bgammon bot/fibs bot/bgammon bot/protocol bot/table bot/policy bot/watch bot/host cmd/fibsbot/internal/play cmd/fibsbot/internal/web config"},
	{"cmd/fibsbot/internal/web", "fibs/server fibs/chaos bgammon bot/bgammon bot/table bot/archive/review bot/policy bot/watch bot/host config"},
	{"bot/internal/accountview", "fibs bgammon bot/fibs bot/bgammon bot/table bot/archive bot/policy bot/watch bot/host cmd/fibsbot/internal/web config bearoff weights"},
	{"bot/ops", "fibs bgammon bot/fibs bot/bgammon bot/protocol bot/sheet bot/table bot/archive bot/policy bot/watch bot/host cmd/fibsbot/internal/web engine config"},
	{"bot/notify", "fibs bgammon engine bot/fibs bot/protocol bot/table bot/archive bot/host cmd/fibsbot/internal/web"},
	{"bot/optout", "fibs bgammon engine bot/fibs bot/protocol bot/table bot/archive bot/watch bot/host"},
	{"cmd/fibsbot/internal/input", "bot/table bot/archive bot/policy bot/host cmd/fibsbot/internal/play config"},
	{"fibs/clip", "fibs/telnet fibs/client fibs/server"},
	{"fibs/client", "fibs/server"},
	{"fibs/server", "fibs/client"},
}

// TestArrows fails when a package imports, directly or through others, what it
// must not. Tests may import anything; they are not part of the program.
func TestArrows_importsPointOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{.Name}} {{join .Deps " "}}`, "fibsbot/...").Output()
	if err != nil {
		t.Skipf("skipped: go list: %v", err)
	}
	inside := func(pkg, part string) bool {
		part = strings.TrimSuffix(part, "/")
		return pkg == part || strings.HasPrefix(pkg, part+"/")
	}
	checked := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], "fibsbot/")
		if words[1] == "main" && !inside(pkg, "cmd") {
			continue // a tool beside its package, not part of the program
		}
		for _, l := range layer {
			if !inside(pkg, l.part) {
				continue
			}
			checked++
			for _, dep := range words[2:] {
				if strings.HasPrefix(dep, "github.com/nats-io/") && !inside(pkg, "internal/farm") && !inside(pkg, "cmd") {
					t.Errorf("%s imports %s: only internal/farm knows NATS", pkg, dep)
				}
				dep, ours := strings.CutPrefix(dep, "fibsbot/")
				if !ours {
					continue
				}
				for _, never := range strings.Fields(l.never) {
					if inside(dep, never) {
						t.Errorf("%s imports %s: %s must not know %s", pkg, dep, l.part, never)
					}
				}
			}
		}
	}
	if checked < 10 {
		t.Fatalf("only %d rules applied: the list does not fit the packages", checked)
	}
}

// The bot's packages above the seam bot/protocol serve every server alike: none of their
// files names one that is not FIBS.
func TestSeam_noOtherServerIsNamed(t *testing.T) {
	for _, dir := range []string{"table", "archive", "policy", "host", "sheet"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "bot", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("bot/%s: %d files, %v", dir, len(files), err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(f, "_test.go") && strings.Contains(strings.ToLower(string(text)), "bgammon") {
				t.Errorf("%s names a server", f)
			}
		}
	}
}
