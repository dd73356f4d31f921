import { forbidden, StatusError } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import type { Authorizer } from '../authorization/index.js';
import type { Filter, RequestContext } from '../request/index.js';
import { attributesOf } from './authorization.js';
import { ImpersonationCheck, type ImpersonationMode, impersonationModes } from './impersonation-mode.js';
import { RecentModes } from './recent-modes.js';
import { requestedUserOf } from './impersonation-headers.js';

/**
 * Runs a request as another user, from the headers `Impersonate-User`, `-Uid`, `-Group` and `-Extra-*`. Answers 403
 * when the caller lacks the right. The filter belongs between authentication and authorization.
 */
export function impersonation(authorizer: Authorizer): Filter {
  const recent = new RecentModes<ImpersonationMode>();
  return {
    name: 'impersonation',
    enter: (context) => {
      const requested = asked(context);
      if (requested === undefined) return undefined;
      return impersonatedUser(authorizer, recent, context, requested).then(({ user, constraint }) => {
        context.audit?.impersonated(user, constraint === undefined ? undefined : `impersonate:${constraint}`);
        context.user = user;
      });
    },
  };
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
  authorizer: Authorizer,
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
    const outcome = await new ImpersonationCheck(authorizer, mode, request).run(requested);
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
