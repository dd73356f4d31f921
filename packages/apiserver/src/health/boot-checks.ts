import type { Clock } from '@binnacle/apimachinery/clock';
import type { HealthCheck, HealthRoot } from './check.js';

export interface BootCheckOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long `/livez` takes it for granted that a start will end, in milliseconds. */
  readonly livezGraceMs: number;
}

const ALL: readonly HealthRoot[] = ['healthz', 'livez', 'readyz'];

/**
 * A check of the start in its roots: all three by default, and always `/livez`. That does not run it before the grace period is over, so
 * that nothing restarts a server that takes its time. Upstream: `AddBootSequenceHealthChecks` of apiserver `pkg/server/healthz.go`.
 */
export function bootChecks(
  check: Pick<HealthCheck, 'name' | 'check' | 'roots'>,
  { clock, livezGraceMs }: BootCheckOptions,
): readonly HealthCheck[] {
  if (livezGraceMs === 0) return [check];
  const graceEnds = clock.monotonic() + livezGraceMs;
  return [
    { ...check, roots: (check.roots ?? ALL).filter((root) => root !== 'livez') },
    {
      name: check.name,
      roots: ['livez'],
      check: (signal) => (clock.monotonic() > graceEnds ? check.check(signal) : undefined),
    },
  ];
}
