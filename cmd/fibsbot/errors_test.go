package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// wrongInputs are command lines with one mistake each. They run in a folder with these
// files: match.mat, diary.txt (not a match), empty.sgf, a folder, broken .yaml files.
const wrongInputs = `
nosuch
analize match.mat
help nosuch
version extra
eval
eval nonsense
eval 4HPwATDgc/ABMZ!
eval 4HPwATDgc/ABMA:cAkAAAAA
eval XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7
eval 4HPwATDgc/ABMA --score 3:x --length 7
eval 4HPwATDgc/ABMA --score 7-3 --length 7
eval 4HPwATDgc/ABMA --score 3-5
eval 4HPwATDgc/ABMA --length 100
eval 4HPwATDgc/ABMA --length -1
eval 4HPwATDgc/ABMA --cube 3
eval 4HPwATDgc/ABMA --owner him
eval 4HPwATDgc/ABMA --crawford
eval 4HPwATDgc/ABMA --preset hero
eval 4HPwATDgc/ABMA --plies 9
eval 4HPwATDgc/ABMA --plies two
eval 4HPwATDgc/ABMA --noise 2
eval 4HPwATDgc/ABMA --filter wide
eval 4HPwATDgc/ABMA --filter 1:2
eval 4HPwATDgc/ABMA --within soon
eval 4HPwATDgc/ABMA --seed -1
eval 4HPwATDgc/ABMA --threads -1
eval 4HPwATDgc/ABMA --threads 9999
eval 4HPwATDgc/ABMA --cache-mb -5
eval 4HPwATDgc/ABMA --weights none.weights
eval 4HPwATDgc/ABMA --weights diary.txt
eval 4HPwATDgc/ABMA --bearoff-dir none
eval 4HPwATDgc/ABMA --bearoff-dir diary.txt
eval 4HPwATDgc/ABMA --met none.xml
eval 4HPwATDgc/ABMA --met diary.txt
eval 4HPwATDgc/ABMA --variation chess
eval 4HPwATDgc/ABMA --map map.gif
eval 4HPwATDgc/ABMA -c none.yaml
eval 4HPwATDgc/ABMA --presett expert
eval 4HPwATDgc/ABMA --on-roll both
eval 4HPwATDgc/ABMA --beavers -1
hint 4HPwATDgc/ABMA --dice 71
hint 4HPwATDgc/ABMA --dice 3
hint 4HPwATDgc/ABMA --limit -1
hint 4HPwATDgc/ABMA --max 3
rollout 4HPwATDgc/ABMA --trials 0
rollout 4HPwATDgc/ABMA --trials many
rollout 4HPwATDgc/ABMA --move 1
rollout 4HPwATDgc/ABMA --dice 31 --move 99
rollout 4HPwATDgc/ABMA --dice 31 --move 9/1
rollout 4HPwATDgc/ABMA --dice 31 --cube
rollout 4HPwATDgc/ABMA --dice 31 --initial
rollout 4HPwATDgc/ABMA --cube 3
rollout 4HPwATDgc/ABMA --cube=x
rollout 4HPwATDgc/ABMA --truncate -1
rollout 4HPwATDgc/ABMA --late-ply -1
rollout 4HPwATDgc/ABMA --late-cube-preset expert
rollout 4HPwATDgc/ABMA --cube-preset expert --cubeless
rollout 4HPwATDgc/ABMA --opponent-preset hero
rollout 4HPwATDgc/ABMA --stop-stderr -1
rollout 4HPwATDgc/ABMA --stop-jsd -1
rollout 4HPwATDgc/ABMA --rng rand
rollout 4HPwATDgc/ABMA --sgf x.sgf
rollout 4HPwATDgc/ABMA --dice 31 --sgf none/x.sgf
rollout 4HPwATDgc/ABMA --cube --resume diary.txt --trials 36
rollout 4HPwATDgc/ABMA --farm nats://127.0.0.1:1
rollout 4HPwATDgc/ABMA --farm nats://127.0.0.1:1 --farm-key none.key
rollout 4HPwATDgc/ABMA --farm nats://127.0.0.1:1 --farm-key diary.txt
board 4HPwATDgc/ABMA -o board.gif
board 4HPwATDgc/ABMA -o none/board.svg
board 4HPwATDgc/ABMA --dice 31 --play 9/1
board 4HPwATDgc/ABMA -o board.png --width -1
met eq2mwc x --length 7 --score 3-5
met eq2mwc 0.2 --length 7 --score 3-9
met eq2mwc 0.2
met show --length 100
met show --met none.xml
met prices --length 7 --score 3-5 --gammons 120
analyse
analyse none.sgf
analyse diary.txt
analyse empty.sgf
analyse folder
analyse match.mat --format doc
analyse match.mat --format html -o none/report.html
analyse match.mat --player 3
analyse match.mat --game 99 --stored
analyse match.mat --limit 99
analyse match.mat --marks 0.1,0.05,0.2
analyse match.mat --marks few
analyse match.mat --luck-marks 1
analyse match.mat --stored --again
analyse match.mat --preset hero
analyse match.mat -o match.mat
analyse match.mat --annotate diary.txt
analyse diary.txt empty.sgf --stored
annotate match.mat
annotate none.sgf 1.1
annotate match.mat 1.1 --comment x
annotate match.sgf one --comment x
annotate match.sgf 9.1 --comment x
annotate match.sgf 1.999 --comment x
annotate match.sgf 1.1 --rollout --plays 0
convert match.mat
convert match.mat out.doc
convert match.mat out.sgf --to doc
convert none.mat out.sgf
convert diary.txt out.sgf
convert match.mat none/out.sgf
convert match.mat match.sgf out.sgf
convert match.mat folder
convert folder out.sgf
archive list --archive none
archive list --archive folder --since yesterday
archive list --archive folder --since 2026-13-01
archive list --archive folder --result drawn
archive list --archive folder --limit -1
archive list --archive folder --from 2026-01-01
archive show --archive folder nosuch
archive nosuch
archive errors --archive folder --kind odd
archive errors --archive folder --min-loss -1
archive export --archive folder --format doc
archive import --archive folder none.sgf
archive prune --archive folder --older-than old
archive restore none.zip new
archive verify none.zip
run
run -c none.yaml
run -c broken.yaml
run -c wrong.yaml
run --account R2D2
run --account robbie --server nowhere
run --account robbie --server nowhere:fibs
run --account robbie --preset hero
run --account robbie --min-length 9 --max-length 3
run --account robbie --password-file none.txt
run --account robbie --once --max-matches 2
run --max-matches -1
run --name robbie
watch
watch alice --account robbie
watch al!ce --account robbie
watch alice --min-loss -1
watch alice --boards often
status
status --address nowhere
status --socket none.sock
status --socket a --address 127.0.0.1:1
config check none.yaml
config check broken.yaml
config check wrong.yaml
config check folder
config check diary.txt
config init wrong.yaml
config show none.yaml
config show broken.yaml
server --listen nowhere
server --listen 127.0.0.1:99999
server --listen 203.0.113.1:4321
server --idle 1ms
server --max-connections 0
server --login-time 1ms
server --data diary.txt
demo --matches 0
demo --length 0
demo --preset hero
demo --protocol chess
demo --archive diary.txt
play --length 100
play --preset hero
play --rating 99
play --style odd --rating 1600
play --dice-file none.txt
web --listen nowhere
web --token-file none/token
duel expert
duel expert hero
duel expert cmd:
duel expert advanced --games 10 --length 5
duel expert advanced --games 0
duel expert advanced --vr-plies 2
duel expert advanced --trials 3
duel expert advanced --jobs -1
engine --listen nowhere
engine --preset hero
bearoff build three
bearoff build one --points 99
bearoff build two --points 9
bearoff build two --approx
bearoff build one --memory -1
bearoff info none.bearoff
bearoff info diary.txt
bearoff show nonsense
bearoff show 4HPwATDgc/ABMA
bearoff verify none.bearoff
bearoff verify diary.txt
bench --seconds 0
tune
tune --target-rating 5000
tune --target-rating 1600 --length 100
tune --target-rating 1600 --style odd
tune --target-rating 1600 --write bot.yaml
tune --target-rating 1600 --write none.yaml --as club
tune --target-rating 1600 --write wrong.yaml --as expert
tune --target-rating 1600 --write wrong.yaml --as Club!
tune --target-rating 1600 --table none.json
tune report --chart strength.gif
farm work --farm nats://127.0.0.1:1
farm work --farm nats://127.0.0.1:1 --farm-key none.key
farm status
farm key
farm key kitchen --role boss --data farm
farm cancel --farm nats://127.0.0.1:1
farm serve --max-store-mb 1
farm serve --keep 1s
farm serve --tls-cert cert.pem
`

