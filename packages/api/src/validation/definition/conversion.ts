import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { errorsOfEach, validateDns1035Label } from '@binnacle/apimachinery/validation';
import type { CustomResourceConversion } from '../../generated/types/apiextensions-v1.js';
import { validateWebhookClient } from '../admission/webhook-client.js';
import { list, repetitions, requireOneOf } from '../common.js';

const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

export interface ConversionOptions {
  /** At least one review version must be known to servers. Definitions stored before this rule are exempt. */
  readonly requireKnownReviewVersion: boolean;
}

export function validateConversion(
  conversion: CustomResourceConversion | undefined,
  path: string,
  options: ConversionOptions,
): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const errors = requireOneOf(strategy, ['None', 'Webhook'], `${path}.strategy`);
  const client = webhook?.clientConfig;
  const versions = list(webhook?.conversionReviewVersions);
  const clientPath = `${path}.webhookClientConfig`;
  const versionsPath = `${path}.conversionReviewVersions`;
  if (strategy === 'Webhook') {
    errors.push(
      ...(client === undefined
        ? [required(clientPath, 'required when strategy is set to Webhook')]
        : validateWebhookClient(client, clientPath)),
      ...validateReviewVersions(versions, versionsPath, options),
    );
    return errors;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (client !== undefined) errors.push(forbiddenField(clientPath, detail));
  if (versions.length > 0) errors.push(forbiddenField(versionsPath, detail));
  return errors;
}

/** Whether servers know some version, or the list is empty. */
export function knowsReviewVersion(versions: readonly string[]): boolean {
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
}

function validateReviewVersions(versions: readonly string[], path: string, options: ConversionOptions): FieldError[] {
  if (versions.length === 0) return [required(path, '')];
  const repeated = repetitions(versions);
  const errors = errorsOfEach(versions, (version, index) => {
    const place = `${path}[${index}]`;
    if (repeated.has(index)) return [invalidValue(place, version, 'duplicate version')];
    return validateDns1035Label(version).map((problem) => invalidValue(place, version, problem));
  });
  if (options.requireKnownReviewVersion && !knowsReviewVersion(versions)) {
    errors.push(invalidValue(path, [...versions], `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return errors;
}
