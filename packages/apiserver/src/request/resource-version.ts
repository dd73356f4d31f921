import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import { badRequest, quoteGo, unclassified } from '@binnacle/apimachinery/status';

/**
 * The states of a resource that a read accepts. Upstream: apiserver `pkg/storage/interfaces.go` (ValidateListOptions),
 * `pkg/storage/cacher/delegator`.
 */
export type StateDemand = PresentDemand | { readonly type: 'exactly'; readonly revision: number };

/** A demand that the newest state always meets, unless the revision is in the future. */
export type PresentDemand =
  | { readonly type: 'newest' }
  | { readonly type: 'any' }
  | { readonly type: 'at-least'; readonly revision: number };

export const NEWEST: PresentDemand = { type: 'newest' };
export const ANY: PresentDemand = { type: 'any' };

/** The parameters of a list that choose its state. */
export interface ListVersion {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0 or less: no limit. */
  readonly limit: number;
  readonly continue: string;
}

/** No 64-bit number has more. */
const MAXIMUM_DIGITS = 20;
const LARGEST = 2n ** 64n - 1n;

/**
 * A resourceVersion as a number; '' is 0. Values beyond the safe integers become the largest one, which no store
 * reaches. Returns the text of Go's error if it is invalid. Writes use it as it is; the preconditions of a delete compare
 * texts, as upstream does. Upstream: `APIObjectVersioner.ObjectResourceVersion`.
 */
export function parseResourceVersion(text: string): number | string {
  if (text === '') return 0;
  const isNumber = /^[0-9]+$/.test(text);
  const digits = text.replace(/^0+(?=[0-9])/, '');
  if (isNumber && digits.length <= MAXIMUM_DIGITS && BigInt(digits) <= LARGEST) {
    return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
  }
  const problem = isNumber ? 'value out of range' : 'invalid syntax';
  return `strconv.ParseUint: parsing ${quoteGo(text)}: ${problem}`;
}

/**
 * Whether a watch with this resourceVersion begins with the current objects unless it says otherwise. Only these two
 * spellings do. Upstream: apimachinery `SetListOptionsDefaults`.
 */
export function hasNoStart(resourceVersion: string): boolean {
  return resourceVersion === '' || resourceVersion === '0';
}

/** The resources that upstream serves without a watch cache. */
const UNCACHED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/**
 * Get: at least the version. Throws when it is invalid: 400 for the resources that upstream does not cache, 500 for
 * others.
 */
export function demandOfGet(resourceVersion: string, resource: GroupResource): PresentDemand {
  return atLeast(resourceVersion, UNCACHED.has(formatGroupResource(resource)) ? invalidVersion : unclassified);
}

/** Watch: the state to begin with, or after which to begin. Throws 500 when it is invalid, as upstream does. */
export function presentDemandOf(resourceVersion: string): PresentDemand {
  return atLeast(resourceVersion, unclassified);
}

/**
 * List: at least the version, unless the match or a limit makes it exact. Zero accepts any state, whatever the match;
 * in another spelling than `0` it is the newest one where a version would be exact.
 * A continue token has its own version. Throws 400.
 */
export function demandOfList(options: ListVersion): StateDemand {
  const { resourceVersion, resourceVersionMatch: match, limit } = options;
  if (options.continue !== '') {
    if (hasNoStart(resourceVersion)) return NEWEST;
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const demand = atLeast(resourceVersion, invalidVersion);
  const isExact = match === 'Exact' || (match === '' && limit > 0);
  if (!isExact) return demand;
  if (demand.type === 'at-least') return { type: 'exactly', revision: demand.revision };
  return hasNoStart(resourceVersion) ? demand : NEWEST;
}

function invalidVersion(problem: string): Error {
  return badRequest(`invalid resource version: ${problem}`);
}

function atLeast(resourceVersion: string, refusal: (message: string) => Error): PresentDemand {
  if (resourceVersion === '') return NEWEST;
  const revision = parseResourceVersion(resourceVersion);
  if (typeof revision === 'string') {
    throw refusal(`resourceVersion: Invalid value: ${quoteGo(resourceVersion)}: ${revision}`);
  }
  return revision === 0 ? ANY : { type: 'at-least', revision };
}
