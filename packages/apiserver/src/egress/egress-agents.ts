import { Agent as PlainAgent, type AgentOptions as PlainOptions } from 'node:http';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls';
import type { Egress } from './egress.js';
import { checkServerNames } from './server-names.js';

type OnConnection = (error: Error | null, socket?: Duplex) => void;

declare module 'http' {
  /** A method that is documented, and that the types of Node.js 20 lack. */
  interface Agent {
    createConnection(options: RequestOptions, callback: OnConnection): Duplex | undefined;
  }
}

/**
 * Opens TLS connections only to addresses that the egress rules permit. They share one secure context, made from the agent's options, because
 * reading certificates and keys takes longer than a handshake.
 */
export class EgressAgent extends Agent {
  readonly #egress: Egress;
  #context: SecureContext | undefined;

  constructor(egress: Egress, options: AgentOptions = {}) {
    super({ ...options, lookup: egress.lookup, checkServerIdentity: checkServerNames });
    this.#egress = egress;
  }

  override createConnection(options: RequestOptions, callback: OnConnection): Duplex | undefined {
    return ifPermitted(this.#egress, options, callback, (host) => {
      // Node.js passes all options on to `tls.connect`; the types leave out some.
      const shared: Pick<ConnectionOptions, 'secureContext'> = { secureContext: this.#sharedContext() };
      return super.createConnection({ ...options, ...shared, host }, callback);
    });
  }

  #sharedContext(): SecureContext {
    this.#context ??= createSecureContext(this.options);
    return this.#context;
  }
}

/** The same for connections without TLS. */
export class PlainEgressAgent extends PlainAgent {
  readonly #egress: Egress;

  constructor(egress: Egress, options: PlainOptions = {}) {
    super({ ...options, lookup: egress.lookup });
    this.#egress = egress;
  }

  override createConnection(options: RequestOptions, callback: OnConnection): Duplex | undefined {
    return ifPermitted(this.#egress, options, callback, (host) =>
      super.createConnection({ ...options, host }, callback),
    );
  }
}

/** Connects to the host, or to the local address that answers for it. Checks IP addresses, for which Node.js does not call `lookup`. */
function ifPermitted(
  egress: Egress,
  { host }: RequestOptions,
  callback: OnConnection,
  connect: (host: string) => Duplex | undefined,
): Duplex | undefined {
  const place = egress.placeOf(host ?? '');
  const refusal = egress.refusalOf(place);
  if (refusal === undefined) return connect(place);
  callback(refusal);
  return undefined;
}
