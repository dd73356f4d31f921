import type { Clock } from '@binnacle/apimachinery/clock';
import type { HealthCheck } from './check.js';

export interface BootCheckOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long `/livez` takes it for granted that a start will end, in milliseconds. */
  readonly livezGraceMs: number;
}

/**
 * A check of the start in all three roots. `/livez` does not run it before the grace period is over, so that nothing restarts a server
 * that takes its time. Upstream: `AddBootSequenceHealthChecks` of apiserver `pkg/server/healthz.go`.
 */
export function bootChecks(
  check: Pick<HealthCheck, 'name' | 'check'>,
  { clock, livezGraceMs }: BootCheckOptions,
): readonly HealthCheck[] {
  if (livezGraceMs === 0) return [check];
  const graceEnds = clock.monotonic() + livezGraceMs;
  return [
    { ...check, roots: ['healthz', 'readyz'] },
    {
      name: check.name,
      roots: ['livez'],
      check: (signal) => (clock.monotonic() > graceEnds ? check.check(signal) : undefined),
    },
  ];
}
