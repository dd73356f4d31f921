import assert from 'node:assert/strict';
import { ApiextensionsV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from './client-node.mjs';
import { eventually, inNamespace, refused } from './support.mjs';

const group = 'node.example.com';
const definition = {
  metadata: { name: `kites.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'kites', kind: 'Kite' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['length'],
                properties: { length: { type: 'integer', minimum: 1 }, colour: { type: 'string', _default: 'red' } },
              },
              status: { type: 'object', properties: { flying: { type: 'boolean' } } },
            },
          },
        },
      },
    ],
  },
};

/** Defines a kind and writes objects of it. */
export const walkCustomObjects = (config, namespace) =>
  inNamespace(config, namespace, async () => {
    const extensions = config.makeApiClient(ApiextensionsV1Api);
    const objects = config.makeApiClient(CustomObjectsApi);
    await extensions.createCustomResourceDefinition({ body: definition });
    await eventually('the kind is established', async () => {
      const { status } = await extensions.readCustomResourceDefinition({ name: definition.metadata.name });
      return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
    });
    const kites = { group, version: 'v1', namespace, plural: 'kites' };
    const kite = (name, length) => ({
      apiVersion: `${group}/v1`,
      kind: 'Kite',
      metadata: { name },
      spec: { length },
    });
    const red = await objects.createNamespacedCustomObject({
      ...kites,
      body: { ...kite('a', 2), spec: { length: 2, lost: true } },
    });
    assert.deepEqual(red.spec, { length: 2, colour: 'red' });
    await refused(objects.createNamespacedCustomObject({ ...kites, body: kite('b', 0) }), 422, 'Invalid');
    const a = { ...kites, name: 'a' };
    const flying = await objects.replaceNamespacedCustomObjectStatus({
      ...a,
      body: { ...red, status: { flying: true } },
    });
    assert.equal(flying.status.flying, true);
    await refused(
      objects.replaceNamespacedCustomObject({ ...a, body: { ...red, spec: { length: 3 } } }),
      409,
      'Conflict',
    );

    const patch = (strategy, body, options) =>
      objects.patchNamespacedCustomObject({ ...a, body, ...options }, setHeaderOptions('Content-Type', strategy));
    assert.equal((await patch(PatchStrategy.MergePatch, { spec: { colour: 'blue' } })).spec.colour, 'blue');
    const operations = [{ op: 'replace', path: '/spec/length', value: 5 }];
    assert.equal((await patch(PatchStrategy.JsonPatch, operations)).spec.length, 5);
    await refused(patch(PatchStrategy.StrategicMergePatch, {}), 415, 'UnsupportedMediaType');
    await refused(patch(PatchStrategy.ServerSideApply, kite('a', 7), { fieldManager: 'two' }), 409, 'Conflict');
    const forced = await patch(PatchStrategy.ServerSideApply, kite('a', 7), { fieldManager: 'two', force: true });
    assert.equal(forced.spec.length, 7);

    for (const name of ['b', 'c']) await objects.createNamespacedCustomObject({ ...kites, body: kite(name, 1) });
    const page = await objects.listNamespacedCustomObject({ ...kites, limit: 2 });
    const rest = await objects.listNamespacedCustomObject({ ...kites, limit: 2, _continue: page.metadata.continue });
    assert.deepEqual(
      [...page.items, ...rest.items].map(({ metadata }) => metadata.name),
      ['a', 'b', 'c'],
    );
    await objects.deleteNamespacedCustomObject(a);
    await extensions.deleteCustomResourceDefinition({ name: definition.metadata.name });
  });
