import { injectFaults } from './faults.mjs';
import { History } from './history.mjs';
import { Random } from './random.mjs';
import { inNamespace, keys, namespaces, resources, selectors } from './resources.mjs';
import { Http2Client } from './traffic/http2-client.mjs';
import { list } from './traffic/lister.mjs';
import { Reader } from './traffic/reader.mjs';
import { Watcher } from './traffic/watcher.mjs';
import { Writer } from './traffic/writer.mjs';

/** How long after the last write a watcher may take to show it. */
const CATCH_UP_MS = 10_000;

/** A quiet machine makes more. */
const LEAST_ENTRIES_A_SECOND = 150;
const LONGEST_STRETCH = 5;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const everything = { namespace: '', selector: '' };

/** Starts the server, plays a round against it, and removes it. Resolves the history. */
export async function playRound(server, round) {
  try {
    await server.start();
    return await runRound({ ...round, server });
  } finally {
    await server.dispose();
  }
}

/**
 * One round against a server that has been started, and is empty but for what it makes itself: traffic with faults, then
 * quiet, in which every watcher must catch up, then what is left is read. Resolves the history.
 *
 * @param {{ seed: number, server: object, seconds: number, faults: string[], writers?: number, readers?: number,
 *   watchers?: number, catchUpMs?: number, retains?: boolean, flaky?: boolean }} options
 *   `retains`: the server forgets history by itself; `flaky`: its store fails at times, and 5xx are expected
 */
async function runRound({
  seed,
  server,
  seconds,
  faults,
  writers = 8,
  readers = 4,
  watchers = 6,
  catchUpMs = CATCH_UP_MS,
  retains,
  flaky,
}) {
  const history = new History();
  if (retains === true) history.add({ type: 'retention' });
  if (flaky === true) history.add({ type: 'flaky' });
  const connections = [];
  const connect = () => {
    const client = new Http2Client(() => server.access());
    connections.push(client);
    return client;
  };
  const client = (name) => ({
    name,
    client: connect(),
    history,
    random: new Random(seed, name),
    timing: new Random(seed, `${name} timing`),
  });
  const admin = new Http2Client(() => server.access());
  const watching = [];
  let failed = false;
  try {
    await makeNamespaces(admin);
    watching.push(
      ...resources.map((resource) => recorder(client, resource)),
      ...Array.from({ length: watchers }, (_, index) => randomWatcher(client, seed, index)),
    );
    const recorders = watching.slice(0, resources.length);
    const unending = watching.map((watcher) => watcher.run(() => true, sleep));
    await until(() => recorders.every(({ position }) => position !== undefined), CATCH_UP_MS);

    const start = performance.now();
    const isBefore = (limit) => performance.now() < start + limit * 1000;
    // A busy machine gets more time, so that it says as much.
    const isShort = () => history.entries.length < seconds * LEAST_ENTRIES_A_SECOND;
    const running = () => !failed && (isBefore(seconds) || (isShort() && isBefore(seconds * LONGEST_STRETCH)));
    const writing = Array.from({ length: writers }, (_, index) => new Writer(client(`w${index}`)));
    const reading = Array.from({ length: readers }, (_, index) => new Reader(client(`r${index}`)));
    await Promise.all([
      ...[...writing, ...reading].map((one) => one.run(running, sleep)),
      injectFaults({ server, connections, history, random: new Random(seed, 'faults'), sleep }, faults, running),
    ]);

    await settle(new Writer(client('settler')), watching, history, catchUpMs);
    for (const watcher of watching) watcher.stop();
    await Promise.all(unending);
    await readAll(admin, history);
    if (server.durable) {
      await server.kill();
      await server.start();
      await readAll(admin, history);
    }
    return history;
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    for (const watcher of watching) watcher.stop();
    for (const connection of [...connections, admin]) connection.drop();
  }
}

/** Retries, because a flaky store fails at times. */
async function makeNamespaces(admin) {
  for (const name of namespaces) {
    for (let attempt = 1; ; attempt++) {
      const { status, body } = await admin.request('POST', '/api/v1/namespaces', {}, { metadata: { name } });
      if (status === 201 || status === 409) break;
      if (attempt === 20) throw new Error(`namespace ${name}: ${status} ${body.message}`);
    }
  }
}

/** A watch of every event of a resource. The log combines its events with those of all other watches. */
function recorder(client, resource) {
  return new Watcher({ ...client(`recorder-${resource.name}`), resource, scope: everything, faithful: true });
}

function randomWatcher(client, seed, index) {
  const random = new Random(seed, `scope ${index}`);
  const scope = { namespace: random.pick([...namespaces, '']), selector: random.pick(Object.keys(selectors)) };
  return new Watcher({ ...client(`v${index}`), resource: random.pick(resources), scope });
}

/** Writes every object once more, into every selection, and waits until every watcher has shown it. */
async function settle(writer, watching, history, catchUpMs) {
  const last = new Map();
  for (const resource of resources) {
    for (const key of keys) last.set(`${resource.name} ${key}`, await writer.settle(resource, key));
  }
  const wanted = ({ scope }) =>
    Math.max(
      ...keys
        .filter((key) => inNamespace(scope, key) && (scope.selector !== 'name=k0' || key.endsWith('/k0')))
        .map((key) => last.get(`${scope.resource} ${key}`)),
    );
  const behind = () => watching.filter((watcher) => watcher.shown < wanted(watcher));
  await until(() => behind().length === 0, catchUpMs);
  for (const watcher of behind()) {
    history.add({ type: 'stalled', ...watcher.scope, shown: watcher.shown, wanted: wanted(watcher) });
  }
}

async function readAll(client, history) {
  for (const resource of resources) {
    await list({ client, history, name: 'auditor', resource, scope: everything });
  }
}

async function until(reached, milliseconds) {
  const end = performance.now() + milliseconds;
  while (!reached() && performance.now() < end) await sleep(20);
}
