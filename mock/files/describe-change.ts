import { isDeepStrictEqual } from 'node:util';
import type { ApiDocument } from '../../contracts/description/document.ts';
import type { BanPolicy, Plan } from '../limits/plans.ts';
import type { Served } from '../served.ts';

/** Parts that have names, with what they are; of some of them, `texts` has that in words. */
type NamedParts = { values: Record<string, unknown>; texts?: Record<string, string> };

/** Describes what changed in what is served, one phrase each; of a key only its name. */
export function describeChange(before: Served, after: Served): string[] {
  const changes: string[] = [];
  const arePinsNew = before.pins !== after.pins;
  const ofDocument = detailsOf(partsOfDocument(before.document), partsOfDocument(after.document));
  if (before.document.exact !== after.document.exact && (ofDocument.length > 0 || !arePinsNew))
    changes.push(withDetails('the document', ofDocument));
  if (arePinsNew) changes.push('pins');
  if (before.policy !== after.policy)
    changes.push(withDetails('plans', detailsOf(partsOfPolicy(before), partsOfPolicy(after))));
  const ofKeys = detailsOf(partsOfKeys(before), partsOfKeys(after));
  if (ofKeys.length > 0) changes.push(withDetails('keys', ofKeys));
  if (before.data !== after.data) changes.push('the data');
  for (const [name, text] of Object.entries(after.namedItems))
    if (text !== (before.namedItems[name] ?? '[]')) changes.push(`named items of ${name}`);
  return changes;
}

/** The name for one entry of each section of the components. */
const sections: Readonly<Record<string, string>> = {
  schemas: 'schema',
  parameters: 'parameter',
  headers: 'header',
  requestBodies: 'request body',
  responses: 'response',
  examples: 'example',
  securitySchemes: 'security scheme',
};

function partsOfDocument({ raw, title, version, basePath, operations }: ApiDocument): NamedParts {
  const texts: Record<string, string> = {
    'its title': `"${title}"`,
    'its version': version,
    'the API': `under ${basePath || '/'}`,
  };
  const values: Record<string, unknown> = { ...texts };
  for (const operation of operations) values[operation.id] = operation;
  for (const [section, what] of Object.entries(sections))
    for (const [name, value] of Object.entries(raw.components?.[section] ?? {}))
      values[`${what} ${name}`] = value;
  return { values, texts };
}

function partsOfPolicy({ policy: { plans, ban } }: Served): NamedParts {
  const texts: Record<string, string> = { 'the ban': toBanText(ban) };
  for (const [name, plan] of Object.entries(plans)) texts[name] = toFigures(plan);
  return { values: { ...plans, 'the ban': ban }, texts };
}

function toBanText(ban: BanPolicy | false): string {
  if (!ban) return 'off';
  const { strikes, withinSeconds, seconds, maxSeconds } = ban;
  return `after ${strikes} refusals within ${withinSeconds} s, for ${seconds} to ${maxSeconds} s`;
}

function toFigures({ perMinute, perDay }: Plan): string {
  return `${perMinute.toLocaleString('en')}/min, ${perDay.toLocaleString('en')}/day`;
}

/** Figures of a plan are left out, because each key carries those of its plan. */
function partsOfKeys({ keys }: Served): NamedParts {
  const parts = keys.map(({ name, key, plan, own }) => [name, { key, plan: plan.name, own }]);
  return { values: Object.fromEntries(parts) };
}

function detailsOf(before: NamedParts, { values, texts = {} }: NamedParts): string[] {
  const names = Object.keys(values);
  const changed = names.filter(
    (name) =>
      Object.hasOwn(before.values, name) && !isDeepStrictEqual(before.values[name], values[name]),
  );
  const inWords = changed.filter((name) => Object.hasOwn(texts, name));
  const lists = {
    added: names.filter((name) => !Object.hasOwn(before.values, name)),
    removed: Object.keys(before.values).filter((name) => !Object.hasOwn(values, name)),
    changed: changed.filter((name) => !Object.hasOwn(texts, name)),
  };
  return [
    ...Object.entries(lists)
      .filter(([, all]) => all.length > 0)
      .map(([what, all]) => `${what} ${shortened(all).join(', ')}`),
    ...shortened(inWords.map((name) => `${name} is now ${texts[name]}`)),
  ];
}

function shortened(names: readonly string[]): string[] {
  return names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : [...names];
}

function withDetails(what: string, details: readonly string[]): string {
  return details.length > 0 ? `${what} (${details.join('; ')})` : what;
}
