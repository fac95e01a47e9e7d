package house

import (
	"slices"
	"strings"
	"testing"
)

// leaves are the packages below all others that any part may import; pure parts do not.
const leaves = "internal/{fileerr,atomicfile,connlimit,ctxread,figure,filename,jsonlines,livetext,lockfile,minify,nearest,nice,panics,pwhash,sanitize,shard,splitmix,subprocess,texts,version,yield} "

// arrows lists what each part of the module may import, test files apart. A part is one
// package, several in braces, or all below a folder (/...); the longest that fits a
// package rules. What is not listed is forbidden. The groups are those of
// docs/architecture.md.
var arrows = []struct{ part, may string }{
	// Leaves know nothing of backgammon; the kernels of the nets know the board.
	{"internal/...", ""},
	{"internal/atomicfile", "internal/lockfile"},
	{"internal/jsonlines", "internal/lockfile"},
	{"internal/kernel", "engine/board"},
	{"internal/chromium", "internal/testsize"},
	{"internal/shard", "internal/panics"},
	{"internal/texts", "internal/fileerr"},
	{"internal/farm", leaves},
	{"internal/licence", "internal/subprocess"},
	{"internal/release", "internal/licence"},

	// Protocols do not import the engine. Each server is beside its client, so that the two check
	// each other.
	{"fibs/{clip,telnet,chaos}", ""},
	{"fibs/client", "fibs/{clip,telnet} internal/{sanitize,sendqueue}"},
	{"fibs/server", leaves},
	{"bgammon/wire", ""},
	{"bgammon/internal/lines", ""},
	{"bgammon/{client,server}", "bgammon/{internal/lines,wire} internal/{panics,sendqueue}"},

	// The engine, from the ground up: rules, nets, decisions.
	{"engine/board", "internal/splitmix"},
	{"engine/{match,race}", "engine/board"},
	{"engine/dice", "internal/splitmix"},
	{"engine/{rating,pace}", ""},
	{"engine/{opening,cardset}", "engine/{board,match}"},
	{"engine/nn", "engine/board internal/kernel"},
	{"engine/eval", "engine/{board,nn}"},
	{"engine/cube", "engine/{board,match,eval}"},
	{"engine/search", "engine/{board,match,eval,cube} internal/{kernel,panics,yield}"},
	{"engine/luck", "engine/{board,match,search}"},
	{"engine/tune/human", "engine/{board,cube,eval,search} internal/splitmix"},
	{"engine/preset", "engine/{cube,search,tune/human}"},
	{"engine/rollout", "engine/{board,match,dice,eval,cube,search} " + leaves},
	{"engine/internal/closecalls", "engine/{board,match,eval,cube,search,preset,rollout} internal/figure"},
	{"engine/tune", "engine/{match,search,preset,rating,tune/human} internal/figure"},
	{"engine/tune/chart", "engine/tune internal/atomicfile"},
	{"weights", "engine/nn"},
	{"bearoff", "engine/{board,match,eval} " + leaves},

	// Match files and drawn boards know no nets.
	{"engine/record", "engine/{board,match} internal/{sanitize,texts}"},
	{"engine/record/...", "engine/{board,match,record} engine/record/... internal/{ctxread,sanitize,reference} internal/figure"},
	{"engine/diagram", "engine/{board,match} internal/texts"},
	{"engine/diagram/picture", "engine/diagram"},
	{"engine/rollout/recorded", "engine/{board,match,eval,cube,search,rollout,record,record/sgf}"},

	// The facade opens databases and nets for what lies below it; what judges matches does
	// without it.
	{"engine", "engine/{board,match,nn,eval,cube,search,preset,rollout,internal/closecalls} weights bearoff internal/splitmix"},
	{"engine/internal/enginetest", "engine engine/preset"},
	{"engine/analyse", "engine/{board,match,eval,cube,search,luck,preset,rating,record,rollout,rollout/recorded,internal/closecalls} " + leaves},
	{"engine/analyse/...", "engine/{analyse,board,match,opening,eval,cube,diagram,rating,record,rollout,rollout/recorded} engine/analyse/... engine/record/... internal/{figure,minify,texts}"},
	{"engine/advice", "engine engine/{analyse,board,match,eval,cube,search,preset,race,record,record/position,rollout} bearoff internal/figure"},
	{"engine/explain", "engine engine/{advice,analyse/report,board,cube,eval,match,race,record,search} internal/texts"},
	{"engine/external", "engine engine/{board,cube,match,eval,search,preset} " + leaves},
	{"engine/duel", "engine engine/{analyse,board,match,dice,eval,search,luck,preset,record,rollout,external} " + leaves},
	{"engine/tournament", "engine/{analyse,duel,luck,rating} internal/{figure,jsonlines}"},
	{"docs/engines/random", "engine/{board,match}"}, // an example for authors
	{"engine/bench", "engine engine/{board,match,eval,search,preset,duel}"},

	// The bot. It reaches servers through bot/protocol: only bot/fibs and bot/bgammon import one.
	{"config", "internal/{fileerr,nearest,subprocess,texts}"},
	{"bot/sheet", "engine/{board,match,record}"},
	{"bot/protocol", "bot/sheet engine/{board,match}"},
	{"bot/fibs", "bot/{protocol,sheet} engine/{board,match} fibs/{clip,client,telnet} internal/panics"},
	{"bot/bgammon", "bot/{protocol,sheet} engine/{board,match} bgammon/{wire,client} internal/panics"},
	{"bot/table", "bot/{protocol,sheet} engine/{board,eval,match,pace,race,record}"},
	{"bot/internal/names", "config"},
	{"bot/internal/blocklist", "bot/internal/names " + leaves},
	{"bot/policy", "bot/internal/names config engine/pace"},
	{"bot/strength", "bot/policy config engine/{search,preset,tune,tune/human}"},
	{"bot/notify", "config " + leaves},
	{"bot/ops", leaves},
	{"bot/internal/accountview", "bot/{ops,protocol,sheet} engine engine/{board,eval,match,preset,search}"},
	{"bot/internal/changes", leaves},
	{"bot/archive", "bot/internal/changes bot/{protocol,sheet,table} engine/{board,match,record} engine/record/... " + leaves},
	{"bot/archive/revise", "bot/internal/changes engine/{analyse,record} engine/record/... " + leaves},
	{"bot/archive/index", "bot/archive/revise bot/internal/changes engine/{analyse,board,rating,record} engine/record/... " + leaves},
	{"bot/archive/{history,owner,review}", "bot/archive/{index,owner} engine/{analyse,analyse/report,board,diagram,preset,rating,record,rollout} engine/record/... " + leaves},
	{"bot/archive/{backup,prune,verify}", "bot/archive bot/archive/index bot/internal/changes bot/{protocol,sheet} engine/{analyse,board,record} engine/record/... " + leaves},
	{"bot/watch", "bot/{archive,protocol,sheet} config engine engine/{analyse,analyse/report,board,explain,match,preset,rating,record} engine/record/... " + leaves},
	{"bot/watch/show", "bot/watch engine/{analyse,board,match,rating,record} internal/sanitize internal/figure"},
	{"bot", "bot/{archive,protocol,sheet,table} engine engine/{analyse,board,cube,external,match,pace,preset,record,rollout/recorded} " + leaves},
	{"bot/host", "bot bot/{archive,archive/index,archive/revise,notify,ops,policy,protocol,sheet,strength,table,watch} bot/internal/{accountview,blocklist,changes,names} " +
		"config engine engine/{analyse,board,eval,external,match,preset,rating,record,search,tune} engine/record/... " + leaves},
	{"bot/demo", "bot bot/internal/accountview bot/{archive,archive/index,bgammon,fibs,ops,protocol,sheet,table} engine engine/{board,match,preset} fibs/{chaos,client,clip,server} bgammon/{client,server,wire} internal/figure"},
	// A person's account is a bot's without its policy: of the host it takes lock, settings and waits.
	{"bot/person", "bot bot/{archive,archive/index,host,protocol,sheet,table} config engine/board"},
	{"bot/internal/linestest", ""},
	{"bot/archive/archivetest", "bot/{archive,archive/index,archive/verify,fibs,protocol,sheet,table} bot/internal/linestest engine/{board,record} engine/record/... fibs/server"},

	// What both programs share.
	{"cmd/internal/{bounded,doccheck,flagrule,help}", ""},
	{"cmd/internal/cmdline", "internal/farm " + leaves},
	{"cmd/internal/remote", "engine engine/{analyse,bench,board,duel,match,rollout,search} internal/shard"},
	{"cmd/internal/farmcmd", "cmd/internal/{cmdline,remote} engine engine/{duel,match,nn} internal/farm " + leaves},
	{"cmd/internal/engineflags", "cmd/internal/{bounded,cmdline,farmcmd,remote} bot/{ops,strength} config engine engine/{analyse,dice,match,preset,record,search,tune}"},

	// The product: people at a screen, and the commands.
	{"cmd/fibsbot/internal/input", "bot/fibs engine/{advice,board,match,record}"},
	{"cmd/fibsbot/internal/play", "bot/archive/{index,review} engine engine/{advice,board,match,dice,eval,cube,pace,search,preset,record,tune,tune/human} " + leaves},
	{"cmd/fibsbot/internal/play/terminal", "cmd/fibsbot/internal/play engine engine/{advice,analyse,board,preset,record} internal/figure"},
	{"cmd/fibsbot/internal/play/lobby", "cmd/fibsbot/internal/play"},
	{"cmd/fibsbot/internal/online", "cmd/fibsbot/internal/{play,play/lobby,play/terminal} bot/{person,protocol,sheet,table} engine/{board,match,record} internal/{figure,sanitize} " +
		"bot/{archive/index,host,watch,watch/show} config engine/analyse"}, // matches of others are watched, judged and kept as by the bot,
	{"cmd/fibsbot/internal/collection", "bot/archive/{index,owner,review} engine/{analyse,board,match,record} engine/record/... " + leaves},
	{"cmd/fibsbot/internal/quiz", "bot/archive/{index,owner} cmd/fibsbot/internal/collection engine engine/{advice,analyse,analyse/report,board,cardset,cube,diagram,explain,match,opening,preset,record} engine/record/... internal/apkg " + leaves},
	{"cmd/fibsbot/internal/web", "cmd/fibsbot/internal/web/internal/api bot/ops engine/{analyse,analyse/report,record,record/formats} internal/http " + leaves},
	{"cmd/fibsbot/internal/web/browser", "cmd/fibsbot/internal/web config engine/{nn,search} internal/{atomicfile,fileerr,kernel,licence,minify,subprocess,texts} weights"},
	{"cmd/fibsbot/internal/web/browser/engine", ""}, // with the tag js it joins the packages of fibsbot
	{"cmd/fibsbot/internal/web/browser/speed", "engine engine/bench"},
	{"cmd/fibsbot/internal/web/internal/api", "cmd/fibsbot/internal/{input,play,play/lobby,quiz,collection} bot/{ops,archive/history,archive/index,archive/owner,archive/review} engine engine/{advice,explain,board,match,dice,cube,search,preset,analyse,record,rollout,opening,diagram,diagram/picture,tune} " +
		"engine/analyse/... engine/record/... internal/{figure,http,panics,shard,texts}"},
	{"cmd/fibsbot", "cmd/fibsbot/internal/... cmd/internal/... bot bot/... config engine engine/... bearoff weights fibs/server " + leaves},

	// The laboratory imports the product's engine, never the other way.
	{"cmd/fibslab/internal/kernel", ""},
	{"cmd/fibslab/internal/train", "cmd/fibslab/internal/kernel cmd/internal/cmdline engine engine/{board,match,nn,eval,search} bearoff weights internal/kernel " + leaves},
	{"cmd/fibslab/internal/reference", "cmd/fibslab/internal/train engine engine/{board,match,eval,cube,search,preset,rollout} " + leaves},
	{"cmd/fibslab/internal/families", "cmd/fibslab/internal/train engine/{board,eval} internal/jsonlines"},
	{"cmd/fibslab/internal/cubefit", "cmd/fibslab/internal/train engine engine/{board,match,eval,cube,search} internal/jsonlines"},
	{"cmd/fibslab/internal/openings", "engine engine/{board,opening,preset,rollout} internal/atomicfile"},
	{"cmd/fibslab/internal/races", "cmd/fibslab/internal/train engine/{board,eval} bearoff"},
	{"cmd/fibslab/internal/nets", "cmd/fibslab/internal/{reference,train} engine engine/{board,match,nn,eval,search,preset}"},
	{"cmd/fibslab/internal/pipeline", "cmd/fibslab/internal/{families,nets,reference,train} cmd/internal/cmdline engine/{board,nn,eval} bearoff weights " + leaves},
	{"cmd/fibslab/internal/ratings", "engine engine/{board,match,duel,cube,luck,search,preset,rating,tune,tune/human} internal/shard " + leaves},
	{"cmd/fibslab/internal/profile", "engine engine/{analyse,board,duel,match,preset,record,tune/human} internal/figure"},
	{"cmd/fibslab/internal/puretd", "cmd/fibslab/internal/{kernel,reference,train} engine engine/{board,match,eval,preset,external} internal/kernel"},
	{"cmd/fibslab/internal/prunefit", "cmd/fibslab/internal/train engine/{board,eval,search} internal/{atomicfile,kernel}"},
	{"cmd/fibslab", "cmd/fibslab/internal/... cmd/internal/... engine engine/... weights " + leaves},
}

