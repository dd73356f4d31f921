import type {
  ExemptPriorityLevelConfiguration,
  FlowSchemaSpec,
  LimitedPriorityLevelConfiguration,
  QueuingConfiguration,
} from '../generated/types/flowcontrol-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';

const name = (type: string) => `io.k8s.api.flowcontrol.v1.${type}`;

export const flowcontrolDefaults: readonly TypeRuleEntry[] = [
  typeRule(name('FlowSchemaSpec'), (spec: FlowSchemaSpec) => {
    spec.matchingPrecedence ||= 1000;
  }),
  typeRule(name('ExemptPriorityLevelConfiguration'), (exempt: ExemptPriorityLevelConfiguration) => {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }),
  typeRule(name('LimitedPriorityLevelConfiguration'), (limited: LimitedPriorityLevelConfiguration) => {
    limited.nominalConcurrencyShares ??= 30;
    limited.lendablePercent ??= 0;
  }),
  typeRule(name('QueuingConfiguration'), (queuing: QueuingConfiguration) => {
    queuing.handSize ||= 8;
    queuing.queues ||= 64;
    queuing.queueLengthLimit ||= 50;
  }),
];
