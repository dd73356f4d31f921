import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf, seededRandom } from '@binnacle/apimachinery/clock';
import type { ServiceAccount } from '@binnacle/api/types/core-v1';
import { serviceAccount } from './index.js';
import { admit, object, type Spec, validate } from './request.testing.js';

const noPause = { pause: async () => undefined, random: seededRandom(1) };

describe('ServiceAccount', () => {
  const account = (parts: ServiceAccount) => serviceAccount({ serviceAccount: async () => parts }, noPause);
  const pod = (spec: Spec = {}) => object('Pod', { containers: [{ name: 'c' }], ...spec });

  it('sets the account of a pod and mounts its token, once', async () => {
    const given = pod();
    const spec = await admit(account({}), 'pods', given);
    assert.equal(spec.serviceAccountName, 'default');
    const [volume] = spec.volumes as { name: string }[];
    assert.match(volume?.name ?? '', /^kube-api-access-[a-z0-9]{5}$/);
    const [container] = spec.containers as { volumeMounts: unknown }[];
    assert.deepEqual(container?.volumeMounts, [
      { name: volume?.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ]);
    const before = structuredClone(spec);
    assert.deepEqual(await admit(account({}), 'pods', given), before);
  });

  it('ignores volumes without a name, which validation rejects', async () => {
    const spec = await admit(account({}), 'pods', pod({ volumes: [{}] }));
    assert.equal((spec.volumes as unknown[]).length, 2);
  });

  it('mounts no token when pod or account opt out, and the pod takes precedence', async () => {
    const off = { automountServiceAccountToken: false };
    assert.equal((await admit(account({}), 'pods', pod(off))).volumes, undefined);
    assert.equal((await admit(account(off), 'pods', pod())).volumes, undefined);
    assert.ok((await admit(account(off), 'pods', pod({ automountServiceAccountToken: true }))).volumes !== undefined);
  });

  it("copies the account's pull secrets", async () => {
    const secrets = [{ name: 's' }];
    const spec = await admit(account({ imagePullSecrets: secrets }), 'pods', pod());
    assert.deepEqual(spec.imagePullSecrets, secrets);
    assert.notEqual(spec.imagePullSecrets, secrets);
  });

  it('admits mirror pods that use no API objects', async () => {
    const mirror = (spec: Spec) =>
      validate(
        account({}),
        'pods',
        object('Pod', spec, { name: 'a', annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      );
    await mirror({ containers: [{ name: 'c' }] });
    const volumes = (source: Spec) => ({ volumes: [{ name: 'v', ...source }] });
    for (const [spec, why] of [
      [{ serviceAccountName: 'x' }, 'a mirror pod may not reference service accounts'],
      [volumes({ secret: { secretName: 's' } }), 'a mirror pod may not reference secrets'],
      [volumes({ cephfs: { secretRef: { name: 's' } } }), 'a mirror pod may not reference secrets'],
      [
        volumes({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }),
        'a mirror pod may not use ServiceAccountToken volume projections',
      ],
    ] as const) {
      await assert.rejects(mirror(spec), { message: `pods "a" is forbidden: ${why}` });
    }
  });

  it('refuses a pod with a missing account', async () => {
    const absent = serviceAccount({ serviceAccount: async () => undefined }, noPause);
    await assert.rejects(admit(absent, 'pods', pod({ serviceAccountName: 'x' })), {
      code: 403,
      message: /error looking up service account default\/x: serviceaccount "x" not found/,
    });
  });

  it('retries up to ten times for the default account of a new namespace', async () => {
    const pauses: number[] = [];
    const retries = {
      pause: async (milliseconds: number) => void pauses.push(milliseconds),
      random: randomOf(() => 0.5),
    };
    let asked = 0;
    const appearing = serviceAccount({ serviceAccount: async () => (++asked < 4 ? undefined : {}) }, retries);
    await admit(appearing, 'pods', pod());
    assert.deepEqual(pauses, [150, 150, 150]);
    pauses.length = 0;
    const absent = serviceAccount({ serviceAccount: async () => undefined }, retries);
    await assert.rejects(admit(absent, 'pods', pod()), {
      code: 403,
      message:
        'pods "a" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    });
    assert.equal(pauses.length, 9);
    pauses.length = 0;
    await assert.rejects(admit(absent, 'pods', pod({ serviceAccountName: 'x' })), { code: 403 });
    assert.equal(pauses.length, 0);
  });
});

describe('an account that enforces mountable secrets', () => {
  const enforcing = (value = 'true'): ServiceAccount => ({
    metadata: { name: 'robot', annotations: { 'kubernetes.io/enforce-mountable-secrets': value } },
    secrets: [{ name: 'known' }],
    imagePullSecrets: [{ name: 'pull' }],
  });
  const plugin = (value?: string) => serviceAccount({ serviceAccount: async () => enforcing(value) }, noPause);
  const because = 'is not allowed because service account robot does not reference that';
  const env = (name: string) => ({ env: [{ name: 'V', valueFrom: { secretKeyRef: { name, key: 'k' } } }] });
  const envFrom = (name: string) => ({ envFrom: [{ secretRef: { name } }] });
  const spec = (parts: Spec): Spec => ({ serviceAccountName: 'robot', containers: [{ name: 'c' }], ...parts });
  const everyWay = (name: string, pull: string): Spec[] => [
    { volumes: [{ name: 'v', secret: { secretName: name } }] },
    { initContainers: [{ name: 'i', ...env(name) }] },
    { initContainers: [{ name: 'i', ...envFrom(name) }] },
    { containers: [{ name: 'c', ...env(name) }] },
    { containers: [{ name: 'c', ...envFrom(name) }] },
    { imagePullSecrets: [{ name: 'pull' }, { name: pull }] },
  ];

  it('refuses a pod that uses an unlisted secret, in each place', async () => {
    const reasons = [
      `volume with secret.secretName="other" ${because} secret`,
      `init container i with envVar V referencing secret.secretName="other" ${because} secret`,
      `init container i with envFrom referencing secret.secretName="other" ${because} secret`,
      `container c with envVar V referencing secret.secretName="other" ${because} secret`,
      `container c with envFrom referencing secret.secretName="other" ${because} secret`,
      `imagePullSecrets[1].name="other" ${because} imagePullSecret`,
    ];
    for (const [index, parts] of everyWay('other', 'other').entries()) {
      const refused = { code: 403, message: `pods "a" is forbidden: ${reasons[index]}` };
      await assert.rejects(admit(plugin(), 'pods', object('Pod', spec(parts))), refused);
      await assert.rejects(validate(plugin(), 'pods', object('Pod', spec(parts))), refused);
      await admit(plugin('no'), 'pods', object('Pod', spec(parts)));
    }
  });

  it('admits a pod that uses a listed secret, or whose account does not enforce the list', async () => {
    for (const parts of everyWay('known', 'pull')) await admit(plugin(), 'pods', object('Pod', spec(parts)));
    const projected = { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'other' } }] } }] };
    await admit(plugin(), 'pods', object('Pod', spec(projected)));
  });

  it('checks the ephemeral containers of an update', async () => {
    const update = { operation: 'UPDATE', subresource: 'ephemeralcontainers' } as const;
    const add = (parts: Spec) =>
      validate(plugin(), 'pods', object('Pod', spec({ ephemeralContainers: [{ name: 'e', ...parts }] })), update);
    await add(env('known'));
    for (const [parts, how] of [
      [env('other'), 'envVar V'],
      [envFrom('other'), 'envFrom'],
    ] as const) {
      const message = `ephemeral container e with ${how} referencing secret.secretName="other" ${because} secret`;
      await assert.rejects(add(parts), { code: 500, message });
    }
    const other = object('Pod', spec({ containers: [{ name: 'c', ...env('other') }] }));
    await validate(plugin(), 'pods', other, { operation: 'UPDATE' });
  });
});
