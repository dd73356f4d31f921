import { hasNoKeys } from '@binnacle/apimachinery/json';
import { duplicate, type FieldError, forbiddenField, notFoundField, required } from '@binnacle/apimachinery/status';
import { eachInSteps } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Container, EphemeralContainer, PodSpec } from '../../generated/types/core-v1.js';
import { each, list, requireDnsLabel, requireOneOf, requireText } from '../common.js';
import { validateContainerRestart } from './container-restart.js';
import { validateEnvironment, validateEnvironmentSources } from './environment.js';
import { type VolumesByName, validateVolumeDevices, validateVolumeMounts } from './mounts.js';
import { containersOf, validateContainerPorts, validateHostPortConflicts } from './ports.js';
import { validateProbes } from './probes.js';
import { validateRequirements, validateResizePolicies } from './resources.js';
import { validateSecurityContext } from './security-context.js';

/** The context of a container in its pod. */
export interface ContainerContext {
  readonly spec: PodSpec;
  readonly volumes: VolumesByName;
  readonly claimNames: ReadonlySet<string>;
}

/** Upstream: `validateContainerCommon`. */
function* validateCommon(container: Container, around: ContainerContext, path: string): Steps<FieldError[]> {
  const { spec, volumes, claimNames } = around;
  yield;
  return [
    ...requireDnsLabel(container.name, `${path}.name`),
    ...requireText(container.image, `${path}.image`),
    ...requireOneOf(
      container.terminationMessagePolicy,
      ['File', 'FallbackToLogsOnError'],
      `${path}.terminationMessagePolicy`,
    ),
    ...validateContainerPorts(container.ports, `${path}.ports`),
    ...validateEnvironment(container.env, `${path}.env`),
    ...validateEnvironmentSources(container.envFrom, `${path}.envFrom`),
    ...validateVolumeMounts(container, volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, volumes, `${path}.volumeDevices`),
    ...requireOneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`),
    ...(yield* validateRequirements(container.resources, claimNames, `${path}.resources`)),
    ...validateResizePolicies(container.resizePolicy, spec.restartPolicy, `${path}.resizePolicy`),
    ...validateSecurityContext(container.securityContext, `${path}.securityContext`, spec.hostUsers !== false),
  ];
}

export function* validateContainers(around: ContainerContext, field: string): Steps<FieldError[]> {
  const containers = containersOf(around.spec);
  if (containers.length === 0) return [required(field, '')];
  const names = new Set<string>();
  const errors = yield* eachInSteps(containers, field, function* (container, path) {
    const problems = yield* validateCommon(container, around, path);
    if (names.has(container.name)) problems.push(duplicate(`${path}.name`, container.name ?? ''));
    names.add(container.name);
    problems.push(...validateProbes(container, around.spec.terminationGracePeriodSeconds, path));
    problems.push(...validateContainerRestart(container, path));
    return problems;
  });
  return [...errors, ...validateHostPortConflicts(containers, field)];
}

export function* validateInitContainers(around: ContainerContext, field: string): Steps<FieldError[]> {
  const names = new Set(containersOf(around.spec).map(({ name }) => name));
  return yield* eachInSteps(around.spec.initContainers, field, function* (container, path) {
    const errors = [...(yield* validateCommon(container, around, path)), ...validateContainerRestart(container, path)];
    if (names.has(container.name)) errors.push(duplicate(`${path}.name`, container.name ?? ''));
    else if (container.name) names.add(container.name);
    errors.push(...validateHostPortConflicts([container], field));
    if (container.restartPolicy === 'Always') {
      return [...errors, ...validateProbes(container, around.spec.terminationGracePeriodSeconds, path)];
    }
    const hooks = (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const).filter(
      (name) => container[name] !== undefined,
    );
    const detail = 'may not be set for init containers without restartPolicy=Always';
    return [...errors, ...hooks.map((name) => forbiddenField(`${path}.${name}`, detail))];
  });
}

const forbiddenToEphemeral = [
  'ports',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
] as const;

/** Upstream: `validateEphemeralContainers`. */
export function* validateEphemeralContainers(around: ContainerContext, field: string): Steps<FieldError[]> {
  const lasting = new Set([...containersOf(around.spec), ...list(around.spec.initContainers)].map(({ name }) => name));
  const names = new Set(lasting);
  return yield* eachInSteps(around.spec.ephemeralContainers, field, function* (container, path) {
    const errors = yield* validateCommon(container, around, path);
    if (names.has(container.name)) errors.push(duplicate(`${path}.name`, container.name ?? ''));
    names.add(container.name);
    if (container.targetContainerName && !lasting.has(container.targetContainerName)) {
      errors.push(notFoundField(`${path}.targetContainerName`, container.targetContainerName));
    }
    return [...errors, ...ephemeralRestrictions(container, path)];
  });
}

function ephemeralRestrictions(container: EphemeralContainer, path: string): FieldError[] {
  const detail = 'cannot be set for an Ephemeral Container';
  const { resources } = container;
  const fields = forbiddenToEphemeral.filter((name) =>
    name === 'resources' ? resources !== undefined && !hasNoKeys(resources) : container[name] !== undefined,
  );
  return [
    ...fields.map((name) => forbiddenField(`${path}.${name}`, detail)),
    ...each(container.volumeMounts, `${path}.volumeMounts`, (mount, mountPath) =>
      (['subPath', 'subPathExpr'] as const)
        .filter((name) => mount[name])
        .map((name) => forbiddenField(`${mountPath}.${name}`, detail)),
    ),
  ];
}
