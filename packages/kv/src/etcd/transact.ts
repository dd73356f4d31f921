import type { TxnRequest, TxnResult } from '../interface/index.js';
import type { Caller } from './connection/caller.js';
import { isLeaseNotFound, kvErrorOf } from './errors.js';
import type { LeaseManager } from './lease-manager.js';
import { type TxnAnswer, type TxnCall, txnMethod } from './messages/kv-messages.js';

/** What a transaction needs. */
export interface Transactions {
  readonly caller: Caller;
  readonly leases: LeaseManager;
  readonly timeoutMilliseconds: number;
}

/** Sends a transaction. Sends it once more, with a new lease, if etcd does not know the lease of the first attempt. */
export async function transact(request: TxnRequest, transactions: Transactions): Promise<TxnResult> {
  const { caller, leases, timeoutMilliseconds } = transactions;
  const { operation } = request;
  const ttl = operation.type === 'put' ? operation.ttlSeconds : undefined;
  for (let attempt = 1; ; attempt += 1) {
    const lease = ttl === undefined ? undefined : await leases.lease(ttl);
    try {
      return resultOf(request, await caller.call(txnMethod, callOf(request, lease), { timeoutMilliseconds }));
    } catch (error) {
      // Rejected without effect: the lease was revoked, or etcd was restored from a backup without it.
      if (!isLeaseNotFound(error) || attempt > 1) throw kvErrorOf(error);
      leases.forget();
    }
  }
}

function callOf(
  { key, expectedRevision, operation, conditions, withoutPrevious }: TxnRequest,
  lease: bigint | undefined,
): TxnCall {
  return {
    key: Buffer.from(key),
    expectedRevision,
    ...(conditions === undefined
      ? {}
      : { conditions: conditions.map((other) => ({ ...other, key: Buffer.from(other.key) })) }),
    ...(expectedRevision > 0 && withoutPrevious !== true ? { withPrevious: true } : {}),
    ...(operation.type === 'put' ? { value: operation.value } : {}),
    ...(lease === undefined ? {} : { lease }),
  };
}

function resultOf(
  { expectedRevision, conditions = [] }: TxnRequest,
  { succeeded, revision, found, others }: TxnAnswer,
): TxnResult {
  if (succeeded) return found === undefined ? { succeeded, revision } : { succeeded, revision, previous: found };
  const failed = found === undefined ? { succeeded, revision } : { succeeded, revision, current: found };
  if ((found?.modRevision ?? 0) !== expectedRevision) return failed;
  const unmet = conditions.find((other, index) => (others[index]?.modRevision ?? 0) !== other.expectedRevision);
  return unmet === undefined ? failed : { ...failed, unmet: unmet.key };
}
