import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@binnacle/api/types/core-v1';
import { podSecurity } from '../index.js';
import { object, type Spec, validate } from '../request.testing.js';
import type { PodSecurityObserver } from './observer.js';
import { describeFindings, evaluatePod } from './evaluate.js';
import { policyOf } from './policy.js';

const PREFIX = 'pod-security.kubernetes.io/';
const hardened: Spec = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [{ name: 'c', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }],
};

function labels(modes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(modes).map(([name, value]) => [PREFIX + name, value]));
}

/** Keeps a line for each decision. */
function observing() {
  const lines: string[] = [];
  const observer: PodSecurityObserver = {
    evaluated: ({ resource }, decision, { level }, mode) =>
      lines.push(`${resource.resource} ${decision} ${mode} ${level}`),
    exempt: ({ resource }) => lines.push(`${resource.resource} exempt`),
    invalidLabels: ({ resource }) => lines.push(`${resource.resource} invalid labels`),
  };
  return { lines, observer };
}

function pluginFor(modes: Record<string, string>, pods: Spec[] = [], { observer } = observing()) {
  const source = {
    namespaceLabels: async () => labels(modes),
    pods: async () =>
      pods.map((spec, index) => ({ metadata: { name: `pod-${index}` }, spec: spec as unknown as PodSpec })),
  };
  return podSecurity(source, observer);
}

function findings(level: 'baseline' | 'restricted', spec: Spec, minor = Number.POSITIVE_INFINITY): string {
  return describeFindings(evaluatePod({ level, minor }, {}, spec as unknown as PodSpec));
}

