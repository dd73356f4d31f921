import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV } from '@binnacle/kv';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { forbidden, required } from '@binnacle/apimachinery/status';
import {
  configMap,
  describeWatchCacheModes,
  type TestResource,
  testResource,
  testScope,
  watchedEvents,
  withMethods,
} from '../testing/index.js';
import { type AdmissionChain, type Allocator, noAdmission } from './scope.js';
import type { Strategy } from './strategy.js';
import { presentDemandOf } from '../request/index.js';

/** Records every call during a write, in order. */
function recorder(): { calls: string[]; admission: AdmissionChain; strategy: Strategy; allocator: Allocator } {
  const calls: string[] = [];
  const note = (text: string): undefined => void calls.push(text);
  const claim = { commit: () => note('commit'), rollback: () => note('rollback') };
  return {
    calls,
    admission: {
      admitCreate: () => note('admitCreate'),
      validateCreate: () => note('validateCreate'),
      admitUpdate: () => note('admitUpdate'),
      validateUpdate: () => note('validateUpdate'),
      validateDelete: () => note('validateDelete'),
    },
    strategy: {
      prepareForCreate: () => note('prepareForCreate'),
      prepareForUpdate: () => note('prepareForUpdate'),
      validate: () => (note('validate'), []),
      validateUpdate: () => (note('validateUpdate of the kind'), []),
      warnings: () => (note('warnings'), []),
      canonicalize: () => note('canonicalize'),
    },
    allocator: {
      claimForCreate: async () => (note('claim'), claim),
      claimForUpdate: async () => (note('claim'), claim),
      release: async () => note('release'),
    },
  };
}

const change = (data: Record<string, string>) => (current: KubernetesObject | undefined) => {
  const object = current ?? configMap('a');
  object.data = data;
  return object;
};

/** Blocks the event loop for longer than one slice. */
function holdLoop(): void {
  const end = performance.now() + 10;
  while (performance.now() < end);
}

const create = (resource: TestResource, object: KubernetesObject, overrides = {}) =>
  resource.store.create(testScope(overrides), object);

