import { joinMessages } from '@binnacle/apimachinery/errors';
import type { UserInfo } from '../authentication/index.js';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.js';

/** The first authorizer with an opinion decides. The reasons and errors of those without one are joined. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  const ask = (
    attributes: AuthorizationAttributes,
    start: number,
    earlier: readonly Decision[],
  ): Decision | Promise<Decision> => {
    const undecided = [...earlier];
    for (let index = start; index < authorizers.length; index++) {
      const decision = authorizers[index]?.authorize(attributes);
      if (decision === undefined) continue;
      if (decision instanceof Promise) {
        return decision.then((decided) =>
          isFinal(decided) ? decided : ask(attributes, index + 1, [...undecided, decided]),
        );
      }
      if (isFinal(decision)) return decision;
      undecided.push(decision);
    }
    return joined(undecided);
  };
  return { authorize: (attributes) => ask(attributes, 0, []) };
}

function joined(undecided: readonly Decision[]): Decision {
  const reasons = undecided.map(({ reason }) => reason).filter((reason) => reason !== '');
  const errors = undecided.map(({ error }) => error).filter((error) => error !== undefined);
  return {
    allowed: false,
    reason: reasons.join('\n'),
    ...(errors.length === 0 ? {} : { error: joinMessages(errors) }),
  };
}

function isFinal(decision: Decision): boolean {
  return decision.allowed || decision.denied === true;
}

/** Allows everything to the privileged group, so that an administrator can repair broken roles. */
export function privilegedGroupAuthorizer(): Authorizer {
  return { authorize: ({ user }) => ({ allowed: isPrivileged(user), reason: '' }) };
}

/** Whether a user is exempt from authorization. */
export function isPrivileged(user: UserInfo): boolean {
  return user.groups.includes('system:masters');
}
