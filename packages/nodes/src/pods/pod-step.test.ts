import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { admitted, live, podOn, START, stepAt } from './pod-life.testing.js';
import { nextPodStep } from './pod-step.js';

const c: Container = { name: 'c', image: 'img:1' };
const i: Container = { name: 'i', image: 'img:1' };
const s: Container = { name: 's', image: 'img:1', restartPolicy: 'Always' };
const scripted = (annotations: Record<string, string>, spec: Partial<NonNullable<Pod['spec']>> = {}): Pod =>
  podOn(spec, {
    annotations: Object.fromEntries(Object.entries(annotations).map(([k, v]) => [`binnacle.dev/${k}`, v])),
  });
const leaving = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: '2027-01-04T00:01:00Z', generation: 2 },
});
const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const ownedByJob = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true };

describe('an eviction', () => {
  const { pod, events } = live(scripted({ 'evict-after': '5s' }), 60_000);

  it('has the condition and the event of upstream', () => {
    const message = 'The node was low on resource: memory. ';
    const condition = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.deepEqual(
      [condition?.status, condition?.reason, condition?.message, condition?.observedGeneration],
      ['True', 'TerminationByKubelet', message, 1],
    );
    assert.deepEqual(events.slice(-2), [`Evicted: ${message}`, 'Killing: Stopping container c']);
  });
});

