import { beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../../contracts/checks/index.ts';
import type { Finding, Report } from '../../../contracts/report/events.ts';
import { compile } from '../../../openapi/index.ts';
import type { ApiKey, VerifySettings } from '../../../package/verify.ts';
import { broken } from '../../../tools/lab/broken.ts';
import { type Mutate, openDeployment } from '../../../tools/lab/deployment.ts';
import { sevenMistakes } from '../../../tools/lab/seven-mistakes.ts';
import { body, dropHeader, header, tamper, text } from '../../../tools/lab/tamper.ts';
import { documentOf } from '../../support/document-of.ts';
import { judgeTraffic, passed } from '../../support/traffic.ts';
import { verify } from '../../support/verify-writes.ts';

const keys: ApiKey[] = [
  { key: 'k-free-1', plan: 'free' },
  { key: 'k-free-2', plan: 'free' },
  { key: 'k-pro-1', plan: 'pro' },
];

async function report(
  mutate: Mutate,
  { animals = 45, ...settings }: VerifySettings & { animals?: number } = {},
): Promise<Report> {
  const deployment = await openDeployment({ mutate, settings: { animals } });
  return verify({ target: { url: deployment.url, keys }, twin: false, ...settings }).finally(() =>
    deployment.close(),
  );
}

function driftOf({ findings }: Report): Finding[] {
  return findings.filter(({ verdict, target }) => verdict === 'drift' && target === 'target');
}

const briefly = ({ check, operations, related }: Finding) => ({
  check,
  operations: operations.map(({ id }) => id).toSorted(),
  also: related.filter(({ isConsequence }) => !isConsequence).map((one) => one.check),
  leadsTo: related.filter(({ isConsequence }) => isConsequence).map((one) => one.check),
});

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

const everywhere = ['createPet', 'getPet', 'listOrders', 'listPets'];

describe('seven mistakes of one deployment', () => {
  let seven: Report;
  beforeAll(async () => {
    seven = await report(sevenMistakes, { twin: true });
  });

  it('are seven findings', () => {
    const found = driftOf(seven).map(({ check }) => check);
    expect(found.toSorted()).toEqual([
      'error-shape',
      'invalid-body',
      'invalid-body',
      'page-size',
      'rate-limit-countdown',
      'retry-after',
      'unique-ids',
    ]);
  });

  it('lose no clause that they break, nor an operation', () => {
    const shown = driftOf(seven).flatMap(({ check, related }) => [
      check,
      ...related.map((one) => one.check),
    ]);
    const broken = seven.clauses
      .filter(({ results }) => results.target?.verdict === 'drift')
      .map(({ id }) => id);
    expect(broken.filter((id) => !shown.includes(id))).toEqual([]);
    const guard = driftOf(seven).find(({ check }) => check === 'error-shape') as Finding;
    expect(briefly(guard)).toEqual({
      check: 'error-shape',
      operations: everywhere,
      also: ['media-type', 'media-type', 'rate-limit-headers', 'challenge'],
      leadsTo: [],
    });
  });

  it('are no differences where nothing is stated', () => {
    const repeated = seven.findings.filter(
      ({ verdict, actual, message }) =>
        verdict === 'difference' && /422|not? JSON/.test(`${message} ${actual}`),
    );
    expect(repeated).toEqual([]);
  });

  it('are counted alike everywhere', () => {
    const { clauses, findings } = seven.totals.target as Report['totals'][string];
    expect(findings.drift).toBe(driftOf(seven).length);
    expect(Object.values(clauses).reduce((sum, count) => sum + count, 0)).toBe(
      seven.clauses.length,
    );
    expect(clauses.drift).toBe(
      seven.clauses.filter(({ results }) => results.target?.verdict === 'drift').length,
    );
  });
});

it('keeps two mistakes apart that happen to be in the same answers', async () => {
  const mistakes = tamper(
    { operation: 'listPets', status: 200 },
    dropHeader('X-RateLimit-Limit'),
    body((items) => (items as Record<string, unknown>[]).map(({ name: _, ...item }) => item)),
  );
  const found = driftOf(await report(mistakes)).map(({ check }) => check);
  expect(found).toContain('rate-limit-headers');
  expect(found).toContain('body-schema');
});

it('keeps two error handlers apart, and tells one of all statuses once', async () => {
  const guard = tamper({ status: 401 }, text('Unauthorized', 'text/plain'));
  const router = tamper({ status: 404 }, text('<h1>Not found</h1>', 'text/html'));
  const both: Mutate = (truth, shop) => {
    const first = guard(truth, shop).answer ?? truth.answer;
    const second = router(truth, shop).answer ?? truth.answer;
    return { answer: (call, answer) => second(call, first(call, answer)) };
  };
  expect(driftOf(await report(both)).map(briefly)).toEqual([
    {
      check: 'error-shape',
      operations: everywhere,
      also: ['media-type', 'media-type', 'challenge'],
      leadsTo: [],
    },
    {
      check: 'error-shape',
      operations: ['getPet'],
      also: ['media-type', 'media-type'],
      leadsTo: [],
    },
  ]);
  const handler: Mutate = tamper(
    { when: (_, { status }) => status >= 400 },
    body(() => ({ error: 'no' })),
    header('X-Handler', '1'),
  );
  expect(
    driftOf(await report(handler)).map(({ check, operations }) => [check, operations.length]),
  ).toEqual([['error-shape', 4]]);
});

it('has checks follow others that exist, and never in a circle', () => {
  const followed = new Map(
    checks.map(({ id, follows = [] }) => [
      id,
      follows
        .map((other) => (typeof other === 'string' ? other : other.check))
        .filter((other) => other !== id),
    ]),
  );
  const isAcyclic = (id: string, path: string[] = []): boolean =>
    !path.includes(id) &&
    (followed.get(id) ?? []).every((other) => isAcyclic(other, [...path, id]));
  for (const [id, others] of followed) {
    expect(others.filter((other) => !followed.has(other))).toEqual([]);
    expect(isAcyclic(id)).toBe(true);
  }
});

it.each([0, 45, 110])(
  'finds one cause in a store of %i animals that stores nothing',
  async (animals) => {
    const { mutate } = broken.find(({ id }) => id === 'create-not-stored') as { mutate: Mutate };
    const found = driftOf(await report(mutate, { animals }));
    expect(found.map(({ check, message }) => `${check}: ${message}`)).toEqual([
      'read-back: a created item is not found again by its id',
    ]);
    expect(found.flatMap(briefly)[0]?.leadsTo).toEqual(
      expect.arrayContaining(['success-status', 'listed-when-created']),
    );
  },
);

it.each<[what: string, animals: number, mutate: Mutate]>([
  [
    'stores under another id than it answers with',
    45,
    tamper({ operation: 'createPet', status: 201 }, (answer) => {
      const { id, ...item } = answer.body as { id: bigint };
      return { ...answer, body: { ...item, id: id + 9_000_000n } };
    }),
  ],
  [
    'shows no created animal among its first 100, and reads none',
    1000,
    (truth) => ({
      read: (id, call) =>
        /^[0-9]+$/.test(id) && BigInt(id) > 1000n ? undefined : truth.read(id, call),
    }),
  ],
])('does not say that nothing is stored of a deployment that %s', async (_, animals, mutate) => {
  const found = driftOf(await report(mutate, { animals, probeLimits: false }));
  expect(found[0]).toMatchObject({
    check: 'read-back',
    message: 'a created item is not found again by its id',
  });
});

it('says of no key that another used up its limit where its own calls did', async () => {
  const perRoute = await report((truth) => {
    const made = new Map<string, number>();
    return {
      meter: (call, account) => {
        const quota = truth.meter(call, account);
        if (!account || quota.refusedFor !== undefined) return quota;
        const counter = `${account.key} ${call.operation} ${quota.reset}`;
        made.set(counter, (made.get(counter) ?? 0) + 1);
        return { ...quota, remaining: Math.max(0, quota.limit - (made.get(counter) ?? 0)) };
      },
    };
  });
  expect(driftOf(perRoute).map(({ check }) => check)).toEqual(['rate-limit-countdown']);
});

it('says of no mistake that it leads to another one of the same item or answer', async () => {
  const two: Mutate = (truth) => ({
    create: (item, call) => ({
      ...truth.create(item, call),
      name: String(item.name).toUpperCase(),
    }),
    read: (id, call) => {
      const item = truth.read(id, call);
      return (
        item && {
          ...item,
          categoryId: 5n,
          ...(BigInt(item.id as bigint) % 2n === 0n && { status: 'sold' }),
        }
      );
    },
    answer: (_, answer) => ({
      ...answer,
      headers: { ...answer.headers, 'Content-Type': 'text/json' },
    }),
  });
  const found = driftOf(await report(two));
  const messages = found.flatMap(({ check, message, related }) => [
    `${check}: ${message}`,
    ...related.map(
      (one) => `${check} ${one.isConsequence ? 'causes' : 'also'} ${one.check}: ${one.message}`,
    ),
  ]);
  expect(
    messages.filter((text) => /^created-as-sent.*(category|status)|^media-type leads/.test(text)),
  ).toEqual([]);
  expect(messages.some((text) => text.includes('different "categoryId"'))).toBe(true);
  expect(messages.some((text) => text.includes('different "status"'))).toBe(true);
});

it('knows with a known finding what follows from it', async () => {
  const anyStatus: Mutate = (truth) => ({
    refuse: (body, call) =>
      truth.refuse(isObject(body) ? { ...body, status: undefined } : body, call),
  });
  const plain = await report(anyStatus);
  expect(driftOf(plain).map(({ check }) => check)).toEqual(['invalid-body']);
  expect(driftOf(plain)[0]?.related.map(({ check }) => check)).toContain('body-schema');
  const entry = { clause: 'invalid-body', reason: 'PET-1', owner: 'pets', expires: '2099-01-01' };
  const known = await report(anyStatus, { baseline: [entry] });
  expect(driftOf(known)).toEqual([]);
  expect(known.clauses.find(({ id }) => id === 'body-schema')?.results.target?.verdict).toBe(
    'known',
  );
});

it('leaves no key in what is related', async () => {
  const echo: Mutate = (truth) => ({
    read: (id, call) => {
      const item = truth.read(id, call);
      return item && { ...item, status: call.headers.authorization };
    },
  });
  expect(JSON.stringify(await report(echo))).not.toMatch(/k-free-1|k-free-2|k-pro-1/);
});

it('tells one fault of bodies once for all resources, and others apart', async () => {
  const names = ['boards', 'cards', 'labels', 'teams'];
  const lines = names.map((name) => `${name}: GET /${name} -> [{ note, size: int, link }]`);
  const items = [{ note: null }, { link: null }, { note: null, size: 1 }, { size: 'large' }];
  const { findings } = await judgeTraffic(
    names.map((name, at) =>
      passed({ url: `http://boards.test/${name}`, answer: [items[at]], sentAt: at }),
    ),
    { baseUrl: 'http://boards.test', keys: [], document: compile(documentOf(lines.join('\n'))) },
  );
  const found = findings.map(({ check, operations }) => [
    check,
    operations.map(({ id }) => id).toSorted(),
  ]);
  expect(found).toEqual([
    ['body-schema', ['boards', 'cards', 'labels']],
    ['body-schema', ['teams']],
  ]);
});
