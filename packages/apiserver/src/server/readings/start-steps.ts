import type { HealthCheck } from '../../health/index.js';

/** The steps of a start. A step is over once it has been tried, even if it failed. */
export type StartStep =
  /** The stored CustomResourceDefinitions are known, and followed. */
  | 'definitions'
  /** The objects that every cluster has are stored, or their refusal is reported. */
  | 'objects'
  /** The objects that authorization and admission read are known. */
  | 'rules'
  /** The stored flow schemas and priority levels decide. */
  | 'flow-control'
  /** The stored APIServices are known; those of this server are kept, and others checked. */
  | 'aggregation'
  /** Addresses that a crash has leaked will be released. */
  | 'repair';

/**
 * The hooks that kube-apiserver runs at its start, in its order, with the step that does the same here. Monitoring systems look for
 * checks with these names. Hooks that have no counterpart are left out.
 */
const HOOKS: readonly (readonly [hook: string, step: StartStep])[] = [
  ['start-apiserver-admission-initializer', 'rules'],
  ['generic-apiserver-start-informers', 'rules'],
  ['priority-and-fairness-config-consumer', 'flow-control'],
  ['start-apiextensions-informers', 'definitions'],
  ['start-apiextensions-controllers', 'definitions'],
  ['crd-informer-synced', 'definitions'],
  ['start-system-namespaces-controller', 'objects'],
  ['start-cluster-authentication-info-controller', 'objects'],
  ['start-legacy-token-tracking-controller', 'objects'],
  ['start-service-ip-repair-controllers', 'repair'],
  ['rbac/bootstrap-roles', 'objects'],
  ['scheduling/bootstrap-system-priority-classes', 'objects'],
  ['priority-and-fairness-config-producer', 'objects'],
  ['bootstrap-controller', 'objects'],
  ['start-kubernetes-service-cidr-controller', 'objects'],
  ['start-kube-aggregator-informers', 'aggregation'],
  ['apiservice-status-local-available-controller', 'aggregation'],
  ['apiservice-status-remote-available-controller', 'aggregation'],
  ['apiservice-registration-controller', 'aggregation'],
  ['apiservice-wait-for-first-sync', 'aggregation'],
  ['apiservice-discovery-controller', 'aggregation'],
  ['kube-apiserver-autoregistration', 'aggregation'],
  ['apiservice-openapi-controller', 'aggregation'],
  ['apiservice-openapiv3-controller', 'aggregation'],
];

/** Which steps of the start are over. */
export class StartSteps {
  readonly #expected: ReadonlySet<StartStep>;
  readonly #done = new Set<StartStep>();

  /** `expected`: the steps that this server takes. */
  constructor(expected: readonly StartStep[]) {
    this.#expected = new Set(expected);
  }

  done(step: StartStep): void {
    this.#done.add(step);
  }

  /** A check for each hook of kube-apiserver that an expected step replaces. It fails until the step is over. */
  checks(): readonly Pick<HealthCheck, 'name' | 'check'>[] {
    return HOOKS.filter(([, step]) => this.#expected.has(step)).map(([hook, step]) => ({
      name: `poststarthook/${hook}`,
      check: () => this.check(step),
    }));
  }

  /** Throws while an expected step is not over. */
  check(step: StartStep): void {
    if (this.#expected.has(step) && !this.#done.has(step)) throw new Error('not finished');
  }
}
