import type { RecordedExchange } from '../../contracts/traffic/read-outcome.ts';
import type { RawHeader } from '../../contracts/transcript/exchange.ts';
import { createBehaviour, type Mutate, respond, toCall } from '../../tools/lab/deployment.ts';
import { toJson } from '../../tools/lab/exact.ts';
import type { Behaviour, Settings, Shop } from '../../tools/lab/shop.ts';

export const simulatedUrl = 'http://shop.test/v1';

/** A call of a client at an instant, or something that happens beside the calls. */
export type Event =
  | {
      at: number;
      /** How long it takes, in milliseconds; the deployment answers in the middle. */
      takes: number;
      method?: string;
      path: string;
      headers: Readonly<Record<string, string>>;
      body?: string;
      /** Whether nobody records it. */
      isUnseen?: boolean;
      /** How much of the answer's body is recorded, if not all. */
      recorded?: number;
    }
  | { at: number; happens: (shop: Shop) => void };

export type Simulation = { settings?: Partial<Settings>; mutate?: Mutate };

/**
 * Lets events happen to a deployment of the lab, in time that does not pass, and gives what was
 * recorded in the order in which it ended.
 */
export function simulate(
  events: Iterable<Event>,
  { settings, mutate }: Simulation = {},
): RecordedExchange[] {
  let now = 0;
  const { behaviour, shop } = createBehaviour({
    ...(settings && { settings }),
    ...(mutate && { mutate }),
    now: () => now,
  });
  const instantOf = (event: Event) => event.at + ('takes' in event ? event.takes / 2 : 0);
  const recorded: RecordedExchange[] = [];
  let number = 0;
  for (const event of [...events].toSorted((left, right) => instantOf(left) - instantOf(right))) {
    now = instantOf(event);
    if ('happens' in event) event.happens(shop);
    else {
      number += 1;
      const exchange = answer(event, { behaviour, number, now });
      if (!event.isUnseen) recorded.push(exchange);
    }
  }
  return recorded.toSorted((left, right) => left.endedAt - right.endedAt);
}

function answer(
  event: Extract<Event, { path: string }>,
  { behaviour, number, now }: { behaviour: Behaviour; number: number; now: number },
): RecordedExchange {
  const { at, takes, method = 'GET', path, headers, body: sent, recorded } = event;
  const request = { method, url: `/v1${path}`, headers: toLower(headers) };
  const call = toCall(request, { number, text: sent ?? '', base: '/v1' });
  const {
    status,
    headers: answered,
    body,
    text,
  } = behaviour.answer(call, respond(behaviour, call, new Date(now)));
  const bytes = Buffer.from(text ?? (body === undefined || method === 'HEAD' ? '' : toJson(body)));
  const isCut = recorded !== undefined && recorded < bytes.length;
  return {
    request: {
      method,
      url: simulatedUrl + path,
      headers: Object.entries(headers),
      ...(sent !== undefined && { body: { bytes: Buffer.from(sent) } }),
    },
    response: {
      status,
      headers: Object.entries(answered) as RawHeader[],
      body: { bytes: isCut ? bytes.subarray(0, recorded) : bytes, ...(isCut && { isCut }) },
    },
    sentAt: at,
    endedAt: at + takes,
  };
}

function toLower(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
