package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/jobs"
	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/engine"
	"fibsbot/internal/shard"
)

// newFarmCmd is `fibslab farm`: a worker for every kind of job.
func newFarmCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "farm",
		Short: "Run heavy jobs on many machines",
		Long: `Workers of fibslab run the jobs of both programs. The server of a farm, its status and
its keys are commands of fibsbot farm.`,
		Example: "  fibslab farm work --farm tls://desk:4333 --farm-key work.key",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(farmcmd.NewWork("fibslab", jobs.All()))
	return cmd
}

// taught is the work of our own search, here or on a farm.
type taught struct {
	teacher.Options
	Farm farmcmd.Flags
}

// on gives work, whose kind, ask and most are set, to the crew of a farm, or, without
// --farm, to this process; crew is nil then. of is what the work is.
func (t *taught) on(cmd *cobra.Command, w farmcmd.Work, plies int, of any, do func(t train.Teacher, crew shard.Crew, size int) error) error {
	if err := t.Check(plies); err != nil {
		return asOptions(err)
	}
	e, err := t.Open()
	if err != nil {
		return asOptions(err)
	}
	defer e.Close()
	from := teacher.Own(cmd.Context(), e)
	if t.Farm.URL == "" {
		return asOptions(do(from, nil, 0))
	}
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if w.Spec, err = (jobs.TeacherJob{Plies: plies, Of: text}).Spec(); err != nil {
		return err
	}
	w.Engines, w.Weights, w.Bearoff = []*engine.Engine{e}, []string{t.Weights}, t.BearoffDir
	return asOptions(t.Farm.On(cmd, w, func(crew shard.Crew, size int) error { return do(from, crew, size) }))
}
