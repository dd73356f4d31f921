import { diagnose, gatherFacts, reportOf } from '../../doctor/index.js';
import { defaultParts, type StartOptions } from '../../embed/index.js';

/** `binnacle doctor`: resolves with the exit code, which is 1 if there is a problem. */
export async function doctor(options: StartOptions): Promise<number> {
  const findings = diagnose(await gatherFacts(options, defaultParts));
  process.stdout.write(reportOf(findings));
  return findings.some(({ severity }) => severity === 'problem') ? 1 : 0;
}
