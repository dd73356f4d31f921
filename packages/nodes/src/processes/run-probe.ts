import { once } from 'node:events';
import { type ClientRequest, request as plainRequest, type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect, type NetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { checkHealth, type HealthCheckParts, type HealthQuestion } from './health-check.js';
import type { HttpTarget, ProbeTarget } from './probe-target.js';

/** Undefined: the probe has succeeded. Otherwise it is what the probe has found. */
export type ProbeFailure = string | undefined;

/** Runs a command in the container; resolves to its exit code and its output. */
export type RunCommand = (
  command: readonly string[],
  signal: AbortSignal,
) => Promise<{ readonly exitCode: number; readonly output: string }>;

/** Opens the connections of probes. */
export interface ProbeNetwork {
  readonly connect: (options: NetConnectOpts) => Duplex;
  readonly request: (url: string, options: RequestOptions) => ClientRequest;
  readonly checkHealth: (question: HealthQuestion, parts: HealthCheckParts) => Promise<ProbeFailure>;
}

/** The network of this machine. */
export const localNetwork: ProbeNetwork = {
  connect,
  checkHealth,
  request: (url, options) => (url.startsWith('https:') ? request(url, options) : plainRequest(url, options)),
};

export interface ProbeParts {
  readonly clock: Clock;
  readonly run: RunCommand;
  /** How long a probe may take, in milliseconds. */
  readonly timeout: number;
  /** Default: that of this machine. */
  readonly network?: ProbeNetwork;
}

/** How much of an answer is read at most. Upstream: `maxRespBodyLength`. */
const MOST_BYTES = 10 * 1024;

/** Probes once. Does not reject. Upstream: `pkg/probe`. */
export async function runProbe(
  target: ProbeTarget,
  { clock, run, timeout, network = localNetwork }: ProbeParts,
  signal: AbortSignal,
): Promise<ProbeFailure> {
  using deadline = new Deadline(clock, timeout, signal, 'the probe');
  try {
    switch (target.kind) {
      case 'exec': {
        const { exitCode, output } = await run(target.command, deadline.signal);
        return exitCode === 0 ? undefined : output;
      }
      case 'tcp': {
        const socket = network.connect({ host: target.host, port: target.port, signal: deadline.signal });
        await once(socket, 'connect');
        socket.destroy();
        return undefined;
      }
      case 'http':
        return codeFailure(await get(target, { network, userAgent: 'kube-probe/1.36' }, deadline.signal));
      case 'grpc':
        return await network.checkHealth(target, { now: () => clock.now(), timeout });
      default:
        return target.message;
    }
  } catch (error) {
    const cause = deadline.signal.aborted ? 'context deadline exceeded' : messageOf(error);
    return target.kind === 'http' ? `Get ${JSON.stringify(target.url)}: ${cause}` : cause;
  }
}

/** Codes below 400 are successes. */
const codeFailure = (code: number): ProbeFailure =>
  code >= 200 && code < 400 ? undefined : `HTTP probe failed with statuscode: ${code}`;

/** Resolves to the code of the answer. Redirects are not followed. Rejects without an answer, or when the signal fires. */
export async function get(
  { url, headers }: HttpTarget,
  { network, userAgent }: { readonly network: Pick<ProbeNetwork, 'request'>; readonly userAgent: string },
  signal: AbortSignal,
): Promise<number> {
  const options = {
    headers: { 'user-agent': userAgent, accept: '*/*', ...Object.fromEntries(headers) },
    agent: false as const,
    rejectUnauthorized: false,
    signal,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    network.request(url, options).on('response', resolve).on('error', reject).end();
  });
  let length = 0;
  for await (const bytes of answer) {
    length += (bytes as Buffer).length;
    if (length > MOST_BYTES) break;
  }
  return answer.statusCode ?? 0;
}
