import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anonymousUser } from '../authentication/index.js';
import { type AdmissionRequest, AdmissionRun } from './chain.js';
import type { AdmissionAttributes, AdmissionPlugin } from './plugin.js';
import { unversioned } from './plugins/request.testing.js';

const request: AdmissionRequest = {
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  subresource: '',
  namespace: 'default',
  name: '',
  dryRun: false,
  user: anonymousUser,
  versions: unversioned,
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  optionsOf: (operation) => ({ kind: `options of ${operation}` }),
  warn: () => undefined,
  annotate: () => undefined,
};
const object = { kind: 'Pod', apiVersion: 'v1', metadata: {} };

describe('AdmissionRun', () => {
  it('calls the plugins that handle the operation one after the other, in order', async () => {
    const calls: string[] = [];
    const plugin = (name: string, handled: string): AdmissionPlugin => ({
      name,
      handles: (operation) => operation === handled,
      admit: async ({ operation }) => {
        await Promise.resolve();
        calls.push(`${name} admits ${operation}`);
      },
      validate: ({ operation }) => void calls.push(`${name} validates ${operation}`),
    });
    const run = new AdmissionRun(
      [plugin('one', 'CREATE'), plugin('two', 'DELETE'), plugin('three', 'CREATE')],
      request,
    );
    await run.admitCreate(object);
    await run.validateCreate(object);
    await run.admitUpdate(object, object);
    await run.validateDelete(object);
    assert.deepEqual(calls, [
      'one admits CREATE',
      'three admits CREATE',
      'one validates CREATE',
      'three validates CREATE',
      'two admits DELETE',
      'two validates DELETE',
    ]);
  });

  it('collects the conditions under which a create may be stored', async () => {
    const asked: [string, boolean, string][] = [];
    const plugin = (name: string, handled: string, key?: string): AdmissionPlugin => ({
      name,
      handles: (operation) => operation === handled,
      createCondition: ({ name: given }, isRetry) => {
        asked.push([name, isRetry, given]);
        return key === undefined ? undefined : Promise.resolve({ key, revision: 5 });
      },
    });
    const silent: AdmissionPlugin = { name: 'silent', handles: () => true };
    const plugins = [plugin('one', 'CREATE', '/a'), silent, plugin('two', 'DELETE', '/b'), plugin('three', 'CREATE')];
    const run = new AdmissionRun(plugins, request);
    const named = { ...object, metadata: { name: 'generated' } };
    assert.deepEqual(await run.createConditions(named, true), [{ key: '/a', revision: 5 }]);
    assert.deepEqual(asked, [
      ['one', true, 'generated'],
      ['three', true, 'generated'],
    ]);
  });

  it('gives plugins the new object, the old one, or both, and stops at the first error', async () => {
    const seen: AdmissionAttributes[] = [];
    const recording: AdmissionPlugin = {
      name: 'recording',
      handles: () => true,
      admit: (attributes) => void seen.push(attributes),
    };
    const refusing: AdmissionPlugin = { name: 'refusing', handles: () => true, admit: () => assert.fail('refused') };
    const old = { ...object };
    await new AdmissionRun([recording], request).admitUpdate(object, old);
    await assert.rejects(new AdmissionRun([recording, refusing, recording], request).admitCreate(object), /refused/);
    await new AdmissionRun([recording], request).validateDelete(old);
    assert.deepEqual(
      seen.map((each) => [each.operation, each.object === object, each.oldObject === old]),
      [
        ['UPDATE', true, true],
        ['CREATE', true, false],
        ['DELETE', false, true],
      ],
    );
  });

  it('runs mutating plugins a second time after one has asked for it, and remembers their state', async () => {
    const calls: string[] = [];
    const counting = (name: string, asks: boolean): AdmissionPlugin => {
      const plugin: AdmissionPlugin = {
        name,
        handles: () => true,
        admit({ reinvocation }) {
          const state = reinvocation.stateOf(plugin, () => ({ calls: 0 }));
          state.calls++;
          calls.push(`${name} ${state.calls}${reinvocation.isSecondRound ? ' again' : ''}`);
          if (asks) reinvocation.require();
        },
      };
      return plugin;
    };
    await new AdmissionRun([counting('one', false), counting('two', true)], request).admitCreate(object);
    assert.deepEqual(calls, ['one 1', 'two 1', 'one 2 again', 'two 2 again']);
    calls.length = 0;
    await new AdmissionRun([counting('one', false)], request).admitCreate(object);
    assert.deepEqual(calls, ['one 1']);
  });

  it('shows plugins the options of the operation, and validating ones the generated name', async () => {
    const seen: unknown[] = [];
    const note = (attributes: AdmissionAttributes) => void seen.push([attributes.options?.kind, attributes.name]);
    const plugin: AdmissionPlugin = { name: 'noting', handles: () => true, admit: note, validate: note };
    const run = new AdmissionRun([plugin], request);
    const named = { ...object, metadata: { name: 'a-x7' } };
    await run.admitCreate(named);
    await run.validateCreate(named);
    await run.connect(object);
    assert.deepEqual(seen, [
      ['options of CREATE', ''],
      ['options of CREATE', 'a-x7'],
      ['options of CONNECT', ''],
      ['options of CONNECT', ''],
    ]);
  });
});
