import { parseJson, toJson } from '../../common/json.ts';
import { readBody } from '../../contracts/transcript/body.ts';
import { type Answer, type Exchange, isAnswered } from '../../contracts/transcript/exchange.ts';
import type { Transcript } from '../../contracts/transcript/transcript.ts';

/** An exchange that went otherwise, and how; undefined where it cannot go so. */
export type AnswerMutation = { name: string; change: (exchange: Exchange) => Exchange | undefined };

/** A transcript in which something went otherwise at an exchange or around it, and how. */
export type TranscriptMutation = {
  name: string;
  apply: (transcript: Transcript, exchange: Exchange) => Transcript | undefined;
};

type Item = Record<string, unknown>;

const statuses = [200, 201, 204, 301, 400, 401, 404, 405, 410, 418, 429, 500];
const failures = [
  'dropped',
  'timeout',
  'unreachable',
  'not-http',
  'too-large',
  'undecodable',
] as const;

const texts: [name: string, text: string][] = [
  ['empty', ''],
  ['null', 'null'],
  ['an empty list', '[]'],
  ['an empty object', '{}'],
  ['a string', '"text"'],
  ['a number', '7'],
  ['a web page', '<!doctype html>'],
];

/** Ways to answer with another body than the true one. */
const bodies: [name: string, change: (json: unknown) => unknown][] = [
  [
    'each item lacks its first member',
    eachItem((item) => Object.fromEntries(Object.entries(item).slice(1))),
  ],
  [
    'each item lacks its last member',
    eachItem((item) => Object.fromEntries(Object.entries(item).slice(0, -1))),
  ],
  ['each member is null', eachItem((item) => mapValues(item, () => null))],
  ['each member is a list', eachItem((item) => mapValues(item, () => []))],
  ['each number is one more', eachItem((item) => mapValues(item, oneMore))],
  [
    'each text is longer',
    eachItem((item) =>
      mapValues(item, (value) => (typeof value === 'string' ? `${value}x` : value)),
    ),
  ],
  ['the first item is missing', ofList((items) => items.slice(1))],
  ['the last item is missing', ofList((items) => items.slice(0, -1))],
  ['the first item comes twice', ofList((items) => [...items.slice(0, 1), ...items])],
  [
    'the first item is another',
    ofList((items) => [{ ...(items[0] as Item), id: 999_999 }, ...items.slice(1)]),
  ],
  [
    '101 items',
    ofList((items) =>
      Array.from({ length: 101 }, (_, index) => ({ ...(items[0] as Item), id: 900_000 + index })),
    ),
  ],
  ['one item more', ofList((items) => [...items, { ...(items[0] as Item), id: 999_998 }])],
  ['a single item', ofList((items) => items[0])],
];

const headerValues = ['x', '', '0', '1', '99999999', '9999999999', 'Thu, 01 Jan 1970 00:00:00 GMT'];

/** Everything that may go otherwise with one answer. */
export const answerMutations: readonly AnswerMutation[] = [
  ...statuses.map((status) =>
    answering(`status ${status}`, (response) => ({ ...response, status })),
  ),
  answering('no headers', (response) => ({ ...response, headers: [] })),
  ...texts.map(([name, text]) =>
    answering(`body ${name}`, (response) => ({ ...response, ...readBody(Buffer.from(text)) })),
  ),
  ...bodies.map(([name, change]) => ({
    name,
    change: (exchange: Exchange) => changed(exchange, change),
  })),
  answering('a byte order mark', (response) => ({
    ...response,
    ...readBody(Buffer.from(`\ufeff${response.text}`)),
  })),
  answering('each header twice', (response) => ({
    ...response,
    headers: [...response.headers, ...response.headers],
  })),
  ...headerValues.map((value) => withHeaders(`each header "${value}"`, /./, () => value)),
  ...[/limit$/i, /remaining$/i, /reset$/i, /retry-after$/i].flatMap((header) => [
    ...headerValues.map((value) => withHeaders(`${header.source} "${value}"`, header, () => value)),
    ...[-100, -8, -2, -1, 1, 2, 100].map((by) =>
      withHeaders(`${header.source} by ${by}`, header, (value) =>
        String(Math.max(0, Number(value) + by)),
      ),
    ),
  ]),
  {
    name: 'Retry-After in milliseconds',
    change: (exchange) => {
      const reset = exchange.response?.headers.find(([name]) => /reset$/i.test(name))?.[1];
      const wait = Math.floor(Number(reset) * 1000 - exchange.endedAt);
      return withHeaders('', /retry-after$/i, () => String(wait)).change(exchange);
    },
  },
  ...failures.map(
    (kind): AnswerMutation => ({
      name: `failure ${kind}`,
      change: ({ response: _, failure: __, ...exchange }) => ({
        ...exchange,
        failure: { kind, message: kind },
      }),
    }),
  ),
];

