import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RoleBinding, Subject } from './role-source.js';
import { SubjectIndex } from './subject-index.js';

const roleRef = { kind: 'ClusterRole', name: 'reader' };
const binding = (name: string, subjects: readonly Subject[] | null, namespace?: string): RoleBinding => ({
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  roleRef,
  subjects,
});
const user = (name: string): Subject => ({ kind: 'User', name });
const group = (name: string): Subject => ({ kind: 'Group', name });
const who = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });

function namesOf(index: SubjectIndex, ...asked: Parameters<SubjectIndex['bindingsOf']>): unknown[] {
  return index.bindingsOf(...asked).map(({ metadata }) => metadata.name);
}

describe('SubjectIndex', () => {
  it('finds the bindings of a user and its groups, in order and each once', () => {
    const index = new SubjectIndex();
    index.update([
      binding('a', [group('dev')]),
      binding('b', [user('eve')]),
      binding('c', [user('jane'), group('dev'), group('ops')]),
      binding('d', null),
      binding('e', [user('jane')]),
    ]);
    assert.deepEqual(namesOf(index, who('jane', 'ops', 'dev'), ''), ['a', 'c', 'e']);
    assert.deepEqual(namesOf(index, who('nobody'), ''), []);
    assert.deepEqual(namesOf(index, who('dev'), ''), [], 'a group is not a user');
  });

  it('keeps namespaces apart, and finds service accounts by their user names', () => {
    const index = new SubjectIndex();
    const account = { kind: 'ServiceAccount', name: 'bot' };
    index.update([
      binding('a', [account], 'one'),
      binding('b', [{ ...account, namespace: 'one' }], 'two'),
      binding('c', [{ ...account, namespace: 'one' }]),
      binding('d', [account]),
    ]);
    const bot = who('system:serviceaccount:one:bot');
    assert.deepEqual(
      ['one', 'two', '', 'three'].map((namespace) => namesOf(index, bot, namespace)),
      [['a'], ['b'], ['c'], []],
    );
  });

  it('follows bindings that are new, changed and gone', () => {
    const index = new SubjectIndex();
    const [first, last] = [binding('a', [user('jane')]), binding('z', [user('jane')])];
    index.update([first, last]);
    index.update([first, binding('m', [user('jane')]), last]);
    assert.deepEqual(namesOf(index, who('jane'), ''), ['a', 'm', 'z']);
    index.update([binding('a', [user('eve')]), last]);
    assert.deepEqual([namesOf(index, who('jane'), ''), namesOf(index, who('eve'), '')], [['z'], ['a']]);
  });
});
