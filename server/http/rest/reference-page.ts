import { accessNeededFor } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { ANSWER_WITHIN_S, FAILING_DAYS_MAX } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { RETRY_AFTER_MS } from '../../features/webhooks/deliveries.ts';
import {
  CHANGE_KINDS,
  TEST_TYPE,
  type WebhookObject,
  webhookObjects,
} from '../../features/webhooks/webhook-objects.ts';
import { CALL_LIMITS } from '../call-limits.ts';
import { API_ADDRESS } from './address.ts';
import { UPLOADS_AT_ONCE } from './answer-upload.ts';
import { type Field, fieldsOf } from './fields.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { isUpload, type Operation, objectOf } from './operation.ts';
import { operations } from './operations.ts';
import { type Parameter, parametersOf } from './parameters.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #d9dde3; --soft: #f4f6f8; --ink-2: #55606e; }
@media (prefers-color-scheme: dark) { :root { --line: #39414c; --soft: #1c2128; --ink-2: #a3adba; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 58rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { margin: 2rem 0 .25rem; font-size: 1rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: 1px 4px; overflow-wrap: anywhere; } pre { padding: .75rem; overflow-x: auto; } p { margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--ink-2); } .note { color: var(--ink-2); }`;

/** The page that explains the API to people, made from the operations. It needs no script. */
export function referencePage(): string {
  const { bytes, person } = CALL_LIMITS;
  const { burst, perSecond } = person;
  const all = [
    ...operations.flatMap((operation) => objectOf(operation) ?? []),
    ...Object.values(webhookObjects).map(({ object }) => object),
  ];
  const objects = [...new Map(all.map((one) => [one.name, one])).values()];
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Lintel</title><style>${STYLE}</style></head><body><main>
<h1>Lintel API</h1>
<p>Other programs use Lintel with a key, which an administrator creates under <a href="/settings">Settings</a>. It can do what its
permissions and buildings allow, in the name of that administrator, and works until it expires or is revoked: at the latest when the administrator who created it is
deactivated or no longer an administrator.
For generators of clients: <a href="${API_ADDRESS}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<pre>curl -H "Authorization: Bearer lintel_…" "https://lintel.example.com${API_ADDRESS}/issues?statuses=open&amp;limit=100"

curl -H "Authorization: Bearer lintel_…" -H "Content-Type: application/json" -H "Idempotency-Key: sensor-4711" \\
  -d '{"buildingId": "…", "title": "Flow temperature too low"}' "https://lintel.example.com${API_ADDRESS}/issues"</pre>
<h2>Common to all operations</h2>
<ul>
<li>Lists answer with <code>data</code> and <code>nextCursor</code>. Pass that on as <code>cursor</code>, with the same filter, for the next page; it is null on the last one.</li>
<li>A parameter with several values is repeated, or its values are joined by commas.</li>
<li>Times are ISO 8601 in UTC; days are calendar dates in the organisation’s time zone.</li>
<li>A single object comes with an <code>ETag</code>; with <code>If-None-Match</code> the answer is 304 while it is unchanged.</li>
<li>What is sent is a JSON object, or a file where that is said. <code>POST</code> needs an <code>Idempotency-Key</code>, a text of your choice: repeat a call whose answer was lost with the same one, and nothing is added twice.</li>
<li>A file is sent as it is, not as a form, with its <code>Content-Type</code> and <code>Content-Length</code>. A call that was cut off is repeated from the beginning. For a name that is taken, <code>onSameName</code> says whether to <code>refuse</code>, to add a <code>version</code>, or to <code>keep_both</code>.</li>
<li><code>PATCH</code> changes the fields that are sent, and needs the object’s <code>ETag</code> as <code>If-Match</code>: 412 says that someone else has changed it since. A repeated call is answered with 200 if the object already has these values.</li>
<li>Activity, and the history of each object, name the administrator and the key.</li>
<li>Errors are <code>application/problem+json</code> (RFC 9457): <code>code</code> tells them apart, <code>errors</code> names parameters, headers and fields.</li>
<li>A key may make ${burst} calls at once, and ${perSecond} per second after that, and send ${bytes.burst / 1024 / 1024} MiB of JSON at once, and ${bytes.perSecond / 1024} KiB per second after that; of files it may send ${UPLOADS_AT_ONCE} at a time: see <code>RateLimit</code>, and <code>Retry-After</code> with 429.</li>
</ul>
<h2>Operations</h2>
${operations.map(operationSection).join('\n')}
<h2 id="webhooks">Webhooks</h2>
<p>Lintel tells other programs of changes: an administrator adds a webhook under <a href="/settings">Settings</a>, chooses what it reports and for
which buildings, and gives its signing secret to the receiver. Messages are posted as JSON by
<a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a>, for which there are libraries in most languages:</p>
<pre>POST /hooks/lintel
webhook-id: 0199d0a2-…
webhook-timestamp: 1795880000
webhook-signature: v1,…

{"type": "issue.updated", "timestamp": "2026-11-28T16:00:00.000Z", "data": {"id": "…", "status": "resolved", …},
 "changes": {"status": ["in_progress", "resolved"]}, "by": {"personId": "…", "apiKeyId": null}}</pre>
<ul>
<li>Check the signature, and answer with 2xx within ${ANSWER_WITHIN_S} seconds. Do slow work afterwards.</li>
<li>Anything else is tried again, after ${(RETRY_AFTER_MS[0] ?? 0) / 1_000} seconds first and then with growing pauses, for ${FAILING_DAYS_MAX} days. If nothing has arrived in that time, or after an answer of 410, the webhook is switched off, and the administrators get a notice.</li>
<li>Each message arrives at least once: pass over a <code>webhook-id</code> that you have had. Messages about one object, and about its comments, arrive in their order; those about different objects may not.</li>
<li>A document that is deleted is <code>updated</code>, with its <code>deletedAt</code>, and the API answers 404 for it; many at once are one <code>list_changed</code>.</li>
<li><code>data</code> is the object after that change; read it by the API if you need it as it is now. <code>by</code> names the key of the API if a program made the change, so that yours can pass over its own.</li>
<li>Redirects are not followed, and private addresses are refused unless the operator allows them.</li>
</ul>
<p>A type is the kind of object and, after a dot, what has become of it.</p>
${table(['Change', 'Meaning'], Object.entries(CHANGE_KINDS).map(changeRow))}
${table(['Object', '<code>data</code>', 'Access'], Object.values(webhookObjects).map(reportedRow))}
<p><code>${TEST_TYPE}</code> says that somebody has pressed Send Test.</p>
<h2>Objects</h2>
${objects.map(({ name, schema }) => objectSection(name, jsonSchemaOf(schema, 'output'))).join('\n')}
</main></body></html>
`;
}

function operationSection(operation: Operation): string {
  const { id, path, summary, permission, method } = operation;
  const parameters = parametersOf(operation);
  const fields = operation.method === 'get' || isUpload(operation) ? [] : fieldsOf(operation);
  const body = isUpload(operation) ? ' The body is the file.' : '';
  return `<h3 id="${id}">${method.toUpperCase()} <code>${API_ADDRESS}${escaped(path)}</code></h3>
<p>${marked(summary)}.${body} Answers with ${answerText(operation)}. <span class="note">Access: ${escaped(accessNeededFor(permission))}.</span></p>
${parameters.length === 0 ? '' : table(['Parameter', 'Values'], parameters.map(parameterRow))}
${fields.length === 0 ? '' : table(['Field', 'Values'], fields.map(fieldRow))}`;
}

function answerText(operation: Operation): string {
  const object = objectOf(operation);
  if (object === undefined) return 'the file, or with <code>Range</code> a part of it';
  const isList = operation.method === 'get' && operation.answers === 'many';
  return isList ? `a list of ${linkTo(object.name)}` : linkTo(object.name);
}

function fieldRow({ name, required, schema }: Field): string[] {
  return [`<code>${escaped(name)}</code>${required ? ' (required)' : ''}`, typeText(schema)];
}

function changeRow([kind, text]: [string, string]): string[] {
  return [`<code>.${kind}</code>`, marked(text)];
}

function reportedRow({ type, object, permission }: WebhookObject): string[] {
  return [`<code>${type}</code>`, linkTo(object.name), escaped(accessNeededFor(permission))];
}

function parameterRow({ name, required, schema, kind }: Parameter): string[] {
  const values = kind === 'cursor' ? '<code>nextCursor</code> of the page before' : typeText(schema);
  return [`<code>${escaped(name)}</code>${required ? ' (required)' : ''}`, values];
}

function objectSection(name: string, { properties = {} }: JsonSchema): string {
  const fields = Object.entries(properties).map(([field, schema]) => [
    `<code>${escaped(field)}</code>`,
    typeText(schema),
  ]);
  return `<h3 id="object-${name}">${escaped(name)}</h3>\n${table(['Field', 'Values'], fields)}`;
}

/** A type in words: "integer, 1 to 200", "open, resolved", "uuid or null". */
function typeText(schema: JsonSchema): string {
  const any = schema['anyOf'];
  if (Array.isArray(any)) return any.map((one) => typeText(one as JsonSchema)).join(' or ');
  if (schema['const'] !== undefined) return code(schema['const']);
  const absent = schema['default'];
  const otherwise =
    absent === undefined || absent === null || absent === ''
      ? ''
      : `; ${typeof absent === 'string' ? code(absent) : escaped(String(absent))} if left out`;
  const values = schema['enum'];
  if (Array.isArray(values)) return values.map(code).join(', ') + otherwise;
  if (schema.items !== undefined) return `several of ${typeText(schema.items)}`;
  const format = schema['format'];
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
  const { minimum, maximum, maxLength } = schema;
  const bounds = [
    typeof minimum === 'number' && typeof maximum === 'number' ? `, ${minimum} to ${maximum}` : '',
    typeof maxLength === 'number' ? `, at most ${maxLength} characters` : '',
    otherwise,
  ];
  return `${escaped(typeof format === 'string' ? format : type)}${bounds.join('')}`;
}

function code(value: unknown): string {
  return `<code>${escaped(String(value))}</code>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${line(heads, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`;
}

function linkTo(name: string): string {
  return `<a href="#object-${name}">${escaped(name)}</a>`;
}

/** Escapes a text, and marks the words in backticks as code. */
function marked(text: string): string {
  return escaped(text).replace(/`(\w+)`/g, '<code>$1</code>');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
