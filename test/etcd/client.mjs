import { EventEmitter, once } from 'node:events';
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** A plain client of one server. Certificates are not looked at: the server is ours. */
export class Client {
  #url;
  #token;
  #agent = new Agent({ keepAlive: true, maxSockets: 20, rejectUnauthorized: false });

  constructor(server) {
    this.#url = new URL(server.url);
    this.#token = server.clientConfig.token;
  }

  /** Answers `{ status, body }`. */
  async send(method, path, body) {
    const response = await this.#open(method, path, body);
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
  }

  /** One request without patience: `{ status, headers, text }`. */
  async plain(path) {
    const response = await this.#request('GET', path);
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
  }

  /** The text of an answer. */
  async text(path) {
    const chunks = [];
    for await (const chunk of await this.#open('GET', path)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  /**
   * Collects what a watch says into `events` until `signal` aborts; `ended` settles when the stream does. `until` waits for
   * events that are still to come, and rejects where the stream has ended without them.
   */
  async watch(path, signal) {
    const response = await this.#open('GET', path, undefined, signal);
    if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}`);
    const events = [];
    const heard = new EventEmitter();
    const read = async () => {
      let rest = '';
      try {
        for await (const chunk of response) {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop();
          for (const line of lines) events.push(JSON.parse(line));
          heard.emit('events');
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        heard.ended = true;
        heard.emit('events');
      }
    };
    const until = async (come) => {
      while (!come()) {
        if (heard.ended) throw new Error(`the watch ended with ${JSON.stringify(events)}`);
        await once(heard, 'events');
      }
    };
    return { events, until, ended: read() };
  }

  close() {
    this.#agent.destroy();
  }

  /** A server whose cache is being built asks for patience, and clients have it. */
  async #open(method, path, body, signal) {
    for (let tries = 1; ; tries++) {
      const response = await this.#request(method, path, body, signal);
      if (response.statusCode !== 429 || tries === 30) return response;
      response.resume();
      await pause(1000 * Number(response.headers['retry-after'] ?? 1));
    }
  }

  #request(method, path, body, signal) {
    const { hostname, port } = this.#url;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { authorization: `Bearer ${this.#token}` };
    if (text !== undefined) headers['content-type'] = 'application/json';
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, headers, agent: this.#agent, signal };
      const sent = httpsRequest(options, resolve);
      sent.on('error', reject);
      sent.end(text);
    });
  }
}
