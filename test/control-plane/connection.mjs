import { Agent, request } from 'node:https';

const TIMEOUT_MS = 60_000;

const patches = {
  merge: 'application/merge-patch+json',
  smp: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

/**
 * Requests to one server as an administrator. It returns every answer as it is: a client library would retry some of
 * those that the scenarios expect.
 */
export class Connection {
  #server;
  #token;
  #agent;

  /** Without `certificateAuthority` it accepts any certificate. */
  constructor({ server, token, certificateAuthority }) {
    this.#server = server;
    this.#token = token;
    const trust = certificateAuthority === undefined ? { rejectUnauthorized: false } : { ca: certificateAuthority };
    this.#agent = new Agent({ keepAlive: true, maxSockets: 60, ...trust });
  }

  /** Resolves to `{ status, body }`. `type` is `merge`, `smp` or `json` for patches, else a media type. */
  send(method, path, body, type = 'application/json') {
    const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${this.#token}`,
      ...(data === undefined ? {} : { 'content-type': patches[type] ?? type, 'content-length': data.length }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#server), { method, agent: this.#agent, headers }, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, body: decoded(Buffer.concat(chunks).toString()) }));
        answer.on('error', reject);
      });
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`${method} ${path}: no answer in 60 s`)));
      sent.on('error', reject);
      sent.end(data);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

function decoded(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
