import type { JsonValue } from '@binnacle/apimachinery/json';
import type {
  MutatingAdmissionPolicy,
  MutatingWebhookConfiguration,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../generated/types/admissionregistration-v1.js';
import type { LabelSelector } from '../generated/types/meta-v1.js';
import { ageColumn, integer, nameColumn, text } from './column.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const group = 'admissionregistration.k8s.io';
const webhookColumns = [nameColumn, integer('Webhooks', 'How many webhooks it has.'), ageColumn];
const paramKindColumn = text('ParamKind', 'Kind of its parameters.');
const bindingColumns = [
  nameColumn,
  text('PolicyName', 'Policy that it puts into force.'),
  text('ParamRef', 'Parameters that the policy gets.'),
  ageColumn,
];

function printWebhooks(
  object: ValidatingWebhookConfiguration | MutatingWebhookConfiguration,
  context: PrintContext,
): JsonValue[] {
  return [nameOf(object), (object.webhooks ?? []).length, ageOf(object, context)];
}

function paramKindText(kind: ParamKind | undefined): string {
  return kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : '<unset>';
}

function printBinding(binding: ValidatingAdmissionPolicyBinding, context: PrintContext): JsonValue[] {
  const { spec } = binding;
  return [nameOf(binding), spec?.policyName ?? '', paramRefText(spec?.paramRef), ageOf(binding, context)];
}

function paramRefText(reference: ParamRef | undefined): string {
  if (reference?.name) return `${reference.namespace || '*'}/${reference.name}`;
  return reference?.selector ? selectorText(reference.selector) : '<unset>';
}

/** Prints a selector as Go prints the struct; upstream's column shows that. */
function selectorText(selector: LabelSelector): string {
  const labels = selector.matchLabels ?? {};
  const pairs = Object.keys(labels)
    .toSorted()
    .map((key) => `${key}: ${labels[key] ?? ''},`);
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

export const admissionregistrationPrinters: readonly PrinterEntry[] = [
  printer(`${group}/ValidatingWebhookConfiguration`, webhookColumns, printWebhooks),
  printer(`${group}/MutatingWebhookConfiguration`, webhookColumns, printWebhooks),
  printer(
    `${group}/ValidatingAdmissionPolicy`,
    [nameColumn, integer('Validations', 'How many rules it has.'), paramKindColumn, ageColumn],
    (policy: ValidatingAdmissionPolicy, context) => [
      nameOf(policy),
      (policy.spec?.validations ?? []).length,
      paramKindText(policy.spec?.paramKind),
      ageOf(policy, context),
    ],
  ),
  printer(
    `${group}/MutatingAdmissionPolicy`,
    [nameColumn, integer('Mutations', 'How many mutations it has.'), paramKindColumn, ageColumn],
    (policy: MutatingAdmissionPolicy, context) => [
      nameOf(policy),
      (policy.spec?.mutations ?? []).length,
      paramKindText(policy.spec?.paramKind),
      ageOf(policy, context),
    ],
  ),
  printer(`${group}/ValidatingAdmissionPolicyBinding`, bindingColumns, printBinding),
  printer(`${group}/MutatingAdmissionPolicyBinding`, bindingColumns, printBinding),
];
