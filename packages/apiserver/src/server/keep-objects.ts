import { type Clock, repeat } from '@binnacle/apimachinery/clock';

/** Upstream: `EndpointReconcilerInterval`, the period of its `kubernetesservice` controller too. */
const INTERVAL_MS = 10_000;

export interface KeptObjects {
  readonly clock: Clock;
  /** Whether the start has stored all objects. */
  readonly isComplete: boolean;
  /** Stores what is missing of the objects of a start. Resolves to false when some were refused. */
  readonly bootstrap: () => Promise<boolean>;
  /** Re-creates what must never be missing, once the start is complete. */
  readonly restore: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Every ten seconds, until disposed of: completes the start, then restores what users have deleted. One run at a time. */
export function keepObjects({ clock, isComplete, bootstrap, restore, report }: KeptObjects): Disposable {
  let isDone = isComplete;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      if (isDone) await restore();
      else isDone = await bootstrap();
    } catch (error) {
      report(error);
    }
    isRunning = false;
  };
  return repeat(clock, INTERVAL_MS, () => {
    if (!isRunning) void run();
  });
}
