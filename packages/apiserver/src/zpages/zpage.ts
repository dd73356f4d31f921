import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import { listedMediaTypes, negotiate, PROTOBUF_MEDIA_TYPE, type Serializer } from '@binnacle/apimachinery/serializer';
import { notAcceptable } from '@binnacle/apimachinery/status';
import { respondText, writeDocument } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';

export interface ZPage {
  /** Of the structured form. */
  readonly kind: 'Statusz' | 'Flagz';
  readonly fields: () => JsonObject;
  /** The lines below the heading. */
  readonly text: () => string;
}

const GROUP = 'config.k8s.io';
const NAME = 'apiserver';
const TEXT: Serializer = { mediaType: 'text/plain', streams: false };
const WARNING =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

/** Serves a page as text, or as the kind that the Accept header names. */
export function zpage(page: ZPage): Handler {
  const name = page.kind.toLowerCase();
  return async (context) => {
    const { accept = '' } = context.exchange.headers;
    const mediaType = accept.trim() === '' ? undefined : chosenType(context, accept, page.kind);
    if (mediaType?.convert === undefined) {
      return respondText(context, 200, `\n${NAME} ${name}\n${WARNING}\n${page.text()}`);
    }
    const { version } = mediaType.convert;
    if (version === 'v1alpha1') {
      context.warn(`This version of the ${name} endpoint is deprecated. Please use a newer version.`);
    }
    const document = {
      kind: page.kind,
      apiVersion: `${GROUP}/${version}`,
      metadata: { name: NAME },
      ...page.fields(),
    };
    return writeDocument(context, mediaType, Buffer.from(`${JSON.stringify(document)}\n`));
  };
}

function chosenType(context: RequestContext, accept: string, kind: string) {
  const serializers = [...context.serializers.filter(({ mediaType }) => mediaType !== PROTOBUF_MEDIA_TYPE), TEXT];
  const chosen = negotiate(accept, {
    serializers,
    allowsTransform: (mediaType, convert) =>
      (mediaType === TEXT.mediaType) === (convert === undefined) && (convert === undefined || isForm(convert, kind)),
  });
  if (chosen === undefined) throw notAcceptable(listedMediaTypes(serializers));
  return chosen;
}

function isForm({ group, version, kind }: GroupVersionKind, wanted: string): boolean {
  return group === GROUP && kind === wanted && (version === 'v1beta1' || version === 'v1alpha1');
}
