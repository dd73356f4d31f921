import type { NodeObjects } from '../../authorization/index.js';
import type { Stores } from '../../registry/index.js';
import type { TokenSubjects } from '../../serviceaccounts/index.js';
import { type AdmissionObjects, admissionObjects } from './admission-objects.js';
import { nodeObjects } from './node-objects.js';
import { RoleObjects } from './role-objects.js';
import { tokenSubjects } from './token-subjects.js';
import { unknownRules } from './unknown-rules.js';

export { bootstrapSecrets } from './bootstrap-secrets.js';
export type { AdmissionObjects } from './admission-objects.js';
export { type FindKind, policyObjects } from './policy-objects.js';

/** The stored objects that the server's own rules read, by who reads them. The caches also serve requests. */
export interface StoredSources {
  readonly roles: RoleObjects;
  readonly nodes: NodeObjects;
  readonly admission: AdmissionObjects;
  readonly subjects: TokenSubjects;
  /** The rules that are unknown: not read yet, or damaged in the store. */
  unknown(): readonly string[];
}

export function storedSources(stores: Stores): StoredSources {
  const roles = new RoleObjects(stores);
  return {
    roles,
    nodes: nodeObjects(stores),
    admission: admissionObjects(stores),
    subjects: tokenSubjects(stores),
    unknown: () => unknownRules(stores, roles),
  };
}
