import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap } from '../testing/index.js';
import { checkPreconditions, checkVersion } from './update-checks.js';

const info = {
  resource: { group: '', resource: 'configmaps' },
  kind: { group: '', kind: 'ConfigMap' },
  namespaced: true,
  prefix: '/registry/configmaps/',
};

describe('checkPreconditions', () => {
  const request = { key: '/registry/configmaps/default/a', name: 'a' };
  const actual = { uid: 'u', resourceVersion: '7' };
  for (const [preconditions, message] of [
    [{}, undefined],
    [{ uid: 'u', resourceVersion: '7' }, undefined],
    [{ uid: 'v' }, /Precondition failed: UID in precondition: v, UID in object meta: u$/],
    [{ uid: 'u', resourceVersion: '8' }, /ResourceVersion in precondition: 8, ResourceVersion in object meta: 7$/],
  ] as const) {
    it(`${JSON.stringify(preconditions)}: ${message === undefined ? 'holds' : 'fails'}`, () => {
      const check = () => checkPreconditions(info, { ...request, preconditions }, actual);
      if (message === undefined) check();
      else assert.throws(check, { code: 409, message });
    });
  }
});

describe('checkVersion', () => {
  for (const [version, allowUnconditionalUpdate, expected] of [
    [undefined, undefined, '7'],
    ['', true, '7'],
    ['0', true, '7'],
    ['7', false, '7'],
    ['6', true, 409],
    ['', false, 422],
    ['seven', true, 500],
  ] as const) {
    it(`${version ?? 'no version'}, ${allowUnconditionalUpdate === false ? 'a version is required' : 'a version is optional'}: ${expected}`, () => {
      const object = configMap('a');
      if (version !== undefined) object.metadata.resourceVersion = version;
      const strategy = allowUnconditionalUpdate === undefined ? {} : { allowUnconditionalUpdate };
      const check = () => checkVersion(info, strategy, 'a', object, 7);
      if (typeof expected === 'number') {
        assert.throws(check, { code: expected });
        return;
      }
      check();
      assert.equal(object.metadata.resourceVersion, expected);
    });
  }
});
