import type { Device, DeviceTaint, DeviceToleration } from '@binnacle/client/kinds/resource/v1';

/** Whether a taint of the device keeps it from a request with these tolerations. Other effects keep no one away. */
export function preventsAllocation({ taints = [] }: Device, tolerations: readonly DeviceToleration[]): boolean {
  return taints.some(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

function tolerates({ effect, key = '', operator, value = '' }: DeviceToleration, taint: DeviceTaint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}
