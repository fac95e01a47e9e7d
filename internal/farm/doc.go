// Package farm has pieces of heavy jobs run by other machines, over NATS JetStream.
//
// There are four parts. [Serve] embeds a server; any cluster of nats-server with
// JetStream does as well. A [Client] is a connection to either. [Client.Submit] gives
// a job's pieces to the farm: a [Crew], which is a piece.Crew and keeps no state, since
// what is stored on the server is done. A [Worker] runs pieces.
//
// On the server:
//
//	FARM_TASKS    farm.task.SIG.JOB.PIECE       work queue; a task leaves it when its result is stored
//	FARM_RESULTS  farm.result.JOB.PIECE.KEY     one message a subject, the first one stays; KEY.failed: it cannot be run
//	FARM_BLOBS    farm.blob.SHA256.N            weights and bearoff files in parts
//	FARM_JOBS     job.JOB, ban.KEY              what is to be done; who is left out
//	FARM_ALIVE    job.JOB, worker.KEY.WORKER    who is alive; in memory, gone after 30 s
//
// KEY is the public part of a worker's key: the server lets a worker publish under its own
// alone, and acknowledge only tasks that were given to it. SIG identifies the engine that a
// job wants: version, kernel, files and a known answer. A result is stored by
// compare-and-set (the subject must be empty), so each piece counts once however often it
// was run, and its task is acknowledged only then. A piece is checked by putting its task
// into the queue again, as it was: the result of another key is the second opinion.
//
// A server that starts drops what is damaged of its store, and its queue: commands put
// there again what has no result.
//
// Only this package imports NATS, and the engine imports neither.
package farm
