import type { PriorityLevelConfiguration } from '@binnacle/api/types/flowcontrol-v1';
import { canDeal } from '../fairqueuing/index.js';

export const EXEMPT = 'exempt';
export const CATCH_ALL = 'catch-all';

/** What a PriorityLevelConfiguration says. */
export interface LevelSettings {
  readonly name: string;
  readonly uid: string;
  /** Whether its requests start at once and count against no limit. */
  readonly isExempt: boolean;
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined: it may borrow all seats of others. */
  readonly borrowingLimitPercent: number | undefined;
  /** Undefined: requests do not wait. */
  readonly queuing: { readonly queues: number; readonly handSize: number; readonly queueLength: number } | undefined;
}

/** Undefined for an object that validation would refuse, and that another server may have stored. */
export function levelSettings(object: PriorityLevelConfiguration): LevelSettings | undefined {
  const { metadata: { name = '', uid = '' } = {}, spec: { type = '', limited, exempt } = {} } = object;
  const isExempt = name === EXEMPT;
  if (isExempt !== (type === 'Exempt') || isExempt !== (exempt !== undefined)) return undefined;
  if (exempt !== undefined) {
    const { nominalConcurrencyShares: shares = 0, lendablePercent = 0 } = exempt;
    return { name, uid, isExempt, shares, lendablePercent, borrowingLimitPercent: undefined, queuing: undefined };
  }
  if (type !== 'Limited' || limited === undefined) return undefined;
  const { nominalConcurrencyShares: shares = 0, lendablePercent = 0, borrowingLimitPercent, limitResponse } = limited;
  const common = { name, uid, isExempt, shares, lendablePercent, borrowingLimitPercent };
  const { type: response, queuing } = limitResponse ?? {};
  if (response === 'Reject') return queuing === undefined ? { ...common, queuing } : undefined;
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing ?? {};
  if (!canDeal(queues, handSize)) return undefined;
  return { ...common, queuing: { queues, handSize, queueLength: queueLengthLimit } };
}
