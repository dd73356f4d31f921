import type { Clock } from '@binnacle/apimachinery/clock';
import { forbidden, StatusError } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/index.js';
import type { Filter, RequestContext } from '../request/index.js';
import { attributesOf } from './authorization.js';
import {
  type AskForRight,
  ImpersonationCheck,
  type ImpersonationMode,
  impersonationModes,
} from './impersonation-mode.js';
import { RecentModes } from './recent-modes.js';
import { requestedUserOf } from './impersonation-headers.js';

/**
 * Runs a request as another user, from the headers `Impersonate-User`, `-Uid`, `-Group` and `-Extra-*`. Answers 403
 * when the caller lacks the right. The filter belongs between authentication and authorization.
 */
export function impersonation(
  authorizer: Authorizer,
  clock: Pick<Clock, 'monotonic'>,
  observer: ImpersonationObserver,
): Filter {
  const recent = new RecentModes<ImpersonationMode>();
  const observed = observedQuestions(authorizer, clock, observer);
  return {
    name: 'impersonation',
    enter: (context) => {
      const requested = asked(context);
      if (requested === undefined) return undefined;
      const began = clock.monotonic();
      const attempted = (mode: string, decision: AccessDecision): void =>
        observer.attempted(mode, decision, (clock.monotonic() - began) / 1000);
      return impersonatedUser(observed, recent, context, requested).then(
        ({ user, constraint }) => {
          attempted(modeOf(constraint), 'allowed');
          context.audit?.impersonated(user, constraint === undefined ? undefined : `impersonate:${constraint}`);
          context.user = user;
        },
        (error: unknown) => {
          attempted('', 'denied');
          throw error;
        },
      );
    },
  };
}

type AccessDecision = 'allowed' | 'denied';

/** Observes impersonation. `mode`: the constraint of a constrained mode, or `legacy`. */
export interface ImpersonationObserver {
  /** A request has asked for another user. The mode of a refusal is empty. */
  attempted(mode: string, decision: AccessDecision, seconds: number): void;
  /** The authorizer was asked for one of the rights. */
  asked(mode: string, decision: AccessDecision, seconds: number): void;
}

/** Asks the authorizer for a right of a mode, and tells the observer. */
function observedQuestions(authorizer: Authorizer, clock: Pick<Clock, 'monotonic'>, observer: ImpersonationObserver) {
  return async (mode: ImpersonationMode, attributes: AuthorizationAttributes): Promise<Decision> => {
    const began = clock.monotonic();
    const decision = await authorizer.authorize(attributes);
    const seconds = (clock.monotonic() - began) / 1000;
    observer.asked(modeOf(mode.constraint), decision.allowed ? 'allowed' : 'denied', seconds);
    return decision;
  };
}

function modeOf(constraint: string | undefined): string {
  return constraint ?? 'legacy';
}

interface Impersonation {
  readonly user: UserInfo;
  readonly constraint: string | undefined;
}

function asked(context: RequestContext): UserInfo | undefined {
  try {
    return requestedUserOf(context.exchange);
  } catch (error) {
    throw refused(context, error);
  }
}

/**
 * The first mode that allows the request wins, and is tried first the next time. Without one, the first refusal is
 * reported.
 */
async function impersonatedUser(
  ask: AskForRight,
  recent: RecentModes<ImpersonationMode>,
  context: RequestContext,
  requested: UserInfo,
): Promise<Impersonation> {
  const { user } = context;
  const last = recent.get(user.name);
  const request = attributesOf(context);
  let first: StatusError | undefined;
  for (const mode of last === undefined ? impersonationModes : new Set([last, ...impersonationModes])) {
    if (!mode.applies(requested, user)) continue;
    const outcome = await new ImpersonationCheck(ask, mode, request).run(requested);
    if (outcome instanceof StatusError) {
      first ??= outcome;
      continue;
    }
    if (mode !== last) recent.set(user.name, mode);
    return { user: outcome, constraint: mode.constraint };
  }
  throw refused(
    context,
    first ?? forbidden({ group: '', resource: 'users' }, requested.name, 'no mode of impersonation applies'),
  );
}

function refused(context: RequestContext, error: unknown): unknown {
  context.responseHeaders['x-content-type-options'] = 'nosniff';
  return error;
}
