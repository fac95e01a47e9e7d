package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/jobs"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/engine"
	"fibsbot/internal/shard"
)

// newFarmCmd is `fibslab farm`: a worker for every kind of job.
func newFarmCmd() *cobra.Command {
	return group("farm", "Run heavy jobs on many machines", `Workers of fibslab run the jobs of both programs. The server of a farm, its status and
its keys are commands of fibsbot farm.`, "  fibslab farm work --farm tls://desk:4333 --farm-key work.key", farmcmd.NewWork("fibslab", jobs.All()))
}

// taught is the work of our own search, here or on a farm.
type taught struct {
	train.Options
	Farm farmcmd.Flags
}

// on gives work, whose kind, ask and most are set, to the crew of a farm, or, without
// --farm, to this process; crew is nil then. of is what the work is.
func (t *taught) on(cmd *cobra.Command, w farmcmd.Work, plies int, of any, do func(t train.Teacher, crew shard.Crew, size int) error) error {
	if err := cmdline.NeedFolder("--bearoff-dir", t.BearoffDir); err != nil {
		return err
	}
	e, err := t.Open()
	if err != nil {
		return err
	}
	defer e.Close()
	from := train.Own(cmd.Context(), e)
	if t.Farm.URL == "" {
		return do(from, nil, 0)
	}
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if w.Spec, err = (jobs.TeacherJob{Plies: plies, Of: text}).Spec(); err != nil {
		return err
	}
	w.Engines, w.Weights, w.Bearoff = []*engine.Engine{e}, []string{t.Weights}, t.BearoffDir
	return t.Farm.On(cmd, w, func(crew shard.Crew, size int) error { return do(from, crew, size) })
}

func (t *taught) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.Weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&t.BearoffDir, "bearoff-dir", "", "folder of bigger databases")
	f.Var(bounded.Of(&t.Threads, 1, 1, 1024), "threads", "threads")
	t.Farm.Add(cmd)
}
