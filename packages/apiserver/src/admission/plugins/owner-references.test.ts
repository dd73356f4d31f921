import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anonymousUser } from '../../authentication/index.js';
import { type ObjectRight, ownerReferencesPermissionEnforcement } from './index.js';
import { object, validate } from './request.testing.js';

/** The user lacks the rights with these verbs. */
function pluginWithout(...verbs: string[]) {
  const asked: ObjectRight[] = [];
  const plugin = ownerReferencesPermissionEnforcement({
    async denial(_, right) {
      asked.push(right);
      return verbs.includes(right.verb) ? 'no rule, <nil>' : undefined;
    },
    mayFinalizeAll: async ({ name }) => name === 'super',
    resourceOf: ({ group, version, kind }) =>
      kind === 'Unknown'
        ? undefined
        : { resource: { group, version, resource: `${kind.toLowerCase()}s` }, namespaced: kind !== 'Node' },
  });
  return { plugin, asked };
}

const owner = (more: object = {}) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '1', ...more });
const owned = (...ownerReferences: ReturnType<typeof owner>[]) => object('Pod', {}, { name: 'a', ownerReferences });
const update = (oldObject: ReturnType<typeof owned>) => ({ operation: 'UPDATE', oldObject }) as const;

// Upstream's table is in `plugin/pkg/admission/gc/gc_admission_test.go`.
describe('OwnerReferencesPermissionEnforcement', () => {
  it('needs the right to delete an object whose owners change', async () => {
    const { plugin, asked } = pluginWithout('delete');
    await validate(plugin, 'pods', owned(owner()));
    await validate(plugin, 'pods', owned(owner()), update(owned(owner())));
    await validate(plugin, 'pods', owned(owner()), { ...update(owned()), subresource: 'status' });
    assert.deepEqual(asked, []);
    for (const [now, before] of [
      [owned(owner()), owned()],
      [owned(), owned(owner())],
      [owned(owner({ uid: '2' })), owned(owner())],
    ] as const) {
      await assert.rejects(validate(plugin, 'pods', now, update(before)), {
        code: 403,
        message: 'pods "a" is forbidden: cannot set an ownerRef on a resource you can\'t delete: no rule, <nil>',
      });
    }
    const resource = { group: '', version: 'v1', resource: 'pods' };
    assert.deepEqual(asked[0], { verb: 'delete', resource, subresource: '', namespace: 'default', name: 'a' });
  });

  it('needs the right to set finalizers of an owner that is newly blocked', async () => {
    const blocking = owner({ blockOwnerDeletion: true });
    const { plugin, asked } = pluginWithout('update');
    await validate(plugin, 'pods', owned(blocking, owner({ uid: '2' })), update(owned(blocking)));
    await validate(plugin, 'pods', owned(owner({ blockOwnerDeletion: false })));
    assert.deepEqual(
      asked.map(({ verb }) => verb),
      ['delete'],
    );
    const message =
      'pods "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: no rule, <nil>';
    await assert.rejects(validate(plugin, 'pods', owned(blocking)), { code: 403, message });
    await assert.rejects(validate(plugin, 'pods', owned(blocking), update(owned(owner()))), { message });
    const resource = { group: 'apps', version: 'v1', resource: 'replicasets' };
    const right = { verb: 'update', resource, subresource: 'finalizers', namespace: 'default', name: 'web' };
    assert.deepEqual(asked.at(-1), right);
    const node = owner({ apiVersion: 'v1', kind: 'Node', blockOwnerDeletion: true });
    await assert.rejects(validate(plugin, 'pods', owned(node)), { message });
    assert.equal(asked.at(-1)?.namespace, '');
  });

  it('counts the last of two owners with the same uid', async () => {
    const [blocking, free] = [owner({ blockOwnerDeletion: true }), owner()];
    const { plugin } = pluginWithout('update');
    await validate(plugin, 'pods', owned(blocking), update(owned(free, blocking)));
    await assert.rejects(validate(plugin, 'pods', owned(blocking), update(owned(blocking, free))), { code: 403 });
  });

  it('asks about no owner when the user may update the finalizers of all objects', async () => {
    const { plugin, asked } = pluginWithout('update');
    const user = { ...anonymousUser, name: 'super' };
    await validate(plugin, 'pods', owned(owner({ kind: 'Unknown', blockOwnerDeletion: true })), { user });
    assert.deepEqual(asked, []);
  });

  it('refuses to block an owner of a kind that does not exist', async () => {
    const { plugin } = pluginWithout();
    await assert.rejects(validate(plugin, 'pods', owned(owner({ kind: 'Unknown', blockOwnerDeletion: true }))), {
      code: 403,
      message:
        'pods "a" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion apps/v1 Kind Unknown: no matches for kind "Unknown" in version "apps/v1"',
    });
  });
});
