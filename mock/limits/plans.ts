import type { PlanFigures } from '../../openapi/index.ts';
import { type Figures, toFigures, windows } from './windows.ts';

/** Requests that a key may make in each window. */
export type Plan = { name: string } & Figures;

/**
 * When a key is banned: this many 429s within this time; each further ban while it goes on lasts
 * twice as long.
 */
export type BanPolicy = {
  strikes: number;
  withinSeconds: number;
  seconds: number;
  maxSeconds: number;
};

export type LimitPolicy = {
  plans: Record<string, Plan>;
  ban: BanPolicy | false;
};

/**
 * A key of the API. `name` is shown wherever the key itself must not be; `own` are figures that
 * override the plan's.
 */
export type ApiKey = {
  key: string;
  name: string;
  plan: Plan;
  own: Partial<Figures>;
  /** The redirect URIs of the key as a client of OAuth, besides the users' own machine. */
  redirectUris?: readonly string[];
};

type Fields = Record<string, unknown>;

const figureNames = windows.map(({ figure }) => figure);

/** A plans or keys file is wrong; the message says where, and what was expected. */
export class PolicyError extends Error {}

/**
 * Reads a plans file, `{"plans": {NAME: {"perMinute", "perDay"}}, "ban": {...} | false}`: its plans
 * are added to those of a base or replace them, and figures that a document states (§8) replace both.
 * Throws {@link PolicyError}.
 */
export function parsePlans(
  file: unknown,
  stated: Record<string, PlanFigures>,
  base?: LimitPolicy,
): LimitPolicy {
  const fields = asObject(file, 'The file', ['plans', 'ban']);
  const plans: Record<string, Plan> = { ...base?.plans };
  for (const [name, figures] of Object.entries(asObject(fields.plans ?? {}, '"plans"')))
    plans[name] = toPlan(name, figures);
  for (const [name, figures] of Object.entries(stated))
    if (figures !== 'custom') plans[name] = toPlan(name, figures);
  const ban = fields.ban === undefined && base ? base.ban : toBan(fields.ban ?? false);
  return { plans, ban };
}

/**
 * Reads a keys file, `{"keys": [{"key", "plan", "name"?, "perMinute"?, "perDay"?, "redirectUris"?}]}`; a key's own
 * figures go before its plan's. Throws {@link PolicyError}.
 */
export function parseKeys(
  file: unknown,
  plans: Record<string, Plan>,
  nameOf: (key: string, index: number) => string,
): ApiKey[] {
  const { keys } = asObject(file, 'The file', ['keys']);
  if (!Array.isArray(keys) || keys.length === 0)
    throw new PolicyError('"keys" must be a list with at least one key.');
  const parsed = keys.map((entry, index) => {
    const where = `keys[${index}]`;
    const members = ['key', 'plan', 'name', ...figureNames, 'redirectUris', 'assumed'];
    const given = asObject(entry, where, members);
    const { key, plan, name, redirectUris } = given;
    if (typeof key !== 'string' || !/^[!-~]([ -~]*[!-~])?$/.test(key))
      throw new PolicyError(
        `${where}.key must be a text of printable ASCII, without spaces at its ends.`,
      );
    if (typeof plan !== 'string' || !Object.hasOwn(plans, plan))
      throw new PolicyError(
        `${where}.plan must be one of ${Object.keys(plans).join(', ')}, but is ${JSON.stringify(plan) ?? 'missing'}.`,
      );
    if (name !== undefined && !isUsableName(name))
      throw new PolicyError(`${where}.name must be a text that a URL can contain.`);
    const base = plans[plan] as Plan;
    const own: Partial<Figures> = {};
    for (const figure of figureNames)
      if (given[figure] !== undefined) own[figure] = toFigure(given[figure], `${where}.${figure}`);
    return {
      key,
      name: name ?? nameOf(key, index),
      plan: { ...base, ...own },
      own,
      ...(redirectUris !== undefined && {
        redirectUris: toRedirectUris(redirectUris, `${where}.redirectUris`),
      }),
    };
  });
  for (const field of ['key', 'name'] as const) {
    const twice = parsed.findIndex(
      (key, index) => parsed.findIndex((first) => first[field] === key[field]) !== index,
    );
    if (twice !== -1) throw new PolicyError(`keys[${twice}].${field} is used twice.`);
  }
  return parsed;
}

function isUsableName(name: unknown): name is string {
  return typeof name === 'string' && !['', '.', '..'].includes(name) && name.isWellFormed();
}

/** Returns a key's plan in other plans; a plan that they lack stays. */
export function planUnder(plans: Readonly<Record<string, Plan>>, { plan, own }: ApiKey): Plan {
  return {
    ...(Object.hasOwn(plans, plan.name) ? plans[plan.name] : plan),
    name: plan.name,
    ...own,
  } as Plan;
}

/** Requests that a key on each plan may make, by the names of the plans. */
export type PlanTable = Readonly<Record<string, Figures>>;

/** Plans as they are given and shown. */
export function toPlanTable(plans: Readonly<Record<string, Plan>>): PlanTable {
  return Object.fromEntries(
    Object.entries(plans).map(([name, plan]) => [name, toFigures(({ figure }) => plan[figure])]),
  );
}

/** The plan that a caller without a key is shown: the free one, or the first. */
export function anonymousPlan(plans: Readonly<Record<string, Plan>>): Plan {
  return plans.free ?? Object.values(plans)[0] ?? toPlan('free', { perMinute: 60, perDay: 1000 });
}

function toPlan(name: string, value: unknown): Plan {
  const where = `plans.${name}`;
  const given = asObject(value, where, [...figureNames, 'assumed']);
  const figures = toFigures(({ figure, unstated }) =>
    toFigure(figure in given ? given[figure] : unstated, `${where}.${figure}`),
  );
  return { name, ...figures };
}

/** Reads when keys are banned. Throws {@link PolicyError}. */
export function toBan(value: unknown): BanPolicy | false {
  if (value === false) return false;
  const fields = asObject(value, '"ban"', [
    'strikes',
    'withinSeconds',
    'seconds',
    'maxSeconds',
    'assumed',
  ]);
  const ban = {
    strikes: toFigure(fields.strikes, 'ban.strikes'),
    withinSeconds: toFigure(fields.withinSeconds, 'ban.withinSeconds'),
    seconds: toFigure(fields.seconds, 'ban.seconds'),
    maxSeconds: toFigure(fields.maxSeconds, 'ban.maxSeconds'),
  };
  if (ban.maxSeconds < ban.seconds)
    throw new PolicyError('ban.maxSeconds must be at least ban.seconds.');
  return ban;
}

function toFigure(value: unknown, where: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw new PolicyError(
      `${where} must be a whole number of at least 1, but is ${JSON.stringify(value) ?? 'missing'}.`,
    );
  return value as number;
}

function toRedirectUris(value: unknown, where: string): string[] {
  const isUri = (uri: unknown) =>
    typeof uri === 'string' &&
    URL.canParse(uri) &&
    !/^(javascript|data|vbscript):|[^!-~]|[#\\]/i.test(uri);
  if (!Array.isArray(value) || !value.every(isUri))
    throw new PolicyError(
      `${where} must be a list of URLs in ASCII, without spaces, backslashes or a fragment.`,
    );
  return value;
}

function asObject(value: unknown, where: string, known?: string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PolicyError(`${where} must be an object.`);
  const unknown = known && Object.keys(value).find((field) => !known.includes(field));
  if (unknown)
    throw new PolicyError(
      `${where} has an unknown field "${unknown}"; known are ${known.join(', ')}.`,
    );
  return value as Fields;
}