describeWatchCacheModes('ResourceStore.create', (mode) => {
  it('runs admission, claims, preparation, validation and validating admission in that order', async () => {
    const { calls, admission, strategy, allocator } = recorder();
    await using resource = testResource({ ...mode, strategy, allocator });
    await resource.store.create(testScope({ admission }), configMap('a'));
    assert.deepEqual(calls, [
      'admitCreate',
      'claim',
      'prepareForCreate',
      'validate',
      'warnings',
      'canonicalize',
      'validateCreate',
      'commit',
    ]);
  });

  it('sets system metadata and ignores values from the client', async () => {
    await using resource = testResource(mode);
    const object = configMap('a');
    Object.assign(object.metadata, { uid: 'mine', deletionTimestamp: '2020-01-01T00:00:00Z', selfLink: '/x' });
    const { metadata } = (await create(resource, object)).decode();
    assert.notEqual(metadata.uid, 'mine');
    assert.equal(metadata.creationTimestamp, '2026-01-02T03:04:05Z');
    assert.equal(metadata.namespace, 'default');
    assert.equal(metadata.deletionTimestamp, undefined);
    assert.equal(metadata.selfLink, undefined);
  });

  it('releases a claim once, whatever fails', async () => {
    const failures: readonly [string, Strategy, Partial<AdmissionChain>][] = [
      ['prepare', { prepareForCreate: () => assert.fail('prepare') }, {}],
      ['invalid', { validate: () => [required('data', '')] }, {}],
      [
        'admission',
        {},
        {
          validateCreate: () => {
            throw forbidden({ group: '', resource: 'x' }, 'a', 'no');
          },
        },
      ],
      ['taken', {}, {}],
    ];
    for (const [name, strategy, refusing] of failures) {
      const { calls, allocator } = recorder();
      await using resource = testResource({ ...mode, strategy, allocator });
      if (name === 'taken') await create(resource, configMap('a'));
      calls.length = 0;
      const scope = testScope({ admission: { ...noAdmission, ...refusing } });
      await assert.rejects(resource.store.create(scope, configMap('a')));
      assert.deepEqual(calls, ['claim', 'rollback'], name);
    }
  });

  it('leaves nothing behind after a dry run', async () => {
    const { calls, allocator } = recorder();
    await using resource = testResource({ ...mode, allocator });
    const before = await resource.storage.currentRevision();
    const shown = (await create(resource, configMap('a'), { dryRun: true })).decode();
    assert.equal(shown.metadata.resourceVersion, undefined);
    assert.deepEqual(calls, ['claim', 'rollback']);
    assert.equal(await resource.storage.currentRevision(), before);
    await create(resource, configMap('a'));
    await assert.rejects(create(resource, configMap('a'), { dryRun: true }), { code: 409 });
  });

  it('generates names, and reports a name that is taken', async () => {
    await using resource = testResource(mode);
    const object = configMap('');
    object.metadata = { generateName: 'job-' };
    const { metadata } = (await create(resource, object)).decode();
    assert.match(metadata.name ?? '', /^job-[a-z0-9]{5}$/);
    await create(resource, configMap('a'));
    await assert.rejects(create(resource, configMap('a')), { code: 409, message: 'configmaps "a" already exists' });
    const both = configMap('a');
    both.metadata.generateName = 'job-';
    await assert.rejects(create(resource, both), {
      code: 409,
      message: 'configmaps "a" already exists, the server was not able to generate a unique name for the object',
    });
    await create(resource, configMap('b', { finalizers: ['x/y'] }));
    await resource.store.delete(testScope(), 'b', {});
    await assert.rejects(create(resource, configMap('b')), {
      message: 'object is being deleted: configmaps "b" already exists',
    });
  });

  it('lets one of many concurrent creates win', async () => {
    await using resource = testResource(mode);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => create(resource, configMap('a'))));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('refuses an object that does not match the request', async () => {
    await using resource = testResource(mode);
    const versioned = configMap('a');
    versioned.metadata.resourceVersion = '5';
    await assert.rejects(create(resource, versioned), {
      code: 500,
      message: /should not be set on objects to be created/,
    });
    const misplaced = configMap('a');
    misplaced.metadata.namespace = 'other';
    await assert.rejects(create(resource, misplaced), { code: 400 });
    assert.equal((await create(resource, configMap('__proto__'))).decode().metadata.name, '__proto__');
    await assert.rejects(create(resource, configMap('a/b')), { code: 422 });
  });

  it('refuses a name that makes a key too long for the store, and finds none', async () => {
    await using resource = testResource(mode);
    const longest = 'a'.repeat(1024 - '/registry/configmaps/'.length - 'default/'.length);
    assert.equal((await create(resource, configMap(longest))).decode().metadata.name, longest);
    const tooLong = `${longest}a`;
    await assert.rejects(create(resource, configMap(tooLong)), {
      code: 400,
      message: /longer than the store can hold/,
    });
    assert.equal(await resource.store.reader.find('default', tooLong), undefined);
  });
});

