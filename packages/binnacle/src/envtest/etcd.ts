import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import { takeFlag } from './flags.js';

const DATA_DIRECTORY_PATH = '/binnacle/data-directory';
/** How long to wait for the answer of an etcd, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;

/** What envtest wants of an etcd. */
export interface EtcdRequest {
  readonly dataDirectory: string;
  readonly host: string;
  readonly port: number;
}

/** Reads the command line of an etcd. Throws an Error that says what is wrong. */
export function readEtcdArguments(args: readonly string[]): EtcdRequest {
  const dataDirectory = takeFlag(args, 'data-dir').value ?? 'default.etcd';
  const address = takeFlag(args, 'listen-client-urls').value?.split(',')[0] ?? 'http://localhost:2379';
  const url = URL.parse(address);
  if (url?.protocol !== 'http:')
    throw new Error(`--listen-client-urls ${address}: give a URL such as http://127.0.0.1:2379`);
  return { dataDirectory, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || '80') };
}

/** Answers health checks, and {@link dataDirectoryOf}. Resolves when the server listens; the caller closes it. */
export async function serveEtcd({ dataDirectory, host, port }: EtcdRequest): Promise<Server> {
  const answers = new Map([
    ['/health', JSON.stringify({ health: 'true', reason: '' })],
    [DATA_DIRECTORY_PATH, dataDirectory],
  ]);
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    response.writeHead(answer === undefined ? 404 : 200).end(answer ?? 'this etcd serves no keys\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** Where the included etcd at a URL keeps its data; undefined: another etcd is there, or none. */
export async function dataDirectoryOf(etcd: string, clock: Clock): Promise<string | undefined> {
  using deadline = new Deadline(clock, ANSWER_TIMEOUT_MS, undefined, 'the etcd');
  try {
    const answer = await fetch(new URL(DATA_DIRECTORY_PATH, etcd), { signal: deadline.signal });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
