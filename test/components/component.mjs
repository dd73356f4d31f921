import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { decodeObject, readEvents } from './forms.mjs';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
export const metadataAlone = ';as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const metadataListAlone = ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Asks as upstream's clients do: over HTTP/2, as one user, in one form. */
export class Component {
  #session;
  #headers;

  constructor(server, { token, form }) {
    this.form = form;
    this.#session = connect(server.url, { ca: server.clientConfig.certificateAuthority });
    this.#session.on('error', () => undefined);
    this.#headers = { authorization: `Bearer ${token}` };
  }

  stop() {
    this.#session.destroy();
  }

  /** Answers `{ status, object }`; another status than `expected` is a failure. */
  async send(method, path, { body, contentType = this.form.contentType, accept = this.form.accept(), expected }) {
    const { stream, status, type } = await this.#open(method, path, accept, body, contentType);
    const bytes = Buffer.concat(await stream.toArray());
    if (accept === this.form.accept()) assert.ok(type.startsWith(this.form.contentType), `${method} ${path}: ${type}`);
    const object = decodeObject(type, bytes);
    const what = `${method} ${path} (${this.form.name}): ${status} ${JSON.stringify(object).slice(0, 600)}`;
    assert.ok([expected].flat().includes(status), what);
    return { status, object };
  }

  async get(path, { expected = 200, accept } = {}) {
    return (await this.send('GET', path, { expected, accept })).object;
  }

  async create(path, object, { expected = 201 } = {}) {
    return (await this.send('POST', path, { body: this.form.encode(object), expected })).object;
  }

  async update(path, object, { expected = 200 } = {}) {
    return (await this.send('PUT', path, { body: this.form.encode(object), expected })).object;
  }

  /** Patches are JSON in either form. */
  async patch(path, patch, { type = 'strategic-merge-patch', expected = 200, accept } = {}) {
    const body = Buffer.from(JSON.stringify(patch));
    return (await this.send('PATCH', path, { body, contentType: `application/${type}+json`, expected, accept })).object;
  }

  async remove(path, options, { expected = 200 } = {}) {
    const body = options === undefined ? undefined : this.form.encode({ kind: 'DeleteOptions', ...options });
    return (await this.send('DELETE', path, { body, expected })).object;
  }

  /** The first page of a Reflector that lists: anything that the server has in memory. */
  async list(path, { selectors = {}, as } = {}) {
    const list = await this.get(withQuery(path, { ...selectors, limit: 500, resourceVersion: 0 }), {
      accept: this.form.accept(as),
    });
    return list.items ?? [];
  }

  /** The watch that a Reflector begins with: first all there is, then what happens. */
  async informer(path, { selectors = {}, as } = {}) {
    const query = {
      allowWatchBookmarks: true,
      ...selectors,
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: true,
      timeoutSeconds: 400,
      watch: true,
    };
    const { stream, status, type } = await this.#open('GET', withQuery(path, query), this.form.accept(as));
    if (status !== 200) assert.fail(`watch of ${path}: ${status} ${Buffer.concat(await stream.toArray())}`);
    assert.equal(type, `${this.form.contentType}${this.form.streamSuffix}`, path);
    const watch = new Watch(stream, readEvents(type, stream));
    const objects = [];
    for (;;) {
      const { type, object } = await watch.next();
      if (type === 'BOOKMARK' && object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true') break;
      assert.equal(type, 'ADDED');
      objects.push(object);
    }
    return { objects, watch };
  }

  async #open(method, path, accept, body, contentType) {
    const headers = {
      ...this.#headers,
      ':method': method,
      ':path': path,
      accept,
      ...(body === undefined ? {} : { 'content-type': contentType }),
    };
    const stream = this.#session.request(headers, { endStream: body === undefined });
    stream.on('error', () => undefined);
    if (body !== undefined) stream.end(body);
    const head = await new Promise((resolve, reject) => {
      stream.once('response', resolve);
      stream.once('close', () => reject(new Error(`${method} ${path}: no answer`)));
    });
    return { stream, status: head[':status'], type: head['content-type'] ?? '' };
  }
}

/** A watch that is open. Events come in order. */
class Watch {
  #events;

  constructor(stream, events) {
    this.stream = stream;
    this.#events = events;
  }

  async next() {
    const { value, done } = await this.#events.next();
    assert.ok(!done, 'the watch ended');
    return value;
  }

  /** The next event about the object. */
  async of(name) {
    for (;;) {
      const event = await this.next();
      if (event.object.metadata?.name === name) return event;
    }
  }

  stop() {
    this.stream.close();
  }
}

/** Parameters in alphabetical order, as Go writes them. */
function withQuery(path, query) {
  const parameters = Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}?${parameters.join('&')}`;
}
