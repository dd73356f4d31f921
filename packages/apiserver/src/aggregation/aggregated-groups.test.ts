import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveRuntimeConfig } from '@binnacle/api/table';
import { servedSource } from '../discovery/index.js';
import { aggregatedGroups, listedGroups } from './aggregated-groups.js';
import { builtInServices } from './own-services.js';
import { type RegisteredService, serviceName } from './registered-service.js';

const backend = { namespace: 'n', name: 's', port: 443, caBundle: '', insecure: false };
const registered = (group: string, version: string, priorities: readonly [number, number], remote: boolean) => ({
  name: serviceName({ group, version }),
  uid: 'u',
  group,
  version,
  groupPriority: priorities[0],
  versionPriority: priorities[1],
  backend: remote ? backend : undefined,
  isAvailable: true,
  reason: '',
  managed: undefined,
});
const local = servedSource(resolveRuntimeConfig(undefined)).groups();
const builtIn: RegisteredService[] = builtInServices(local).map((each) =>
  registered(each.group, each.version, [each.groupPriority, each.versionPriority], false),
);
const shown = (groups: readonly { group: string; versions: readonly { version: string }[] }[]) =>
  groups.map(({ group, versions }) => `${group}/${versions.map(({ version }) => version).join()}`);

describe('groups in discovery', () => {
  it('of built-in APIServices are in the order of the built-in groups', () => {
    assert.deepEqual(shown(listedGroups(builtIn, [])).sort(), shown(local).sort());
    assert.deepEqual(shown(listedGroups(builtIn, [])).slice(0, 4), [
      'apiregistration.k8s.io/v1',
      '/v1',
      'apps/v1',
      'events.k8s.io/v1',
    ]);
    assert.deepEqual(shown(aggregatedGroups(local, [], () => assert.fail())), shown(listedGroups(builtIn, [])));
  });

  it('go by priority, and their versions too', () => {
    const services = [
      registered('low', 'v1', [5, 10], true),
      registered('high', 'v1beta1', [20, 10], true),
      registered('high', 'v2', [19, 10], true),
      registered('high', 'v3alpha1', [19, 90], true),
    ];
    const groups = shown(listedGroups(services, [{ group: 'custom', versions: [{ version: 'v1', resources: [] }] }]));
    assert.deepEqual(groups, ['apiregistration.k8s.io/v1', 'custom/v1', 'high/v3alpha1,v2,v1beta1', 'low/v1']);
  });

  it('of APIServices themselves come first, whatever an APIService says', () => {
    const services = [registered('apiregistration.k8s.io', 'v1', [1, 1], false), ...builtIn];
    assert.deepEqual(shown(listedGroups(services, [])), shown(listedGroups(builtIn, [])));
  });

  it('of other servers have what is known of their resources', () => {
    const services = [registered('far', 'v1', [5, 10], true), registered('gone', 'v1', [5, 10], false)];
    const groups = aggregatedGroups(local, services, () => ({
      resources: [{ resource: 'things' }],
      freshness: 'Stale',
    }));
    assert.deepEqual(groups.at(-1), {
      group: 'far',
      versions: [{ version: 'v1', resources: [], described: [{ resource: 'things' }], freshness: 'Stale' }],
    });
    assert.ok(!groups.some(({ group }) => group === 'gone'));
  });
});
