import type { JsonWriter } from '@binnacle/apimachinery/json';
import { formatMicroTime } from '@binnacle/apimachinery/time';
import { quoteGo } from '@binnacle/apimachinery/status';
import type { AuditEvent } from './event.js';

/** `json`: the whole event. `legacy`: one line of the main facts. */
export type LogFormat = 'json' | 'legacy';

/** Writes an event as a line of a log, with its newline. Upstream: apiserver `pkg/audit/format.go` for `legacy`. */
export function writeLine(writer: JsonWriter, event: AuditEvent, format: LogFormat): void {
  if (format === 'json') event.writeTo(writer);
  else writer.text(legacy(event));
  writer.ascii('\n');
}

function legacy({ fields }: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = fields;
  const facts = [
    `id=${quoteGo(fields.auditId)}`,
    `stage=${quoteGo(fields.stage)}`,
    `ip=${quoteGo(fields.sourceIps[0] ?? '<unknown>')}`,
    `method=${quoteGo(fields.verb)}`,
    `user=${quoteGo(user.username || '<none>')}`,
    `groups=${groupsOf(user.groups)}`,
    `as=${quoteGo(impersonatedUser?.username ?? '<self>')}`,
    `asgroups=${impersonatedUser === undefined ? quoteGo('<lookup>') : groupsOf(impersonatedUser.groups)}`,
    `user-agent=${quoteGo(fields.userAgent)}`,
    `namespace=${quoteGo(objectRef === undefined || objectRef.namespace === '' ? '<none>' : objectRef.namespace)}`,
    `uri=${quoteGo(fields.requestUri)}`,
    `response=${quoteGo(responseStatus?.code === undefined ? '<deferred>' : String(responseStatus.code))}`,
  ];
  return `${formatMicroTime(fields.receivedAt)} AUDIT: ${facts.join(' ')}`;
}

function groupsOf(groups: readonly string[] = []): string {
  return groups.length === 0 ? quoteGo('<none>') : groups.map(quoteGo).join(',');
}