// volatile is what differs from run to run in a message.
var volatile = regexp.MustCompile(`/tmp/[^ ]*?/[0-9]{3}/?`)

// TestErrors holds the message and exit status of 200 wrong inputs, which a person has
// read, and that none of them shows raw words of the system or of Go.
func TestErrors(t *testing.T) {
	testsize.Medium(t)
	for _, name := range []string{"FIBSBOT_SERVER", "FIBSBOT_ACCOUNT", "FIBSBOT_PASSWORD"} {
		t.Setenv(name, "")
	}
	sample, err := os.ReadFile(filepath.Join(archiveSamples, "match5.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	golderr := filepath.Join(mustWD(t), "testdata", "errors.golden")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"diary.txt": "Dear diary,\nI lost again.\n", "empty.sgf": "", "match.sgf": string(sample),
		"broken.yaml": "server:\n  address: [\n",
		"wrong.yaml":  "serverr: {}\naccounts: [{name: Robo, password: x}]\narchive: {analyse: true}\nwatch: {from: 0.1}\npacing: {min: 3}\nstrength: {preset: hero}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := cli(t, "convert", "match.sgf", "match.mat"); code != 0 {
		t.Fatal(errOut)
	}
	var b strings.Builder
	raw := regexp.MustCompile(`strconv|syscall|no such file or directory|is a directory\b|connection refused|%!|invalid argument|unexpected EOF`)
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(wrongInputs), "\n") {
		n++
		code, out, errOut := cli(t, strings.Fields(line)...)
		errOut = volatile.ReplaceAllString(errOut, "TMP/")
		if code == 0 || errOut == "" {
			t.Errorf("%s: status %d, %q", line, code, errOut)
		}
		if raw.MatchString(errOut) {
			t.Errorf("%s: raw words in %q", line, errOut)
		}
		if out != "" && !strings.HasPrefix(line, "analyse") {
			errOut = "(stdout) " + out + errOut
		}
		fmt.Fprintf(&b, "$ fibsbot %s\n%d  %s\n", line, code, strings.ReplaceAll(strings.TrimSuffix(strings.ReplaceAll(errOut, "fibsbot: ", ""), "\n"), "\n", "\n   "))
	}
	if n < 150 {
		t.Errorf("only %d wrong inputs", n)
	}
	golden(t, golderr, b.String())
}

func mustWD(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
