import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';
import { setCondition } from './definition-conditions.js';
import { loadDefinitionRules, loadedDefinitionRules } from './definition-rules.js';
import { kind, spec } from './kind.js';
import { statusStrategy } from './status.js';

/** Holds a deleted definition until its objects are gone. */
export const CUSTOM_RESOURCE_CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

type Definition = CustomResourceDefinition & KubernetesObject;

/** Upstream: apiextensions `pkg/registry/customresourcedefinition`. */
export const customResourceDefinitionStrategy = kind<CustomResourceDefinition>(
  {
    anyFinalizer: true,
    status: true,
    desired: spec,
    prepareForCreate: rememberStorageVersion,
    prepareForUpdate: rememberStorageVersion,
    validate(definition) {
      const { validation, compiler } = loadedDefinitionRules();
      return validation.validateCustomResourceDefinition(definition, compiler);
    },
    validateUpdate(definition, old) {
      const { validation, compiler } = loadedDefinitionRules();
      return validation.validateCustomResourceDefinitionUpdate(definition, old, compiler);
    },
    warnings: (definition, old) => loadedDefinitionRules().validation.customResourceDefinitionWarnings(definition, old),
  },
  {
    ready: loadDefinitionRules,
    allowUnconditionalUpdate: false,
    // One that is not being deleted has objects, or can have them any moment.
    hasFinalizersOfItsOwn: ({ metadata }) => metadata.deletionTimestamp === undefined,
    markForDeletion: (object, now) => markForDeletion(object as unknown as Definition, now),
  },
);

export const customResourceDefinitionStatusStrategy = {
  ...statusStrategy<CustomResourceDefinition>({
    // Upstream lets the status carry metadata, and takes the finalizer away so.
    validateUpdate: (definition) =>
      loadedDefinitionRules().validation.validateCustomResourceDefinitionStatusUpdate(definition),
  }),
  ready: loadDefinitionRules,
  allowUnconditionalUpdate: false,
};

/** Every version that objects have ever been stored in stays on record. */
function rememberStorageVersion(definition: Definition): void {
  const storage = definition.spec?.versions?.find((version) => version.storage)?.name;
  const stored = definition.status?.storedVersions ?? [];
  if (storage === undefined || stored.includes(storage)) return;
  definition.status = { ...definition.status, storedVersions: [...stored, storage] };
}

/** Neither the generation nor a grace period are touched. */
function markForDeletion(definition: Definition, now: number): void {
  const { metadata } = definition;
  if (metadata.deletionTimestamp !== undefined) return;
  metadata.deletionTimestamp = formatTime(now);
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(CUSTOM_RESOURCE_CLEANUP)) metadata.finalizers = [...finalizers, CUSTOM_RESOURCE_CLEANUP];
  setCondition(
    definition,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    now,
  );
}
