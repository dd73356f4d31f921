import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { containerIdOf, type ContainerRun, type LogQuery, LogReader, runLogOf, sameRun } from '../logs/index.js';
import { outputPieces } from './output-pieces.js';
import type { PodSource } from './pod-source.js';
import type { ProcessAccess } from './process-access.js';

export interface LoggedRun {
  readonly pod: Pod;
  readonly container: Container;
  readonly run: ContainerRun;
}

export interface LogParts {
  readonly pods: PodSource;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Default: all containers are simulated. */
  readonly processes?: ProcessAccess | undefined;
}

/** The log of a run: what its process has written, or what its script says. */
export async function* logPieces(logged: LoggedRun, query: LogQuery, parts: LogParts): AsyncGenerator<Buffer> {
  const { pod, run } = logged;
  if (parts.processes?.has(pod) !== true) {
    yield* scriptPieces(logged, query, parts);
    return;
  }
  const id = containerIdOf(pod, logged.container.name, run);
  const found = parts.processes.find(pod, id);
  if (found !== undefined) yield* outputPieces(found.run.process.output, query, parts);
  // Upstream: `GetContainerLogs` of a container whose files are gone.
  else yield Buffer.from(`unable to retrieve container logs for ${id}`);
}

/** The longest time until clients that follow a log see that its container has ended. Milliseconds. */
const LOOK = 1000;

/**
 * The log of a simulated run in pieces. With `follow`, it continues until the container ends or its pod is gone. It ends early when the signal fires.
 */
async function* scriptPieces(
  { pod, container, run }: LoggedRun,
  query: LogQuery,
  { pods, clock, signal }: LogParts,
): AsyncGenerator<Buffer> {
  const { namespace = '', name = '' } = pod.metadata;
  let log = runLogOf(pod, container, run, clock.now());
  const reader = new LogReader(log, query, clock.now());
  while (!signal.aborted && !reader.isFull) {
    const bytes = reader.read(log, clock.now());
    if (bytes !== undefined) {
      yield bytes;
      continue;
    }
    if (!query.follow || log.isComplete) return;
    const wait = Math.min(LOOK, Math.max(1, reader.nextTime(log) - clock.now()));
    await sleep(clock, wait, signal).catch(() => undefined);
    const followed = sameRun(pod, pods.find(namespace, name), container.name, run);
    if (followed === undefined) return;
    // Its lines stay the same until the run ends.
    if (followed.finishedAt !== undefined) log = runLogOf(pod, container, followed, clock.now());
  }
}
