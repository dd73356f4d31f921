import type { Clock } from '@binnacle/apimachinery/clock';
import { type LogQuery, LogReader } from '../logs/index.js';
import type { Output } from '../processes/index.js';

/** The output of a process in pieces. With `follow`, it continues until the process ends. It ends early when the signal fires. */
export async function* outputPieces(
  output: Output,
  query: LogQuery,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const reader = new LogReader(output, query, clock.now());
  while (!signal.aborted && !reader.isFull) {
    const bytes = reader.read(output, clock.now());
    if (bytes !== undefined) {
      yield bytes;
      continue;
    }
    if (!query.follow || output.isComplete) return;
    await output.change(signal);
  }
}
