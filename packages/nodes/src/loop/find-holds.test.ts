import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { FakeStore, ScriptedTransport } from '@binnacle/client/testing';
import { findHolds } from './find-holds.js';

const { signal } = new AbortController();
const CONFIG_MAPS = '/api/v1/namespaces/n/configmaps';
const SECRETS = '/api/v1/namespaces/n/secrets';

function cluster(objects: Readonly<Record<string, KubernetesObject>>) {
  const store = new FakeStore();
  for (const [path, object] of Object.entries(objects)) {
    store.answer({ method: 'POST', path, body: JSON.stringify(object) });
  }
  const transport = new ScriptedTransport((request) => store.answer(request));
  return {
    client: new DynamicClient(transport),
    paths: () => transport.requests.map(({ path }) => path),
    accepts: () => transport.requests.map(({ headers }) => headers?.['accept']),
  };
}

const configMap = (name: string, rest: Readonly<Record<string, unknown>>): KubernetesObject => {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n' }, ...rest };
};

const fromKey = (sort: 'configMapKeyRef' | 'secretKeyRef', name: string, key: string) => {
  return { name: key.toUpperCase(), valueFrom: { [sort]: { name, key } } };
};

function podWith(env: NonNullable<NonNullable<Pod['spec']>['containers'][number]['env']>): Pod {
  const spec = { containers: [{ name: 'c', env }], automountServiceAccountToken: false };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' }, spec };
}

describe('what holds a pod back', () => {
  it('is nothing, without a request, for a pod that needs no source', async () => {
    const { client, paths } = cluster({});
    assert.deepEqual(await findHolds(podWith([]), client, signal), { holds: new Map() });
    assert.deepEqual(paths(), []);
  });

  it('is nothing when all keys exist, and each source is read once', async () => {
    const data = { data: { a: 'x' }, binaryData: { b: 'eA==' } };
    const secret = { ...configMap('s', { data: { k: 'eA==' } }), kind: 'Secret' };
    const { client, paths } = cluster({ [CONFIG_MAPS]: configMap('m', data), [SECRETS]: secret });
    const env = [
      fromKey('configMapKeyRef', 'm', 'a'),
      fromKey('configMapKeyRef', 'm', 'b'),
      fromKey('secretKeyRef', 's', 'k'),
    ];
    const { mountProblem, holds } = await findHolds(podWith(env), client, signal);
    assert.deepEqual([mountProblem, holds?.size], [undefined, 0]);
    assert.deepEqual(paths(), [`${CONFIG_MAPS}/m`, `${SECRETS}/s`]);
  });

  it('takes the metadata of a source whose keys do not matter', async () => {
    const { client, accepts } = cluster({ [CONFIG_MAPS]: configMap('m', {}) });
    const whole = { name: 'c', envFrom: [{ configMapRef: { name: 'm' } }] };
    const pod = podWith([]);
    await findHolds({ ...pod, spec: { ...pod.spec, containers: [whole] } }, client, signal);
    const env = [fromKey('configMapKeyRef', 'm', 'a')];
    await findHolds({ ...pod, spec: { ...pod.spec, containers: [whole, { name: 'd', env }] } }, client, signal);
    assert.deepEqual(
      accepts().map((accept) => accept?.includes('as=PartialObjectMetadata')),
      [true, false],
    );
  });

  it('is a source or a key that is missing', async () => {
    const { client } = cluster({ [CONFIG_MAPS]: configMap('m', {}) });
    const messageFor = async (env: Parameters<typeof podWith>[0]) =>
      (await findHolds(podWith(env), client, signal)).holds?.get('c');
    const reason = 'CreateContainerConfigError';
    const missing = await messageFor([fromKey('secretKeyRef', 's', 'k')]);
    assert.deepEqual(missing, { reason, message: 'secret "s" not found' });
    const message = "couldn't find key a in ConfigMap n/m";
    assert.deepEqual(await messageFor([fromKey('configMapKeyRef', 'm', 'a')]), { reason, message });
  });

  it('is not known when the cluster does not answer', async () => {
    const client = new DynamicClient(new ScriptedTransport(() => new Error('refused')));
    await assert.rejects(findHolds(podWith([fromKey('secretKeyRef', 's', 'k')]), client, signal), /refused/);
  });
});
