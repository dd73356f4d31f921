import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { configMap, testResource } from '../testing/index.js';

const KEY = '/registry/configmaps/default/a';

describe('encodeObject', () => {
  it('refuses an object that nests too deep to be read back inside a list', async () => {
    await using resource = testResource();
    const nested = (levels: number): KubernetesObject => {
      const object = configMap('a');
      let fieldsV1: JsonObject = {};
      for (let level = 0; level < levels; level++) fieldsV1 = { 'f:a': fieldsV1 };
      object.metadata.managedFields = [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsV1 }];
      return object;
    };
    const tooDeep = /nests too deeply/;
    const write = (levels: number) =>
      resource.storage.update(KEY, undefined, () => ({ type: 'write', object: nested(levels) }));
    await assert.rejects(resource.storage.create(KEY, nested(988)), tooDeep);
    await assert.rejects(write(995), tooDeep);
    assert.equal(await resource.storage.get(KEY), undefined);

    await write(980);
    const stored = await resource.storage.get(KEY);
    assert.ok(stored !== undefined);
    const list = Buffer.concat([Buffer.from('{"rows":[{"object":'), stored.json(), Buffer.from('}]}')]);
    assert.ok(parseJson(list).value !== null);
  });
});
