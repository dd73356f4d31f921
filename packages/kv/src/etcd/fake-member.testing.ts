import { EventEmitter } from 'node:events';
import { type Client, connectivityState, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Members } from './connection/connections.js';
import type { WatchAnswer, WatchCall } from './messages/watch-messages.js';

/** An error as gRPC reports it. */
export function serviceError(details: string, code = status.UNKNOWN): ServiceError {
  return Object.assign(new Error(`${code} ${details}`), { code, details, metadata: new Metadata() });
}

/** A request that a member received. */
export interface FakeCall {
  readonly path: string;
  readonly request: unknown;
  /** Empty without one. */
  readonly token: string;
}

/** The stream of watches of a member; a test sends its answers. */
export class FakeStream extends EventEmitter {
  readonly token: string;
  readonly written: WatchCall[] = [];
  isCanceled = false;

  constructor(metadata: Metadata) {
    super();
    this.token = tokenIn(metadata);
  }

  write(call: WatchCall): void {
    this.written.push(call);
  }

  cancel(): void {
    this.isCanceled = true;
  }

  answer(answer: Partial<WatchAnswer>): void {
    const nothing = { revision: 100, watchId: 1, created: false, canceled: false, compactRevision: 0 };
    this.emit('data', { ...nothing, cancelReason: '', fragment: false, events: [], ...answer });
  }
}

/** A connected member of etcd without a network: `respond` returns the decoded response to a request, or throws. */
export class FakeMember {
  readonly calls: FakeCall[] = [];
  readonly streams: FakeStream[] = [];
  readonly client: Client;
  /** Called when the connection is being closed. */
  #disconnected: (() => void)[] = [];

  constructor(respond: (call: FakeCall) => unknown) {
    const client = {
      makeUnaryRequest: (path: string, encode: (request: unknown) => Buffer, _: unknown, ...rest: unknown[]) => {
        const [request, metadata] = rest;
        const call = { path, request, token: tokenIn(metadata) };
        encode(request);
        this.calls.push(call);
        const answered = rest.at(-1) as (error: unknown, response?: unknown) => void;
        Promise.resolve(call)
          .then(respond)
          .then((response) => answered(null, response), answered);
        return { cancel: () => undefined };
      },
      makeBidiStreamRequest: (...[, , , metadata]: readonly [unknown, unknown, unknown, Metadata]) => {
        const stream = new FakeStream(metadata);
        this.streams.push(stream);
        return stream;
      },
      getChannel: () => ({
        getConnectivityState: () => connectivityState.READY,
        watchConnectivityState: (_state: unknown, _deadline: unknown, changed: () => void) => {
          this.#disconnected.push(changed);
        },
      }),
      close: () => undefined,
    };
    // A client has many more methods, which the store does not call.
    this.client = client as unknown as Client;
  }

  /** The newest stream. */
  get stream(): FakeStream {
    const stream = this.streams.at(-1);
    if (stream === undefined) throw new Error('the member has no stream');
    return stream;
  }

  disconnect(): void {
    for (const changed of this.#disconnected.splice(0)) changed();
  }
}

function tokenIn(metadata: unknown): string {
  return metadata instanceof Metadata ? String(metadata.get('token')[0] ?? '') : '';
}

/** Connections to members, of which the first serves until it has failed. */
export class FakeMembers implements Members {
  readonly #members: readonly FakeMember[];
  readonly failures: Client[] = [];
  readonly lastFault = 'none can be reached';
  isClosed = false;

  constructor(...members: readonly FakeMember[]) {
    this.#members = members;
  }

  connected(): Client | undefined {
    return this.#members.find(({ client }) => !this.failures.includes(client))?.client;
  }

  /** Never settles when all members have failed. */
  ready(): Promise<Client> {
    const client = this.connected();
    return client === undefined ? new Promise(() => undefined) : Promise.resolve(client);
  }

  failed(client: Client): void {
    this.failures.push(client);
  }

  stopConnecting(): void {}

  close(): void {
    this.isClosed = true;
  }
}
