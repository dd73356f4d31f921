import { randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 24;

/** What a browser must present. A new object for each run of the console. */
export class Session {
  /** Cookies of one host reach all its ports, so the name of each console's cookie is its own. */
  readonly cookieName: string;
  readonly #cookie = secret();
  readonly #key = secret();
  #token: string | undefined;

  constructor(port: number) {
    this.cookieName = `binnacle-console-${port}`;
  }

  /** A token that {@link exchange} accepts once. The one before is void. */
  newToken(): string {
    this.#token = secret();
    return this.#token;
  }

  /** The cookie and the key of the session; undefined unless this is the latest token, unused. */
  exchange(token: string): { readonly cookie: string; readonly key: string } | undefined {
    if (this.#token === undefined || !equal(this.#token, token)) return undefined;
    this.#token = undefined;
    return { cookie: `${this.cookieName}=${this.#cookie}`, key: this.#key };
  }

  /** `cookies`: the Cookie header. */
  admits(cookies: string | undefined, key: string | undefined): boolean {
    const prefix = `${this.cookieName}=`;
    const own = (cookies ?? '').split(/; */).find((each) => each.startsWith(prefix));
    const hasCookie = own !== undefined && equal(this.#cookie, own.slice(prefix.length));
    return key !== undefined && equal(this.#key, key) && hasCookie;
  }
}

function secret(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Takes the same time for all texts of the right length. */
function equal(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
