import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import { mergeV2 } from './merge-v2.js';
import { readRemoteV2 } from './remote-v2.js';

const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const operation = (name: string) => ({ get: { responses: { 200: { description: 'OK', schema: ref(name) } } } });
const remote = {
  swagger: '2.0',
  info: { title: 'Things', version: '1.0', license: {} },
  paths: {
    '/apis/g/v1/things': operation('Thing'),
    '/apis/g/v1': operation('Thing'),
    '/api/v1/pods': operation('Pod'),
  },
  definitions: {
    Thing: { type: 'object', properties: { meta: ref('Meta'), self: ref('Thing') } },
    Meta: { type: 'object', description: 'theirs' },
    Pod: { type: 'object' },
  },
};

describe('parts of the v2 document', () => {
  const part = finish(readRemoteV2(remote, '/apis/g/v1/'));

  it('are the paths of the group and version, and what they refer to', () => {
    assert.deepEqual(part, {
      info: { title: 'Things', version: '1.0' },
      paths: { '/apis/g/v1/things': operation('Thing') },
      definitions: { Thing: remote.definitions.Thing, Meta: remote.definitions.Meta },
      parameters: {},
    });
    for (const garbage of [null, 7, [], {}, { swagger: '3' }, 'x']) {
      assert.equal(finish(readRemoteV2(garbage, '/')), undefined);
    }
    assert.deepEqual(finish(readRemoteV2({ swagger: '2.0', paths: 7, definitions: [] }, '/')), {
      info: { title: '', version: '' },
      paths: {},
      definitions: {},
      parameters: {},
    });
  });

  it('give no definition the name of another one of the same part', () => {
    const definitions = { Foo: { type: 'object' }, Foo_v2: { type: 'boolean' } };
    const own = { definitions: { Foo: { type: 'string' } } };
    const paths = { '/x': operation('Foo'), '/y': operation('Foo_v2') };
    const added = { info: { title: '', version: '' }, paths, definitions, parameters: {} };
    assert.deepEqual(finish(mergeV2(own, [added])), {
      paths: { '/x': operation('Foo_v3'), '/y': operation('Foo_v2') },
      definitions: { Foo: own.definitions.Foo, Foo_v2: definitions.Foo_v2, Foo_v3: definitions.Foo },
      parameters: {},
    });
  });

  it('are merged, and definitions that differ get another name', () => {
    assert.ok(part);
    const own = {
      swagger: '2.0',
      paths: { '/z': {}, '/apis/g/v1/kept': {} },
      definitions: { Meta: { type: 'object', description: 'ours' }, Meta_v2: { type: 'string' } },
      parameters: {},
    };
    assert.deepEqual(finish(mergeV2(own, [part, part])), {
      swagger: '2.0',
      paths: { '/apis/g/v1/kept': {}, '/apis/g/v1/things': operation('Thing'), '/z': {} },
      definitions: {
        Meta: { type: 'object', description: 'ours' },
        Meta_v2: { type: 'string' },
        Meta_v3: { type: 'object', description: 'theirs' },
        Thing: { type: 'object', properties: { meta: ref('Meta_v3'), self: ref('Thing') } },
      },
      parameters: {},
    });
  });
});