/** Everything that other answers may say of one. */
export const transcriptMutations: readonly TranscriptMutation[] = [
  laterLists('the sent item is in each later list', (items, exchange) => [
    ...items,
    { ...sentItem(exchange), id: 777_777 },
  ]),
  laterLists('the sent item is in each later list twice', (items, exchange) => [
    ...items,
    ...[777_777, 777_778].map((id) => ({ ...sentItem(exchange), id })),
  ]),
  laterLists('each later list lacks the answered item', (items, { response }) =>
    items.filter(({ id }) => id !== (response?.json as Item | undefined)?.id),
  ),
  {
    name: 'each later list lacks the answered item, and reading still shows it',
    apply: (transcript, exchange) => {
      const item = exchange.response?.json as Item | undefined;
      const read = transcript.exchanges.findLast(
        ({ case: testCase, response }) =>
          testCase.purpose.kind === 'read' && response?.status === 200,
      );
      if (item?.id === undefined || !read) return undefined;
      const path = read.request.path.replace(/[^/]+$/, String(item.id));
      const shown = changed({ ...read, request: { ...read.request, path } }, () => item);
      const lacking = laterLists('', (items) => items.filter(({ id }) => id !== item.id)).apply(
        transcript,
        exchange,
      );
      return lacking && shown && replacing(lacking, shown);
    },
  },
  {
    name: 'each later list shows three other items again and again, full ones too',
    apply: (transcript, exchange) => {
      const others = ofList((items) =>
        items.map((item, index) => ({ ...item, id: 1_000_000 + (index % 3) })),
      );
      return mapping(transcript, (one) =>
        one.number > exchange.number && one.case.operation?.kind === 'list'
          ? (changed(one, others) ?? one)
          : one,
      );
    },
  },
  laterLists('each later list lacks the first item', (items, { response }) =>
    items.filter(({ id }) => id !== (response?.json as Item[] | undefined)?.[0]?.id),
  ),
  {
    name: 'it was answered long before, and only the list of what was created lacks its item',
    apply: (transcript, exchange) =>
      mapping(transcript, (one) => {
        if (one.number === exchange.number)
          return { ...one, sentAt: one.sentAt - 10_000, endedAt: one.endedAt - 10_000 };
        const lacking = ofList((items) =>
          items.filter(({ id }) => id !== (exchange.response?.json as Item | undefined)?.id),
        );
        return one.case.stage === 'after' ? (changed(one, lacking) ?? one) : one;
      }),
  },
  {
    name: 'it shows its first item otherwise, as did an earlier list',
    apply: (transcript, exchange) => {
      const first = (exchange.response?.json as Item[] | undefined)?.[0];
      const shown = transcript.exchanges.filter(
        ({ number, response }) =>
          number < exchange.number &&
          Array.isArray(response?.json) &&
          response.json.some(({ id }) => id === first?.id),
      );
      const earlier = shown[Math.floor(shown.length / 2)]?.number;
      const rename = ofList((items) =>
        items.map((item) => (item.id === first?.id ? { ...item, name: 'another' } : item)),
      );
      return mapping(transcript, (one) =>
        one.number === exchange.number || one.number === earlier
          ? (changed(one, rename) ?? one)
          : one,
      );
    },
  },
  {
    name: 'the store is small, and each list adds an item',
    apply: (transcript) => {
      let lists = 0;
      return mapping(transcript, (one) => {
        if (one.case.operation?.kind !== 'list' || !Array.isArray(one.response?.json)) return one;
        lists += 1;
        const added = Array.from({ length: lists }, (_, index) => ({
          id: 800_000 + index,
          name: 'added',
          categoryId: 1,
        }));
        const { purpose } = one.case;
        const limit = (purpose.kind === 'list' ? purpose.limit : undefined) ?? 20;
        return (
          changed(one, (json) => [...(json as Item[]).slice(0, 2), ...added].slice(0, limit)) ?? one
        );
      });
    },
  },
  {
    name: 'an earlier list shows the id',
    apply: (transcript, exchange) => {
      const id = (exchange.response?.json as Item | undefined)?.id;
      return mapping(transcript, (one) =>
        one.number < exchange.number
          ? (changed(
              one,
              ofList((items) => [{ ...items[0], id }, ...items.slice(1)]),
            ) ?? one)
          : one,
      );
    },
  },
  {
    name: 'Remaining stands still for its key',
    apply: (transcript, { request }) =>
      mapping(transcript, (one) =>
        one.request.keyName === request.keyName
          ? (withHeaders('', /remaining$/i, () => '50').change(one) ?? one)
          : one,
      ),
  },
  ...[-1, 1].map(
    (step): TranscriptMutation => ({
      name: `it is answered as the call ${step < 0 ? 'before' : 'after'} it of its operation`,
      apply: (transcript, exchange) => {
        const alike = transcript.exchanges.filter(
          (one) => one.case.operation === exchange.case.operation && isAnswered(one),
        );
        const other = alike[alike.findIndex(({ number }) => number === exchange.number) + step];
        return other?.response && isAnswered(exchange)
          ? replacing(transcript, { ...exchange, response: other.response })
          : undefined;
      },
    }),
  ),
];

