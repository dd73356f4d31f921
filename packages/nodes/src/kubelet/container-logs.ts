import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { LogReader, readLogQuery, runLogOf, runOf, sameRun } from '../logs/index.js';
import { Refusal } from './admit.js';
import { drained } from './answer.js';
import { containerOf, type PodSource } from './pod-source.js';

export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly query: URLSearchParams;
}

/** So long after a container has ended, clients that follow its log learn of it at most. Milliseconds. */
const LOOK = 1000;

/** Writes the log of a container as long as the client wants it. Rejects with a {@link Refusal}. Upstream: `getContainerLogs`. */
export async function answerLogs(
  { namespace, pod: name, container: containerName, query }: LogRequest,
  response: ServerResponse,
  { pods, clock, signal }: { readonly pods: PodSource; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const options = readLogQuery(query, clock.now());
  if ('message' in options) throw new Refusal(options.code, options.message);
  const pod = pods.find(namespace, name);
  if (pod === undefined) throw new Refusal(404, `pod ${JSON.stringify(name)} does not exist`);
  const container = containerOf(pod, containerName);
  if (container === undefined) {
    throw new Refusal(404, `container ${JSON.stringify(containerName)} not found in pod ${JSON.stringify(name)}`);
  }
  const run = runOf(pod, containerName, options.previous);
  if ('problem' in run) throw new Refusal(400, run.problem);
  let log = runLogOf(pod, container, run, clock.now());
  const reader = new LogReader(log, options, clock.now());
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
  const isOpen = (): boolean => !signal.aborted && !response.closed && !response.destroyed;
  while (isOpen() && !reader.isFull) {
    const bytes = reader.read(log, clock.now());
    if (bytes !== undefined) {
      if (!response.write(bytes)) await drained(response);
      await nextTurn();
      continue;
    }
    if (!options.follow || log.isComplete) break;
    const wait = Math.min(LOOK, Math.max(1, reader.nextTime(log) - clock.now()));
    await sleep(clock, wait, signal).catch(() => undefined);
    const followed = sameRun(pod, pods.find(namespace, name), containerName, run);
    if (followed === undefined) break;
    log = runLogOf(pod, container, followed, clock.now());
  }
  response.end();
}
