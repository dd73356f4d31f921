import { encodeJsonInSteps, type JsonValue, parseJsonInSteps } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { APPLY_CBOR_MEDIA_TYPE, CBOR_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { KindCodec } from '../../codec/index.js';
import type { RequestContext } from '../../request/index.js';
import { inSlices } from '../../slices/index.js';

/** Adds the object of a request to the audit event, in the version of the request and with its defaults. */
export async function auditRequestObject(
  { audit }: RequestContext,
  codec: KindCodec,
  object: KubernetesObject,
): Promise<void> {
  if (audit === undefined) return;
  audit.requestMetadata(object.metadata);
  if (!audit.recordsRequest) return;
  const { managedFields, ...metadata } = object.metadata;
  const shown = audit.omitsManagedFields && managedFields !== undefined ? { ...object, metadata } : object;
  audit.requestObject(textOf(await inSlices(codec.encodeInSteps(shown))));
}

/** Adds a patch to the audit event. A patch that cannot be read is left out; its request fails. */
export async function auditPatch({ audit }: RequestContext, mediaType: string, body: Uint8Array): Promise<void> {
  if (audit?.recordsRequest !== true) return;
  try {
    const value = await readPatch(mediaType, body);
    audit.requestObject(textOf(await inSlices(encodeJsonInSteps(value))));
  } catch {
    // The answer to the request says what is wrong with its body.
  }
}

async function readPatch(mediaType: string, body: Uint8Array): Promise<JsonValue> {
  switch (mediaType) {
    case APPLY_CBOR_MEDIA_TYPE:
    case CBOR_MEDIA_TYPE: {
      const { decodeCborInSteps } = await import('@binnacle/apimachinery/cbor');
      return (await inSlices(decodeCborInSteps(body))).value;
    }
    case 'application/apply-patch+yaml': {
      const { parseYamlInSteps } = await import('@binnacle/apimachinery/yaml');
      return (await inSlices(parseYamlInSteps(body))).value;
    }
    default:
      return (await inSlices(parseJsonInSteps(body))).value;
  }
}

function textOf(json: Uint8Array): string {
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
}
