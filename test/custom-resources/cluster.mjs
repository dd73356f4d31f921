import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { start } from 'binnacle';
import { HostileClient } from '../hostile/client.mjs';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Long enough for a busy machine. Only a failure takes this long. */
const LIMIT_MS = 120_000;

/** Asks until the answer is right, and returns what `condition` returned. */
export async function eventually(condition, what) {
  for (const end = Date.now() + LIMIT_MS; ; await pause(10)) {
    const result = await condition();
    if (result) return result;
    assert.ok(Date.now() < end, `waited too long for ${what}`);
  }
}

/** A server of its own, without control loops, and requests in JSON. */
export class Cluster {
  static async start() {
    const server = await start({ inMemory: true, controllers: '' });
    return new Cluster(server);
  }

  constructor(server) {
    this.server = server;
    this.client = new HostileClient(server);
  }

  stop() {
    return this.server.stop();
  }

  /** Answers `{ status, json, headers, ... }`; `expected`: the status there must be. */
  async send(expected, method, path, body, headers) {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.client.send(method, path, text, headers);
    assert.equal(answer.status, expected, `${method} ${path}: ${answer.text.slice(0, 1000)}`);
    return answer;
  }

  async get(path) {
    return (await this.send(200, 'GET', path)).json;
  }

  async merge(path, patch, expected = 200) {
    const type = { 'content-type': 'application/merge-patch+json' };
    return (await this.send(expected, 'PATCH', path, patch, type)).json;
  }

  /** A condition of a definition, once it has the status. */
  condition(name, type, status) {
    return eventually(async () => {
      const { json } = await this.client.send('GET', `${DEFINITIONS}/${name}`);
      return json?.status?.conditions?.find((each) => each.type === type && each.status === status);
    }, `${name} to be ${type}=${status}`);
  }

  async define(definition) {
    await this.send(201, 'POST', DEFINITIONS, definition);
    await this.condition(definition.metadata.name, 'Established', 'True');
  }

  redefine(definition) {
    return this.merge(`${DEFINITIONS}/${definition.metadata.name}`, { spec: definition.spec });
  }

  async undefine(name) {
    await this.send(200, 'DELETE', `${DEFINITIONS}/${name}`);
    await this.gone(name);
  }

  async undefineAll() {
    const { items } = await this.get(DEFINITIONS);
    for (const { metadata } of items) await this.undefine(metadata.name);
  }

  gone(name) {
    return eventually(
      async () => (await this.client.send('GET', `${DEFINITIONS}/${name}`)).status === 404,
      `${name} to be gone`,
    );
  }

  /** `events` gets each event. `ended` settles when the server ends the stream, with whether the stream was complete. */
  async watch(path) {
    const { request, answer } = this.client.open('GET', path);
    request.end();
    const response = await answer;
    assert.equal(response.statusCode, 200, path);
    const watch = { events: [], over: false, stop: () => request.destroy() };
    let rest = '';
    response.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) watch.events.push(JSON.parse(line));
    });
    watch.ended = new Promise((resolve) => {
      response.on('error', () => undefined);
      response.on('close', () => {
        watch.over = true;
        resolve(response.complete);
      });
    });
    return watch;
  }
}

export const definitionPath = (name) => `${DEFINITIONS}${name === undefined ? '' : `/${name}`}`;
