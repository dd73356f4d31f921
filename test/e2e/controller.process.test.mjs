import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  clientConfigOf,
  connect,
  Controller,
  ControllerManager,
  DynamicClient,
  finalize,
  generationChanged,
  isConditionTrue,
  isNotFound,
  LeaderElector,
  parseKubeconfig,
  withCondition,
  withControllerReference,
} from '@binnacle/client';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import { ConfigMap, Event } from '@binnacle/client/kinds/core/v1';
import { start } from 'binnacle';
import { definition } from '../custom-resources/definition.mjs';

const Sail = { group: 'ship.example', version: 'v1', kind: 'Sail', plural: 'sails', namespaced: true };
const sailDefinition = definition({
  group: 'ship.example',
  plural: 'sails',
  kind: 'Sail',
  versions: [{ subresources: { status: {} } }],
});
const sail = (name, cloth) => ({
  apiVersion: 'ship.example/v1',
  kind: 'Sail',
  metadata: { name, namespace: 'default' },
  spec: { cloth },
});
const FINALIZER = 'ship.example/furled';

/** A Sail needs a ConfigMap of its name with its cloth, and is Ready once that exists. */
function sailMaker(story) {
  return new Controller({
    for: Sail,
    predicate: generationChanged,
    owns: [ConfigMap],
    concurrency: 2,
    async reconcile({ namespace, name }, { client, clock, lister, recorder, signal }) {
      story.calls.push(name);
      await story.before?.(name, signal);
      const sails = client.resource(Sail).namespace(namespace);
      const maps = client.resource(ConfigMap).namespace(namespace);
      const cached = lister(Sail).namespace(namespace).get(name);
      if (cached === undefined) return undefined;
      const cleanUp = async () => void story.furled.push(name);
      const current = await finalize(sails, cached, FINALIZER, cleanUp, { signal });
      if (current === undefined) return undefined;
      const { cloth } = current.spec;
      const map = lister(ConfigMap).namespace(namespace).get(name);
      if (map === undefined) {
        const bare = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { cloth } };
        await maps.create(withControllerReference(bare, current), { signal });
        recorder.event(current, 'Normal', 'Hoisted', `${cloth} is up`);
      } else if (map.data.cloth !== cloth) {
        await maps.update({ ...map, data: { cloth } }, { signal });
      }
      const ready = { type: 'Ready', status: 'True', reason: 'Hoisted', message: '' };
      const before = current.status?.conditions;
      const conditions = withCondition(before, ready, clock);
      if (conditions !== before) await sails.status.update({ ...current, status: { conditions } }, { signal });
      return name === 'watched' ? { requeueAfter: 10 } : undefined;
    },
  });
}

describe('controllers, and a server', { timeout: 600_000 }, () => {
  let server;
  let config;
  let transport;
  let client;
  before(async () => {
    server = await start({ inMemory: true });
    config = await clientConfigOf(parseKubeconfig(server.kubeconfig));
    transport = connect(config);
    client = new DynamicClient(transport);
    const definitions = client.resource(CustomResourceDefinition);
    await definitions.create(sailDefinition);
    await until(async () =>
      isConditionTrue((await definitions.get(sailDefinition.metadata.name)).status?.conditions, 'Established'),
    );
  });
  after(async () => {
    await transport?.close();
    await server?.stop();
  });

  /** Repeats the check until it is true; the time limit of the suite ends it. */
  async function until(isSo) {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  function run(story, options = {}) {
    const reports = [];
    const stop = new AbortController();
    const manager = new ControllerManager({ client, report: (error) => reports.push(error), ...options });
    manager.add(sailMaker(story));
    return { reports, stop, ended: manager.run(stop.signal) };
  }
  const newStory = (more = {}) => ({ calls: [], furled: [], ...more });
  const sails = () => client.resource(Sail).namespace('default');
  const maps = () => client.resource(ConfigMap).namespace('default');
  const clothOf = async (name) => {
    try {
      return (await maps().get(name)).data.cloth;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  it('bring the cluster to the desired state and keep it there', async () => {
    const story = newStory();
    const { stop, ended } = run(story);
    await sails().create(sail('jib', 'linen'));
    await until(async () => isConditionTrue((await sails().get('jib')).status?.conditions, 'Ready'));
    assert.equal(await clothOf('jib'), 'linen');
    const created = await maps().get('jib');
    assert.equal(created.metadata.ownerReferences[0].kind, 'Sail');

    await sails().patch('jib', { type: 'merge', body: { spec: { cloth: 'hemp' } } });
    await until(async () => (await clothOf('jib')) === 'hemp');
    await maps().patch('jib', { type: 'merge', body: { data: { cloth: 'rags' } } });
    await until(async () => (await clothOf('jib')) === 'hemp');
    await maps().delete('jib');
    await until(async () => (await clothOf('jib')) === 'hemp');
    assert.notEqual((await maps().get('jib')).metadata.uid, created.metadata.uid);

    await sails().delete('jib');
    await until(() =>
      sails()
        .get('jib')
        .then(() => false, isNotFound),
    );
    assert.deepEqual(story.furled, ['jib']);
    // The garbage collector of the server deletes it.
    await until(async () => (await clothOf('jib')) === undefined);
    const events = client.resource(Event).namespace('default');
    await until(async () =>
      (await events.list()).items.some(({ reason, source }) => reason === 'Hoisted' && source.component === 'sail'),
    );
    stop.abort();
    await ended;
  });

  it('requeue periodically and after errors', async () => {
    let failures = 3;
    const before = async (name) => {
      if (name === 'flaky' && failures-- > 0) throw new Error('no wind');
    };
    const story = newStory({ before });
    const { stop, ended, reports } = run(story);
    await sails().create(sail('flaky', 'silk'));
    await sails().create(sail('watched', 'silk'));
    await until(async () => (await clothOf('flaky')) === 'silk' && (await clothOf('watched')) === 'silk');
    await until(() => story.calls.filter((name) => name === 'watched').length > 5);
    // The cache may be stale: then a write conflicts, and is requeued as well.
    const calm = reports.filter(({ cause }) => cause?.message === 'no wind');
    assert.deepEqual(
      calm.map(({ request, failures }) => `${request.name} ${failures}`),
      ['flaky 1', 'flaky 2', 'flaky 3'],
    );
    stop.abort();
    await ended;
  });

  it('hand over when they stop, and finish the current work', async () => {
    let finish;
    const working = newStory({ before: (name) => name === 'slow' && new Promise((resolve) => (finish = resolve)) });
    const next = newStory();
    const times = { leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 50 };
    const leadership = (identity) =>
      new LeaderElector(client, { namespace: 'default', name: 'sail-maker', identity, ...times });
    const first = run(working, { leadership: leadership('first') });
    await until(() => working.calls.length > 0);
    const second = run(next, { leadership: leadership('second') });
    await sails().create(sail('slow', 'tar'));
    await until(() => finish !== undefined);
    first.stop.abort();
    await sails().create(sail('after', 'tar'));
    assert.deepEqual(next.calls, []);
    finish();
    await first.ended;
    assert.equal(working.calls.includes('after'), false);
    await until(async () => (await clothOf('after')) === 'tar' && (await clothOf('slow')) === 'tar');
    second.stop.abort();
    await second.ended;
  });
});
