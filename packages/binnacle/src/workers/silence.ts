import { type Clock, sleep } from '@binnacle/apimachinery/clock';

/** How often a worker is asked whether it answers. */
const PERIOD_MS = 10_000;
/** After so many periods without an answer, a worker counts as hanging. Whatever it still does, its clients wait. */
const SILENT_PERIODS = 6;

/**
 * Settles when a worker has not answered what `ask` sends for a minute; rejects when the signal fires. It counts periods, because all processes
 * may have been stopped together, such as by a terminal.
 */
export async function untilSilent(ask: () => Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(clock, PERIOD_MS, signal);
    const question = { isAnswered: false };
    const answered = (): void => {
      question.isAnswered = true;
    };
    // A process that has ended rejects, and is not silent.
    ask().then(answered, answered);
    for (let periods = 0; !question.isAnswered; periods += 1) {
      if (periods === SILENT_PERIODS) return;
      await sleep(clock, PERIOD_MS, signal);
    }
  }
}
