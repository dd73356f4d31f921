import { type Clock, sleep } from '@binnacle/apimachinery/clock';

/** How often a worker is asked whether it answers. */
const PERIOD_MS = 10_000;
/** After this many periods without an answer, a worker counts as hanging. */
const SILENT_PERIODS = 6;

/**
 * Resolves when a worker has not answered what `ask` sends for a minute; rejects when the signal fires. It counts periods instead of reading the
 * clock: after a terminal has stopped all processes together, no worker counts as hanging.
 */
export async function untilSilent(ask: () => Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(clock, PERIOD_MS, signal);
    const question = { isAnswered: false };
    const answered = (): void => {
      question.isAnswered = true;
    };
    // A process that has ended rejects. That counts as an answer.
    ask().then(answered, answered);
    for (let periods = 0; !question.isAnswered; periods += 1) {
      if (periods === SILENT_PERIODS) return;
      await sleep(clock, PERIOD_MS, signal);
    }
  }
}
