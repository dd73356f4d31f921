interface AnyTaint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

interface AnyToleration {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
}

/** Whether the toleration permits the taint, of a node or of a device. Upstream: `ToleratesTaint`. */
export function tolerates(toleration: AnyToleration, { key, value = '', effect }: AnyTaint): boolean {
  if ((toleration.effect ?? effect) !== effect) return false;
  if ((toleration.key ?? '') !== '' && toleration.key !== key) return false;
  const { operator = 'Equal' } = toleration;
  return operator === 'Exists' || (operator === 'Equal' && (toleration.value ?? '') === value);
}

/** Whether one of the tolerations permits the taint. */
export function isTolerated(taint: AnyTaint, tolerations: readonly AnyToleration[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}
