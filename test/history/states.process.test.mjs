/**
 * Every revision that a server keeps shows the state that a plain model had then: across restarts, compactions, backups, and forks of forks
 * that begin now or in the past.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { seededRandom } from '@binnacle/apimachinery/clock';
import { isExpired } from '@binnacle/client/rest';
import { DynamicClient } from '@binnacle/client/dynamic';
import { connect } from '@binnacle/client/transport';
import { backupStore, compactStore, restoreStore } from '@binnacle/kv/embedded/maintenance';
import { start } from 'binnacle';

const SEEDS = process.env.BINNACLE_THOROUGH === '1' ? 20 : 2;
const STEPS = 40;
const MOST_SERVERS = 4;
const NAMES = ['a', 'b', 'c', 'd'];
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const options = { securePort: 0, controllers: '', scheduler: false, historyRetentionMs: 0 };

/** A server, what it held at each revision, and the oldest of them that it keeps. */
class Tracked {
  states;
  oldest;
  #state;

  constructor(server, states, oldest) {
    this.states = states;
    this.oldest = oldest;
    this.#state = states.get(Math.max(...states.keys()));
    this.use(server);
  }

  use(server) {
    this.server = server;
    this.transport = connect(server.clientConfig);
    this.client = new DynamicClient(this.transport).resource(configMaps).namespace('test');
  }

  async stop() {
    await this.transport.close();
    await this.server.stop();
  }

  async write(name, text) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } };
    if (text === undefined) {
      if (!this.#state.has(name)) return;
      await this.client.delete(name);
    } else if (this.#state.has(name)) await this.client.update(object);
    else await this.client.create(object);
    this.#state = new Map(this.#state);
    if (text === undefined) this.#state.delete(name);
    else this.#state.set(name, text);
    this.states.set(await this.revision(), this.#state);
  }

  async revision() {
    return Number((await this.client.list()).metadata.resourceVersion);
  }

  async check(what) {
    for (const [revision, state] of this.states) {
      const listed = this.client.list({ resourceVersion: String(revision), resourceVersionMatch: 'Exact' });
      if (revision < this.oldest) {
        await assert.rejects(listed, isExpired, `${what}: revision ${revision} is forgotten`);
        continue;
      }
      const found = (await listed).items.map(({ metadata, data }) => [metadata.name, data.text]);
      assert.deepEqual(new Map(found), state, `${what}: at ${revision}`);
    }
  }
}

for (let seed = 1; seed <= SEEDS; seed += 1) {
  it(`states of the past are those of a model, with seed ${seed}`, { timeout: 240_000 }, () => run(seed));
}

async function run(seed) {
  const random = seededRandom(seed);
  const pick = (count) => Math.floor(random.number() * count);
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-states-'));
  const dataDirectory = join(folder, 'data');
  const directory = join(dataDirectory, 'store');
  const servers = [];
  try {
    const first = await start({ ...options, dataDirectory });
    const root = await rooted(first);
    servers.push(root);
    for (let step = 0; step < STEPS; step += 1) {
      const tracked = servers[pick(servers.length)];
      const kind = pick(10);
      if (kind === 0 && servers.length < MOST_SERVERS) servers.push(await forked(tracked, pick));
      else if (kind === 1) await restart(servers, { dataDirectory, directory, compacts: pick(2) === 0 });
      else await tracked.write(NAMES[pick(NAMES.length)], pick(4) === 0 ? undefined : `step ${step}`);
      if (step % 10 === 9)
        for (const [index, each] of servers.entries()) await each.check(`step ${step}, server ${index}`);
    }
    await restored(root, { folder, directory });
  } finally {
    // The forks first: they keep the directory of the first server locked.
    for (const each of servers.reverse()) await each.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function rooted(server) {
  const transport = connect(server.clientConfig);
  const namespaces = new DynamicClient(transport).resource({ group: '', version: 'v1', resource: 'namespaces' });
  const { metadata } = await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'test' } });
  await transport.close();
  return new Tracked(server, new Map([[Number(metadata.resourceVersion), new Map()]]), 1);
}

/** A fork of now, or of any revision that the server still has. */
async function forked({ server, states, oldest }, pick) {
  const kept = [...states.keys()].filter((revision) => revision >= oldest);
  const revision = kept[pick(kept.length + 1)];
  const past = [...states].filter(([each]) => revision === undefined || each <= revision);
  return new Tracked(await server.fork({ revision }), new Map(past), oldest);
}

/** Restarts the server on disk. That ends its forks, and may compact its store. */
async function restart(servers, { dataDirectory, directory, compacts }) {
  const [root] = servers;
  for (const fork of servers.splice(1)) await fork.stop();
  await root.stop();
  if (compacts) root.oldest = (await compactStore({ directory })).revision;
  root.use(await start({ ...options, dataDirectory }));
}

/** A backup has the newest state alone. */
async function restored(root, { folder, directory }) {
  const file = join(folder, 'backup');
  const { revision } = await backupStore({ directory, file });
  const copy = join(folder, 'copy');
  await restoreStore({ directory: join(copy, 'store'), file });
  const states = new Map(root.states);
  const newest = Math.max(...states.keys());
  const tracked = new Tracked(await start({ ...options, dataDirectory: copy }), states, revision);
  try {
    states.set(revision, states.get(newest));
    await tracked.check('restored');
  } finally {
    await tracked.stop();
  }
}
