import { Metadata } from '@grpc/grpc-js';
import type { Login } from '../messages/cluster-messages.js';

/** The metadata that authenticates a request. Immutable: a new token creates a new one. */
export interface Credentials {
  readonly unary: Metadata;
  /** Also asks the member to end the stream when it has no leader, instead of falling behind silently. */
  readonly stream: Metadata;
}

/** The token of one user, fetched on first use, and again when etcd rejects it. */
export class Authentication {
  readonly #login: Login | undefined;
  readonly #authenticate: (login: Login) => Promise<string>;
  #current: Credentials;
  #fetching: Promise<void> | undefined;

  constructor(login: Login | undefined, authenticate: (login: Login) => Promise<string>) {
    this.#login = login;
    this.#authenticate = authenticate;
    this.#current = credentialsOf('');
  }

  get current(): Credentials {
    return this.#current;
  }

  get enabled(): boolean {
    return this.#login !== undefined;
  }

  /** Logs in, unless that has happened since `stale` was current. Returns whether there are new credentials to try. */
  async renew(stale: Credentials): Promise<boolean> {
    if (this.#login === undefined) return false;
    if (stale !== this.#current) return true;
    this.#fetching ??= this.#fetch(this.#login).finally(() => {
      this.#fetching = undefined;
    });
    await this.#fetching;
    return true;
  }

  async #fetch(login: Login): Promise<void> {
    this.#current = credentialsOf(await this.#authenticate(login));
  }
}

function credentialsOf(token: string): Credentials {
  const unary = new Metadata();
  if (token !== '') unary.set('token', token);
  const stream = unary.clone();
  stream.set('hasleader', 'true');
  return { unary, stream };
}
