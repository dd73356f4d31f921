import { Agent, request as httpsRequest } from 'node:https';

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

  /** Collects what a watch says into `events` until `signal` aborts; `ended` settles when the stream does. */
  async watch(path, signal) {
    const response = await this.#open('GET', path, undefined, signal);
    const events = [];
    const read = async () => {
      let rest = '';
      try {
        for await (const chunk of response) {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop();
          for (const line of lines) events.push(JSON.parse(line));
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    };
    return { status: response.statusCode, events, ended: read() };
  }

  close() {
    this.#agent.destroy();
  }

  #open(method, path, body, signal) {
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
