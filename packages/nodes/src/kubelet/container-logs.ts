import type { ServerResponse } from 'node:http';
import { nextTurn } from '@binnacle/apimachinery/turns';
import { readLogQuery, runOf } from '../logs/index.js';
import { containerOf } from '../pods/index.js';
import { Refusal } from './admit.js';
import { drained } from './answer.js';
import { type LogParts, logPieces } from './log-pieces.js';

export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly query: URLSearchParams;
}

/** Writes the log of a container as long as the client wants it. Rejects with a {@link Refusal}. Upstream: `getContainerLogs`. */
export async function answerLogs(
  { namespace, pod: name, container: containerName, query }: LogRequest,
  response: ServerResponse,
  parts: LogParts,
): Promise<void> {
  const { pods, clock, signal } = parts;
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
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the client has gone')));
  const ends = AbortSignal.any([gone.signal, signal]);
  for await (const bytes of logPieces({ pod, container, run }, options, { ...parts, signal: ends })) {
    if (!response.write(bytes)) await drained(response);
    await nextTurn();
  }
  response.end();
}
