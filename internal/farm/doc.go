// Package farm runs pieces of heavy jobs on other machines, over NATS JetStream.
//
// There are four parts. [Serve] embeds a server; a cluster of nats-server with JetStream
// works as well. A [Client] is a connection to either. [Client.Submit] gives a job's pieces to
// the farm and returns a [Crew], a shard.Crew. It keeps no state on disk: the results on the
// server are the state. A [Worker] runs pieces.
//
// On the server:
//
//	FARM_TASKS    farm.task.SIG.JOB.PIECE       work queue; a task leaves it when its result is stored
//	FARM_RESULTS  farm.result.JOB.PIECE.KEY     one message per subject, the first one stays; KEY.failed: it cannot be run
//	FARM_BLOBS    farm.blob.SHA256.N            weights and bearoff files in parts
//	FARM_JOBS     job.JOB, ban.KEY              the jobs; the banned keys
//	FARM_ALIVE    job.JOB, worker.KEY.WORKER    live reports; in memory, gone after 30 s
//
// KEY is the public part of a worker's key. The server lets a worker publish only under its
// own key and acknowledge only tasks that it was given. SIG identifies the engine that a job
// needs: version, kernel, files and a known answer. A result is stored by compare-and-set (the
// subject must be empty), so each piece counts once however often it was run; only then its
// task is acknowledged. A piece is checked by queueing its task a second time, unchanged: the
// result of another key is the second opinion.
//
// A server drops its queue and damaged parts of its store when it starts. Commands queue the
// pieces without a result again.
//
// Only this package imports NATS, and the engine imports neither.
package farm
