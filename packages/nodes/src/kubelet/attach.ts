import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { LogReader, runLogOf, runOf, sameRun } from '../logs/index.js';
import type { Ending } from '../shell/index.js';
import type { PodSource } from './pod-source.js';
import type { RemoteStreams } from './remote-streams.js';

const LOOK = 1000;
const FROM_NOW = {
  follow: true,
  previous: false,
  timestamps: false,
  since: undefined,
  tailLines: 1,
  limitBytes: undefined,
};

/** Writes the last line of a container's log and those that follow, until the container ends. Rejects if the client goes away. */
export async function attachToLog(
  pod: Pod,
  container: Container,
  { stdout, gone }: RemoteStreams,
  { pods, clock, signal }: { readonly pods: PodSource; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Ending> {
  const run = runOf(pod, container.name, false);
  if ('problem' in run) return run;
  let log = runLogOf(pod, container, run, clock.now());
  const reader = new LogReader(log, FROM_NOW, clock.now());
  const ends = AbortSignal.any([gone, signal]);
  for (;;) {
    ends.throwIfAborted();
    const bytes = reader.read(log, clock.now());
    if (bytes !== undefined) {
      await stdout(bytes);
      continue;
    }
    if (log.isComplete) return { code: 0 };
    await sleep(clock, Math.min(LOOK, Math.max(1, reader.nextTime(log) - clock.now())), ends);
    const { namespace = '', name = '' } = pod.metadata;
    const followed = sameRun(pod, pods.find(namespace, name), container.name, run);
    if (followed === undefined) return { code: 0 };
    log = runLogOf(pod, container, followed, clock.now());
  }
}