// alternatives expands the braces in a list of packages: "a/{b,c} d" is a/b, a/c, d.
func alternatives(list string) (out []string) {
	for _, word := range strings.Fields(list) {
		head, rest, several := strings.Cut(word, "{")
		if !several {
			out = append(out, word)
			continue
		}
		inner, tail, _ := strings.Cut(rest, "}")
		for _, one := range strings.Split(inner, ",") {
			out = append(out, head+one+tail)
		}
	}
	return out
}

// fits reports whether pkg is the package called pattern, or below it if that ends in /... .
func fits(pkg, pattern string) bool {
	folder, below := strings.CutSuffix(pattern, "...")
	if below {
		return strings.HasPrefix(pkg, folder)
	}
	return pkg == pattern
}

// TestArrows_onlyTheListedOnes fails when a package imports what the table does not allow,
// or is in no part of it. Tests may import anything.
func TestArrows_onlyTheListedOnes(t *testing.T) {
	may := map[string][]string{}
	used := map[string]bool{}
	for _, a := range arrows {
		for _, part := range alternatives(a.part) {
			if may[part] != nil {
				t.Errorf("%s is there twice", part)
			}
			may[part] = append([]string{}, alternatives(a.may)...)
		}
	}
	for _, p := range packages(t) {
		pkg := strings.TrimPrefix(p.ImportPath, "fibsbot/")
		part := ""
		for p := range may {
			if fits(pkg, p) && len(p) > len(part) {
				part = p
			}
		}
		if part == "" {
			t.Errorf("%s is in no part of the table", pkg)
			continue
		}
		used[part] = true
		for _, dep := range p.Imports {
			if strings.HasPrefix(dep, "github.com/nats-io/") && pkg != "internal/farm" {
				t.Errorf("%s imports %s: only internal/farm knows NATS", pkg, dep)
			}
			dep, ours := strings.CutPrefix(dep, "fibsbot/")
			if ours && !slices.ContainsFunc(may[part], func(pattern string) bool { return fits(dep, pattern) }) {
				t.Errorf("%s imports %s, which the table does not allow %s", pkg, dep, part)
			}
		}
	}
	for part := range may {
		if !used[part] {
			t.Errorf("the table names %s, which holds no package", part)
		}
	}
}

// TestArrows_theProductCarriesNoLaboratory: no package of the product imports one that trains or
// measures, so that fibsbot links none.
func TestArrows_theProductCarriesNoLaboratory(t *testing.T) {
	const laboratory = "fibsbot/cmd/fibslab"
	for _, p := range packages(t) {
		if strings.HasPrefix(p.ImportPath, laboratory) {
			continue
		}
		for _, dep := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if strings.HasPrefix(dep, laboratory) {
				t.Errorf("%s or its test imports %s, a package of the laboratory", p.ImportPath, dep)
			}
		}
	}
}
