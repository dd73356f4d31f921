import { type FieldError, forbiddenField } from '@binnacle/apimachinery/status';
import type { Container, ContainerStatus, Pod, PodStatus } from '../../generated/types/core-v1.js';
import { each, list } from '../common.js';

/**
 * A terminated container stays terminated unless its pod restarts it. Upstream: `ValidateContainerStateTransition` and
 * its variants for init and ephemeral containers.
 */
export function validateContainerTransitions(status: PodStatus, old: Pod): FieldError[] {
  const { spec, status: before = {} } = old;
  const policy = spec?.restartPolicy ?? '';
  const { containers, initContainers } = spec ?? {};
  const never = (): boolean => false;
  const ofPod = (all: readonly Container[] | undefined) => (name: string, exitCode: number) => {
    const container = list(all).find((each) => each.name === name);
    return container !== undefined && restarts(container, policy, exitCode);
  };
  const all = [...list(containers), ...list(initContainers)];
  const restartsAll = all.some(({ restartPolicyRules }) =>
    list(restartPolicyRules).some(({ action }) => action === 'RestartAllContainers'),
  );
  const ephemeral = 'ephemeralContainerStatuses';
  return [
    ...(restartsAll
      ? []
      : [
          ...revived(status, before, 'containerStatuses', ofPod(containers)),
          ...revived(status, before, 'initContainerStatuses', ofPod(initContainers)),
        ]),
    ...revived(status, before, ephemeral, never),
  ];
}

function revived(
  status: PodStatus,
  old: PodStatus,
  name: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
  mayRestart: (container: string, exitCode: number) => boolean,
): FieldError[] {
  const now = new Map(list(status[name]).map((held): [string, ContainerStatus] => [held.name, held]));
  return each(old[name], `status.${name}`, (before, path) => {
    const ended = before.state?.terminated;
    const after = now.get(before.name);
    if (ended === undefined || after === undefined || after.state?.terminated !== undefined) return [];
    if (mayRestart(before.name, ended.exitCode)) return [];
    return [forbiddenField(`${path}.state`, 'may not be transitioned to non-terminated state')];
  });
}

/**
 * The container's restart rules decide first, then its restart policy, then the pod's. Upstream:
 * `podutil.ContainerShouldRestart`.
 */
function restarts(container: Container, ofPod: string, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    const rule = list(container.restartPolicyRules).find(({ exitCodes }) => {
      if (exitCodes === undefined) return false;
      return list(exitCodes.values).includes(exitCode) === (exitCodes.operator === 'In');
    });
    if (rule?.action === 'Restart') return true;
  }
  const policy = container.restartPolicy ?? ofPod;
  return policy === 'OnFailure' ? exitCode !== 0 : policy === 'Always';
}
