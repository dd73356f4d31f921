import { JSON_MEDIA_TYPE, negotiate, type Serializer } from '@binnacle/apimachinery/serializer';

const forms = { v2: formsOf('v2'), v3: formsOf('v3') };

/**
 * As what a document goes to a client of that `Accept`: `application/json`, or the media type of its protobuf form; undefined when it
 * takes neither. Upstream: kube-openapi `pkg/handler`, `pkg/handler3`.
 */
export function negotiateForm(version: 'v2' | 'v3', accept: string | undefined): string | undefined {
  const { serializers, protobuf } = forms[version];
  const form = negotiate(accept, { serializers, allowsTransform: () => true });
  return form === undefined || form.mediaType === JSON_MEDIA_TYPE ? form?.mediaType : protobuf;
}

function formsOf(version: string): { readonly serializers: readonly Serializer[]; readonly protobuf: string } {
  const protobuf = `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  // The name that clients of all ages use; no valid media type, so answers bear the other.
  const old = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  return {
    serializers: [JSON_MEDIA_TYPE, protobuf, old].map((mediaType) => ({ mediaType, streams: false })),
    protobuf,
  };
}
