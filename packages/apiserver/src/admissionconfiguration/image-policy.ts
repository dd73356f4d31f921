import { ConfigurationError, flag, int64, nested, struct, text } from '@binnacle/apimachinery/configuration';
import { formatDuration } from '@binnacle/apimachinery/time';
import type { ImageWebhook } from '../reviewwebhooks/index.js';
import type { ConfigurationFiles } from './configuration.js';
import { readUnversioned } from './unversioned.js';

interface ImagePolicyFile {
  readonly imagePolicy?: {
    readonly kubeConfigFile?: string;
    readonly allowTTL?: number;
    readonly denyTTL?: number;
    readonly retryBackoff?: number;
    readonly defaultAllow?: boolean;
  };
}

const imagePolicy = struct('imagepolicy.imagePolicyWebhookConfig', {
  kubeConfigFile: text,
  allowTTL: int64,
  denyTTL: int64,
  retryBackoff: int64,
  defaultAllow: flag,
});
const configuration = struct('imagepolicy.AdmissionConfig', { imagePolicy: nested(imagePolicy) });

/** In milliseconds. Upstream: `plugin/pkg/admission/imagepolicy/config.go`. */
const DISABLED = -1;
const BACKOFF = { scale: 1, default: 500, least: 1e-6, most: 5 * 60_000 };
const TIME_TO_LIVE = { scale: 1000, least: 1000, most: 30 * 60_000 };
const ALLOWED = { ...TIME_TO_LIVE, default: 5 * 60_000 };
const DENIED = { ...TIME_TO_LIVE, default: 30_000 };

/** Rejects with an Error that says what is wrong. */
export async function readImagePolicy(source: string, files: ConfigurationFiles): Promise<ImageWebhook> {
  const { imagePolicy: given = {} }: ImagePolicyFile = readUnversioned(source, configuration);
  const { kubeConfigFile = '', retryBackoff = 0, allowTTL = 0, denyTTL = 0, defaultAllow = false } = given;
  const backoffMs = readTime(retryBackoff, BACKOFF);
  const allowMs = readTime(allowTTL, ALLOWED);
  const denyMs = readTime(denyTTL, DENIED);
  if (kubeConfigFile === '') throw new ConfigurationError('imagePolicy.kubeConfigFile names no file');
  return { service: await files.service(kubeConfigFile), backoffMs, allowMs, denyMs, defaultAllow };
}

function readTime(value: number, { scale, default: usual, least, most }: typeof ALLOWED): number {
  if (value === DISABLED) return 0;
  if (value === 0) return usual;
  const milliseconds = value * scale;
  if (milliseconds > least && milliseconds <= most) return milliseconds;
  const [from, to, given] = [least, most, milliseconds].map((time) => formatDuration(BigInt(Math.round(time * 1e6))));
  throw new ConfigurationError(`valid value is between ${from} and ${to}, got ${given}`);
}