describeWatchCacheModes('ResourceStore.update', (mode) => {
  it('runs its steps in order', async () => {
    const { calls, admission, strategy, allocator } = recorder();
    await using resource = testResource({ ...mode, strategy, allocator });
    await create(resource, configMap('a'));
    calls.length = 0;
    await resource.store.update(testScope({ admission }), { name: 'a', transform: change({ a: 'b' }) });
    assert.deepEqual(calls, [
      'admitUpdate',
      'claim',
      'prepareForUpdate',
      'validateUpdate of the kind',
      'warnings',
      'canonicalize',
      'validateUpdate',
      'commit',
    ]);
  });

  it('shows the namespace to admission, and restores it after', async () => {
    await using resource = testResource(mode);
    await create(resource, configMap('a'));
    const seen: unknown[] = [];
    const admission: AdmissionChain = {
      ...noAdmission,
      admitUpdate({ metadata }) {
        seen.push(metadata.namespace);
        delete metadata.namespace;
      },
    };
    const transform = (current?: KubernetesObject) => {
      const object = change({ a: 'b' })(current);
      delete object.metadata.namespace;
      return object;
    };
    const { stored } = await resource.store.update(testScope({ admission }), { name: 'a', transform });
    assert.deepEqual(seen, [testScope().namespace]);
    assert.equal(stored.decode().metadata.namespace, testScope().namespace);
  });

  it('keeps the resourceVersion when nothing changes', async () => {
    await using resource = testResource(mode);
    const { revision } = await create(resource, configMap('a', { data: { a: 'b' } }));
    const same = await resource.store.update(testScope(), { name: 'a', transform: change({ a: 'b' }) });
    assert.equal(same.stored.revision, revision);
    assert.equal(await resource.storage.currentRevision(), revision);
  });

  it('checks the version and the uid that the client expects', async () => {
    await using resource = testResource(mode);
    const created = (await create(resource, configMap('a'))).decode();
    const update = (resourceVersion: string, uid?: string) =>
      resource.store.update(testScope(), {
        name: 'a',
        transform: (current) => {
          const object = change({ v: resourceVersion })(current);
          object.metadata.resourceVersion = resourceVersion;
          return object;
        },
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      });
    await assert.rejects(update('1'), { code: 409, message: /the object has been modified/ });
    await assert.rejects(update('', 'other'), {
      code: 409,
      message: /UID in precondition: other, UID in object meta: /,
    });
    await assert.rejects(update('x'), { code: 500 });
    await update(created.metadata.resourceVersion ?? '', created.metadata.uid);
    await assert.rejects(update(created.metadata.resourceVersion ?? ''), { code: 409 });
    await update('');
    await update('0');
  });

  it('releases the claim of every lost attempt and keeps the last one', async () => {
    const { calls, allocator } = recorder();
    await using resource = testResource({ ...mode, allocator });
    await create(resource, configMap('a'));
    calls.length = 0;
    let raced = false;
    await resource.store.update(testScope(), {
      name: 'a',
      transform: async (current) => {
        if (!raced) {
          raced = true;
          await resource.storage.update('/registry/configmaps/default/a', undefined, (stored) => ({
            type: 'write',
            object: change({ raced: 'yes' })(stored?.decode()),
          }));
        }
        return change({ mine: 'yes' })(current);
      },
    });
    assert.deepEqual(calls, ['claim', 'rollback', 'claim', 'commit']);
    const { data } = (await resource.reader.get('default', 'a')).decode();
    assert.deepEqual(data, { mine: 'yes' });
  });

  it('loses no concurrent increment', async () => {
    await using resource = testResource(mode);
    await create(resource, configMap('a', { data: { n: '0' } }));
    const increment = (current: KubernetesObject | undefined) =>
      change({ n: String(Number((current?.data as { n?: string } | undefined)?.n ?? 0) + 1) })(current);
    await Promise.all(
      Array.from({ length: 30 }, () => resource.store.update(testScope(), { name: 'a', transform: increment })),
    );
    assert.deepEqual((await resource.reader.get('default', 'a')).decode().data, { n: '30' });
  });

  it('loses no increment when other writes run after every stage', async () => {
    const strategy: Strategy = {
      prepareForUpdate: () => holdLoop(),
      validateUpdate: () => (holdLoop(), []),
      canonicalize: () => holdLoop(),
    };
    await using resource = testResource({ ...mode, strategy });
    await create(resource, configMap('a', { data: { count: '0' } }));
    let rounds = 0;
    const increment = (current: KubernetesObject | undefined) => {
      rounds++;
      const { count } = (current?.data ?? {}) as Record<string, string>;
      return change({ count: String(Number(count) + 1) })(current);
    };
    const update = () => resource.store.update(testScope(), { name: 'a', transform: increment });
    await Promise.all([update(), update(), update()]);
    const { stored } = await update();
    assert.deepEqual(stored.decode().data, { count: '4' });
    assert.ok(rounds > 4, 'writers have met');
  });

  it('creates on update where the kind allows it, and releases the claim if the create is then refused', async () => {
    const { calls, allocator } = recorder();
    await using resource = testResource({ ...mode, allocator, strategy: { allowCreateOnUpdate: true } });
    const update = (admission: AdmissionChain, dryRun = false) =>
      resource.store.update(testScope({ admission, dryRun }), { name: 'a', transform: change({ a: 'b' }) });
    const refusing = { ...noAdmission, validateCreate: () => assert.fail('refused') };
    await assert.rejects(update(refusing), /refused/);
    assert.equal((await update(noAdmission, true)).created, true);
    assert.deepEqual(calls, ['claim', 'rollback', 'claim', 'rollback']);
    assert.equal((await update(noAdmission)).created, true);
    assert.equal((await update(noAdmission)).created, false);

    await using strict = testResource(mode);
    const absent = strict.store.update(testScope(), { name: 'a', transform: change({}) });
    await assert.rejects(absent, { code: 404 });
  });

  it('deletes a marked object when it loses its last finalizer', async () => {
    const { calls, allocator } = recorder();
    await using resource = testResource({ ...mode, allocator });
    await create(resource, configMap('a', { finalizers: ['x/y'] }));
    await resource.store.delete(testScope(), 'a', {});
    calls.length = 0;
    const transform = (current: KubernetesObject | undefined) => {
      const object = change({})(current);
      delete object.metadata.finalizers;
      return object;
    };
    await resource.store.update(testScope({ dryRun: true }), { name: 'a', transform });
    assert.deepEqual(calls, ['claim', 'rollback']);
    const { stored } = await resource.store.update(testScope(), { name: 'a', transform });
    assert.equal(stored.decode().metadata.finalizers, undefined);
    assert.deepEqual(calls.slice(2), ['claim', 'commit', 'release']);
    await assert.rejects(resource.reader.get('default', 'a'), { code: 404 });
  });
});

