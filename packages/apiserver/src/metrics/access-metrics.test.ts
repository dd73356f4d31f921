import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { unauthorized } from '@binnacle/apimachinery/status';
import { AdmissionRun, Reinvocation } from '../admission/index.js';
import { anonymousUser } from '../authentication/index.js';
import type { Decision } from '../authorization/index.js';
import { observedAuthenticate, observedAuthorizer } from './access-metrics.js';
import { admissionSteps, observedPlugins } from './admission-metrics.js';
import { attributes } from './attributes.testing.js';

async function counts(registry: MetricRegistry, pattern: RegExp): Promise<string[]> {
  return formatText(await registry.gather())
    .split('\n')
    .filter((line) => pattern.test(line));
}

const clock = new VirtualClock();

describe('access metrics', () => {
  it('count authentications, without names of users', async () => {
    const registry = new MetricRegistry();
    const names = ['kubelet', 'jane', 'joe', 'jane@example.com'];
    const authenticate = observedAuthenticate(
      ({ bearerToken }) => {
        const name = names[Number(bearerToken)];
        if (name === undefined) throw unauthorized();
        const user = { ...anonymousUser, name };
        return name === 'joe' ? Promise.resolve(user) : user;
      },
      registry,
      clock,
    );
    for (const index of names.keys()) {
      assert.equal((await authenticate({ bearerToken: String(index) })).name, names[index]);
    }
    assert.throws(() => authenticate({ bearerToken: 'wrong' }));
    assert.deepEqual(
      await counts(registry, /^authentica(ted_user_requests|tion_(attempts|duration_seconds_count))\{/),
      [
        'authenticated_user_requests{username="kubelet"} 1',
        'authenticated_user_requests{username="other"} 2',
        'authenticated_user_requests{username="email_id"} 1',
        'authentication_attempts{result="success"} 4',
        'authentication_attempts{result="error"} 1',
        'authentication_duration_seconds_count{result="success"} 4',
        'authentication_duration_seconds_count{result="error"} 1',
      ],
    );
  });

  it('count authorizations by decision', async () => {
    const registry = new MetricRegistry();
    const decisions: (() => Decision | Promise<Decision>)[] = [
      () => ({ allowed: true, reason: '' }),
      () => Promise.resolve({ allowed: true, reason: '' }),
      () => ({ allowed: false, reason: '' }),
      () => ({ allowed: false, denied: true, reason: '' }),
      () => Promise.reject(new Error('the webhook is gone')),
    ];
    const authorizer = observedAuthorizer(
      { authorize: () => decisions.shift()?.() ?? { allowed: false, reason: 'none left' } },
      registry,
      clock,
    );
    assert.deepEqual(authorizer.authorize(attributes), { allowed: true, reason: '' }, 'at once');
    for (let rest = 3; rest > 0; rest--) await authorizer.authorize(attributes);
    await assert.rejects(async () => authorizer.authorize(attributes), /webhook/);
    assert.deepEqual(await counts(registry, /^authorization_attempts_total\{/), [
      'authorization_attempts_total{result="allowed"} 2',
      'authorization_attempts_total{result="no-opinion"} 1',
      'authorization_attempts_total{result="denied"} 1',
      'authorization_attempts_total{result="error"} 1',
    ]);
  });

  it('measure admission plugins without changing them', async () => {
    const registry = new MetricRegistry();
    const plugin = {
      name: 'Picky',
      refuses: false,
      handles: (operation: string) => operation === 'CREATE',
      admit() {
        if (this.refuses) throw unauthorized();
      },
    };
    const [observed] = observedPlugins([plugin], registry, clock);
    assert.ok(observed);
    assert.ok(!('validate' in observed));
    assert.deepEqual([observed.handles('CREATE'), observed.handles('DELETE')], [true, false]);
    const gvk = { group: '', version: 'v1' };
    const request = {
      operation: 'CREATE' as const,
      kind: { ...gvk, kind: 'Pod' },
      resource: { ...gvk, resource: 'pods' },
      subresource: '',
      namespace: '',
      name: '',
      object: undefined,
      oldObject: undefined,
      options: undefined,
      optionsOf: () => undefined,
      versions: {
        equivalents: () => [],
        encode: () => Buffer.alloc(0),
        document: () => ({}),
        decode: () => assert.fail('not expected'),
      },
      reinvocation: new Reinvocation(),
      dryRun: false,
      user: anonymousUser,
      signal: new AbortController().signal,
      deadline: Number.POSITIVE_INFINITY,
      warn: () => undefined,
      annotate: () => undefined,
    };
    assert.equal(observed.admit?.(request), undefined);
    plugin.refuses = true;
    assert.throws(() => observed.admit?.(request));
    const run = new AdmissionRun([observed], request, admissionSteps(registry, clock));
    await assert.rejects(run.admitCreate({ kind: 'Pod', apiVersion: 'v1', metadata: {} }));
    await run.validateCreate({ kind: 'Pod', apiVersion: 'v1', metadata: {} });
    assert.deepEqual(await counts(registry, /^apiserver_admission_controller_admission_duration_seconds_count/), [
      'apiserver_admission_controller_admission_duration_seconds_count{name="Picky",operation="CREATE",rejected="false",type="admit"} 1',
      'apiserver_admission_controller_admission_duration_seconds_count{name="Picky",operation="CREATE",rejected="true",type="admit"} 2',
    ]);
    assert.deepEqual(await counts(registry, /^apiserver_admission_step_admission_duration_seconds_count/), [
      'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="true",type="admit"} 1',
      'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="false",type="validate"} 1',
    ]);
  });
});
