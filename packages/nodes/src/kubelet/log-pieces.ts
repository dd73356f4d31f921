import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { type ContainerRun, type LogQuery, LogReader, runLogOf, sameRun } from '../logs/index.js';
import type { PodSource } from './pod-source.js';

export interface LoggedRun {
  readonly pod: Pod;
  readonly container: Container;
  readonly run: ContainerRun;
}

/** The longest time until clients that follow a log see that its container has ended. Milliseconds. */
const LOOK = 1000;

/**
 * The log of a run in pieces. With `follow`, it continues until the container ends or its pod is gone. It ends early when the signal fires.
 */
export async function* logPieces(
  { pod, container, run }: LoggedRun,
  query: LogQuery,
  { pods, clock, signal }: { readonly pods: PodSource; readonly clock: Clock; readonly signal: AbortSignal },
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
    log = runLogOf(pod, container, followed, clock.now());
  }
}