/** The transcript with the mutation at each exchange that is chosen. */
export function mutateAnswers(
  transcript: Transcript,
  { change }: AnswerMutation,
  isChosen: (exchange: Exchange) => boolean,
): Transcript {
  return mapping(transcript, (one) => (isChosen(one) ? (change(one) ?? one) : one));
}

function answering(
  name: string,
  change: (response: Answer['response']) => Answer['response'],
): AnswerMutation {
  return {
    name,
    change: (exchange) =>
      isAnswered(exchange) ? { ...exchange, response: change(exchange.response) } : undefined,
  };
}

function withHeaders(
  name: string,
  header: RegExp,
  change: (value: string) => string,
): AnswerMutation {
  return answering(name, (response) => ({
    ...response,
    headers: response.headers.map(
      ([sent, value]) => [sent, header.test(sent) ? change(value) : value] as const,
    ),
  }));
}

const failing = answering('status 500', (response) => ({ ...response, status: 500 }));

function laterLists(
  name: string,
  change: (items: Item[], exchange: Exchange) => Item[],
): TranscriptMutation {
  return {
    name,
    apply: (transcript, exchange) =>
      mapping(transcript, (one) => {
        if (one.number < exchange.number || one === exchange || one.case.operation?.kind !== 'list')
          return one;
        const mutant = changed(
          one,
          ofList((items) => change(items, exchange)),
        );
        // Nobody knows what would come next on a full page.
        const isCut = mutant !== undefined && lengthOf(mutant) < lengthOf(one) && isFull(one);
        return (isCut ? failing.change(one) : mutant) ?? one;
      }),
  };
}

function isFull(exchange: Exchange): boolean {
  const { purpose } = exchange.case;
  return (
    purpose.kind === 'list' && purpose.limit !== undefined && lengthOf(exchange) >= purpose.limit
  );
}

function lengthOf({ response }: Exchange): number {
  return Array.isArray(response?.json) ? response.json.length : 0;
}

function replacing(transcript: Transcript, mutant: Exchange): Transcript {
  return mapping(transcript, (one) => (one.number === mutant.number ? mutant : one));
}

function mapping(transcript: Transcript, change: (exchange: Exchange) => Exchange): Transcript {
  return { ...transcript, exchanges: transcript.exchanges.map(change) };
}

function changed(exchange: Exchange, change: (json: unknown) => unknown): Exchange | undefined {
  if (!isAnswered(exchange) || exchange.response.json === undefined) return undefined;
  return {
    ...exchange,
    response: {
      ...exchange.response,
      ...readBody(Buffer.from(toJson(change(exchange.response.json)))),
    },
  };
}

/** Returns what a deployment could store of a body: its object, or the name that stands in it. */
function sentItem({ request }: Exchange): Item {
  const text = String(request.body ?? '');
  const sent = [parseJson(text)].flat()[0];
  if (typeof sent === 'object' && sent !== null) return sent as Item;
  const name = /"name":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return name === undefined ? {} : { name: JSON.parse(name) };
}

function eachItem(change: (item: Item) => Item): (json: unknown) => unknown {
  return (json) => {
    if (Array.isArray(json)) return json.map((item) => change(item as Item));
    return typeof json === 'object' && json !== null ? change(json as Item) : json;
  };
}

function ofList(change: (items: Item[]) => unknown): (json: unknown) => unknown {
  return (json) => (Array.isArray(json) && json.length > 0 ? change(json as Item[]) : json);
}

function mapValues(item: Item, change: (value: unknown) => unknown): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, change(value)]));
}

function oneMore(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n;
  return typeof value === 'number' ? value + 1 : value;
}
