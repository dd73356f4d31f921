import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';
import { setCondition } from './definition-conditions.js';
import { loadDefinitionRules, loadedDefinitionRules } from './definition-rules.js';
import { kind, spec } from './kind.js';
import { statusStrategy } from './status.js';

/** Delays the deletion of a definition until its objects are deleted. */
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
    // A definition that is not being deleted may have objects at any moment.
    hasOwnFinalizers: ({ metadata }) => metadata.deletionTimestamp === undefined,
    markForDeletion: (object, now) => markForDeletion(asKind<Definition>(object), now),
  },
);

export const customResourceDefinitionStatusStrategy = {
  ...statusStrategy<CustomResourceDefinition>({
    // Upstream allows a status write to change metadata, and removes the finalizer that way.
    validateUpdate: (definition) =>
      loadedDefinitionRules().validation.validateCustomResourceDefinitionStatusUpdate(definition),
  }),
  ready: loadDefinitionRules,
};

/** Keeps every version in which objects were ever stored. */
function rememberStorageVersion(definition: Definition): void {
  const storage = definition.spec?.versions?.find((version) => version.storage)?.name;
  const stored = definition.status?.storedVersions ?? [];
  if (storage === undefined || stored.includes(storage)) return;
  definition.status = { ...definition.status, storedVersions: [...stored, storage] };
}

/** Changes neither the generation nor a grace period. */
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
