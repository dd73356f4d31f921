/** One thing that must be well. */
export interface HealthCheck {
  /** Part of the path of the single check: `ping`, `informers`. */
  readonly name: string;
  /** Throws or rejects when not well. Must settle by itself, soon. */
  readonly check: () => void | Promise<void>;
}

export interface HealthResult {
  readonly passed: boolean;
  /** A line for each check. */
  readonly text: string;
}

/**
 * All checks, or the one of that name; undefined when there is none. Why one failed is told only to those who ask for it by name, as it
 * may say more than a probe needs to know.
 */
export async function runChecks(checks: readonly HealthCheck[], name: string): Promise<HealthResult | undefined> {
  const chosen = name === '' ? checks : checks.filter((check) => check.name === name);
  if (chosen.length === 0 && name !== '') return undefined;
  const failures = await Promise.all(chosen.map(failureOf));
  const lines = chosen.map((check, index) => {
    const failure = failures[index];
    if (failure === undefined) return `[+]${check.name} ok\n`;
    return `[-]${check.name} failed: ${name === '' ? 'reason withheld' : failure}\n`;
  });
  return { passed: failures.every((failure) => failure === undefined), text: lines.join('') };
}

async function failureOf({ check }: HealthCheck): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'no reason given';
  }
}
