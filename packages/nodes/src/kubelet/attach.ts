import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { type LogQuery, runOf } from '../logs/index.js';
import type { Ending } from '../shell/index.js';
import { type LogParts, logPieces } from './log-pieces.js';
import type { RemoteStreams } from './remote-streams.js';

const FROM_LAST: LogQuery = {
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
  parts: LogParts,
): Promise<Ending> {
  const run = runOf(pod, container.name, false);
  if ('problem' in run) return run;
  const ends = AbortSignal.any([gone, parts.signal]);
  for await (const bytes of logPieces({ pod, container, run }, FROM_LAST, { ...parts, signal: ends })) {
    await stdout(bytes);
  }
  ends.throwIfAborted();
  return { code: 0 };
}
