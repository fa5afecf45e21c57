import { defined } from '../../../common/defined.ts';
import { stringifyExact } from '../../../common/json.ts';
import { parseDuration } from '../../clock.ts';
import type { ClockView } from '../admin/clock-handlers.ts';
import type { LimitsView } from '../admin/limit-handlers.ts';
import type { FaultsView } from '../forced/fault-handlers.ts';
import { toPage, toTextPage } from './to-page.ts';
import { callAdmin, type RunTool, ToolError, type Tools, type TwinClient } from './twin-client.ts';

async function addRule(client: TwinClient, rule: object): Promise<string> {
  const added = await callAdmin<{ id: string }>(client, 'POST', 'faults', rule);
  return `${stringifyExact(added)}\nbreak_it {"action":"remove","id":"${added.id}"} ends it; so does data {"action":"reset"}.`;
}

const breakIt: RunTool = async (
  client,
  { action, delay, window = 'minute', seconds = true, plan, ...rule },
) => {
  const { id, key } = rule;
  const limitChange = {
    exhaust: { exhaust: window },
    ban: { ban: seconds },
    lift: { lift: true },
    plan: { plan },
  }[action as string];
  if (limitChange)
    return stringifyExact(await callAdmin(client, 'POST', `limits/${need({ key })}`, limitChange));
  const setLatency = (fixedDelay: number | null) =>
    callAdmin(client, 'POST', 'settings', { fixedDelay, delayDistribution: null });
  switch (action) {
    case 'fault': {
      const slow = { delay: { type: 'fixed', milliseconds: delay } };
      return addRule(client, { ...rule, ...(delay !== undefined && slow) });
    }
    case 'latency':
      need({ delay });
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
};

/** Returns the one argument that an action cannot do without, for a path. Throws {@link ToolError}. */
function need(given: Record<string, string | number | undefined>): string {
  const [[name, value] = []] = Object.entries(given);
  if (value === undefined) throw new ToolError(`This action needs "${name}".`);
  const encoded = encodeURIComponent(value);
  // Also encoded, these would lead to another path.
  if (/^\.{1,2}$/.test(encoded)) throw new ToolError(`"${name}" cannot be "${value}".`);
  return encoded;
}

const time: RunTool = async (client, { action, instant, ...duration }) => {
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
};

const data: RunTool = async (
  client,
  { action, collection, id, item, filters = {}, name, skip = 0 },
) => {
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
};

type ItemsView = { items: unknown[]; meta: { total: number } };

/** The tools that change what the mock answers. */
export const changeTools: Tools = { set_response: addRule, break_it: breakIt, time, data };
