package farm

import (
	"cmp"
	"fmt"
	"time"
)

// mostWorkers bounds the reports in memory.
const mostWorkers = 100_000

// roster is who works on the farm. Crew.mu guards it.
type roster struct {
	life    time.Duration   // of a report
	workers map[string]seen // by the subjects of their reports
	keys    map[string]int  // live workers by the id of their key
	banned  map[string]ban  // by the ids of the keys
	falsely map[string]int  // number of false failures, by the id of the worker's key
}

func newRoster(life time.Duration) roster {
	return roster{life: life, workers: map[string]seen{}, banned: map[string]ban{}, falsely: map[string]int{}}
}

// seen is a worker's last report, and when it came.
type seen struct {
	Report
	at time.Time
}

// note keeps the report of a worker that is here, or forgets one that has left.
func (o *roster) note(subject string, w Report, here bool) {
	if !here {
		delete(o.workers, subject)
	} else if _, known := o.workers[subject]; known || len(o.workers) < mostWorkers {
		o.workers[subject] = seen{w, time.Now()}
	}
}

// fits reports whether a live worker may run the job.
func (o *roster) fits(w seen, job string) bool {
	_, out := o.banned[w.Key]
	return !out && w.Refused[job] == "" && time.Since(w.at) <= o.life
}

// cores counts the cores and keys that fit the job and forgets workers that are silent.
func (o *roster) cores(job string) (cores int) {
	o.keys = map[string]int{}
	for id, w := range o.workers {
		if time.Since(w.at) > o.life {
			delete(o.workers, id)
		} else if o.fits(w, job) {
			cores += w.Threads
			o.keys[w.Key]++
		}
	}
	return cores
}

// idle reports whether a worker that fits the job has a free thread.
func (o *roster) idle(job string) bool {
	for _, w := range o.workers {
		if o.fits(w, job) && w.Busy < w.Threads {
			return true
		}
	}
	return false
}

// whyNone returns why no worker runs the job.
func (o *roster) whyNone(j *Job) string {
	for _, w := range o.workers {
		if why := w.Refused[j.ID]; why != "" {
			return fmt.Sprintf("job %s waits: it fits no worker; %s: %.300s", j.ID, w.Name, why)
		}
	}
	return fmt.Sprintf("job %s waits: no worker (start one with %s farm work)", j.ID, cmp.Or(j.Engine.Program, "fibsbot"))
}
