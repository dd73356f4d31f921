import type { LevelSettings } from './level-settings.js';

/** The numbers of seats of a priority level. */
export interface Limits {
  /** When it neither borrows nor lends: by its shares. */
  readonly nominal: number;
  /** When it lends all that it may. */
  readonly minimum: number;
  /** When it borrows all that it may. */
  readonly maximum: number;
}

/** The largest share of the nominal seats that one request may take. */
const WIDEST_SHARE = 0.15;

/** Divides the seats of the server among levels by their shares, rounding up. Upstream: `finishQueueSetReconfigsLocked`. */
export function limitsOf(levels: readonly LevelSettings[], total: number): readonly Limits[] {
  const shares = levels.reduce((sum, level) => sum + level.shares, 0);
  return levels.map((level) => {
    const nominal = Math.ceil((total * level.shares) / shares);
    const { lendablePercent, borrowingLimitPercent: borrowing } = level;
    return {
      nominal,
      minimum: nominal - Math.round((nominal * lendablePercent) / 100),
      maximum: nominal + (borrowing === undefined ? total : Math.round((nominal * borrowing) / 100)),
    };
  });
}

/** The most seats that a request of a level may take; undefined: the level does not say. */
export function widestRequest({ queuing }: LevelSettings, { nominal }: Limits): number | undefined {
  if (queuing === undefined) return undefined;
  return Math.max(1, Math.min(Math.ceil(nominal * WIDEST_SHARE), Math.floor(nominal / queuing.handSize)));
}
