import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ContainerPort, PodSpec } from '@binnacle/api/types/core-v1';
import { podWarnings } from './pod-warnings.js';
import { deploymentStrategy, statefulSetStrategy } from '../workloads.js';

const said = (spec: Partial<PodSpec>): string[] => podWarnings({ spec: { containers: [], ...spec } });
const ports = (...list: ContainerPort[]): string[] => said({ containers: [{ name: 'c', ports: list }] });
const tcp = (port: Omit<ContainerPort, 'containerPort'>): ContainerPort => ({
  containerPort: 80,
  protocol: 'TCP',
  ...port,
});

describe('pod warnings', () => {
  it('are absent for an ordinary pod', () => {
    const resources = { requests: { memory: '1Gi', cpu: '100m' } };
    const env = [
      { name: 'A', value: 'a' },
      { name: 'A', value: '$(A)b' },
    ];
    assert.deepEqual(
      said({ containers: [{ name: 'c', resources, env, ports: [tcp({}), tcp({ protocol: 'UDP' })] }] }),
      [],
    );
  });

  it('name deprecated node labels, and invalid label values', () => {
    const term = { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'In', values: ['linux', 'a b'] }] };
    const said1 = said({
      nodeSelector: { 'beta.kubernetes.io/arch': 'amd64', constructor: 'x' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: { matchExpressions: [{ key: 'node-role.kubernetes.io/master', operator: 'Exists' }] },
            },
          ],
        },
      },
    });
    const [selector, key, value, preferred, ...rest] = said1;
    const required = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]';
    assert.equal(
      selector,
      'spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead',
    );
    const os = 'beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead';
    assert.equal(key, `${required}.matchExpressions[0].key: ${os}`);
    assert.ok(value?.startsWith(`${required}.matchExpressions[0].values[1]: a b is invalid, a valid label must be`));
    assert.equal(
      preferred,
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: node-role.kubernetes.io/master is use "node-role.kubernetes.io/control-plane" instead',
    );
    assert.deepEqual(rest, []);
  });

  it('name selectors that match nothing', () => {
    const topologyKey = 'failure-domain.beta.kubernetes.io/zone';
    const nothing = 'labelSelector: a null labelSelector results in matching no pod';
    assert.deepEqual(
      said({
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' }],
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'x' },
              { topologyKey: 'x', labelSelector: {} },
            ],
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'x' } }],
          },
        },
      }),
      [
        `spec.topologySpreadConstraints[0].topologyKey: ${topologyKey} is deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
        `spec.topologySpreadConstraints[0].${nothing}`,
        `spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].${nothing}`,
        `spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.${nothing}`,
      ],
    );
  });

  it('name duplicate, empty and deprecated values, and fractions', () => {
    assert.deepEqual(
      said({
        terminationGracePeriodSeconds: -1,
        hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }],
        imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
        volumes: [
          { name: 'a', storageos: {} },
          { name: 'b', ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '500m' } } } } } },
        ],
        containers: [
          {
            name: 'c',
            env: [
              { name: 'A', value: 'a' },
              { name: 'A', value: 'b' },
            ],
          },
        ],
        initContainers: [{ name: 'i', resources: { limits: { memory: '1500m', cpu: '1500m' } } }],
      }),
      [
        'spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+',
        'spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer',
        'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"',
        'spec.imagePullSecrets[1].name: duplicate name "a"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
        'spec.initContainers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
        'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
        'spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
      ],
    );
  });

  it('name ports that conflict', () => {
    const at = 'spec.containers[0].ports';
    assert.deepEqual(ports(tcp({}), tcp({})), [`${at}[1]: duplicate port definition with ${at}[0]`]);
    assert.deepEqual(ports(tcp({ hostPort: 1 }), tcp({})), [`${at}[1]: overlapping port definition with ${at}[0]`]);
    assert.deepEqual(ports(tcp({ hostPort: 1, hostIP: '1.2.3.4' }), tcp({ hostPort: 1 })), [
      `${at}[1]: dangerously ambiguous port definition with ${at}[0]`,
    ]);
    assert.deepEqual(ports(tcp({ hostPort: 1 }), tcp({ hostPort: 2 })), []);
    assert.deepEqual(ports(tcp({ name: 'http', hostIP: '1.2.3.4' })), [
      `${at}[0]: hostIP set without hostPort: {Name:http HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}`,
    ]);
  });

  it('cost bounded work', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => tcp({ hostPort: index + 1 }));
    assert.deepEqual(ports(...many, tcp({})), []);
  });

  it('name annotations that have been replaced by fields', () => {
    const annotations = {
      'security.alpha.kubernetes.io/sysctls': 'a=b',
      'seccomp.security.alpha.kubernetes.io/pod': 'x',
      'container.seccomp.security.alpha.kubernetes.io/c': 'x',
      'container.apparmor.security.beta.kubernetes.io/c': 'x',
    };
    const template = { metadata: { annotations }, spec: { containers: [{ name: 'c' }] } };
    const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
    assert.deepEqual(podWarnings(template), [
      'metadata.annotations[security.alpha.kubernetes.io/sysctls]: non-functional in v1.11+; use the "sysctls" field instead',
      `metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: ${seccomp}`,
      `metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: ${seccomp}`,
    ]);
    assert.equal(
      podWarnings(template, 'spec.template').at(-1),
      'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    );
  });
});

describe('warnings of workloads', () => {
  const object = (generation: number, name = 'a.b') => ({
    apiVersion: 'apps/v1',
    kind: 'Any',
    metadata: { name, generation },
    spec: { template: { spec: { containers: [], terminationGracePeriodSeconds: -1 } } },
  });
  const template =
    'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';

  it('come from the template, when it is new or the desired state has changed', () => {
    assert.deepEqual(statefulSetStrategy.warnings?.(object(1), undefined), [template]);
    assert.deepEqual(statefulSetStrategy.warnings?.(object(2), object(1)), [template]);
    assert.deepEqual(statefulSetStrategy.warnings?.(object(1), object(1)), []);
  });

  it('include the name, where pods inherit it', () => {
    const [name, ...rest] = deploymentStrategy.warnings?.(object(1), undefined) ?? [];
    assert.match(name ?? '', /^metadata\.name: this is used in Pod names and hostnames/);
    assert.deepEqual(rest, [template]);
    assert.deepEqual(deploymentStrategy.warnings?.(object(2), object(1)), [template]);
  });
});
