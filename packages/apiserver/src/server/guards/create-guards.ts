import type { Clock } from '@binnacle/apimachinery/clock';
import type { Authorizer } from '../../authorization/index.js';
import type { Stores, WriteGuard } from '../../registry/index.js';
import { admissionAuthorizer } from '../plugins/admission-authorizer.js';
import type { FindKind, StoredSources } from '../sources/index.js';
import { claimGuards } from './claim-guards.js';
import { grantGuards } from './grant-guards.js';
import { namespaceGuard } from './namespace-guard.js';
import { parameterGuards } from './parameter-guards.js';
import { podCertificateGuard } from './pod-certificate-guard.js';

export interface GuardsOptions {
  readonly authorizer: Authorizer;
  readonly roles: StoredSources['roles'];
  readonly findKind: FindKind;
  readonly stores: Stores;
  readonly clock: Clock;
  /** Throws until the definitions have been read. */
  readonly unreadableDefinitions: () => readonly string[];
}

/** The guards of all resources, by `resource.group`. */
export function createGuards(options: GuardsOptions): ReadonlyMap<string, WriteGuard> {
  const { authorizer, roles, findKind, stores, clock, unreadableDefinitions } = options;
  const certificates = podCertificateGuard({ authorizer: admissionAuthorizer(authorizer), clock });
  return new Map([
    ...grantGuards({ authorizer, roles, upToDate: () => roles.upToDate() }),
    ...parameterGuards({ authorizer, findKind, stores }),
    ...claimGuards({ authorizer, stores }),
    ['podcertificaterequests.certificates.k8s.io', certificates] as const,
    ['namespaces.', namespaceGuard(unreadableDefinitions)] as const,
  ]);
}
