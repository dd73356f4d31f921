import { type AdmissionPlugin, InvocationRounds } from '../admission/index.js';
import { mutationRefusal } from './denial.js';
import { isExempt } from './exempt.js';
import type * as mutation from './mutated-request.js';
import type { PolicyObservation } from './observer.js';
import type { PolicySources } from './policy-sources.js';

/**
 * Changes an object by all mutating policies of a request, one after the other. Which policies apply is decided before
 * the first change. The engine loads with the first policy. Upstream: apiserver `policy/mutating/dispatcher.go`.
 */
export function mutatingPolicies(sources: PolicySources, observation: PolicyObservation): AdmissionPlugin {
  let engine: typeof mutation | undefined;
  let hooks: mutation.MutationHooks | undefined;
  const plugin: AdmissionPlugin = {
    name: 'MutatingAdmissionPolicy',
    handles: (operation) => operation !== 'DELETE',
    async admit(attributes) {
      const { object } = attributes;
      if (object === undefined || isExempt(attributes)) return;
      const policies = await sources.mutatingPolicies();
      if (policies.length === 0) return;
      engine ??= await import('./mutated-request.js');
      hooks ??= engine.mutationHooks();
      const found = hooks.of(policies, await sources.mutatingBindings());
      const request = new engine.MutatedRequest(attributes, object, { sources, ...observation });
      const invocations = await request.invocations(found);
      const rounds = attributes.reinvocation.stateOf(plugin, () => new InvocationRounds());
      rounds.begin(attributes);
      for (const invocation of invocations) await request.invoke(invocation, rounds);
      rounds.end(attributes, request.isMutated);
      const [first, ...others] = request.denials;
      if (first !== undefined) throw mutationRefusal(attributes, first, others);
    },
  };
  return plugin;
}
