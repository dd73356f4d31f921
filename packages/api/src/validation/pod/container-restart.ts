import { type FieldError, required, tooMany } from '@binnacle/apimachinery/status';
import type {
  Container,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
} from '../../generated/types/core-v1.js';
import { each, list, optionalOneOf } from '../common.js';

const RULES_MAXIMUM = 20;
const EXIT_CODES_MAXIMUM = 255;

/** The restart policy of a container and its rules. Upstream: `validateContainerRestartPolicy`. */
export function validateContainerRestart(container: Container, path: string): FieldError[] {
  const { restartPolicy, restartPolicyRules } = container;
  const rules = `${path}.restartPolicyRules`;
  const count = list(restartPolicyRules).length;
  const missing = restartPolicy === undefined && count > 0;
  return [
    ...(missing ? [required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used')] : []),
    ...optionalOneOf(restartPolicy, ['Always', 'Never', 'OnFailure'], `${path}.restartPolicy`),
    ...(count > RULES_MAXIMUM ? [tooMany(rules, count, RULES_MAXIMUM)] : []),
    ...each(restartPolicyRules, rules, restartRule),
  ];
}

function restartRule({ action = '', exitCodes }: Partial<ContainerRestartRule>, path: string): FieldError[] {
  const errors = optionalOneOf(action, ['Restart', 'RestartAllContainers'], `${path}.action`);
  if (exitCodes === undefined) return [...errors, required(`${path}.exitCodes`, 'must be specified')];
  return [...errors, ...onExitCodes(exitCodes, `${path}.exitCodes`)];
}

function onExitCodes({ operator = '', values }: Partial<ContainerRestartRuleOnExitCodes>, path: string): FieldError[] {
  const count = list(values).length;
  return [
    ...optionalOneOf(operator, ['In', 'NotIn'], `${path}.operator`),
    ...(count > EXIT_CODES_MAXIMUM ? [tooMany(`${path}.values`, count, EXIT_CODES_MAXIMUM)] : []),
  ];
}
