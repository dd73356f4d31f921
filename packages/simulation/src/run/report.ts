import { describeTime } from '../history/index.js';
import type { SimulationResult } from './simulate.js';

/** How many events a report shows. */
const SHOWN = 40;

/** A report for people: the figures of a run, and the events that led to its failure. Ends with a line feed. */
export function reportOf(result: SimulationResult, shown = SHOWN): string {
  const { seed, steps, elapsed, failure, digest, history, reports } = result;
  const lines = [`seed ${seed}: ${steps} events in ${describeTime(elapsed).slice(1)}, history ${digest.slice(0, 16)}`];
  if (failure !== undefined) {
    lines.push(...history.slice(-shown));
    lines.push(
      `failed after event #${failure.step}, at ${describeTime(failure.at)}: ${failure.where}: ${failure.message}`,
    );
    lines.push(...[...reports].map(([text, times]) => `reported ${times === 1 ? 'once' : `${times} times`}: ${text}`));
    lines.push(`the same run again, to the state before: --seed ${seed} --until ${failure.step}`);
  }
  return `${lines.join('\n')}\n`;
}
