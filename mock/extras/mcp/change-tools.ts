import { defined } from '../../../common/defined.ts';
import { stringifyExact } from '../../../common/json-text.ts';
import { parseDuration } from '../../clock.ts';
import { faultNames } from '../../faults/fault-rules.ts';
import { windows } from '../../limits/windows.ts';
import type { ClockView } from '../admin/clock-handlers.ts';
import type { LimitsView } from '../admin/limit-handlers.ts';
import type { FaultsView } from '../forced/fault-handlers.ts';
import { toPage, toTextPage } from './to-page.ts';
import { operationId, skip, type Tool, text, whole } from './tool.ts';
import { callAdmin, ToolError, type TwinClient } from './twin-client.ts';

const keyName = text('The name of a key, as describe_api lists it.');
const times = whole('How often; without it, until the rule is removed.', 1);
const ruleId = text('The id of the rule; without it, fault-1, fault-2 and so on.');

const setResponse: Tool = {
  name: 'set_response',
  title: 'Set the response of an operation',
  description:
    'Makes calls of an operation get this status, such as 429 or 503, instead of their own response. Without "body", the mock answers as the document describes the status, with headers such as Retry-After. Nothing that is stored changes.',
  properties: {
    operation: operationId,
    status: { type: 'integer', minimum: 200, maximum: 599, description: 'The status to answer.' },
    body: { description: 'The body: any JSON, or a text that is sent as text/plain.' },
    headers: { type: 'object', description: 'Headers that replace those of the response.' },
    times,
    key: text('Only calls with the key of this name.'),
    id: ruleId,
  },
  required: ['operation', 'status'],
  effect: 'changes',
  run: addRule,
};

async function addRule(client: TwinClient, rule: object): Promise<string> {
  const added = await callAdmin<{ id: string }>(client, 'POST', 'faults', rule);
  return `${stringifyExact(added)}\nbreak_it {"action":"remove","id":"${added.id}"} ends it; so does data {"action":"reset"}.`;
}

const breakIt: Tool = {
  name: 'break_it',
  title: 'Break it: faults, latency, limits, bans',
  description:
    'Lets calls fail as services do. "fault" breaks the connection or answers a status now and then, "latency" delays all responses, "exhaust" uses up the limit of a key, "ban" bans a key, "lift" ends both, "plan" gives a key the limits of a plan; "list" shows all that, "remove" removes a rule of a fault or of set_response, "clear" all rules and the latency.',
  properties: {
    action: text('What to do.', [
      ...['list', 'fault', 'latency', 'exhaust', 'ban', 'lift', 'plan', 'remove', 'clear'],
    ]),
    operation: text('"fault": the id of the operation whose calls fail; without it, all.'),
    fault: text('"fault": how the connection breaks.', faultNames),
    status: whole('"fault": the status to answer instead.', 200),
    every: whole('"fault": only every n-th call.', 1),
    probability: { type: 'number', minimum: 0, maximum: 1, description: '"fault": how likely.' },
    times,
    delay: whole('"fault", "latency": milliseconds; 0 ends the latency.'),
    key: keyName,
    window: text(
      '"exhaust": which limit; the minute unless given.',
      windows.map(({ per }) => per),
    ),
    seconds: whole('"ban": how long; as a first ban unless given.', 1),
    plan: text('"plan": the name of the plan.'),
    id: ruleId,
  },
  required: ['action'],
  effect: 'changes',
  async run(client, { action, delay, window = 'minute', seconds = true, plan, ...rule }) {
    const { id, key } = rule;
    const limitChange = {
      exhaust: { exhaust: window },
      ban: { ban: seconds },
      lift: { lift: true },
      plan: { plan },
    }[action as string];
    if (limitChange)
      return stringifyExact(
        await callAdmin(client, 'POST', `limits/${need({ key })}`, limitChange),
      );
    const setLatency = (fixedDelay: number | null) =>
      callAdmin(client, 'POST', 'settings', { fixedDelay, delayDistribution: null });
    switch (action) {
      case 'fault': {
        const slow = { delay: { type: 'fixed', milliseconds: delay } };
        return addRule(client, { ...rule, ...(delay !== undefined && slow) });
      }
      case 'latency':
        return stringifyExact(await setLatency(delay || null));
      case 'remove':
        await callAdmin(client, 'DELETE', `faults/${need({ id })}`);
        return `Removed ${id}.`;
      case 'clear':
        await callAdmin(client, 'DELETE', 'faults');
        await setLatency(null);
        return 'Removed all rules and the latency. Limits and bans stay: "lift" ends those of a key.';
      default: {
        const { rules } = await callAdmin<FaultsView>(client, 'GET', 'faults');
        const { keys, ...limits } = await callAdmin<LimitsView>(client, 'GET', 'limits');
        const latency = await callAdmin<object>(client, 'GET', 'settings');
        return toPage([...rules, latency, limits, ...keys].map((one) => stringifyExact(one)));
      }
    }
  },
};

