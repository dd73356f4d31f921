import { STATUS_CODES } from 'node:http';
import { type Clock, Deadline } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import type { Egress } from '../egress/index.js';
import { describeFailure, LongAnswers, WebhookConnections } from '../webhooks/index.js';
import { TokenError } from './token-error.js';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1024 * 1024;

/** An answer of an issuer. */
export interface IssuerAnswer {
  /** Such as `404 Not Found`. */
  readonly status: string;
  readonly isOk: boolean;
  readonly body: Buffer;
}

/** Sends the requests to one issuer: GETs over https, each over its own connection. */
export class IssuerRequests {
  readonly #certificateAuthority: string;
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #longAnswers = new LongAnswers();

  /** `certificateAuthority`: PEM; undefined: the authorities of the system. */
  constructor(certificateAuthority: string | undefined, egress: Egress, clock: Clock) {
    this.#certificateAuthority = certificateAuthority ?? '';
    this.#egress = egress;
    this.#clock = clock;
  }

  /** Throws a {@link TokenError} that says why there is no answer. */
  async get(address: string, authorization?: string): Promise<IssuerAnswer> {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url?.protocol !== 'https:') throw new TokenError(`Get ${JSON.stringify(address)}: not an https URL`);
    const target = {
      url: address,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || 443),
      path: `${url.pathname}${url.search}`,
      serverName: undefined,
      authority: url.host,
      authorization,
    };
    const options = { egress: this.#egress, maximumAnswerBytes: MOST_BYTES, longAnswers: this.#longAnswers };
    const connections = new WebhookConnections({ caBundle: this.#certificateAuthority }, options);
    using limit = new Deadline(this.#clock, TIMEOUT_MS, undefined, address);
    try {
      const { status, body } = await connections.exchange(target, undefined, limit.signal);
      const text = `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
      return { status: text, isOk: status >= 200 && status < 300, body };
    } catch (error) {
      throw new TokenError(`Get ${JSON.stringify(address)}: ${describeFailure(error, limit.signal.aborted)}`);
    } finally {
      connections.close();
    }
  }

  /** The JSON object at an address. `what` names it in errors. */
  async getObject(address: string, what: string): Promise<JsonObject> {
    const { status, isOk, body } = await this.get(address);
    if (!isOk) throw new TokenError(`${status}: ${body.subarray(0, 200).toString()}`);
    try {
      const { value } = parseJson(body);
      if (isObject(value)) return value;
    } catch (error) {
      throw new TokenError(`oidc: failed to decode ${what}: ${messageOf(error)}`);
    }
    throw new TokenError(`oidc: failed to decode ${what}: it is not a JSON object`);
  }
}
