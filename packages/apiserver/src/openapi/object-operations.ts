import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { MediaTypes } from './media-types.js';
import { meta, type Method, type Operation } from './operations.js';
import { deleteParameters, type Parameter, patchParameters, pretty, writeParameters } from './parameters.js';

/** What all operations of a resource or subresource share. */
export interface Subject {
  readonly tag: string;
  /** `CoreV1`: follows the verb in operation ids. */
  readonly idPrefix: string;
  /** `Pod`, `PodStatus`: ends operation ids. */
  readonly idSuffix: string;
  readonly namespaced: boolean;
  readonly kind: GroupVersionKind;
  /** The name of a single object in descriptions: `one Pod`, `status of one Pod`. */
  readonly one: string;
  readonly definition: string;
  readonly mediaTypes: MediaTypes;
}

/** The HTTP methods of each discovery verb. */
export const methodsOfVerb: ReadonlyMap<string, readonly Method[]> = new Map<string, readonly Method[]>([
  ['get', ['get']],
  ['create', ['post']],
  ['update', ['put']],
  ['patch', ['patch']],
  ['delete', ['delete']],
]);

export function idOf(subject: Subject, verb: string, suffix = '', namespaced = subject.namespaced): string {
  return `${verb}${subject.idPrefix}${namespaced ? 'Namespaced' : ''}${subject.idSuffix}${suffix}`;
}

interface ObjectMethod {
  readonly verb: string;
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly number[];
}

/** Methods that read or write one object of the subject's kind. */
const objectMethods: ReadonlyMap<Method, ObjectMethod> = new Map<Method, ObjectMethod>([
  ['get', { verb: 'read', text: 'Reads', parameters: [], responses: [200] }],
  ['put', { verb: 'replace', text: 'Replaces', parameters: writeParameters, responses: [200, 201] }],
  [
    'patch',
    {
      verb: 'patch',
      text: 'Changes part of',
      parameters: patchParameters,
      responses: [200, 201],
    },
  ],
  [
    'post',
    {
      verb: 'create',
      text: 'Creates',
      parameters: writeParameters,
      responses: [200, 201, 202],
    },
  ],
]);

/** An operation that reads or writes one object of the subject's kind. */
export function objectOperation(subject: Subject, method: Method, scope: readonly Parameter[]): Operation {
  const facts = objectMethods.get(method);
  if (facts === undefined) throw new Error(`${method} does not read or write one object`);
  const { mediaTypes } = subject;
  const body =
    method === 'get'
      ? undefined
      : { definition: method === 'patch' ? `${meta}.Patch` : subject.definition, required: true };
  return {
    method,
    id: idOf(subject, facts.verb),
    tag: subject.tag,
    description: `${facts.text} ${subject.one}.`,
    action: method,
    kind: subject.kind,
    parameters: [...scope, pretty, ...facts.parameters],
    ...(body === undefined ? {} : { body }),
    consumes: method === 'patch' ? mediaTypes.patches : mediaTypes.bodies,
    produces: mediaTypes.answers,
    responses: facts.responses,
    answer: { definition: subject.definition },
  };
}

export function deleteOperation(subject: Subject, scope: readonly Parameter[], definition: string): Operation {
  return {
    method: 'delete',
    id: idOf(subject, 'delete'),
    tag: subject.tag,
    description: `Deletes ${subject.one}.`,
    action: 'delete',
    kind: subject.kind,
    parameters: [...scope, pretty, ...deleteParameters],
    body: { definition: `${meta}.DeleteOptions`, required: false },
    consumes: subject.mediaTypes.bodies,
    produces: subject.mediaTypes.answers,
    responses: [200, 202],
    answer: { definition },
  };
}