describe('a pod on a simulated node', () => {
  const lives: Record<string, [Pod, number, string[]]> = {
    'runs forever': [podOn(), 1e9, ['0 Running ready c:runs+']],
    'starts with its sidecars': [podOn({ initContainers: [s] }), 60_000, ['0 Running ready s:runs+ c:runs+']],
    'starts as late as its script says': [
      scripted({ 'start-after': '3s', 'run-for': '5s' }, never),
      60_000,
      ['0 Pending c:ContainerCreating', '3 Running ready c:runs+', '8 Succeeded c:exit 0'],
    ],
    'starts in the middle of a second if its script says so': [
      scripted({ 'start-after': '0s', 'run-for': '5s' }, never),
      60_000,
      ['0 Running ready c:runs+', '5 Succeeded c:exit 0'],
    ],
    'fails at its deadline before its script lets it start': [
      scripted({ 'start-after': '3s' }, { activeDeadlineSeconds: 2 }),
      60_000,
      ['0 Pending c:ContainerCreating', '2 Failed DeadlineExceeded c:exit 137'],
    ],
    'runs init containers one after the other': [
      podOn({ initContainers: [i, { ...i, name: 'k' }] }),
      60_000,
      [
        '0 Pending i:PodInitializing k:PodInitializing c:PodInitializing',
        '1 Pending i:runs k:PodInitializing c:PodInitializing',
        '2 Pending i:exit 0+ k:runs c:PodInitializing',
        '3 Running ready i:exit 0+ k:exit 0+ c:runs+',
      ],
    ],
    'starts sidecars before the rest, and ends them after it': [
      scripted({ 'run-for': '5s' }, { initContainers: [s], ...never }),
      60_000,
      [
        '0 Pending s:PodInitializing c:PodInitializing',
        '1 Running ready s:runs+ c:runs+',
        '6 Succeeded s:exit 0 c:exit 0',
      ],
    ],
    'starts before its startup probe succeeds': [
      scripted({ 'ready-after': '3s' }, { containers: [{ ...c, startupProbe: {} }] }),
      60_000,
      ['0 Pending c:ContainerCreating', '1 Running c:runs', '4 Running ready c:runs+'],
    ],
    'backs off between restarts': [
      scripted({ 'fail-after': '2s' }),
      90_000,
      [
        '0 Pending c:ContainerCreating',
        '1 Running ready c:runs+',
        '3 Running ready c:runs+*1',
        '5 Running c:CrashLoopBackOff*1',
        '15 Running ready c:runs+*2',
        '17 Running c:CrashLoopBackOff*2',
        '37 Running ready c:runs+*3',
        '39 Running c:CrashLoopBackOff*3',
        '79 Running ready c:runs+*4',
        '81 Running c:CrashLoopBackOff*4',
      ],
    ],
    'restarts at once after a long run': [
      scripted({ 'run-for': '11m' }),
      1_400_000,
      [
        '0 Pending c:ContainerCreating',
        '1 Running ready c:runs+',
        '661 Running ready c:runs+*1',
        '1321 Running ready c:runs+*2',
      ],
    ],
    'completes with restartPolicy OnFailure': [
      scripted({ 'run-for': '2s' }, onFailure),
      60_000,
      ['0 Pending c:ContainerCreating', '1 Running ready c:runs+', '3 Succeeded c:exit 0'],
    ],
    'fails with restartPolicy Never': [
      scripted({ 'fail-after': '2s', 'exit-code': '42' }, never),
      60_000,
      ['0 Pending c:ContainerCreating', '1 Running ready c:runs+', '3 Failed c:exit 42'],
    ],
    'completes for a Job': [
      podOn(never, { ownerReferences: [ownedByJob] }),
      60_000,
      ['0 Pending c:ContainerCreating', '1 Running ready c:runs+', '2 Succeeded c:exit 0'],
    ],
    'ends at its deadline': [
      podOn({ activeDeadlineSeconds: 2 }),
      60_000,
      ['0 Running ready c:runs+', '2 Failed DeadlineExceeded c:exit 0'],
    ],
    'obeys the policy and rules of a container': [
      scripted(
        { 'fail-after': '2s', 'exit-code': '7' },
        {
          containers: [
            {
              ...c,
              restartPolicy: 'Never',
              restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [7] } }],
            },
          ],
        },
      ),
      60_000,
      ['0 Pending c:ContainerCreating', '1 Running ready c:runs+', '3 Failed c:exit 7'],
    ],
    'becomes unready for good': [
      scripted({ 'ready-after': '2s', 'unready-after': '5s' }),
      60_000,
      ['0 Pending c:ContainerCreating', '1 Running c:runs', '3 Running ready c:runs+', '6 Running c:runs'],
    ],
    'is restarted by its liveness probe': [
      scripted({ 'liveness-fails-after': '5s' }, { containers: [{ ...c, livenessProbe: {} }] }),
      10_000,
      ['0 Pending c:ContainerCreating', '1 Running ready c:runs+', '6 Running ready c:runs+*1'],
    ],
    'has no liveness probe that could fail': [
      scripted({ 'liveness-fails-after': '5s' }),
      60_000,
      ['0 Running ready c:runs+'],
    ],
    'ends before its liveness probe fails': [
      scripted(
        { 'liveness-fails-after': '5s', 'run-for': '2s' },
        { containers: [{ ...c, livenessProbe: {} }], ...never },
      ),
      60_000,
      ['0 Pending c:ContainerCreating', '1 Running ready c:runs+', '3 Succeeded c:exit 0'],
    ],
    'has init containers that fail': [
      scripted({ 'init-run-for': '3s', 'init-exit-code': '2' }, { initContainers: [i], ...never }),
      60_000,
      [
        '0 Pending i:PodInitializing c:PodInitializing',
        '1 Pending i:runs c:PodInitializing',
        '4 Failed i:exit 2 c:PodInitializing',
      ],
    ],
    'is evicted': [scripted({ 'evict-after': '5s' }), 60_000, ['0 Running ready c:runs+', '5 Failed Evicted c:exit 0']],
    'does not spin when its containers end at once': [
      scripted({ 'run-for': '0s' }),
      12_000,
      [
        '0 Pending c:ContainerCreating',
        '1 Running ready c:runs+',
        '1 Running ready c:runs+*1',
        '1 Running c:CrashLoopBackOff*1',
        '11 Running ready c:runs+*2',
        '11 Running c:CrashLoopBackOff*2',
      ],
    ],
  };
  for (const [name, [pod, until, expected]] of Object.entries(lives)) {
    it(name, () => assert.deepEqual(live(pod, until).history, expected));
  }

  it('ends and goes when it is deleted', () => {
    const { pod } = live(podOn(), 5000);
    const { history } = live(leaving(pod), 60_000, 9000);
    assert.deepEqual(history, ['9 Succeeded c:exit 0', '9 gone']);
  });

  it('fails when it is deleted before its containers run', () => {
    const { pod, history } = live(leaving(podOn()), 60_000);
    assert.deepEqual(history, ['0 Failed c:exit 137', '0 gone']);
    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.reason, 'ContainerStatusUnknown');
    const preparing = live(podOn({ initContainers: [i] }), 1000).pod;
    assert.deepEqual(live(leaving(preparing), 60_000, 1500).history, [
      '1.5 Failed i:exit 0 c:PodInitializing',
      '1.5 gone',
    ]);
  });

  it('starts within a second, unless that would shorten the time that it runs', () => {
    assert.equal(stepAt(podOn(), 700).status?.phase, 'Running');
    const timed = scripted({ 'run-for': '1s' });
    const { status } = stepAt(timed, 700);
    assert.equal(status?.phase, 'Pending');
    const second = stepAt({ ...timed, status }, 700);
    assert.deepEqual([second.status, second.lookAgainAfter], [undefined, 300]);
  });

  it('keeps its sandbox when a script asks for a later start', () => {
    const { pod } = live(podOn(), 5000);
    const annotations = { 'binnacle.dev/start-after': '1h' };
    assert.equal(stepAt({ ...pod, metadata: { ...pod.metadata, annotations } }, 6000).status, undefined);
  });

  it('corrects a phase that others wrote, unless nothing runs', () => {
    const { pod } = live(podOn(), 5000);
    const failed: Pod = { ...pod, status: { ...pod.status, phase: 'Failed', reason: 'Test' } };
    assert.equal(stepAt(failed, 6000).status?.phase, 'Running');
    assert.equal(stepAt(failed, 6000).status?.reason, undefined);
    const over: Pod = { ...podOn(), status: { phase: 'Failed' } };
    assert.deepEqual(live(over, 60_000).history, []);
  });

  it('is rejected by a node that cannot take it', () => {
    const step = stepAt(podOn(), 0, { reason: 'OutOfcpu', message: 'too little' });
    assert.deepEqual(step, {
      status: {
        observedGeneration: 1,
        phase: 'Failed',
        qosClass: 'BestEffort',
        reason: 'OutOfcpu',
        message: 'Pod was rejected: too little',
        startTime: '2027-01-04T00:00:00Z',
      },
      mustEnd: [],
      lookAgainAfter: undefined,
      canGo: false,
      events: [{ type: 'Warning', reason: 'OutOfcpu', message: 'too little' }],
    });
    assert.equal(stepAt({ ...podOn(), status: step.status ?? {} }, 1000).status, undefined);
  });

  it('restarts a container whose image has changed', () => {
    const { pod } = live(podOn(), 5000);
    const changed: Pod = { ...pod, spec: { ...pod.spec, containers: [{ ...c, image: 'img:2' }] } };
    const { history, pod: after } = live(changed, 60_000, 7000);
    assert.deepEqual(history, ['7 Running ready c:runs+*1']);
    const [status] = after.status?.containerStatuses ?? [];
    assert.equal(status?.image, 'img:2');
    assert.equal(status?.lastState?.terminated?.finishedAt, '2027-01-04T00:00:07Z');
  });

  it('starts each ephemeral container once', () => {
    const { pod } = live(podOn(), 5000);
    const debugged: Pod = { ...pod, spec: { containers: [c], ephemeralContainers: [{ name: 'e', image: 'img:1' }] } };
    assert.deepEqual(live(debugged, 60_000, 7000).history, ['7 Running ready c:runs+ e:runs+']);
  });

  it('gets other resources while it runs', () => {
    const withCpu = (cpu: string) => ({ containers: [{ ...c, resources: { requests: { cpu } } }] });
    const { pod } = live(podOn(withCpu('10m')), 5000);
    const resized: Pod = { ...pod, metadata: { ...pod.metadata, generation: 2 }, spec: withCpu('20m') };
    const { status } = live(resized, 60_000, 7000).pod;
    const [container] = status?.containerStatuses ?? [];
    assert.deepEqual(
      [status?.allocatedResources, status?.resources, container?.allocatedResources, container?.resources],
      [{ cpu: '20m' }, { requests: { cpu: '20m' } }, { cpu: '20m' }, { requests: { cpu: '20m' } }],
    );
    assert.equal(container?.restartCount, 0);
  });

  it('waits for its readiness gates, and keeps the conditions of others', () => {
    const { pod } = live(podOn({ readinessGates: [{ conditionType: 'x/gate' }] }), 5000);
    const readiness = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'Ready');
    const message = 'corresponding condition of pod readiness gate "x/gate" does not exist.';
    assert.equal(readiness(pod)?.message, message);
    const gate = (status: string): Pod => ({
      ...pod,
      status: { ...pod.status, conditions: [{ type: 'x/gate', status }, ...(pod.status?.conditions ?? [])] },
    });
    const shut = 'the status of pod readiness gate "x/gate" is not "True", but False';
    assert.equal(readiness(live(gate('False'), 60_000, 6000).pod)?.message, shut);
    const open = live(gate('True'), 60_000, 6000).pod;
    assert.equal(readiness(open)?.status, 'True');
    assert.deepEqual(open.status?.conditions?.[0], { type: 'x/gate', status: 'True' });
  });

  it('has the addresses of its node in the network of the node', () => {
    const addresses = ({ status }: Pod) => [status?.hostIP, status?.podIP];
    const later = { 'start-after': '3s' };
    assert.deepEqual(addresses(admitted(scripted(later))), ['172.16.0.1', undefined]);
    assert.deepEqual(addresses(live(podOn(), 0).pod), ['172.16.0.1', '10.128.0.2']);
    assert.deepEqual(addresses(admitted(scripted(later, { hostNetwork: true }))), ['172.16.0.1', '172.16.0.1']);
  });

  it('records a bad script once, and each backoff', () => {
    const bad = live(scripted({ 'run-for': 'soon', 'exit-code': '999' }), 90_000);
    const problems = bad.events.filter((event) => event.startsWith('InvalidScript'));
    assert.deepEqual(problems, [
      'InvalidScript: annotation binnacle.dev/run-for is ignored: it must be a duration such as 1m30s, and at most 24 days',
      'InvalidScript: annotation binnacle.dev/exit-code is ignored: it must be an integer from 0 to 255',
    ]);
    const failing = live(scripted({ 'fail-after': '1s' }), 10_000);
    assert.deepEqual(
      failing.events.filter((event) => event.startsWith('BackOff')),
      ['BackOff: Back-off restarting failed container c in pod p_n(u)'],
    );
    const message = 'back-off 10s restarting failed container=c pod=p_n(u)';
    assert.equal(failing.pod.status?.containerStatuses?.[0]?.state?.waiting?.message, message);
  });

  it('keeps the times of conditions whose status stays', () => {
    const times = ({ status }: Pod) =>
      Object.fromEntries((status?.conditions ?? []).map(({ type, lastTransitionTime }) => [type, lastTransitionTime]));
    const { pod } = live(scripted({ 'ready-after': '5s' }), 60_000);
    assert.deepEqual(times(pod), {
      PodReadyToStartContainers: '2027-01-04T00:00:01Z',
      Initialized: '2027-01-04T00:00:00Z',
      Ready: '2027-01-04T00:00:06Z',
      ContainersReady: '2027-01-04T00:00:06Z',
      PodScheduled: '2027-01-04T00:00:00Z',
    });
    assert.equal(pod.status?.startTime, new Date(START).toISOString().replace('.000', ''));
  });

  it('sees no change in a null that a server adds', () => {
    const { pod } = live(podOn(), 5000);
    const conditions = pod.status?.conditions?.map((each) => ({ ...each, lastProbeTime: null as unknown as string }));
    assert.equal(stepAt({ ...pod, status: { ...pod.status, conditions: conditions ?? [] } }, 6000).status, undefined);
  });

  it('keeps what others have written', () => {
    const others = {
      nominatedNodeName: 'node-1',
      resourceClaimStatuses: [{ name: 'claim', resourceClaimName: 'p-claim' }],
      extendedResourceClaimStatus: { resourceClaimName: 'e', requestMappings: [] },
    };
    const { status } = stepAt({ ...podOn(), status: { phase: 'Pending', ...others } }, 0);
    const { nominatedNodeName, resourceClaimStatuses, extendedResourceClaimStatus } = status ?? {};
    assert.deepEqual({ nominatedNodeName, resourceClaimStatuses, extendedResourceClaimStatus }, others);
  });

  it('survives invalid times', () => {
    const { pod } = live(scripted({ 'run-for': '10s' }), 5000);
    const startedAt = 'yesterday';
    const containerStatuses = pod.status?.containerStatuses?.map((status) => ({
      ...status,
      state: { running: { startedAt } },
    }));
    const broken = {
      ...pod,
      status: { ...pod.status, startTime: 'never', containerStatuses: containerStatuses ?? [] },
    };
    assert.equal(stepAt(broken, 6000).status?.phase, 'Running');
  });
});

describe('a pod whose volumes cannot be mounted', () => {
  const look = (pod: Pod, now: number) => nextPodStep({ pod, now, hostIPs: [], podIPs: [], mountProblem: 'no volume' });

  it('waits, and has one event', () => {
    const first = look(podOn(), START);
    assert.deepEqual(first.events, [{ type: 'Warning', reason: 'FailedMount', message: 'no volume' }]);
    assert.equal(first.lookAgainAfter, 5000);
    assert.equal(first.status?.hostIP, undefined);
    const later = look({ ...podOn(), status: first.status ?? {} }, START + 5000);
    assert.deepEqual([later.events, later.status?.phase ?? first.status?.phase], [[], 'Pending']);
  });
});
