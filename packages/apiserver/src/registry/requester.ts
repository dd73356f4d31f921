/** The attributes of a user other than the name. */
export interface Requester {
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}
