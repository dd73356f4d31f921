import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));

/** A process of `binnacle serve` with workers. */
export class ServedProcess {
  log = '';
  #child;
  #ended;

  static async start(args) {
    const served = new ServedProcess();
    const child = spawn(process.execPath, [main, 'serve', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    served.#child = child;
    served.#ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
    child.stderr.setEncoding('utf8').on('data', (text) => (served.log += text));
    const printed = new Promise((resolve) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (more) => {
        text += more;
        const port = /^Serving .* at https:\S+:(\d+) /m.exec(text)?.[1];
        if (port !== undefined && text.split('\n').length > 3) resolve(Number(port));
      });
    });
    served.port = await Promise.race([
      printed,
      served.#ended.then((how) => Promise.reject(new Error(`ended with ${how}: ${served.log}`))),
    ]);
    return served;
  }

  get pid() {
    return this.#child.pid;
  }

  /** The processes of the workers that run now. */
  workers() {
    return readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  }

  /** Resolves with the exit code, or the signal. */
  end(signal) {
    this.#child.kill(signal);
    return this.#ended;
  }
}

/** One connection, whose requests come after one another, to the worker whose turn it is. */
export class Connection {
  #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  #port;
  #token;

  constructor(port, token) {
    this.#port = port;
    this.#token = token;
  }

  /** Answers `{ status, text, body }`; `body` only for JSON. */
  async send(method, path, body) {
    const response = await this.open(method, path, body);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const isJson = response.headers['content-type']?.startsWith('application/json') === true;
    return { status: response.statusCode, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** The response, whose body the caller reads. */
  async open(method, path, body) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { authorization: `Bearer ${this.#token}` };
    if (text !== undefined) headers['content-type'] = 'application/json';
    const sent = request({ host: '127.0.0.1', port: this.#port, method, path, headers, agent: this.#agent });
    sent.end(text);
    const [response] = await once(sent, 'response');
    return response;
  }

  close() {
    this.#agent.destroy();
  }
}

/** Whether a process exists. */
export function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
