import { Backoff } from '@binnacle/apimachinery/clock';
import type { Container, PodSpec } from '@binnacle/client/kinds/core/v1';

const LONGEST_BACKOFF = 300_000;
const backoff = new Backoff({ initial: 10_000, maximum: LONGEST_BACKOFF });

/** Whether a container that has ended starts again. Upstream: `ContainerShouldRestart`. */
export function restarts(container: Container, { restartPolicy = 'Always' }: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined && matchesRule(container, exitCode)) return true;
  switch (container.restartPolicy ?? restartPolicy) {
    case 'Never':
      return false;
    case 'OnFailure':
      return exitCode !== 0;
    default:
      return true;
  }
}

/** Both actions, `Restart` and `RestartAllContainers`, restart at least the container itself. */
function matchesRule({ restartPolicyRules = [] }: Container, exitCode: number): boolean {
  return restartPolicyRules.some(({ exitCodes }) => {
    if (exitCodes === undefined) return false;
    const isListed = exitCodes.values?.includes(exitCode) === true;
    return exitCodes.operator === 'In' ? isListed : exitCodes.operator === 'NotIn' && !isListed;
  });
}

/**
 * Milliseconds from the end of a container to its next start, after `restartCount` earlier restarts. The first restart is
 * immediate, and so is one after a long run. Upstream: `doBackOff`.
 */
export function restartBackoff(restartCount: number, ranFor: number): number {
  if (restartCount === 0 || ranFor > 2 * LONGEST_BACKOFF) return 0;
  return backoff.delay(restartCount - 1);
}
