import type { AdmissionPlugin } from '../admission/index.js';
import { validationRefusal } from './denial.js';
import { isExempt } from './exempt.js';
import type { PolicyObservation } from './observer.js';
import { mayApply } from './policy-hooks.js';
import type { PolicySources } from './policy-sources.js';
import type * as validation from './validated-request.js';

/** The engine loads with the first policy. Upstream: apiserver `policy/validating/dispatcher.go`. */
export function validatingPolicies(sources: PolicySources, observation: PolicyObservation): AdmissionPlugin {
  let engine: typeof validation | undefined;
  let hooks: validation.ValidationHooks | undefined;
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: () => true,
    async validate(attributes) {
      if (isExempt(attributes)) return;
      const policies = await sources.validatingPolicies();
      if (policies.length === 0) return;
      engine ??= await import('./validated-request.js');
      hooks ??= engine.validationHooks();
      const bindings = await sources.validatingBindings();
      const request = new engine.ValidatedRequest(attributes, sources, observation);
      for (const hook of hooks.of(policies, bindings)) {
        const matching = request.matching.apply(hook);
        const applied = matching instanceof Promise ? await matching : matching;
        if (applied.length > 0) await request.evaluate(hook, applied);
      }
      const { denial } = request;
      if (denial !== undefined) throw validationRefusal(attributes, denial.message, denial.reason);
    },
    async ordersDeletes(attributes) {
      if (isExempt(attributes)) return false;
      const policies = await sources.validatingPolicies();
      if (policies.length === 0) return false;
      engine ??= await import('./validated-request.js');
      hooks ??= engine.validationHooks();
      return hooks.of(policies, await sources.validatingBindings()).some((hook) => mayApply(hook, attributes));
    },
  };
}
