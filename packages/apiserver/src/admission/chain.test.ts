import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anonymousUser } from '../authentication/index.js';
import { AdmissionRun } from './chain.js';
import type { AdmissionAttributes, AdmissionPlugin } from './plugin.js';

const request = {
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  subresource: '',
  namespace: 'default',
  name: 'a',
  dryRun: false,
  user: anonymousUser,
  warn: () => undefined,
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
});
