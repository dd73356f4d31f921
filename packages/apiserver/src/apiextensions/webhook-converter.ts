import type { Random } from '@binnacle/apimachinery/clock';
import type { WebhookConversion } from '@binnacle/api/types/apiextensions-v1';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { encodeUntyped } from '@binnacle/apimachinery/serializer';
import { unclassified } from '@binnacle/apimachinery/status';
import type { ConversionFailure, ConversionObserver } from '../metrics/index.js';
import { inTurns } from '../slices/index.js';
import { conversionReview, convertedObjects, reviewVersionOf } from './conversion-review.js';
import { convertedObject, InvalidConversion } from './converted-object.js';

/** The maximum number of objects in a request, so that parsing the response does not hold up other requests. */
const OBJECTS_A_REQUEST = 500;
const BYTES_A_REQUEST = 2 * 1024 * 1024;

/** Sends a review, and resolves with the answer. Rejects with the reason of a failed call. */
export type PostReview = (review: Uint8Array) => Promise<Buffer>;

export interface ConverterOptions {
  readonly post: PostReview;
  /** For the UIDs of reviews. */
  readonly random: Random;
  readonly observer: ConversionObserver;
}

/**
 * Converts objects with the webhook of their definition. Every failure is a StatusError, an unclassified 500 in
 * upstream's words, and then no object is converted. Upstream: apiextensions
 * `pkg/apiserver/conversion/webhook_converter.go`.
 */
export class WebhookConverter {
  readonly #post: PostReview;
  readonly #random: Random;
  readonly #observer: ConversionObserver;
  readonly #acceptedVersions: readonly string[];

  constructor({ conversionReviewVersions }: WebhookConversion, { post, random, observer }: ConverterOptions) {
    this.#post = post;
    this.#random = random;
    this.#observer = observer;
    this.#acceptedVersions = conversionReviewVersions;
  }

  /** Converts objects to another version, in the same order, with as few requests as possible. */
  async convert(objects: readonly Readonly<KubernetesObject>[], apiVersion: string): Promise<JsonObject[]> {
    const converted: JsonObject[] = [];
    let batch: Batch = { objects: [], encoded: [], bytes: 0 };
    const send = async (): Promise<void> => {
      if (batch.objects.length > 0) converted.push(...(await this.#ask(batch, apiVersion)));
      batch = { objects: [], encoded: [], bytes: 0 };
    };
    for (const object of objects) {
      const encoded = encodeUntyped(asJson(object));
      const isFull = batch.objects.length >= OBJECTS_A_REQUEST || batch.bytes + encoded.length > BYTES_A_REQUEST;
      if (isFull) await send();
      batch.objects.push(object);
      batch.encoded.push(encoded);
      batch.bytes += encoded.length;
    }
    await send();
    return converted;
  }

  async #ask({ objects, encoded }: Batch, apiVersion: string): Promise<JsonObject[]> {
    const version = reviewVersionOf(this.#acceptedVersions);
    if (version === undefined) throw unclassified('no supported conversion review versions');
    const [first] = objects;
    const what = `conversion webhook for ${first?.apiVersion ?? ''}, Kind=${first?.kind ?? ''}`;
    const uid = this.#random.uuid();
    const ended = this.#observer.begun(versionIn(first?.apiVersion ?? ''), versionIn(apiVersion));
    const fail = (failure: ConversionFailure, message: string): never => {
      ended(failure);
      throw unclassified(`${what} ${message}`);
    };
    let failure: ConversionFailure = 'call';
    let answers: readonly JsonValue[];
    try {
      const body = await this.#post(conversionReview(version, uid, apiVersion, encoded));
      failure = 'malformed_response';
      answers = convertedObjects(body, version, uid);
    } catch (error) {
      return fail(failure, `failed: ${messageOf(error)}`);
    }
    if (answers.length !== objects.length) {
      const counts = `returned ${String(answers.length)} objects, expected ${String(objects.length)}`;
      fail('partial_response', counts);
    }
    const converted: JsonObject[] = [];
    await inTurns(objects.entries(), ([index, object]) => {
      try {
        converted.push(convertedObject(asJson(object), answers[index], apiVersion));
      } catch (error) {
        if (!(error instanceof InvalidConversion)) throw error;
        fail('invalid_converted_object', `${describe(error, index, objects.length)}: ${error.message}`);
      }
    });
    ended();
    return converted;
  }
}

interface Batch {
  readonly objects: Readonly<KubernetesObject>[];
  readonly encoded: Uint8Array[];
  bytes: number;
}

/** The version in `group/version`. */
const versionIn = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

function describe({ part }: InvalidConversion, index: number, count: number): string {
  if (count === 1) return `returned invalid ${part}`;
  const place = `at index ${String(index)}`;
  return part === 'object'
    ? `returned invalid converted object ${place}`
    : `returned invalid metadata in object ${place}`;
}