describeWatchCacheModes('ResourceStore.delete', (mode) => {
  const graceful: Strategy = { gracefulDeletionSeconds: (_object, requested) => requested ?? 30 };

  it('deletes once', async () => {
    const { calls, admission, allocator } = recorder();
    await using resource = testResource({ ...mode, allocator });
    const { revision } = await create(resource, configMap('a'));
    calls.length = 0;
    const result = await resource.store.delete(testScope({ admission }), 'a', {});
    assert.equal(result.gone, true);
    assert.equal(result.stored.revision, revision + 1);
    assert.deepEqual(calls, ['validateDelete', 'release']);
    await assert.rejects(resource.store.delete(testScope({ admission }), 'a', {}), { code: 404 });
    await assert.rejects(resource.store.delete(testScope({ admission }), 'x'.repeat(3000), {}), { code: 404 });
  });

  it('shows the mark before the end of a graceful deletion without a grace period', async () => {
    await using resource = testResource({ ...mode, strategy: graceful });
    const { revision } = await create(resource, configMap('a'));
    const { watcher } = await resource.reader.watch(
      { namespace: '', filter: undefined },
      presentDemandOf(String(revision)),
      false,
    );
    const result = await resource.store.delete(testScope(), 'a', { gracePeriodSeconds: 0 });
    assert.equal(result.stored.revision, revision + 2);
    assert.deepEqual(watchedEvents(watcher), [`MODIFIED a ${revision + 1}`, `DELETED a ${revision + 2}`]);
  });

  it('keeps an object that took the name between mark and delete', async () => {
    let interfere: (() => Promise<unknown>) | undefined;
    await using resource = testResource({ ...mode, strategy: graceful });
    await create(resource, configMap('a'));
    const update = resource.storage.update.bind(resource.storage);
    resource.storage.update = async (...parameters) => {
      const first = interfere;
      interfere = undefined;
      const result = await update(...parameters);
      if (first !== undefined) await first();
      return result;
    };
    interfere = async () => {
      await resource.store.delete(testScope(), 'a', { gracePeriodSeconds: 0 });
      await create(resource, configMap('a', { data: { second: 'yes' } }));
    };
    const result = await resource.store.delete(testScope(), 'a', { gracePeriodSeconds: 0 });
    assert.equal(result.gone, true);
    const survivor = (await resource.reader.get('default', 'a')).decode();
    assert.deepEqual(survivor.data, { second: 'yes' });
  });

  it('decides again when the object has changed', async () => {
    await using resource = testResource(mode);
    await create(resource, configMap('a'));
    let raced = false;
    const validateDelete = async () => {
      if (raced) return;
      raced = true;
      const transform = (current: KubernetesObject | undefined) => {
        const object = change({})(current);
        object.metadata.finalizers = ['x/y'];
        return object;
      };
      await resource.store.update(testScope(), { name: 'a', transform });
    };
    const scope = testScope({ admission: { ...noAdmission, validateDelete } });
    const result = await resource.store.delete(scope, 'a', {});
    assert.equal(result.gone, false);
    assert.deepEqual(result.stored.decode().metadata.finalizers, ['x/y']);
  });

  it('changes nothing when the deletion is pending, or in a dry run', async () => {
    await using resource = testResource({ ...mode, strategy: graceful });
    await create(resource, configMap('a'));
    const dry = await resource.store.delete(testScope({ dryRun: true }), 'a', {});
    assert.equal(dry.stored.decode().metadata.deletionGracePeriodSeconds, 30);
    const marked = await resource.store.delete(testScope(), 'a', {});
    const again = await resource.store.delete(testScope(), 'a', {});
    assert.equal(marked.stored.revision, again.stored.revision);
    assert.equal(again.gone, false);
  });
});

