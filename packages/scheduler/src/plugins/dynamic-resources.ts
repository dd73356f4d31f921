import { type Plugin, StateKey, success, unresolvable, unschedulable } from '../framework/index.js';

const hasRun = new StateKey<true>();

/**
 * Devices cannot be allocated yet. A pod with claims stays pending, and its event says so. Failed attempts of other pods
 * have upstream's texts.
 */
export const dynamicResources: Plugin = {
  name: 'DynamicResources',
  interests: [],
  preFilter: ({ state, pod }) => {
    if ((pod.spec.resourceClaims ?? []).length > 0) {
      return { status: unresolvable('this scheduler does not allocate the devices of resource claims') };
    }
    state.write(hasRun, true);
    return { status: success };
  },
  // Upstream's plugin fails with this text if its PreFilter has not run.
  postFilter: ({ state }) =>
    state.read(hasRun) === true
      ? { status: unschedulable('no new claims to deallocate') }
      : { status: { code: 'Error', reasons: ['not found'] } },
};
