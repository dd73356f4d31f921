import type { Steps } from '@binnacle/apimachinery/work';
import type { Node } from '@binnacle/client/kinds/core/v1';
import type { AllocationResult, DeviceClass, ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import { allocationOf } from './allocation-result.js';
import type { AllocatedDevices } from './allocated-devices.js';
import { DeviceSelectors } from './device-selectors.js';
import { type PlannedRequest, planRequests } from './planned-requests.js';
import { latestGenerations, type PoolGenerations, poolsOf } from './pools.js';
import { Search } from './search.js';
import { MOST_WORK, SearchWork } from './search-work.js';

export interface AllocatorOptions {
  readonly slices: readonly ResourceSlice[];
  readonly deviceClass: (name: string) => DeviceClass | undefined;
  readonly allocated: AllocatedDevices;
  readonly shareId: () => string;
  /** Of the search on one node, in units of cost of an expression. Default: some seconds. */
  readonly mostWork?: number;
}

/** Finds devices for the claims of a pod, as the cluster is now. It changes nothing, so it can try one node after the other. */
export class Allocator {
  readonly #options: AllocatorOptions;
  readonly #generations: PoolGenerations;
  readonly #selectors = new DeviceSelectors();

  constructor(options: AllocatorOptions) {
    this.#options = options;
    this.#generations = latestGenerations(options.slices);
  }

  /**
   * One result for each claim, or why the node has no devices for them. Throws if another node does not help: a selector is
   * broken, or a claim cannot be fulfilled.
   */
  *allocate(node: Node, claims: readonly ResourceClaim[]): Steps<readonly AllocationResult[] | string> {
    const pools = poolsOf(this.#generations, node);
    const work = new SearchWork(node.metadata.name ?? '', this.#options.mostWork ?? MOST_WORK);
    const options = { ...this.#options, node, claims, pools, selectors: this.#selectors, work };
    const requests: (readonly (readonly PlannedRequest[])[])[] = [];
    for (const claim of claims) requests.push(yield* planRequests(claim, options));
    const solutions = yield* new Search({ ...options, requests }).run();
    if (solutions === undefined) {
      const isInvalid = pools.some(({ fault }) => fault === 'invalid');
      return isInvalid ? 'invalid resource pools were encountered' : 'cannot allocate all claims';
    }
    const { shareId } = this.#options;
    return claims.flatMap((claim, index) => {
      const solution = solutions[index];
      return solution === undefined ? [] : [allocationOf(claim, solution, { node, shareId })];
    });
  }
}
