import { stringifyExact } from '../../../common/json.ts';
import { toDocumentYaml } from '../../../reference/document-files.ts';
import { explain } from '../../explain/explanation.ts';
import type { Entry, EntrySummary, Message } from '../../journal/entry.ts';
import { explainEntry, explainReason } from '../../journal/explain-reason.ts';
import type { Reason, Step } from '../../journal/reason.ts';
import { parseQuietly } from '../../json/exact-json.ts';
import type { ClockView } from '../admin/clock-handlers.ts';
import type { LimitsView } from '../admin/limit-handlers.ts';
import type { RequestsView } from '../admin/request-handlers.ts';
import { callOperation } from './call-operation.ts';
import { describeOperation, toEffect } from './describe-operation.ts';
import { toPage, toTextPage } from './to-page.ts';
import {
  callAdmin,
  findOperation,
  type RunTool,
  type Tools,
  type TwinClient,
} from './twin-client.ts';

const describeApi: RunTool = async (client, { operation, search = '', skip }) => {
  const document = await client.document();
  if (operation !== undefined)
    return toTextPage(await describeOperation(client, findOperation(document, operation)), {
      skip,
    });
  const { operations, totals, collections } = explain(document);
  const { keys, mode } = await callAdmin<LimitsView>(client, 'GET', 'limits');
  const clock = await callAdmin<ClockView>(client, 'GET', 'clock');
  const lines = [
    ...collections.map(
      ({ name, path, id }) =>
        `Collection ${name} at ${path}, with the id ${id.property} (${id.form})`,
    ),
    ...operations.map((one) => `${one.id}: ${one.method} ${one.path}: ${toEffect(one)}`),
  ].filter((line) => line.toLowerCase().includes(search.toLowerCase()));
  const head = [
    `${document.title} ${document.version} at ${client.root}${document.basePath}`,
    `Keys: ${keys.map(({ name, plan }) => `${name} (${plan})`).join(', ')}; limits: ${mode}`,
    `Clock: ${clock.currentInstant}${clock.frozen ? ', frozen' : ''}`,
    `${totals.operations} operations, ${totals.withState} with state in ${totals.collections} collections`,
  ];
  return toPage(lines.slice(skip), { head, skip, total: lines.length });
};

const callTool: RunTool = async (client, args) => {
  const { sent, response, body, entry } = await callOperation(client, args);
  const headers = [...(response?.headers ?? [])].filter(([name]) => !name.startsWith('access-'));
  const head = [
    sent,
    response ? `Status: ${response.status} ${response.statusText}` : 'The connection broke.',
    ...(entry ? toReasonLines(entry, explainEntry(entry)) : ['The journal has no reason.']),
    ...(entry ? [`why {"id": ${entry.id}} shows the whole exchange.`, ''] : ['']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
  ];
  const value = parseQuietly(body);
  return toTextPage(value === undefined ? body : stringifyExact(value, 2), { head });
};

/** The reason of a response, and what to change if it is an error. */
function toReasonLines({ status, reason }: Pick<Entry, 'status' | 'reason'>, why: string) {
  const hint = hintOf(status, reason);
  return [`Reason: ${why}`, ...(hint === undefined ? [] : [`To change that: ${hint}`])];
}

const why: RunTool = async (client, { id, method, path, all, skip, ...filter }) => {
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
    return `No such call failed. With "all": true${method || path ? ' and without "method" and "path"' : ''}, the journal has ${meta.total}.`;
  return toPage(found.slice(skip).map(toSummaryText), { skip, total: found.length });
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
    message && { ...message, body: parseQuietly(message.body ?? '') ?? message.body };
  const { request, response, ...others } = entry;
  const shown = { ...others, request: show(request), response: show(response) };
  return [...toReasonLines(entry, explainEntry(entry)), toDocumentYaml(shown)].join('\n');
}

const byTool = 'describe_api with this "operation" shows what it takes.';

/** The changes that lead to another response, by the step that gave it. */
const hints: Partial<Record<Step, string>> = {
  guard: 'Call the URL that describe_api shows, with its host.',
  domain: 'Call the URL that describe_api shows instead of a custom domain.',
  routing: 'Correct the path or the method; describe_api lists them, and shows the base path.',
  credentials: 'Send a key that describe_api lists, where the operation expects it.',
  limits:
    'Let the client wait as Retry-After says. In a test, move the clock (time, "advance") or end it (break_it, "lift").',
  forced: 'The client asked for it with Prefer or a __ parameter: leave that out.',
  fault: 'A rule of set_response or break_it answered: break_it "remove" with its id ends it.',
  forwarded: 'The real service answered: look there, or start the mock without --forward.',
  removal: 'Call the operation that replaces it, or freeze the clock before that date (time).',
  query: `Correct the parameter. ${byTool}`,
  body: `Correct the body. ${byTool}`,
  magic: 'The id or the name is a magic value: use another one.',
  behaviour: 'Look at what is stored (data), and at what the operation does (describe_api).',
};

/** Says what to change so that a call gets another response; undefined if nothing failed. */
function hintOf(status: number | null, { step }: Reason): string | undefined {
  return status === null || status >= 400 || step === 'fault' ? hints[step] : undefined;
}

/** The tools that show what the API is and does. */
export const readTools: Tools = { describe_api: describeApi, call_operation: callTool, why };
