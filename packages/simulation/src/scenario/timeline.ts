import { milliseconds } from './durations.js';
import type { Action, Scenario } from './scenario.js';

export interface TimedAction {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly action: Action;
}

/**
 * All actions until the end of the run, with their repetitions, sorted by time. Actions of the same time keep the order of the scenario.
 */
export function timeline({ actions = [], runFor }: Pick<Scenario, 'actions' | 'runFor'>): TimedAction[] {
  const end = milliseconds(runFor);
  const timed: TimedAction[] = [];
  for (const action of actions) {
    const period = action.every === undefined ? Number.POSITIVE_INFINITY : milliseconds(action.every);
    const last = Math.min(end, action.until === undefined ? end : milliseconds(action.until));
    for (let at = milliseconds(action.at); at <= last; at += period) timed.push({ at, action });
  }
  return timed.sort((a, b) => a.at - b.at);
}
