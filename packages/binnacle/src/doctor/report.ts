import type { Finding } from './checks.js';

/** One line for each finding, and how many problems there are. */
export function reportOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.map(
    ({ severity, subject, text }) => `${severity.padEnd(7)}  ${subject.padEnd(width)}  ${text}\n`,
  );
  const counted = (wanted: Finding['severity']): string => {
    const { length } = findings.filter(({ severity }) => severity === wanted);
    return `${length} ${wanted}${length === 1 ? '' : 's'}`;
  };
  return `${lines.join('')}${counted('problem')}, ${counted('warning')}\n`;
}
