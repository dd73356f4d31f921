import { formatTime } from '@binnacle/apimachinery/time';
import type {
  StorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from '@binnacle/client/kinds/apiserverinternal/v1alpha1';
import { keepTransition } from '../common/index.js';

const TYPE = 'AllEncodingVersionsEqual';

/** What to do with the record of a resource: `keep` it, `delete` it, or write this status. */
export type StorageVersionPlan = 'keep' | 'delete' | StorageVersionStatus;

/** The servers that a record names. */
export function serversOf({ status }: StorageVersion): readonly string[] {
  return (status?.storageVersions ?? []).map(({ apiServerID }) => apiServerID);
}

/** Drops the entries of servers that are gone. `now`: milliseconds since the epoch. */
export function planStorageVersion(
  record: StorageVersion,
  isGone: (server: string) => boolean,
  now: number,
): StorageVersionPlan {
  const present = record.status?.storageVersions ?? [];
  const left = present.filter(({ apiServerID }) => !isGone(apiServerID));
  if (left.length === present.length) return 'keep';
  const [first] = left;
  if (first === undefined) return 'delete';
  const common = left.every(({ encodingVersion }) => encodingVersion === first.encodingVersion);
  const { commonEncodingVersion: before, conditions = [], ...rest } = record.status ?? {};
  const is = condition(common, record.metadata.generation, now);
  const known = conditions.find(({ type }) => type === TYPE);
  const isMoved = common && before !== undefined && before !== first.encodingVersion;
  const after = isMoved ? is : keepTransition(known, is);
  return {
    ...rest,
    storageVersions: left,
    ...(common ? { commonEncodingVersion: first.encodingVersion } : {}),
    conditions:
      known === undefined ? [...conditions, after] : conditions.map((each) => (each === known ? after : each)),
  };
}

function condition(common: boolean, generation: number | undefined, now: number): StorageVersionCondition {
  return {
    type: TYPE,
    status: common ? 'True' : 'False',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: formatTime(now),
    reason: common ? 'CommonEncodingVersionSet' : 'CommonEncodingVersionUnset',
    message: common ? 'Common encoding version set' : 'Common encoding version unset',
  };
}
