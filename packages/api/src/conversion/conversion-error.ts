import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';

/** No conversion between the two versions is known. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  readonly from: GroupVersionKind;
  readonly to: GroupVersionKind;

  constructor(from: GroupVersionKind, to: GroupVersionKind) {
    super(`${describe(from)} cannot be converted to ${describe(to)}`);
    this.from = from;
    this.to = to;
  }
}

function describe(kind: GroupVersionKind): string {
  return `${formatGroupVersion(kind)} ${kind.kind}`;
}
