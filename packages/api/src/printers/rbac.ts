import type { JsonValue } from '@binnacle/apimachinery/json';
import type { RoleBinding, Subject } from '../generated/types/rbac-v1.js';
import { ageColumn, nameColumn, text, wide } from './column.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const bindingColumns = [
  nameColumn,
  text('Role', 'Role that it gives.'),
  ageColumn,
  wide(text('Users', 'Users that get it.')),
  wide(text('Groups', 'Groups that get it.')),
  wide(text('ServiceAccounts', 'Service accounts that get it.')),
];

function printBinding(binding: RoleBinding, context: PrintContext): JsonValue[] {
  const subjects = binding.subjects ?? [];
  const names = (kind: string, name: (subject: Subject) => string) =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map(name)
      .join(', ');
  return [
    nameOf(binding),
    `${binding.roleRef?.kind ?? ''}/${binding.roleRef?.name ?? ''}`,
    ageOf(binding, context),
    names('User', (subject) => subject.name),
    names('Group', (subject) => subject.name),
    names('ServiceAccount', (subject) => (subject.namespace ? `${subject.namespace}/${subject.name}` : subject.name)),
  ];
}

export const rbacPrinters: readonly PrinterEntry[] = [
  printer('rbac.authorization.k8s.io/RoleBinding', bindingColumns, printBinding),
  printer('rbac.authorization.k8s.io/ClusterRoleBinding', bindingColumns, printBinding),
];
