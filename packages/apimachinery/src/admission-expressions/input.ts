import type { Value } from '../cel/index.js';
import type { JsonObject } from '../json/index.js';
import {
  type AuthorizationCheck,
  type AuthorizationChecks,
  authorizerValue,
  resourceAuthorizerValue,
} from './authorizer.js';
import { JsonValues } from './json-values.js';

/** What expressions read of a request. */
export interface AdmissionDocuments {
  /** Undefined reads as null. */
  readonly object: Readonly<JsonObject> | undefined;
  readonly oldObject: Readonly<JsonObject> | undefined;
  /** Called at most once, when an expression reads `request`. */
  readonly request: () => JsonObject;
  readonly namespaceObject?: Readonly<JsonObject> | undefined;
  /** Absent: reading `authorizer` fails. */
  readonly authorizer?: AdmissionAuthorizer | undefined;
}

export interface AdmissionAuthorizer {
  readonly checks: AuthorizationChecks;
  /** The resource of the request. */
  readonly resource: Pick<AuthorizationCheck, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;
}

/**
 * The variables of one request, which any number of expressions read. Each part is converted when an expression first
 * reads it. The documents must not change while the input is in use.
 */
export class AdmissionInput {
  readonly #documents: AdmissionDocuments;
  readonly #json = new JsonValues();
  #request: JsonObject | undefined;

  constructor(documents: AdmissionDocuments) {
    this.#documents = documents;
  }

  /** Undefined: there is no such variable. */
  read(name: string): Value | undefined {
    const { object, oldObject, request, namespaceObject, authorizer } = this.#documents;
    switch (name) {
      case 'object':
        return this.#json.valueOf(object ?? null);
      case 'oldObject':
        return this.#json.valueOf(oldObject ?? null);
      case 'request':
        return this.#json.valueOf((this.#request ??= request()));
      case 'namespaceObject':
        return this.#json.valueOf(namespaceObject ?? null);
      case 'authorizer':
        return authorizer && authorizerValue(authorizer.checks);
      case 'authorizer.requestResource':
        return authorizer && resourceAuthorizerValue(authorizer.checks, authorizer.resource);
      default:
        return undefined;
    }
  }
}
