import type { ResourceType, TypedObject } from '../typed/index.js';
import { answerAdmission, type MutateHandler, type ValidateHandler } from './admission.js';
import { answerConversion, type ConvertHandler } from './conversion.js';
import type { WebhookAnswer, WebhookCall } from './review.js';

interface AdmissionWebhookOptions<T extends TypedObject> {
  /** As in the `clientConfig` of the configuration, such as `/mutate-foos`. */
  readonly path: string;
  /** The kind of the objects, which gives them their type. It refuses other kinds. Default: any kind. */
  readonly for?: ResourceType<T>;
}

/** A webhook of a MutatingWebhookConfiguration. */
export interface MutatingWebhookOptions<T extends TypedObject> extends AdmissionWebhookOptions<T> {
  /**
   * Returns the changed object; it may change the one it gets. It is not called for DELETE. It denies the request by
   * throwing; see `deny`.
   */
  readonly mutate: MutateHandler<T>;
}

/** A webhook of a ValidatingWebhookConfiguration. */
export interface ValidatingWebhookOptions<T extends TypedObject> extends AdmissionWebhookOptions<T> {
  /** For DELETE it gets the object that will be deleted. It denies the request by throwing; see `deny`. */
  readonly validate: ValidateHandler<T>;
}

/** The conversion webhook of a CustomResourceDefinition. */
export interface ConversionWebhookOptions {
  /** As in the `clientConfig` of the definition. */
  readonly path: string;
  readonly convert: ConvertHandler;
}

/** Answers the reviews that API servers send to a path. */
export interface Webhook {
  readonly path: string;
  /** Rejects only for a fault of the kit itself. */
  answer(call: WebhookCall): Promise<WebhookAnswer>;
}

/** Makes a webhook for `serveWebhooks`. Throws a TypeError for a path that does not begin with a slash. */
export function webhook<T extends TypedObject = TypedObject>(options: MutatingWebhookOptions<T>): Webhook;
export function webhook<T extends TypedObject = TypedObject>(options: ValidatingWebhookOptions<T>): Webhook;
export function webhook(options: ConversionWebhookOptions): Webhook;
export function webhook<T extends TypedObject>(
  options: MutatingWebhookOptions<T> | ValidatingWebhookOptions<T> | ConversionWebhookOptions,
): Webhook {
  const { path } = options;
  if (!path.startsWith('/')) throw new TypeError(`the path of a webhook must begin with a slash: ${path}`);
  if ('convert' in options) return { path, answer: (call) => answerConversion(options.convert, call) };
  return { path, answer: (call) => answerAdmission(options, call) };
}
