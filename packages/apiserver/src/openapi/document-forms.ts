import { JSON_MEDIA_TYPE, negotiate, type Serializer } from '@binnacle/apimachinery/serializer';

const forms = { v2: formsOf('v2'), v3: formsOf('v3') };

/**
 * The form of a document for an `Accept` header: `application/json`, or the media type of its protobuf form;
 * undefined if the client accepts neither. Upstream: kube-openapi `pkg/handler`, `pkg/handler3`.
 */
export function negotiateForm(version: 'v2' | 'v3', accept: string | undefined): string | undefined {
  const { serializers, protobuf } = forms[version];
  const form = negotiate(accept, { serializers, allowsTransform: () => true });
  return form === undefined || form.mediaType === JSON_MEDIA_TYPE ? form?.mediaType : protobuf;
}

function formsOf(version: string): { readonly serializers: readonly Serializer[]; readonly protobuf: string } {
  const protobuf = `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  // All clients use this name. It is not a valid media type, so answers have the other one.
  const old = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  return {
    serializers: [JSON_MEDIA_TYPE, protobuf, old].map((mediaType) => ({ mediaType, streams: false })),
    protobuf,
  };
}
