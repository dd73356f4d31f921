import type { ExtensionDefinition } from 'binnacle/extension';

/** A flunder refers to a fischer or to another flunder, as in upstream's sample-apiserver. */
export interface Flunder {
  readonly apiVersion: 'wardle.example.com/v1';
  readonly kind: 'Flunder';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: FlunderSpec;
}

export interface FlunderSpec {
  readonly reference: string;
  readonly referenceType?: 'Flunder' | 'Fischer';
}

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['reference'],
      properties: {
        reference: { type: 'string', minLength: 1 },
        referenceType: { type: 'string', enum: ['Flunder', 'Fischer'], default: 'Flunder' },
      },
      'x-kubernetes-validations': [{ rule: "self.reference != 'none'", message: 'a flunder refers to something' }],
    },
  },
};

const reference = { name: 'Reference', type: 'string', jsonPath: '.spec.reference' };

export const flunders: ExtensionDefinition = {
  metadata: { name: 'flunders.wardle.example.com' },
  spec: {
    group: 'wardle.example.com',
    scope: 'Namespaced',
    names: { kind: 'Flunder', plural: 'flunders', singular: 'flunder', shortNames: ['fl'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
        additionalPrinterColumns: [reference],
      },
    ],
  },
};
