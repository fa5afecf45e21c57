import { isDeepStrictEqual } from 'node:util';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import type { ApiKey, BanPolicy, Plan } from '../limits/plans.ts';
import type { Served } from '../served.ts';

/** Describes what changed in what is served, one phrase each; of a key only its name. */
export function describeChange(before: Served, after: Served): string[] {
  const changes: string[] = [];
  const details = documentDetails(before.document, after.document);
  const arePinsNew = before.pins !== after.pins;
  if (before.document.exact !== after.document.exact && (details.length > 0 || !arePinsNew))
    changes.push(withDetails('the document', details));
  if (arePinsNew) changes.push('pins');
  if (before.policy !== after.policy)
    changes.push(withDetails('plans', policyDetails(before.policy, after.policy)));
  const keys = keysDetails(before.keys, after.keys);
  if (keys.length > 0) changes.push(withDetails('keys', keys));
  if (before.data !== after.data) changes.push('the data');
  for (const [name, text] of Object.entries(after.namedItems))
    if (text !== (before.namedItems[name] ?? '[]')) changes.push(`named items of ${name}`);
  return changes;
}

function documentDetails(before: ApiDocument, after: ApiDocument): string[] {
  const byId = ({ operations }: ApiDocument) =>
    new Map(operations.map((operation) => [operation.id, operation]));
  const [old, current] = [byId(before), byId(after)];
  const contents = ({ id: _id, method: _method, path: _path, ...contents }: Operation) => contents;
  const isSame = (left: Operation, right: Operation) =>
    isDeepStrictEqual(contents(left), contents(right));
  const operations = differences(old, current, isSame);
  const components = differences(componentsOf(before), componentsOf(after));
  const newNames = operations.added.map((id) => [targetOf(current.get(id)), id] as const);
  const renamed = new Map(
    operations.removed.flatMap((id) => {
      const [, name] = newNames.find(([target]) => target === targetOf(old.get(id))) ?? [];
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
  const isNewName = new Set(renamed.values());
  const moved = [...current.keys()].filter(
    (id) => old.has(id) && targetOf(old.get(id)) !== targetOf(current.get(id)),
  );
  return [
    ...phrase('added', [
      ...operations.added.filter((id) => !isNewName.has(id)),
      ...components.added,
    ]),
    ...phrase('removed', [
      ...operations.removed.filter((id) => !renamed.has(id)),
      ...components.removed,
    ]),
    ...phrase('changed', [...operations.changed, ...components.changed]),
    ...shortened([...renamed].map(([id, name]) => `${id} was renamed to ${name}`)),
    ...shortened(moved.map((id) => `${id} is now ${targetOf(current.get(id))}`)),
    ...(before.title === after.title ? [] : [`its title is now "${after.title}"`]),
    ...(before.version === after.version ? [] : [`its version is now ${after.version}`]),
    ...(before.basePath === after.basePath
      ? []
      : [`the API is now under ${after.basePath || '/'}`]),
  ];
}

function targetOf(operation?: Operation): string {
  return `${operation?.method} ${operation?.path}`;
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

function componentsOf({ raw }: ApiDocument): Map<string, unknown> {
  const named = Object.entries(sections).flatMap(([section, what]) =>
    Object.entries(raw.components?.[section] ?? {}).map(
      ([name, value]) => [`${what} ${name}`, value] as const,
    ),
  );
  return new Map(named);
}

function policyDetails(before: Served['policy'], after: Served['policy']): string[] {
  const { added, removed, changed } = differences(
    new Map(Object.entries(before.plans)),
    new Map(Object.entries(after.plans)),
  );
  return [
    ...phrase('added', added),
    ...phrase('removed', removed),
    ...shortened(changed.map((name) => `${name} is now ${toFigures(after.plans[name] as Plan)}`)),
    ...(isDeepStrictEqual(before.ban, after.ban) ? [] : [toBanPhrase(after.ban)]),
  ];
}

function toBanPhrase(ban: BanPolicy | false): string {
  return ban
    ? `a key is now banned after ${ban.strikes} refusals within ${ban.withinSeconds} s, for ${ban.seconds} to ${ban.maxSeconds} s`
    : 'bans are now off';
}

/** Changed figures of a plan are left out, because each key carries the figures of its plan. */
function keysDetails(before: Served['keys'], after: Served['keys']): string[] {
  const byKey = (keys: Served['keys']) => new Map(keys.map((key) => [key.key, key]));
  const [old, current] = [byKey(before), byKey(after)];
  const isSame = (left: ApiKey, right: ApiKey) =>
    left.name === right.name &&
    left.plan.name === right.plan.name &&
    isDeepStrictEqual(left.own, right.own);
  const { added, removed, changed } = differences(old, current, isSame);
  const namesOf = (keys: readonly string[], among: ReadonlyMap<string, ApiKey>) =>
    keys.map((key) => among.get(key)?.name ?? '');
  const [addedNames, removedNames] = [namesOf(added, current), namesOf(removed, old)];
  const isReplaced = (name: string) => addedNames.includes(name) && removedNames.includes(name);
  const phrases = changed.map((key) =>
    toKeyPhrase(old.get(key) as ApiKey, current.get(key) as ApiKey),
  );
  return [
    ...phrase(
      'added',
      addedNames.filter((name) => !isReplaced(name)),
    ),
    ...phrase(
      'removed',
      removedNames.filter((name) => !isReplaced(name)),
    ),
    ...shortened(addedNames.filter(isReplaced).map((name) => `${name} now has a different key`)),
    ...shortened(phrases),
  ];
}

function toKeyPhrase(before: ApiKey, after: ApiKey): string {
  const parts: string[] = [];
  if (before.name !== after.name) parts.push(`called ${after.name}`);
  if (before.plan.name !== after.plan.name) parts.push(`on ${after.plan.name}`);
  if (!isDeepStrictEqual(before.own, after.own)) parts.push(`limited to ${toFigures(after.plan)}`);
  return `${before.name} is now ${parts.join(' and ')}`;
}

function toFigures({ perMinute, perDay }: Plan): string {
  return `${perMinute.toLocaleString('en')}/min, ${perDay.toLocaleString('en')}/day`;
}

type Differences = Record<'added' | 'removed' | 'changed', string[]>;

function differences<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (left: T, right: T) => boolean = isDeepStrictEqual,
): Differences {
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: [...after]
      .filter(([id, value]) => before.has(id) && !isSame(before.get(id) as T, value))
      .map(([id]) => id),
  };
}

function phrase(what: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`${what} ${shortened(names).join(', ')}`] : [];
}

function shortened(names: readonly string[]): string[] {
  return names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : [...names];
}

function withDetails(what: string, details: readonly string[]): string {
  return details.length > 0 ? `${what} (${details.join('; ')})` : what;
}
