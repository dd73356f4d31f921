import type { HealthRoot } from './check.js';

/**
 * Reports when a check begins to fail, fails for another reason, or passes again. Clients never see the reason, and
 * probes arrive every few seconds, so the log records each change once.
 */
export function healthChangeReporter(
  report: (text: string, path: string) => void,
): (root: HealthRoot, name: string, failure: Error | undefined) => void {
  const reasons = new Map<string, string>();
  return (root, name, failure) => {
    const before = reasons.get(name);
    if (failure === undefined) {
      if (reasons.delete(name)) report('the check passes again', `/${root}/${name}`);
      return;
    }
    const reason = failure.message;
    if (reason === before) return;
    reasons.set(name, reason);
    report(`the check fails: ${reason}`, `/${root}/${name}`);
  };
}
