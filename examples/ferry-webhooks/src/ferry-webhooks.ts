import { deny, type Webhook, webhook } from '@binnacle/client/webhook';
import { type FerryV1, FerryV2 as Ferry } from './generated/ferries.js';

/** The webhooks of the kind Ferry. The server converts requests for v1 before it calls the first two. */
export const ferryWebhooks: readonly Webhook[] = [
  webhook({
    path: '/default-ferries',
    for: Ferry,
    mutate(ferry) {
      ferry.spec.capacity.passengers ??= ferry.spec.capacity.cars * 4;
      return ferry;
    },
  }),

  webhook({
    path: '/validate-ferries',
    for: Ferry,
    validate({ metadata, spec }, { request, warn }) {
      const { cars, passengers = 0 } = spec.capacity;
      if (request.operation === 'DELETE') {
        if (spec.inService === true) deny(`${metadata.name} is in service`, { code: 409, reason: 'Conflict' });
        return;
      }
      if (passengers < cars) deny(`${passengers} passengers cannot drive ${cars} cars`);
      if (cars > 200) warn('few harbours can load more than 200 cars');
    },
  }),

  webhook({
    path: '/convert-ferries',
    convert({ spec, ...ferry }, desired) {
      // The server has validated it against the schema of its version.
      return { ...ferry, spec: desired === 'example.com/v2' ? toV2(spec as SpecV1) : toV1(spec as Ferry['spec']) };
    },
  }),
];

type SpecV1 = FerryV1['spec'];

function toV2({ cars, passengers, ...rest }: SpecV1): Ferry['spec'] {
  return { ...rest, capacity: { cars, ...(passengers === undefined ? {} : { passengers }) } };
}

function toV1({ capacity, ...rest }: Ferry['spec']): SpecV1 {
  return { ...rest, ...capacity };
}
