/** One check of `/healthz` or `/readyz`. */
export interface HealthCheck {
  /** Also the path of the single check, `/healthz/ping`. */
  readonly name: string;
  /** Throws or rejects on failure. It must settle soon; nothing cancels it. */
  readonly check: () => void | Promise<void>;
}

export interface HealthResult {
  readonly passed: boolean;
  /** A line for each check. */
  readonly text: string;
}

/**
 * Runs all checks, or the one with that name; undefined if no check has the name. Only a check requested by name shows its error, which may hold
 * internal details.
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
