import { nameIsDnsLabel, nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';

const PREFIX = 'system:serviceaccount:';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The service account of a user name; undefined when the name is not that of a service account. */
export function parseServiceAccountUser(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(PREFIX.length).split(':');
  if (more.length > 0 || nameIsDnsLabel(namespace, false).length > 0 || nameIsDnsSubdomain(name, false).length > 0) {
    return undefined;
  }
  return { namespace, name };
}

/** The user name of a service account. */
export function serviceAccountUser({ namespace, name }: ServiceAccountName): string {
  return `${PREFIX}${namespace}:${name}`;
}

/** The groups of every service account of a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
