import { forbidden } from '@binnacle/apimachinery/status';
import type { AdmissionPlugin } from '../admission/index.js';
import { TERMINATING } from './resource-handler.js';
import type { ServedDefinition } from './served-definition.js';

/** Finds the current definition with a name. */
export interface CurrentDefinitions {
  /** As the watch has it. */
  readonly known: (name: string) => ServedDefinition | undefined;
  /** As the store has it. */
  readonly newest: (name: string) => Promise<ServedDefinition | undefined>;
}

/**
 * Forbids creates while the definition is being deleted: early, before webhooks are called, and again in the commit of the
 * object, which would outlive the definition.
 */
export function forbidCreates(definition: ServedDefinition, { known, newest }: CurrentDefinitions): AdmissionPlugin {
  const { name } = definition;
  return {
    name: 'TerminatingDefinition',
    handles: (operation) => operation === 'CREATE',
    admit: (attributes) => void checkCreate(definition, known(name), attributes.name),
    createCondition: async (attributes, isRetry) => {
      const current = isRetry ? await newest(name) : known(name);
      return checkCreate(definition, current, attributes.name).stored;
    },
  };
}

/** The current definition. Throws 403 if it is being deleted, or is another one, because a new object would outlive it. */
function checkCreate(
  { uid, group, plural }: ServedDefinition,
  current: ServedDefinition | undefined,
  object: string,
): ServedDefinition {
  if (current?.uid === uid && !current.terminating) return current;
  throw forbidden({ group, resource: plural }, object, TERMINATING);
}
