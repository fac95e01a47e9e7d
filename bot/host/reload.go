package host

import (
	"reflect"
	"strings"

	"fibsbot/config"
)

// needsRestart lists the keys of bot.yaml that differ between two configurations and are
// read only at the start.
func needsRestart(old, now *config.Config) []string {
	var keys []string
	for _, k := range []struct {
		key      string
		old, now any
	}{
		{"server.address", old.Server.Address, now.Server.Address},
		{"server.protocol", old.Server.Protocol, now.Server.Protocol},
		{"accounts", old.Accounts, now.Accounts},
		{"archive.dir", old.Archive.Dir, now.Archive.Dir},
		{"archive.dsn", old.Archive.DSN, now.Archive.DSN},
		{"archive.dsn_env", old.Archive.DSNEnv, now.Archive.DSNEnv},
		{"archive.dsn_file", old.Archive.DSNFile, now.Archive.DSNFile},
		{"engine", old.Engine, now.Engine},
		{"engines", old.Engines, now.Engines},
		{"logs", old.Logs, now.Logs},
		{"dashboard.listen", old.Dashboard.Listen, now.Dashboard.Listen},
		{"operations.listen", old.Operations.Listen, now.Operations.Listen},
		{"matchmaking.timeout", old.Matchmaking.Timeout, now.Matchmaking.Timeout},
	} {
		if !reflect.DeepEqual(k.old, k.now) {
			keys = append(keys, k.key)
		}
	}
	return keys
}

// Reloaded logs what a reload has changed; subscribe it to the watcher of the configuration.
func (h *Host) Reloaded(old, now *config.Config) {
	h.opt.Metrics.Reload(true)
	if reflect.DeepEqual(old, now) {
		h.opt.Log.Info("configuration reloaded: no changes")
		return
	}
	if keys := needsRestart(old, now); len(keys) > 0 {
		h.opt.Log.WithField("keys", strings.Join(keys, ", ")).Warn("configuration changed: these keys need a restart")
		return
	}
	h.opt.Log.Info("configuration changed")
}
