package api

import (
	"context"

	"fibsbot/engine/analyse"
	"fibsbot/engine/rollout"
)

// The kinds of jobs that Options.Crew is asked for.
const (
	RolloutJob  = "rollout"
	AnalysisJob = "analysis"
)

// play is job.Run by the crew of the options.
func (a *API) play(ctx context.Context, job *rollout.Job, report func(done, total int)) error {
	if a.opt.Crew == nil {
		return job.Run(ctx, report)
	}
	spec, err := job.Spec(a.opt.Engine.RolloutOptions().Nets)
	if err != nil {
		return err
	}
	crew, size, err := a.opt.Crew(RolloutJob, spec)
	if err != nil {
		return err
	}
	return job.RunOn(ctx, crew, size, report)
}

// assign gives an analyst the crew of the options.
func (a *API) assign(judge *analyse.Analyst) error {
	if a.opt.Crew == nil {
		return nil
	}
	spec, err := judge.Spec()
	if err != nil {
		return err
	}
	judge.Crew, judge.Size, err = a.opt.Crew(AnalysisJob, spec)
	return err
}
