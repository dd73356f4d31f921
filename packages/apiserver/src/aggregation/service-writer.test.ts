import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import type { APIService } from '@binnacle/api/types/apiregistration-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { alreadyExists, conflict, notFound } from '@binnacle/apimachinery/status';
import { BuiltInCodec } from '../codec/index.js';
import type { ResourceEndpoint } from '../endpoints/index.js';
import { type TestResource, testResource } from '../testing/index.js';
import { failedDiscovery, PASSED } from './availability.js';
import { serviceOf } from './backend.testing.js';
import { customService } from './own-services.js';
import { ServiceWriter } from './service-writer.js';

const kind = { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' };
const resource = { group: kind.group, version: 'v1', resource: 'apiservices' };
const desired = customService('example.com', 'v1');
const SECOND = 1000;

/** A store of one APIService. */
class OneObject {
  object: KubernetesObject | undefined;

  async create(_: unknown, object: KubernetesObject): Promise<void> {
    if (this.object !== undefined) throw alreadyExists(resource, 'a');
    this.object = { ...object, metadata: { ...object.metadata, uid: 'u' } };
  }

  async update(
    _: unknown,
    { transform }: { transform: (current: KubernetesObject | undefined) => Promise<KubernetesObject> },
  ): Promise<void> {
    this.object = await transform(this.object);
  }

  async delete(
    _: unknown,
    name: string,
    { preconditions }: { readonly preconditions: { readonly uid: string } },
  ): Promise<void> {
    if (this.object === undefined) throw notFound(resource, name);
    if (this.object.metadata.uid !== preconditions.uid) throw conflict(resource, name, 'another uid');
    this.object = undefined;
  }
}

function writing({ endpoint, clock }: TestResource) {
  const one = new OneObject();
  const main = { ...endpoint.main, codec: new BuiltInCodec(kind, kindSchema(kind) ?? assert.fail()) };
  const status = { verbs: endpoint.verbs, view: { ...main, subresource: 'status' } };
  const writer = new ServiceWriter({
    ...endpoint,
    resource,
    main,
    subresources: new Map([['status', status]]),
    // The writer uses these three methods alone.
    store: one as unknown as ResourceEndpoint['store'],
  });
  const service = () => (one.object === undefined ? undefined : asKind<APIService>(one.object));
  return { writer, clock, service };
}

describe('the writer of APIServices', () => {
  it('creates one that does not exist', async () => {
    await using test = testResource();
    const { writer, service } = writing(test);
    await writer.create(desired);
    await writer.create({ ...desired, groupPriority: 7 });
    assert.equal(service()?.spec?.groupPriorityMinimum, desired.groupPriority);
  });

  it('corrects and deletes the one that it has seen, and no other of that name', async () => {
    await using test = testResource();
    const { writer, service } = writing(test);
    await writer.create(desired);
    const corrected = { ...desired, versionPriority: 7 };
    const other = serviceOf({ uid: 'another' });
    await writer.correct(other, corrected);
    await writer.delete(other);
    assert.equal(service()?.spec?.versionPriority, desired.versionPriority);
    await writer.correct(serviceOf(), corrected);
    assert.equal(service()?.spec?.versionPriority, 7);
    await writer.delete(serviceOf());
    assert.equal(service(), undefined);
    await writer.delete(serviceOf());
  });

  it('keeps the time of the condition while its status stays', async () => {
    await using test = testResource();
    const { writer, clock, service } = writing(test);
    await writer.create(desired);
    const times: (string | undefined)[] = [];
    for (const availability of [failedDiscovery('a'), failedDiscovery('b'), PASSED]) {
      await writer.setAvailability(serviceOf(), availability);
      const { conditions = [] } = service()?.status ?? {};
      assert.deepEqual(
        conditions.map(({ type, reason, message }) => [type, reason, message]),
        [['Available', availability.reason, availability.message]],
      );
      times.push(conditions[0]?.lastTransitionTime);
      await clock.advance(SECOND);
    }
    assert.deepEqual(times, ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', '2026-01-02T03:04:07Z']);
  });
});