/** Returns the one argument that an action cannot do without, for a path. Throws {@link ToolError}. */
function need(given: Record<string, string | number | undefined>): string {
  const [[name, value] = []] = Object.entries(given);
  if (value !== undefined) return encodeURIComponent(value);
  throw new ToolError(`This action needs "${name}".`);
}

const time: Tool = {
  name: 'time',
  title: 'Show and move the clock',
  description:
    'The clock of the mock decides limits, bans, expiry, removal dates and tasks such as webhooks. "freeze" stops it, now or at an instant, "advance" moves it forward and runs what falls due, "release" lets it follow the real time again.',
  properties: {
    action: text('What to do.', ['show', 'freeze', 'advance', 'release']),
    instant: text('"freeze": when, in ISO 8601.'),
    days: whole('"advance": how far.'),
    hours: whole('"advance": how far.'),
    minutes: whole('"advance": how far.'),
    seconds: whole('"advance": how far.'),
  },
  required: ['action'],
  effect: 'changes',
  async run(client, { action, instant, ...duration }) {
    if (action === 'advance' && Object.keys(duration).length === 0)
      throw new ToolError('"advance" needs "days", "hours", "minutes" or "seconds".');
    const change = defined({
      action: action === 'release' ? 'reset' : action,
      instant,
      durationMillis: action === 'advance' ? parseDuration(duration) : undefined,
    });
    const clock = await (action === 'show'
      ? callAdmin<ClockView>(client, 'GET', 'clock')
      : callAdmin<ClockView>(client, 'PUT', 'clock', change));
    return `The clock shows ${clock.currentInstant}, and ${clock.frozen ? 'is frozen' : 'runs'}.`;
  },
};

const data: Tool = {
  name: 'data',
  title: 'Read and change what is stored',
  description:
    'Reads and changes stored items beyond what the API allows, without keys and limits. "reset" restores the initial state: items, clock, faults, limits and journal. "snapshot" saves all that under a name, and "restore" brings it back.',
  properties: {
    action: text('What to do.', [
      ...['list', 'get', 'create', 'patch', 'delete', 'reset', 'snapshot', 'restore', 'snapshots'],
    ]),
    collection: text('The name of a collection, as describe_api lists it.'),
    id: {
      type: ['string', 'integer'],
      description: '"get", "patch", "delete": the id of an item; one of 16 digits or more as text.',
    },
    item: {
      type: 'object',
      description: '"create": the item, with an id or without; "patch": the changes, null removes.',
    },
    filters: { type: 'object', description: '"list": values that the items must have.' },
    name: text('"snapshot", "restore": the name of the snapshot.'),
    skip,
  },
  required: ['action'],
  effect: 'destroys',
  async run(client, { action, collection, id, item, filters = {}, name, skip = 0 }) {
    const all = () => `data/${need({ collection })}`;
    if (action === 'list') {
      const query = new URLSearchParams({ ...filters, skip: String(skip), limit: '200' });
      const { items, meta } = await callAdmin<ItemsView>(client, 'GET', `${all()}?${query}`);
      const head = [`${meta.total} items of ${collection}:`];
      const texts = items.map((one) => stringifyExact(one));
      return toPage(texts, { head, skip, total: meta.total });
    }
    const one = () => `${all()}/${need({ id })}`;
    const calls: Record<string, () => [method: string, path: string, body?: unknown]> = {
      get: () => ['GET', one()],
      create: () => ['POST', all(), item],
      patch: () => ['PATCH', one(), item],
      delete: () => ['DELETE', one()],
      snapshot: () => ['PUT', `snapshots/${need({ name })}`],
      restore: () => ['POST', `snapshots/${need({ name })}/restore`],
      snapshots: () => ['GET', 'snapshots'],
      reset: () => ['POST', 'reset'],
    };
    const [method, path, body] = calls[action]?.() ?? ['GET', ''];
    const answer = await callAdmin(client, method, path, body);
    return answer === undefined ? `Done: ${action}.` : toTextPage(stringifyExact(answer));
  },
};

type ItemsView = { items: unknown[]; meta: { total: number } };

/** The tools that change what the mock answers. */
export const changeTools: readonly Tool[] = [setResponse, breakIt, time, data];
