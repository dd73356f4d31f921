import type { TokenRequest, TokenRequestSpec } from '@binnacle/api/types/authentication-v1';
import { emptyFieldSet } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { conflict, type FieldError, invalid, invalidValue } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { serviceAccountUser } from '../authentication/index.js';
import { negotiateRepresentation } from '../answers/index.js';
import type { KindCodec } from '../codec/index.js';
import {
  type KindLookup,
  plainAdmissionRun,
  readObject,
  recordManager,
  type ResourceEndpoint,
} from '../endpoints/index.js';
import { placeInNamespace } from '../names/index.js';
import type { Stores } from '../registry/index.js';
import { parseCreateOptions, type RequestContext } from '../request/index.js';
import { encodeClaims, signToken, type TokenKeys } from '../serviceaccounts/index.js';
import { respondOne } from './answer.js';
import { type Bindings, findBindings } from './token-bindings.js';

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const MINIMUM_SECONDS = 10 * 60;
const MAXIMUM_SECONDS = 2 ** 32;
/** The lifetime that kubelets request for tokens of pods. Upstream: `WarnOnlyBoundTokenExpirationSeconds`. */
const POD_SECONDS = 60 * 60 + 7;
/** The actual lifetime of these tokens, for clients that never reload them. Upstream: `ExpirationExtensionSeconds`. */
const EXTENDED_SECONDS = 365 * 24 * 60 * 60;

export interface TokenIssuingOptions {
  /** The issuer of new tokens. */
  readonly issuer: string;
  /** The audiences of a token when the request names none. */
  readonly apiAudiences: readonly string[];
  readonly keys: () => Promise<TokenKeys>;
  /** The maximum lifetime in seconds; 0 = no maximum. */
  readonly maximumSeconds: number;
  /** Whether tokens of pods get an extended lifetime. */
  readonly extendsExpiration: boolean;
}

export interface TokenRequestOptions extends TokenIssuingOptions {
  readonly codec: KindCodec;
  readonly kindExists: KindLookup;
  /** Finds the objects to which a token can be bound. */
  readonly stores: Stores;
}

/** `serviceaccounts/x/token`. Upstream: kubernetes `pkg/registry/core/serviceaccount/storage/token.go`. */
export function tokenRequestHandler(options: TokenRequestOptions) {
  const { codec, kindExists, stores } = options;
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const { name, namespace } = context.info;
    const representation = negotiateRepresentation(context, codec, { withoutTable: true });
    const createOptions = parseCreateOptions(context.query);
    const request = await readObject(context, codec, createOptions.fieldValidation, kindExists);
    placeInNamespace(request.metadata, namespace);
    const recorded = { codec, subresource: 'token', resetFields: emptyFieldSet };
    await recordManager({ context, endpoint, view: recorded, options: createOptions }, undefined, request);
    const { dryRun } = createOptions;
    const admission = plainAdmissionRun(context, { ...endpoint, codec, subresource: 'token', name, dryRun });
    await admission.admitCreate(request);
    const account = await complete(request, endpoint, name, namespace, options);
    const now = endpoint.clock.now();
    request.metadata.creationTimestamp = formatTime(now);
    const spec = specOf(request);
    const errors = validate(spec);
    if (errors.length > 0) throw invalid(KIND, '', errors);
    await admission.validateCreate(request);
    const bindings = await findBindings(spec.boundObjectRef, name, namespace, stores);
    shorten(spec, options.maximumSeconds, context);
    const seconds = Number(spec.expirationSeconds);
    const issued = { at: now, id: endpoint.random.uuid() };
    const token = await issue(account, bindings, spec.audiences ?? [], seconds, issued, options);
    const status = { token, expirationTimestamp: formatTime(now + seconds * 1000) };
    const answer = { ...request, status };
    await respondOne(context, answer, { codec, representation, status: 201, now });
  };
}

/** Fills in the defaults of the request. Returns the account. */
async function complete(
  request: KubernetesObject,
  endpoint: ResourceEndpoint,
  name: string,
  namespace: string,
  { apiAudiences }: TokenRequestOptions,
): Promise<Readonly<KubernetesObject>> {
  const { metadata } = request;
  if (metadata.name !== undefined && metadata.name !== '' && metadata.name !== name) {
    const detail = 'must match the service account name if specified';
    throw invalid(KIND, name, [invalidValue('metadata.name', metadata.name, detail)]);
  }
  const account = (await endpoint.store.reader.get(namespace, name)).decode();
  const { uid = '' } = account.metadata;
  if (metadata.uid !== undefined && metadata.uid !== '' && metadata.uid !== uid) {
    const reason = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflict({ group: KIND.group, resource: KIND.kind }, name, reason);
  }
  Object.assign(metadata, { name, uid });
  const spec = specOf(request);
  if ((spec.audiences ?? []).length === 0) spec.audiences = [...apiAudiences];
  return account;
}

function specOf(request: KubernetesObject): TokenRequestSpec {
  const typed: KubernetesObject & TokenRequest = request;
  typed.spec ??= {};
  return typed.spec;
}

/** Upstream: kubernetes `pkg/apis/authentication/validation`. */
function validate({ expirationSeconds = 0 }: TokenRequestSpec): FieldError[] {
  const refuse = (detail: string) => [invalidValue('spec.expirationSeconds', expirationSeconds, detail)];
  if (expirationSeconds < MINIMUM_SECONDS) return refuse('may not specify a duration less than 10 minutes');
  if (expirationSeconds > MAXIMUM_SECONDS) return refuse('may not specify a duration larger than 2^32 seconds');
  return [];
}

function shorten(spec: TokenRequestSpec, maximum: number, context: RequestContext): void {
  const { expirationSeconds: asked = 0 } = spec;
  if (maximum === 0 || asked <= maximum) return;
  context.warn(`requested expiration of ${asked} seconds shortened to ${maximum} seconds`);
  spec.expirationSeconds = maximum;
}

/** `seconds` is the lifetime that the client sees. */
async function issue(
  { metadata }: Readonly<KubernetesObject>,
  bindings: Bindings,
  audiences: readonly string[],
  seconds: number,
  { at, id }: { readonly at: number; readonly id: string },
  { issuer, apiAudiences, extendsExpiration, keys }: TokenRequestOptions,
): Promise<string> {
  const { name = '', namespace = '', uid = '' } = metadata;
  const issuedAt = Math.floor(at / 1000);
  const isForPod = bindings.pod !== undefined && seconds === POD_SECONDS;
  const isExtended = extendsExpiration && isForPod && audiences.every((audience) => apiAudiences.includes(audience));
  const claims = encodeClaims({
    ...bindings,
    issuer,
    subject: serviceAccountUser({ namespace, name }),
    audiences,
    expires: issuedAt + (isExtended ? EXTENDED_SECONDS : seconds),
    issuedAt,
    notBefore: issuedAt,
    id,
    namespace,
    serviceAccount: { name, uid },
    ...(isExtended ? { warnAfter: issuedAt + seconds } : {}),
  });
  return signToken(claims, (await keys()).signing);
}
