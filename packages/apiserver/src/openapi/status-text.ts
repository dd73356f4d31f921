const texts: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [401, 'Unauthorized'],
]);

export function statusText(code: number): string {
  return texts.get(code) ?? '';
}
