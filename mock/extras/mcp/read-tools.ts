import { stringifyExact } from '../../../common/json-text.ts';
import { toDocumentYaml } from '../../../reference/document-files.ts';
import { explain } from '../../explain/explanation.ts';
import type { Entry, EntrySummary, Message } from '../../journal/entry.ts';
import { explainEntry, explainReason } from '../../journal/explain-reason.ts';
import type { ClockView } from '../admin/clock-handlers.ts';
import type { CollectionsView } from '../admin/collection-handlers.ts';
import type { LimitsView } from '../admin/limit-handlers.ts';
import type { RequestsView } from '../admin/request-handlers.ts';
import { callOperation } from './call-operation.ts';
import { hintOf } from './change-hints.ts';
import { describeOperation, toEffect } from './describe-operation.ts';
import { toPage, toTextPage } from './to-page.ts';
import { operationId, skip, type Tool, text, toggle, whole } from './tool.ts';
import { callAdmin, findOperation, readJson, type TwinClient } from './twin-client.ts';

const describeApi: Tool = {
  name: 'describe_api',
  title: 'Describe the API',
  description:
    'Begin here. Shows the URL, keys, clock, collections and operations of the API, and what keeps state in the mock. With "operation": its parameters, body, responses and an example call.',
  properties: {
    operation: operationId,
    search: text('Lists only operations whose id, method or path has this text.'),
    skip,
  },
  effect: 'reads',
  async run(client, { operation, search = '', skip }) {
    const document = await client.document();
    if (operation !== undefined)
      return toTextPage(await describeOperation(client, findOperation(document, operation)), {
        skip,
      });
    const { operations, totals, webhooks, collections } = explain(document);
    const [{ keys, mode }, clock, stored] = await Promise.all([
      callAdmin<LimitsView>(client, 'GET', 'limits'),
      callAdmin<ClockView>(client, 'GET', 'clock'),
      callAdmin<CollectionsView>(client, 'GET', 'collections'),
    ]);
    const itemsOf = (name: string) =>
      stored.collections.find((one) => one.name === name)?.items ?? 0;
    const listed = operations.filter((one) =>
      `${one.id} ${one.method} ${one.path}`.toLowerCase().includes(search.toLowerCase()),
    );
    const lines = [
      `Keys: ${keys.map(({ name, plan }) => `${name} (${plan})`).join(', ')}; limits: ${mode}`,
      `Clock: ${clock.currentInstant}${clock.frozen ? ', frozen' : ''}`,
      `${totals.operations} operations, ${totals.withState} with state; ${webhooks.length} webhooks and callbacks`,
      ...collections.map(
        ({ name, path, id }) =>
          `Collection ${name} at ${path}: ${itemsOf(name)} items with the id ${id.property} (${id.form})`,
      ),
      ...listed.map((one) => `${one.id}: ${one.method} ${one.path}: ${toEffect(one)}`),
    ];
    const head = [`${document.title} ${document.version} at ${client.root}${document.basePath}`];
    return toPage(lines.slice(skip), { head, skip, total: lines.length });
  },
};

const callTool: Tool = {
  name: 'call_operation',
  title: 'Call an operation',
  description:
    'Sends a call to the mock as a client would, and shows the response with the reason for it. Give "operation" with "parameters" and "body", which are placed as the document says; or "method" and "path" to send anything, also what the document forbids.',
  properties: {
    operation: operationId,
    parameters: {
      type: 'object',
      description: 'Values of path, query, header and cookie parameters by name.',
    },
    body: { description: 'The body: any JSON, or a text that is sent as it is.' },
    method: text('Instead of "operation": the method.'),
    path: text('Instead of "operation": the path with its query, such as /pets?limit=2.'),
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Further headers, such as If-Match, Prefer or another Content-Type.',
    },
    key: text(
      'The name of a key, or a key itself; "none" sends no credentials. Default: the first key.',
    ),
  },
  effect: 'destroys',
  async run(client, args) {
    const { sent, status, response, body, entry } = await callOperation(client, args);
    const headers = [...(response?.headers ?? [])].filter(([name]) => !name.startsWith('access-'));
    const head = [
      sent,
      `Status: ${status}`,
      ...(entry ? toReasonLines(entry, explainEntry(entry)) : ['The journal has no reason.']),
      ...(entry ? [`why {"id": ${entry.id}} shows the whole exchange.`, ''] : ['']),
      ...headers.map(([name, value]) => `${name}: ${value}`),
      '',
    ];
    const value = readJson(body);
    return toTextPage(value === undefined ? body : stringifyExact(value, 2), { head });
  },
};

/** The reason of a response, and what to change if it is an error. */
function toReasonLines({ status, reason }: Pick<Entry, 'status' | 'reason'>, why: string) {
  const hint = hintOf(status, reason);
  return [`Reason: ${why}`, ...(hint === undefined ? [] : [`To change that: ${hint}`])];
}

const why: Tool = {
  name: 'why',
  title: 'Why did a call get its response?',
  description:
    'Lists the failed calls of any client that the journal holds, newest first, each with the reason and what to change. Arguments select others; "id" shows one whole exchange.',
  properties: {
    id: whole('The id of an entry of the journal.', 1),
    operation: operationId,
    status: whole('A status, such as 404.', 100),
    method: text('A method.'),
    path: text('A part of the path or the query.'),
    key: text('The name of a key.'),
    unmatched: toggle('Only calls for which the document has no operation.'),
    since: text('An instant in ISO 8601, or the id of an entry: only later calls.'),
    all: toggle('Calls that succeeded, too.'),
    skip,
  },
  effect: 'reads',
  async run(client, { id, method, path, all, skip, ...filter }) {
    if (id !== undefined) return toTextPage(await showEntry(client, id), { skip });
    const query = new URLSearchParams({ ...filter, fields: 'summary', limit: '1000' });
    const { requests, meta } = await callAdmin<RequestsView<EntrySummary>>(
      client,
      'GET',
      `requests?${query}`,
    );
    const isMeant = (one: EntrySummary) =>
      (all || filter.status !== undefined || (one.status ?? 500) >= 400) &&
      (method === undefined || one.method === method.toUpperCase()) &&
      (path === undefined || one.url?.includes(path));
    const found = requests.filter(isMeant);
    if (found.length === 0)
      return `No such call failed: the journal has ${meta.total} that match without "method" and "path". "all": true lists calls that succeeded.`;
    return toPage(found.slice(skip).map(toSummaryText), { skip, total: found.length });
  },
};

function toSummaryText(entry: EntrySummary): string {
  const { id, at, method, url } = entry;
  return [`#${id} ${at} ${method} ${url}`, ...toReasonLines(entry, explainReason(entry))].join(
    '\n  ',
  );
}

async function showEntry(client: TwinClient, id: number): Promise<string> {
  const entry = await callAdmin<Entry>(client, 'GET', `requests/${id}`);
  const show = (message: Message | null) =>
    message && { ...message, body: readJson(message.body ?? '') ?? message.body };
  const { request, response, ...others } = entry;
  const shown = { ...others, request: show(request), response: show(response) };
  return [...toReasonLines(entry, explainEntry(entry)), toDocumentYaml(shown)].join('\n');
}

/** The tools that show what the API is and does. */
export const readTools: readonly Tool[] = [describeApi, callTool, why];
