import type { APIService } from '@binnacle/api/types/apiregistration-v1';
import { validateAPIService, validateAPIServiceStatusUpdate, validateAPIServiceUpdate } from '@binnacle/api/validation';
import { formatTime } from '@binnacle/apimachinery/time';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind } from './kind.js';
import { statusStrategy } from './status.js';

/** A group that this server serves itself is always available. Upstream: kube-aggregator `pkg/registry/apiservice`. */
export const apiServiceStrategy: Strategy = kind<APIService>(
  {
    status: true,
    anyFinalizer: true,
    prepareForCreate(service, { now }) {
      if (service.spec?.service !== undefined) return;
      const available = {
        type: 'Available',
        status: 'True',
        lastTransitionTime: formatTime(now),
        reason: 'Local',
        message: 'Local APIServices are always available',
      };
      service.status = { conditions: [available] };
    },
    validate: validateAPIService,
    validateUpdate: validateAPIServiceUpdate,
  },
  { allowUnconditionalUpdate: false, validateName: nameIsPathSegment },
);

export const apiServiceStatusStrategy: Strategy = statusStrategy<APIService>({
  keeps: 'userMetadata',
  validateUpdate: validateAPIServiceStatusUpdate,
});
