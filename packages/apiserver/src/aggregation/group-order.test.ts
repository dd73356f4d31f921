import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupsInOrder } from './group-order.js';

/** `group/version group priority version priority` */
function parsed(text: string) {
  const [path = '', groupPriority = '', versionPriority = ''] = text.split(' ');
  const [group = '', version = ''] = path.split('/');
  return { group, version, groupPriority: Number(groupPriority), versionPriority: Number(versionPriority) };
}

for (const [what, services, tie, expected] of [
  ['the higher priority first', 'b/v1 1 1,a/v1 2 1', 'group', 'a:v1 b:v1'],
  ['the highest priority of a group for the whole group', 'a/v1 1 1,b/v1 2 1,a/v2 3 1', 'group', 'a:v2,v1 b:v1'],
  ['the name of the group among equals', 'b/v1 1 1,a/v2 1 1', 'group', 'a:v2 b:v1'],
  ['the name of the first service among equals', 'b/v1 1 1,a/v2 1 1', 'service', 'b:v1 a:v2'],
  ['the name of a service with that priority', 'a/v1 1 1,a/v3 2 1,b/v2 2 1', 'service', 'b:v2 a:v3,v1'],
  ['versions by their priority', 'a/v1beta1 1 9,a/v2 1 2', 'group', 'a:v1beta1,v2'],
  ['then by their stability and number', 'a/v1beta1 1 1,a/v1 1 1,a/v2 1 1', 'group', 'a:v2,v1,v1beta1'],
] as const) {
  it(`groups in order have ${what}`, () => {
    const groups = groupsInOrder(services.split(',').map(parsed), tie);
    const texts = groups.map(({ group, versions }) => `${group}:${versions.map(({ version }) => version).join()}`);
    assert.equal(texts.join(' '), expected);
  });
}
