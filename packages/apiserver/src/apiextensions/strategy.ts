import { schemaOf } from '@binnacle/api/table';
import type { CustomResourceSubresourceScale } from '@binnacle/api/types/apiextensions-v1';
import { deepEqual, getOwn, type JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { type FieldError, formatFieldErrors, invalidValue, quoteGo } from '@binnacle/apimachinery/status';
import {
  rulesNotChecked,
  type SchemaRules,
  validateEmbeddedResources,
  validateListItems,
  validateValueInSteps,
} from '@binnacle/apimachinery/structural';
import { nameIsDnsSubdomain, validateLabelKey } from '@binnacle/apimachinery/validation';
import type { Steps, WorkBudget } from '@binnacle/apimachinery/work';
import type { CustomCodec } from '../codec/custom/index.js';
import type { Strategy } from '../registry/index.js';
import { validateScaleSpec, validateScaleStatus } from './scale-rules.js';

export interface CustomStrategyOptions {
  /** The codec of the version with these rules. */
  readonly codec: CustomCodec;
  /** The codec of the version of the given objects. */
  readonly storage: CustomCodec;
  readonly hasStatus: boolean;
  readonly scale: CustomResourceSubresourceScale | undefined;
  /** The compiled rules of the schema; undefined: it has none, or rules are not evaluated. */
  readonly rules: SchemaRules | undefined;
}

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The rules of one custom resource in one version. Upstream: apiextensions `pkg/registry/customresource/strategy.go`. */
export function customStrategy(options: CustomStrategyOptions): Strategy {
  const rules = new CustomRules(options);
  const { hasStatus } = options;
  return {
    validateName: nameIsDnsSubdomain,
    allowUnconditionalUpdate: false,
    prepareForCreate(object) {
      if (hasStatus) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (hasStatus) {
        if (old['status'] === undefined) delete object['status'];
        else object['status'] = old['status'];
      }
      // A custom object with an empty list is not equal to one without it.
      if (!deepEqual(contentOf(object), contentOf(old))) {
        object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      }
    },
    validate: (object, budget) => rules.validate(object, budget),
    validateUpdate: (object, old, budget) => rules.validateUpdate(object, old, budget),
    warnings: (object, old) => [...rules.warnings(object), ...finalizerWarnings(object, old)],
    kindInErrors: ({ apiVersion, kind }) => ({ group: parseGroupVersion(apiVersion)?.group ?? '', kind }),
  };
}

/** The rules of the status subresource. Upstream: `status_strategy.go`. */
export function customStatusStrategy(options: CustomStrategyOptions): Strategy {
  const rules = new CustomRules(options);
  return {
    allowUnconditionalUpdate: false,
    prepareForUpdate(object, old) {
      const { status, metadata } = object;
      for (const key of Object.keys(object)) delete object[key];
      const { managedFields: _, ...before } = old.metadata;
      Object.assign(object, old, { metadata: { ...before } });
      if (metadata.managedFields !== undefined) object.metadata.managedFields = metadata.managedFields;
      if (status === undefined) delete object['status'];
      else object['status'] = status;
    },
    validateUpdate: (object, old, budget) => rules.validateStatusUpdate(object, old, budget),
    warnings: (object) => rules.warnings(object),
  };
}

function contentOf(object: Readonly<KubernetesObject>): JsonObject {
  const { metadata: _, ...content } = asJson(object);
  return content;
}

class CustomRules {
  readonly #options: CustomStrategyOptions;
  readonly #objectMeta = schemaOf(OBJECT_META);
  /** Rule violations that an update may keep, because the value has not changed. */
  readonly #passed = new WeakMap<object, string[]>();

  constructor(options: CustomStrategyOptions) {
    this.#options = options;
  }

  *validate(given: Readonly<KubernetesObject>, budget: WorkBudget): Steps<FieldError[]> {
    const object = this.#inVersion(given);
    return yield* this.#withRules(yield* this.#errors(object, undefined, budget), object, undefined);
  }

  /** Warnings for an object that was just validated. */
  warnings(given: Readonly<KubernetesObject>): string[] {
    return this.#passed.get(given) ?? [];
  }

  *validateUpdate(
    given: Readonly<KubernetesObject>,
    before: Readonly<KubernetesObject>,
    budget: WorkBudget,
  ): Steps<FieldError[]> {
    const object = this.#inVersion(given);
    const old = this.#inVersion(before);
    return yield* this.#withRules(yield* this.#errors(object, old, budget), object, old, given);
  }

  *validateStatusUpdate(
    given: Readonly<KubernetesObject>,
    before: Readonly<KubernetesObject>,
    budget: WorkBudget,
  ): Steps<FieldError[]> {
    const object = this.#inVersion(given);
    const old = this.#inVersion(before);
    const { codec, scale } = this.#options;
    const schema = codec.structural.properties.get('status');
    const status = getOwn(object, 'status');
    const listErrors = validateListItems(object, codec.structural);
    const typeErrors = this.#validateType(object);
    const errors =
      typeErrors.length > 0
        ? typeErrors
        : [
            ...(status === undefined || schema === undefined
              ? []
              : yield* validateValueInSteps(status, schema, { base: 'status', old: getOwn(old, 'status'), budget })),
            ...(scale === undefined ? [] : validateScaleStatus(object, scale)),
          ];
    if (listErrors.length > 0 && validateListItems(old, codec.structural).length === 0) errors.push(...listErrors);
    return yield* this.#withRules(errors, object, old, given);
  }

  /** The errors that no rule finds. `old`: undefined on create. An object whose lists had faults may keep them. */
  *#errors(object: JsonObject, old: JsonObject | undefined, budget: WorkBudget): Steps<FieldError[]> {
    const { structural } = this.#options.codec;
    const typeErrors = this.#validateType(object);
    const mayKeepItems = old !== undefined && validateListItems(old, structural).length > 0;
    return [
      ...(typeErrors.length > 0 ? typeErrors : yield* this.#validateContent(object, old, budget)),
      ...validateEmbeddedResources(object, structural, this.#objectMeta),
      ...(mayKeepItems ? [] : validateListItems(object, structural)),
    ];
  }

  *#validateContent(object: JsonObject, old: JsonObject | undefined, budget: WorkBudget): Steps<FieldError[]> {
    const { codec, scale } = this.#options;
    return [
      ...(yield* validateValueInSteps(object, codec.structural, { old, budget })),
      ...(scale === undefined ? [] : validateScaleSpec(object, scale)),
      ...(scale === undefined ? [] : validateScaleStatus(object, scale)),
    ];
  }

  *#withRules(
    errors: FieldError[],
    object: JsonObject,
    old: JsonObject | undefined,
    given?: Readonly<KubernetesObject>,
  ): Steps<FieldError[]> {
    const { codec, rules } = this.#options;
    if (!codec.structural.hasRules) return errors;
    const unchecked = rulesNotChecked(errors);
    if (unchecked !== undefined) return [...errors, unchecked];
    if (rules === undefined) return errors;
    const passed: FieldError[] = [];
    const broken = yield* rules.validate(object, old, (error) => passed.push(error));
    if (given !== undefined && passed.length > 0) {
      this.#passed.set(
        given,
        passed.map((error) => formatFieldErrors([error])),
      );
    }
    return [...errors, ...broken];
  }

  #validateType(object: JsonObject): FieldError[] {
    const { apiVersion, groupVersionKind } = this.#options.codec;
    const { kind } = groupVersionKind;
    return [
      ...(object.kind === kind ? [] : [invalidValue('kind', object.kind, `must be ${kind}`)]),
      ...(object.apiVersion === apiVersion
        ? []
        : [invalidValue('apiVersion', object.apiVersion, `must be ${apiVersion}`)]),
    ];
  }

  /** The object in the version of the request. */
  #inVersion(object: Readonly<KubernetesObject>): JsonObject {
    const { codec, storage } = this.#options;
    if (codec === storage || object.apiVersion !== storage.apiVersion) return asJson(object);
    return { ...asJson(object), apiVersion: codec.apiVersion };
  }
}

const standardFinalizers: readonly string[] = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Warns of new finalizers whose names may collide with others. */
function finalizerWarnings(
  { metadata }: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
): string[] {
  const before = old?.metadata.finalizers ?? [];
  const added = new Set((metadata.finalizers ?? []).filter((finalizer) => !before.includes(finalizer)));
  return [...added].sort().flatMap((finalizer) => {
    const warn = (text: string): string => `metadata.finalizers: ${quoteGo(finalizer)}: ${text}`;
    const problems = validateLabelKey(finalizer).map(warn);
    if (finalizer.includes('/') || standardFinalizers.includes(finalizer)) return problems;
    const path = finalizer.includes('.') ? ' including a path (/)' : '';
    const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    return [...problems, warn(advice)];
  });
}
