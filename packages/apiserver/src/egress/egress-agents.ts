import { Agent as PlainAgent, type AgentOptions as PlainOptions } from 'node:http';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Egress } from './egress.js';

type OnConnection = (error: Error | null, socket?: Duplex) => void;

declare module 'http' {
  /** A method that is documented, and that the types of Node.js 20 lack. */
  interface Agent {
    createConnection(options: RequestOptions, callback: OnConnection): Duplex | undefined;
  }
}

/** Opens TLS connections only to addresses that the egress rules permit. */
export class EgressAgent extends Agent {
  readonly #egress: Egress;

  constructor(egress: Egress, options: AgentOptions = {}) {
    super({ ...options, lookup: egress.lookup });
    this.#egress = egress;
  }

  /** Checks IP addresses, for which Node.js does not call `lookup`. */
  override createConnection(options: RequestOptions, callback: OnConnection): Duplex | undefined {
    const refusal = this.#egress.refusalOf(options.host ?? '');
    if (refusal === undefined) return super.createConnection(options, callback);
    callback(refusal);
    return undefined;
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
    const refusal = this.#egress.refusalOf(options.host ?? '');
    if (refusal === undefined) return super.createConnection(options, callback);
    callback(refusal);
    return undefined;
  }
}