describe('PodSecurity', () => {
  it('ignores namespaces without labels', () => validate(pluginFor({}), 'pods', object('Pod', { hostNetwork: true })));

  it('refuses pods that violate the level, and lists every violation', async () => {
    const plugin = pluginFor({ enforce: 'restricted' });
    await validate(plugin, 'pods', object('Pod', hardened));
    await assert.rejects(validate(plugin, 'pods', object('Pod', { containers: [{ name: 'nginx', image: 'nginx' }] })), {
      code: 403,
      message:
        'pods "a" is forbidden: violates PodSecurity "restricted:latest": ' +
        'allowPrivilegeEscalation != false (container "nginx" must set securityContext.allowPrivilegeEscalation=false), ' +
        'unrestricted capabilities (container "nginx" must set securityContext.capabilities.drop=["ALL"]), ' +
        'runAsNonRoot != true (pod or container "nginx" must set securityContext.runAsNonRoot=true), ' +
        'seccompProfile (pod or container "nginx" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    });
  });

  it('observes what is enforced, and what any level denies', async () => {
    const seen = observing();
    const bad = { hostNetwork: true, containers: [{ name: 'c' }] };
    const apps = { group: 'apps', version: 'v1', resource: 'deployments' };
    const deployment = object('Deployment', { template: { spec: bad } });
    const pods = async (modes: Record<string, string>, spec: Spec) =>
      Promise.resolve(validate(pluginFor(modes, [], seen), 'pods', object('Pod', spec))).catch(() => undefined);
    await pods({}, bad);
    await pods({ enforce: 'baseline', audit: 'restricted', warn: 'restricted' }, { containers: [{ name: 'c' }] });
    await pods({ enforce: 'baseline' }, bad);
    await pods({ enforce: 'wrong' }, hardened);
    await validate(pluginFor({ enforce: 'baseline' }, [], seen), 'deployments', deployment, { resource: apps });
    assert.deepEqual(seen.lines, [
      'pods allow enforce privileged',
      'pods deny audit restricted',
      'pods allow enforce baseline',
      'pods deny warn restricted',
      'pods deny enforce baseline',
      'pods invalid labels',
      'pods allow enforce restricted',
      'deployments deny warn baseline',
    ]);
  });

  it('warns about workloads, and about pods that violate the warn level', async () => {
    const warnings: string[] = [];
    const warn = (text: string) => warnings.push(text);
    const bad = { hostNetwork: true, containers: [{ name: 'c' }] };
    const deployment = object('Deployment', { template: { spec: bad } });
    const apps = { group: 'apps', version: 'v1', resource: 'deployments' };
    await validate(pluginFor({ enforce: 'baseline' }), 'deployments', deployment, { resource: apps, warn });
    await validate(pluginFor({ warn: 'baseline', 'warn-version': 'v1.25' }), 'pods', object('Pod', bad), { warn });
    assert.deepEqual(warnings, [
      'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      'would violate PodSecurity "baseline:v1.25": host namespaces (hostNetwork=true)',
    ]);
  });

  it('checks an update of a pod only when its images change', async () => {
    const plugin = pluginFor({ enforce: 'restricted' });
    const old = object('Pod', { containers: [{ name: 'c', image: 'a' }] });
    await validate(plugin, 'pods', old, { operation: 'UPDATE', oldObject: old });
    await validate(plugin, 'pods', old, { operation: 'UPDATE', subresource: 'status' });
    const other = object('Pod', { containers: [{ name: 'c', image: 'b' }] });
    await assert.rejects(validate(plugin, 'pods', other, { operation: 'UPDATE', oldObject: old }), { code: 403 });
  });

  it('rejects a namespace with invalid labels, and warns about existing pods', async () => {
    const namespace = (modes: Record<string, string>) => object('Namespace', {}, { name: 'a', labels: labels(modes) });
    await assert.rejects(
      validate(pluginFor({}), 'namespaces', namespace({ enforce: 'strict', 'warn-version': '1.2' })),
      {
        code: 422,
        message:
          'Namespace "a" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, ' +
          'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.2": must be "latest" or "v1.x"]',
      },
    );
    const warnings: string[] = [];
    const bad = { hostPID: true, containers: [] };
    await validate(pluginFor({}, [bad, hardened, bad, bad]), 'namespaces', namespace({ enforce: 'baseline' }), {
      operation: 'UPDATE',
      oldObject: namespace({}),
      warn: (text) => warnings.push(text),
    });
    assert.deepEqual(warnings, [
      'existing pods in namespace "a" violate the new PodSecurity enforce level "baseline:latest"',
      'pod-0 (and 2 other pods): host namespaces',
    ]);
  });
});

describe('levels', () => {
  it('warn at the enforced level by default', () => {
    assert.deepEqual(policyOf(labels({ enforce: 'baseline', 'enforce-version': 'v1.20' })).policy.warn, {
      level: 'baseline',
      minor: 20,
    });
    assert.equal(policyOf(labels({ enforce: 'baseline', warn: 'privileged' })).policy.warn.level, 'privileged');
    assert.equal(policyOf(labels({ enforce: 'nonsense' })).policy.enforce.level, 'restricted');
    assert.equal(policyOf(labels({ enforce: 'nonsense' })).policy.warn.level, 'privileged');
  });
});

const container = (securityContext: Spec, more: Spec = {}) => ({
  containers: [{ name: 'a', securityContext, ...more }],
});

describe('checks of the baseline', () => {
  for (const [spec, found] of [
    [
      container({ capabilities: { add: ['NET_RAW', 'CHOWN', 'BPF'] } }),
      'non-default capabilities (container "a" must not include "BPF", "NET_RAW" in securityContext.capabilities.add)',
    ],
    [{ hostPID: true, hostIPC: true }, 'host namespaces (hostPID=true, hostIPC=true)'],
    [
      {
        volumes: [
          { name: 'v', hostPath: { path: '/' } },
          { name: 'w', hostPath: {} },
        ],
      },
      'hostPath volumes (volumes "v", "w")',
    ],
    [
      container({}, { ports: [{ hostPort: 80 }, { hostPort: 0 }, { hostPort: 443 }] }),
      'hostPort (container "a" uses hostPorts 443, 80)',
    ],
    [
      container(
        {},
        { livenessProbe: { httpGet: { host: 'x' } }, lifecycle: { preStop: { tcpSocket: { host: 'y' } } } },
      ),
      'probe or lifecycle host (container "a" uses probe or lifecycle hosts "x", "y")',
    ],
    [container({ privileged: true }), 'privileged (container "a" must not set securityContext.privileged=true)'],
    [
      container({ procMount: 'Unmasked' }),
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [{ ...container({ procMount: 'Unmasked' }), hostUsers: false }, ''],
    [
      {
        securityContext: { seLinuxOptions: { type: 'odd', role: 'r' } },
        ...container({ seLinuxOptions: { user: 'u' } }),
      },
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: type "odd"; user may not be set; role may not be set)',
    ],
    [
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      { securityContext: { sysctls: [{ name: 'kernel.msgmax' }, { name: 'net.ipv4.tcp_rmem' }] } },
      'forbidden sysctls (kernel.msgmax)',
    ],
    [
      container({ windowsOptions: { hostProcess: true } }),
      'hostProcess (container "a" must not set securityContext.windowsOptions.hostProcess=true)',
    ],
    [
      container({ appArmorProfile: { type: 'Unconfined' } }),
      'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")',
    ],
  ] as const) {
    it(found === '' ? `lets ${JSON.stringify(spec)} be` : found, () => assert.equal(findings('baseline', spec), found));
  }

  it('apply from their versions on', () => {
    const sysctl = { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } };
    assert.equal(findings('baseline', sysctl, 31), 'forbidden sysctls (net.ipv4.tcp_rmem)');
    assert.equal(findings('baseline', container({}, { livenessProbe: { httpGet: { host: 'x' } } }), 33), '');
  });
});

describe('checks of the restricted level', () => {
  for (const [change, found] of [
    [
      {
        volumes: [
          { name: 'v', nfs: {} },
          { name: 'ok', emptyDir: {} },
        ],
      },
      'restricted volume types (volume "v" uses restricted volume type "nfs")',
    ],
    [
      { securityContext: { runAsNonRoot: false, seccompProfile: { type: 'Localhost' } } },
      'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
    ],
    [
      { securityContext: { runAsNonRoot: true, runAsUser: 0, seccompProfile: { type: 'Localhost' } } },
      'runAsUser=0 (pod must not set runAsUser=0)',
    ],
  ] as const) {
    it(found, () => assert.equal(findings('restricted', { ...hardened, ...change }), found));
  }

  it('require less of Windows pods', () => {
    const windows = { os: { name: 'windows' }, securityContext: { runAsNonRoot: true }, containers: [{ name: 'c' }] };
    assert.equal(findings('restricted', windows), '');
    assert.match(findings('restricted', windows, 24), /^allowPrivilegeEscalation != false/);
  });
});

// Upstream's tables are in pod-security-admission `admission/admission_test.go`.
describe('PodSecurity with a configuration', () => {
  const latest = (level: 'privileged' | 'baseline' | 'restricted') => ({ level, minor: Number.POSITIVE_INFINITY });
  const settings = {
    defaults: { enforce: latest('baseline'), audit: latest('restricted'), warn: latest('restricted') },
    exemptions: {
      usernames: new Set(['admin']),
      namespaces: new Set(['exempt']),
      runtimeClasses: new Set(['vm']),
    },
  };
  const bad = { hostNetwork: true, containers: [{ name: 'c' }] };
  const soft = { ...hardened, securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };

  function configured(modes: Record<string, string> = {}, pods: Spec[] = [], { observer } = observing()) {
    const plugin = podSecurity(
      {
        namespaceLabels: async () => labels(modes),
        pods: async () => pods.map((spec) => ({ metadata: { name: 'p' }, spec: spec as unknown as PodSpec })),
      },
      observer,
      settings,
    );
    const warnings: string[] = [];
    const annotations: Record<string, string> = {};
    const attributes = {
      warn: (text: string) => void warnings.push(text),
      annotate: (name: string, value: string) => void (annotations[name] = value),
    };
    return { plugin, warnings, annotations, attributes };
  }

  it('applies its defaults to namespaces without labels', async () => {
    const { plugin, warnings, annotations, attributes } = configured();
    await assert.rejects(validate(plugin, 'pods', object('Pod', bad), attributes), /violates PodSecurity "baseline:/);
    await validate(plugin, 'pods', object('Pod', soft), attributes);
    const violation = /^would violate PodSecurity "restricted:latest": runAsNonRoot/;
    assert.match(warnings[0] ?? '', violation);
    assert.equal(annotations[`${PREFIX}enforce-policy`], 'baseline:latest');
    assert.match(annotations[`${PREFIX}audit-violations`] ?? '', violation);
    const free = configured({ enforce: 'privileged', audit: 'privileged', warn: 'privileged' });
    await validate(free.plugin, 'pods', object('Pod', bad), free.attributes);
    assert.deepEqual(free.annotations, { [`${PREFIX}enforce-policy`]: 'privileged:latest' });
  });

  it('exempts users, namespaces and runtime classes, and says which', async () => {
    for (const [reason, spec, more] of [
      ['user', bad, { user: { name: 'admin', uid: '', groups: [], extra: {} } }],
      ['namespace', bad, { namespace: 'exempt' }],
      ['runtimeClass', { ...bad, runtimeClassName: 'vm' }, {}],
    ] as const) {
      const seen = observing();
      const { plugin, annotations, warnings, attributes } = configured({}, [], seen);
      await validate(plugin, 'pods', object('Pod', spec), { ...attributes, ...more });
      assert.deepEqual(seen.lines, ['pods exempt']);
      assert.deepEqual(annotations, { [`${PREFIX}exempt`]: reason });
      assert.deepEqual(warnings, []);
    }
  });

  it('warns that the labels of an exempt namespace have no effect', async () => {
    const { plugin, warnings, attributes } = configured();
    const metadata = { name: 'exempt', labels: labels({ enforce: 'restricted' }) };
    const namespace = { ...attributes, namespace: 'exempt', name: 'exempt' };
    await validate(plugin, 'namespaces', object('Namespace', {}, metadata), namespace);
    await validate(plugin, 'namespaces', object('Namespace', {}, { name: 'exempt' }), namespace);
    assert.deepEqual(warnings, [
      'namespace "exempt" is exempt from Pod Security, and the policy (enforce=restricted:latest) will be ignored',
    ]);
  });

  it('leaves pods with an exempt runtime class out of warnings about existing pods', async () => {
    const { plugin, warnings, attributes } = configured({}, [{ ...bad, runtimeClassName: 'vm' }]);
    const strict = object('Namespace', {}, { name: 'a', labels: labels({ enforce: 'restricted' }) });
    const oldObject = object('Namespace', {}, { name: 'a' });
    await validate(plugin, 'namespaces', strict, { ...attributes, operation: 'UPDATE', oldObject });
    assert.deepEqual(warnings, []);
  });
});
