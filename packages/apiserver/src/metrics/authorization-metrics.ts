import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { Authorizer, Decision } from '../authorization/index.js';
import type { AccessWebhookObserver, AuthorizerRule } from '../reviewwebhooks/index.js';
import { authorizationFacts } from './authorization-facts.js';

/** Counts what the configured authorizers decide, and how their webhooks answer. */
export class AuthorizationMetrics {
  readonly #decisions;
  readonly #calls;
  readonly #durations;
  readonly #failedOpen;
  readonly #evaluations;
  readonly #errors;
  readonly #exclusions;

  constructor(registry: MetricRegistry) {
    this.#decisions = registry.numbers(authorizationFacts.decisions);
    this.#calls = registry.numbers(authorizationFacts.webhookCalls);
    this.#durations = registry.histograms(authorizationFacts.webhookDurations);
    this.#failedOpen = registry.numbers(authorizationFacts.webhookFailedOpen);
    this.#evaluations = registry.histograms(authorizationFacts.conditionEvaluations);
    this.#errors = registry.numbers(authorizationFacts.conditionErrors);
    this.#exclusions = registry.numbers(authorizationFacts.conditionExclusions);
  }

  /** The authorizer of a rule, whose decisions count. Without an opinion, it has decided nothing. */
  observed({ type, name }: Pick<AuthorizerRule, 'type' | 'name'>, authorizer: Authorizer): Authorizer {
    const counted = (decision: Decision): Decision => {
      if (decision.allowed) this.#decisions.with(type, name, 'allowed').value++;
      else if (decision.denied === true) this.#decisions.with(type, name, 'denied').value++;
      return decision;
    };
    return {
      authorize: (attributes) => {
        const decision = authorizer.authorize(attributes);
        return decision instanceof Promise ? decision.then(counted) : counted(decision);
      },
    };
  }

  /** What an authorizer of the type Webhook reports. */
  webhook(name: string): AccessWebhookObserver {
    const labels = ['Webhook', name] as const;
    return {
      called: (result, seconds) => {
        this.#calls.with(name, result).value++;
        this.#durations.with(name, result).observe(seconds);
      },
      failedOpen: (result) => void this.#failedOpen.with(name, result).value++,
      conditionsEvaluated: (outcome, seconds) => {
        this.#evaluations.with(...labels).observe(seconds);
        if (outcome === 'error') this.#errors.with(...labels).value++;
        if (outcome === 'excluded') this.#exclusions.with(...labels).value++;
      },
    };
  }
}
