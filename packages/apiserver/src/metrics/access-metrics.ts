import type { Clock } from '@binnacle/apimachinery/clock';
import type { Family, HistogramSeries, MetricRegistry, NumberSeries } from '@binnacle/apimachinery/metrics';
import type { Authenticate, UserInfo } from '../authentication/index.js';
import type { Authorizer, Decision } from '../authorization/index.js';
import { requestFacts } from './request-facts.js';
import { type Outcome, timed } from './timed.js';

const knownUsers: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Counts and times authentication attempts. Upstream: apiserver `pkg/endpoints/filters/metrics.go`. */
export function observedAuthenticate(authenticate: Authenticate, registry: MetricRegistry, clock: Clock): Authenticate {
  const users = registry.numbers(requestFacts.users);
  const success = new Result(
    'success',
    registry.numbers(requestFacts.authentications),
    registry.histograms(requestFacts.authenticationDuration),
  );
  const error = success.sibling('error');
  // Caches the last user, since requests of one user often follow each other.
  let lastName = '';
  let lastUser: NumberSeries | undefined;
  const done = (seconds: number, outcome: Outcome<UserInfo>): void => {
    (outcome === undefined ? error : success).add(seconds);
    if (outcome === undefined) return;
    const { name } = outcome.value;
    if (lastUser === undefined || name !== lastName) {
      lastName = name;
      lastUser = users.with(countedUser(name));
    }
    lastUser.value++;
  };
  return timed(clock, authenticate, done);
}

/** Counts and times authorization decisions. */
export function observedAuthorizer(authorizer: Authorizer, registry: MetricRegistry, clock: Clock): Authorizer {
  const allowed = new Result(
    'allowed',
    registry.numbers(requestFacts.authorizations),
    registry.histograms(requestFacts.authorizationDuration),
  );
  const denied = allowed.sibling('denied');
  const noOpinion = allowed.sibling('no-opinion');
  const error = allowed.sibling('error');
  const of = (decision: Decision): Result =>
    decision.allowed ? allowed : decision.denied === true ? denied : noOpinion;
  const done = (seconds: number, outcome: Outcome<Decision>): void =>
    (outcome === undefined ? error : of(outcome.value)).add(seconds);
  return { authorize: timed(clock, (attributes) => authorizer.authorize(attributes), done) };
}

/** Maps user names to a few labels, so that metrics reveal no names. */
function countedUser(name: string): string {
  if (knownUsers.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}

/** The series of one result, created on first use. */
class Result {
  readonly #result: string;
  readonly #counts: Family<readonly ['result'], NumberSeries>;
  readonly #durations: Family<readonly ['result'], HistogramSeries>;
  #count: NumberSeries | undefined;
  #duration: HistogramSeries | undefined;

  constructor(
    result: string,
    counts: Family<readonly ['result'], NumberSeries>,
    durations: Family<readonly ['result'], HistogramSeries>,
  ) {
    this.#result = result;
    this.#counts = counts;
    this.#durations = durations;
  }

  sibling(result: string): Result {
    return new Result(result, this.#counts, this.#durations);
  }

  add(seconds: number): void {
    this.#count ??= this.#counts.with(this.#result);
    this.#duration ??= this.#durations.with(this.#result);
    this.#count.value++;
    this.#duration.observe(seconds);
  }
}
