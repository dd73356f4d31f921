import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@binnacle/api/types/admissionregistration-v1';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { LabelSelector } from '@binnacle/apimachinery/labels';
import type { GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AuthorizeExpression } from '../admission/index.js';

/** The stored objects that policies need, which `server` implements. An unchanged object is the same one at each call. */
export interface PolicySources {
  readonly validatingPolicies: () => Awaitable<readonly Readonly<ValidatingAdmissionPolicy>[]>;
  readonly validatingBindings: () => Awaitable<readonly Readonly<ValidatingAdmissionPolicyBinding>[]>;
  readonly mutatingPolicies: () => Awaitable<readonly Readonly<MutatingAdmissionPolicy>[]>;
  readonly mutatingBindings: () => Awaitable<readonly Readonly<MutatingAdmissionPolicyBinding>[]>;
  readonly namespace: (name: string) => Awaitable<Readonly<KubernetesObject> | undefined>;
  /** Undefined if no resource has the kind. */
  readonly parameters: (kind: ParamKind) => ParameterSource | undefined;
  /** The schema of a served kind. */
  readonly schemaOf: (kind: GroupVersionKind) => StructSchema | undefined;
  readonly authorize: AuthorizeExpression;
}

/** The objects of a kind that policies take as parameters, as JSON in the version that the policy names. */
export interface ParameterSource {
  readonly namespaced: boolean;
  find(namespace: string, name: string): Promise<JsonObject | undefined>;
  list(namespace: string, selector: LabelSelector): Promise<readonly JsonObject[]>;
}