describe('a write over a stored object', () => {
  const graceful: Strategy = { gracefulDeletionSeconds: () => 0 };
  const writes: Record<string, { strategy?: Strategy; write: (resource: TestResource) => Promise<unknown> }> = {
    update: { write: ({ store }) => store.update(testScope(), { name: 'a', transform: change({ n: '1' }) }) },
    'update that changes nothing': {
      write: ({ store }) => store.update(testScope(), { name: 'a', transform: change({}) }),
    },
    delete: { write: ({ store }) => store.delete(testScope(), 'a', {}) },
    'dry run of a delete': { write: ({ store }) => store.delete(testScope({ dryRun: true }), 'a', {}) },
    'mark and delete': { strategy: graceful, write: ({ store }) => store.delete(testScope(), 'a', {}) },
  };
  for (const [name, { strategy, write }] of Object.entries(writes)) {
    it(`decodes it once: ${name}`, async (context) => {
      await using resource = testResource(strategy === undefined ? {} : { strategy });
      await create(resource, configMap('a'));
      const decode = context.mock.method(resource.storage.codec, 'decode');
      await write(resource);
      assert.equal(decode.mock.callCount(), 1);
    });
  }
});

it('marks the writes of a deletion, for which a full store keeps space', async () => {
  const writes: unknown[] = [];
  const wrapKV = (kv: KV): KV =>
    withMethods(kv, {
      txn: (request) => {
        const { operation } = request;
        writes.push(operation.type === 'put' ? operation.forDeletion === true : operation.type);
        return kv.txn(request);
      },
    });
  const strategy: Strategy = { gracefulDeletionSeconds: (_object, requested) => requested ?? 30 };
  await using resource = testResource({ wrapKV, strategy });
  const { store } = resource;
  const held = configMap('a');
  held.metadata.finalizers = ['a/b', 'c/d'];
  await store.create(testScope(), held);
  await store.delete(testScope(), 'a', {});
  const keep = (finalizers: string[]) => (current: KubernetesObject | undefined) => {
    const object = current ?? configMap('a');
    object.metadata.finalizers = finalizers;
    return object;
  };
  await store.update(testScope(), { name: 'a', transform: change({ x: 'y' }) });
  await store.update(testScope(), { name: 'a', transform: keep(['c/d']) });
  await store.update(testScope(), { name: 'a', transform: keep([]) });
  await store.delete(testScope(), 'a', { gracePeriodSeconds: 0 });
  assert.deepEqual(writes, [false, true, false, true, true, true, 'delete']);
});
