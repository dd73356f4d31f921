import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import {
  INGRESS_CLASSES,
  LIMIT_RANGES,
  NAMESPACES,
  PRIORITY_CLASSES,
  RESOURCE_QUOTAS,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  STORAGE_CLASSES,
  type Stores,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
} from '../../registry/index.js';
import { type RoleObjects, ROLES_AND_BINDINGS } from './role-objects.js';

/** The objects that admission and authorization of writes read. */
const RULES: readonly GroupResource[] = [
  ...ROLES_AND_BINDINGS,
  NAMESPACES,
  LIMIT_RANGES,
  RESOURCE_QUOTAS,
  PRIORITY_CLASSES,
  INGRESS_CLASSES,
  STORAGE_CLASSES,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
  { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
];

/** The rules that are unknown: not read yet, or damaged in the store. */
export function unknownRules(stores: Stores, roles: Pick<RoleObjects, 'isReady'>): readonly string[] {
  if (!roles.isReady) return ['rbac'];
  return RULES.filter((resource) => stores.reader(resource).isDamaged).map(formatGroupResource);
}
