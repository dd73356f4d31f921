import type { UserInfo } from '../authentication/index.js';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.js';

/** The first authorizer with an opinion decides. The reasons of those without one are joined. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  const ask = (
    attributes: AuthorizationAttributes,
    start: number,
    reasons: readonly string[],
  ): Decision | Promise<Decision> => {
    const collected = [...reasons];
    for (let index = start; index < authorizers.length; index++) {
      const decision = authorizers[index]?.authorize(attributes);
      if (decision === undefined) continue;
      if (decision instanceof Promise) {
        return decision.then((decided) => {
          if (isFinal(decided)) return decided;
          return ask(attributes, index + 1, decided.reason === '' ? collected : [...collected, decided.reason]);
        });
      }
      if (isFinal(decision)) return decision;
      if (decision.reason !== '') collected.push(decision.reason);
    }
    return { allowed: false, reason: collected.join('\n') };
  };
  return { authorize: (attributes) => ask(attributes, 0, []) };
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
