import { type Batch, KEY_HEADER, PATHS, type SessionInfo, type StartedFork } from '../model/index.js';

/** The server refused a request; the message is for people. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface WriteResult {
  readonly text: string;
  /** The warnings of the API server. */
  readonly warnings: readonly string[];
}

/** Requests to the console's server. */
export class Connection {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  async session(): Promise<SessionInfo> {
    const response = await this.#send(PATHS.session);
    return (await response.json()) as SessionInfo;
  }

  /** The lines of a stream, as they arrive. */
  async *stream(path: string, signal: AbortSignal): AsyncGenerator<Batch, void, undefined> {
    const response = await this.#send(path, { signal });
    if (response.body === null) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const batch = JSON.parse(line) as Batch;
        if (batch.error !== undefined) throw new RefusedError(0, batch.error);
        yield batch;
      }
    }
  }

  /** The text of a path of the API server. */
  async read(path: string, accept = 'application/json', signal?: AbortSignal): Promise<string> {
    const response = await this.#send(PATHS.forward + path, {
      headers: { accept },
      ...(signal === undefined ? {} : { signal }),
    });
    return response.text();
  }

  /** Replaces an object by a YAML document. */
  async write(path: string, yaml: string, dryRun: boolean): Promise<WriteResult> {
    const query = `?fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
    const response = await this.#send(PATHS.forward + path + query, {
      method: 'PUT',
      body: yaml,
      headers: { 'content-type': 'application/yaml', accept: 'application/json' },
    });
    const warning = response.headers.get('warning') ?? '';
    return {
      text: await response.text(),
      warnings: Array.from(warning.matchAll(/"((?:[^"\\]|\\.)*)"/g), (match) => match[1] ?? ''),
    };
  }

  /** Pieces of a text that the API server sends as it grows. */
  async *follow(path: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const response = await this.#send(PATHS.forward + path, { headers: { accept: '*/*' }, signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done = true, value = '' } = (await reader?.read()) ?? {};
      if (done) return;
      yield value;
    }
  }

  /** Creates or deletes something other than an object, such as a rule of fault injection. */
  async change(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
    await this.#send(PATHS.forward + path, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Starts a server with the objects at a resourceVersion. */
  async fork(version: string): Promise<StartedFork> {
    const response = await this.#send(`${PATHS.forks}?version=${version}`, { method: 'POST' });
    return (await response.json()) as StartedFork;
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set(KEY_HEADER, this.#key);
    const response = await fetch(path, { ...init, headers, credentials: 'same-origin', redirect: 'error' });
    if (response.ok) return response;
    throw new RefusedError(response.status, messageOf(await response.text()));
  }
}

/** The message of a Status, or the text itself. */
function messageOf(text: string): string {
  try {
    const status = JSON.parse(text) as { readonly message?: unknown };
    if (typeof status.message === 'string') return status.message;
  } catch {
    // Not JSON: the text is for people already.
  }
  return text.trim().slice(0, 2000);
}
